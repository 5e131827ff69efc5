package scenario

import (
	"errors"
	"time"

	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/processor"
)

// Feeder gives a processor payloads that no scenario can write, under the same
// fake clock and laws.
type Feeder struct{ r *runner }

// Feed starts a processor with a configuration in YAML and lets play use it. It
// must be called in a synctest bubble.
func Feed(factory processor.Factory, config string, play func(*Feeder) error) error {
	r, err := begin(&Scenario{Name: "feed", Config: config}, factory)
	if err != nil {
		return err
	}
	return errors.Join(play(&Feeder{r}), r.collector.close())
}

// Consume pushes a request and returns the processor's answer.
func (f *Feeder) Consume(md pmetric.Metrics) error { return f.r.consume(md) }

// Wait moves the clock and checks every flush on the way.
func (f *Feeder) Wait(d time.Duration) error { return f.r.advance(&Clock{To: d, Relative: true}) }
