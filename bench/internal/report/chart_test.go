package report

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChartIsXMLAndShowsWhatWasMeasured(t *testing.T) {
	svg := Chart(read(t))
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
	}
	assert.Contains(t, svg, "counters, 3 attributes")
	assert.Contains(t, svg, "200 ns")
	assert.NotContains(t, svg, "histograms, 50 buckets")
}
