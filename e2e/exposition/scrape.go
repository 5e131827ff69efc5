package exposition

import (
	"context"
	"fmt"
	"io"
	"net/http"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Fetch scrapes a Prometheus endpoint, such as http://127.0.0.1:8889/metrics.
func Fetch(ctx context.Context, url string) (Samples, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("exposition: %s answered %s", url, resp.Status)
	}
	return Parse(resp.Body)
}

// Parse reads the Prometheus text format.
func Parse(r io.Reader) (Samples, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(r)
	if err != nil {
		return nil, fmt.Errorf("exposition: %w", err)
	}
	samples := Samples{}
	for name, family := range families {
		for _, m := range family.Metric {
			samples.add(name, family.GetType(), m)
		}
	}
	return samples, nil
}

func (s Samples) add(name string, kind dto.MetricType, m *dto.Metric) {
	labels := map[string]string{}
	for _, l := range m.Label {
		labels[l.GetName()] = l.GetValue()
	}
	put := func(suffix string, v float64, monotonic bool, extra ...string) {
		sample := Sample{Name: name + suffix, Labels: labels, Value: v, Monotonic: monotonic}
		if len(extra) == 2 {
			sample.Labels = with(labels, extra[0], extra[1])
		}
		s[sample.key()] = sample
	}
	switch kind {
	case dto.MetricType_COUNTER:
		put("", m.Counter.GetValue(), true)
	case dto.MetricType_GAUGE:
		put("", m.Gauge.GetValue(), false)
	case dto.MetricType_HISTOGRAM:
		h := m.Histogram
		put("_count", float64(h.GetSampleCount()), true)
		put("_sum", h.GetSampleSum(), true)
		for _, b := range h.Bucket {
			put("_bucket", float64(b.GetCumulativeCount()), true, "le", formatBound(b.GetUpperBound()))
		}
	case dto.MetricType_SUMMARY:
		put("_count", float64(m.Summary.GetSampleCount()), true)
		put("_sum", m.Summary.GetSampleSum(), true)
		for _, q := range m.Summary.Quantile {
			put("", q.GetValue(), false, "quantile", formatBound(q.GetQuantile()))
		}
	default:
		put("", m.Untyped.GetValue(), false)
	}
}
