package contender

import (
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/otelcol-workers/otelcol-workers/bench/internal/payload"
)

// decode reads the OTLP bytes of a push: what the receiver has spent before
// any processor sees it.
type decode struct{ bytes []byte }

func newDecode(*payload.Fleet) (Contender, error) { return &decode{}, nil }

func (d *decode) Prepare(md pmetric.Metrics) {
	b, err := new(pmetric.ProtoMarshaler).MarshalMetrics(md)
	if err != nil {
		panic(err)
	}
	d.bytes = b
}

func (d *decode) Push() error {
	_, err := new(pmetric.ProtoUnmarshaler).UnmarshalMetrics(d.bytes)
	return err
}

func (*decode) Record(bool)            {}
func (*decode) Totals() payload.Totals { return nil }

// duplicate copies the points of a push and nothing else.
type duplicate struct{ from pmetric.Metrics }

func newCopy(*payload.Fleet) (Contender, error) { return &duplicate{}, nil }

func (c *duplicate) Prepare(md pmetric.Metrics) { c.from = md }

func (c *duplicate) Push() error {
	c.from.CopyTo(pmetric.NewMetrics())
	return nil
}

func (*duplicate) Record(bool)            {}
func (*duplicate) Totals() payload.Totals { return nil }
