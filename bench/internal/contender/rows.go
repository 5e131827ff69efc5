package contender

import (
	"strconv"

	"github.com/VictoriaMetrics/VictoriaMetrics/lib/prompb"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

const workerLabel = "instance"

// rows are a push as samples: what only grows, a histogram as a series for each
// of its parts. The memory is used again for the next push.
type rows struct {
	series  []prompb.TimeSeries
	labels  []prompb.Label
	samples []prompb.Sample
	names   map[string][3]string
	texts   map[any]string
}

// source is what of a resource becomes labels, as in the usual translation.
type source struct{ service, worker string }

func from(rm pmetric.ResourceMetrics) source {
	service, _ := rm.Resource().Attributes().Get("service.name")
	worker, _ := rm.Resource().Attributes().Get(payload.WorkerAttribute)
	return source{service.Str(), worker.Str()}
}

func (r *rows) convert(md pmetric.Metrics) {
	if r.names == nil {
		r.names, r.texts = map[string][3]string{}, map[any]string{}
	}
	r.series, r.labels, r.samples = r.series[:0], r.labels[:0], r.samples[:0]
	payload.Metrics(md, func(rm pmetric.ResourceMetrics, _ pmetric.ScopeMetrics, m pmetric.Metric) {
		id := from(rm)
		switch {
		case m.Type() == pmetric.MetricTypeSum && m.Sum().IsMonotonic():
			for _, dp := range m.Sum().DataPoints().All() {
				v := dp.DoubleValue()
				if dp.ValueType() == pmetric.NumberDataPointValueTypeInt {
					v = float64(dp.IntValue())
				}
				r.add(m.Name(), id, dp.Attributes(), "", v, dp.Timestamp())
			}
		case m.Type() == pmetric.MetricTypeHistogram:
			for _, dp := range m.Histogram().DataPoints().All() {
				r.histogram(m.Name(), id, dp)
			}
		}
	})
}

func (r *rows) histogram(name string, id source, dp pmetric.HistogramDataPoint) {
	n, ok := r.names[name]
	if !ok {
		n = [3]string{name + "_bucket", name + "_sum", name + "_count"}
		r.names[name] = n
	}
	var sum uint64
	for j, c := range dp.BucketCounts().All() {
		sum += c
		bound := any("+Inf")
		if j < dp.ExplicitBounds().Len() {
			bound = dp.ExplicitBounds().At(j)
		}
		r.add(n[0], id, dp.Attributes(), r.text(bound, func() string { return payload.UpperBound(dp, j) }), float64(sum), dp.Timestamp())
	}
	r.add(n[1], id, dp.Attributes(), "", dp.Sum(), dp.Timestamp())
	r.add(n[2], id, dp.Attributes(), "", float64(dp.Count()), dp.Timestamp())
}

func (r *rows) add(name string, id source, attrs pcommon.Map, le string, v float64, t pcommon.Timestamp) {
	from := len(r.labels)
	r.labels = append(r.labels,
		prompb.Label{Name: "__name__", Value: name},
		prompb.Label{Name: "job", Value: id.service},
		prompb.Label{Name: workerLabel, Value: id.worker})
	for k, v := range attrs.All() {
		text := v.Str()
		if v.Type() == pcommon.ValueTypeInt {
			text = r.text(v.Int(), func() string { return strconv.FormatInt(v.Int(), 10) })
		}
		r.labels = append(r.labels, prompb.Label{Name: k, Value: text})
	}
	if le != "" {
		r.labels = append(r.labels, prompb.Label{Name: "le", Value: le})
	}
	at := len(r.samples)
	r.samples = append(r.samples, prompb.Sample{Value: v, Timestamp: t.AsTime().UnixMilli()})
	r.series = append(r.series, prompb.TimeSeries{Labels: r.labels[from:len(r.labels):len(r.labels)], Samples: r.samples[at : at+1 : at+1]})
}

func (r *rows) text(v any, make func() string) string {
	s, ok := r.texts[v]
	if !ok {
		s = make()
		r.texts[v] = s
	}
	return s
}
