package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWrite(t *testing.T) {
	c := Chart{
		Title: "a < b", Subtitle: "sub",
		Lines: []Line{
			{Name: "up", Colour: "#111111", Width: 2, Points: []Point{{0, 0}, {10, 12345}}},
			{Name: "also up", Colour: "#222222", Width: 2, Points: []Point{{0, 0}, {10, 12345}}},
			{Name: "down", Colour: "#333333", Width: 2, Points: []Point{{0, 12345}, {10, 0}}},
		},
		Marks: []Mark{{5, "x", "killed", "#444444"}, {6, "x", "killed", "#444444"}},
	}
	var b bytes.Buffer
	require.NoError(t, c.Write(&b))

	d := xml.NewDecoder(bytes.NewReader(b.Bytes()))
	var texts []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if s, ok := token.(xml.CharData); ok && len(bytes.TrimSpace(s)) > 0 {
			texts = append(texts, string(s))
		}
	}
	for _, want := range []string{"a < b", "sub", "up", "also up", "12,345", "down", "killed"} {
		assert.Contains(t, texts, want)
	}
	// Later is to the right, more is above.
	assert.Regexp(t, `points="64.0,376.0 790.0,\d\d\.`, b.String())
	assert.Regexp(t, `points="64.0,\d\d\.\d 790.0,376.0"`, b.String())

	// No name covers another.
	rows := map[string]float64{}
	for _, m := range regexp.MustCompile(`x="804.0" y="([0-9.]+)".*>(up|also up|down)<`).FindAllStringSubmatch(b.String(), -1) {
		y, err := strconv.ParseFloat(m[1], 64)
		require.NoError(t, err)
		rows[m[2]] = y
	}
	require.Len(t, rows, 3)
	assert.GreaterOrEqual(t, rows["also up"]-rows["up"], 36.0)
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 12: "12", 1000: "1,000", 1234567: "1,234,567", 0.5: "0.5"} {
		assert.Equal(t, want, number(v))
	}
}

func TestStep(t *testing.T) {
	for _, top := range []float64{1, 1.9, 2, 4.9, 5, 9.9, 45, 5200} {
		n := top / step(top)
		assert.True(t, n >= 4 && n <= 10, "%v is divided into %v", top, n)
	}
}
