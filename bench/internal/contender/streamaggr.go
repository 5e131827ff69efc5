package contender

import (
	"fmt"
	"maps"
	"sync"

	"github.com/VictoriaMetrics/VictoriaMetrics/lib/prompb"
	"github.com/VictoriaMetrics/VictoriaMetrics/lib/streamaggr"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// Streamaggr is vmagent's stream aggregation with the output "total". It starts
// from samples: turning OTLP into them is not timed.
type Streamaggr struct {
	aggr *streamaggr.Aggregators
	rows rows
	idx  []uint32

	mu     sync.Mutex
	totals payload.Totals
}

func newStreamaggr(f *payload.Fleet) (Contender, error) {
	if f.Has(pmetric.MetricTypeExponentialHistogram) {
		return nil, nil
	}
	return NewStreamaggr("interval: 24h, ignore_first_sample_interval: 0s")
}

// NewStreamaggr builds an aggregator over all labels but the worker's, with
// further settings in YAML.
func NewStreamaggr(settings string) (*Streamaggr, error) {
	s := &Streamaggr{totals: payload.Totals{}}
	config := fmt.Sprintf("- {outputs: [total], without: [%s], keep_metric_names: true, no_align_flush_to_interval: true, flush_on_shutdown: true, %s}", workerLabel, settings)
	var err error
	s.aggr, err = streamaggr.LoadFromData([]byte(config), s.receive, nil, "bench")
	return s, err
}

func (s *Streamaggr) receive(series []prompb.TimeSeries) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ts := range series {
		s.totals[key(ts.Labels)] = ts.Samples[len(ts.Samples)-1].Value
	}
}

// Prepare turns the push into samples.
func (s *Streamaggr) Prepare(md pmetric.Metrics) { s.rows.convert(md) }

// Push gives the samples to the aggregator.
func (s *Streamaggr) Push() error {
	s.idx = s.aggr.Push(s.rows.series, s.idx)
	return nil
}

// Record does nothing: output comes at the end of the interval only.
func (*Streamaggr) Record(bool) {}

// Totals stops the aggregator, which flushes it.
func (s *Streamaggr) Totals() payload.Totals {
	s.aggr.MustStop()
	return s.Seen()
}

// Seen is what has been sent so far.
func (s *Streamaggr) Seen() payload.Totals {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.totals)
}

func key(labels []prompb.Label) string {
	name, pairs := "", []string{}
	for _, l := range labels {
		switch l.Name {
		case "__name__":
			name = l.Value
		default:
			pairs = append(pairs, l.Name+"="+l.Value)
		}
	}
	return payload.Key(name, pairs)
}
