package scenario

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/processor/deadworkerretain/internal/scenario/series"
)

var errRefused = errors.New("the next consumer refuses, as the test wants it to")

// sink is the consumer behind the processor. It keeps what it gets and when.
type sink struct {
	mu       sync.Mutex
	refusing bool
	got      []arrival
}

type arrival struct {
	at     time.Time
	points []series.Point
}

func (s *sink) Capabilities() consumer.Capabilities { return consumer.Capabilities{} }

func (s *sink) ConsumeMetrics(_ context.Context, md pmetric.Metrics) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refusing {
		return errRefused
	}
	kept := pmetric.NewMetrics()
	md.CopyTo(kept)
	s.got = append(s.got, arrival{time.Now(), series.Flatten(kept)})
	return nil
}

// refuse makes the sink refuse, or not, and returns what it did before.
func (s *sink) refuse(refusing bool) (before bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, s.refusing = s.refusing, refusing
	return before
}

// take empties the sink. What came at the same instant is one arrival.
func (s *sink) take() []arrival {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []arrival
	for _, a := range s.got {
		if n := len(out); n > 0 && out[n-1].at.Equal(a.at) {
			out[n-1].points = append(out[n-1].points, a.points...)
			continue
		}
		out = append(out, a)
	}
	s.got = nil
	return out
}
