//go:build !race

package server

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/discovery"
	"github.com/prometheus/prometheus/discovery/targetgroup"
	"github.com/prometheus/prometheus/scrape"
)

// scrape scrapes the static targets of the configuration until the end of the test.
func (s *Server) scrape(t testing.TB, registry prometheus.Registerer) error {
	manager, err := scrape.NewManager(&scrape.Options{
		DiscoveryReloadInterval:  model.Duration(100 * time.Millisecond),
		DiscoveryReloadOnStartup: true,
	}, s.log, nil, nil, s.db, registry)
	if err != nil {
		return err
	}
	if err := manager.ApplyConfig(s.config); err != nil {
		return err
	}
	targets := map[string][]*targetgroup.Group{}
	for _, job := range s.config.ScrapeConfigs {
		for _, found := range job.ServiceDiscoveryConfigs {
			if static, ok := found.(discovery.StaticConfig); ok {
				targets[job.JobName] = append(targets[job.JobName], static...)
			}
		}
	}
	discovered := make(chan map[string][]*targetgroup.Group, 1)
	discovered <- targets
	ended := make(chan error, 1)
	go func() { ended <- manager.Run(discovered) }()
	t.Cleanup(func() {
		manager.Stop()
		closed(t, <-ended)
	})
	return nil
}
