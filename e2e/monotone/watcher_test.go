package monotone

import (
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"go.uber.org/goleak"

	"github.com/otelcol-workers/otelcol-workers/e2e/exposition"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func scrape(values map[string]float64) exposition.Samples {
	s := exposition.Samples{}
	for name, v := range values {
		s[name] = exposition.Sample{Name: name, Value: v, Monotonic: name != "gauge"}
	}
	return s
}

func TestNote(t *testing.T) {
	w := &Watcher{seen: map[string]float64{}, gone: map[string]bool{}}
	w.note(scrape(map[string]float64{"a": 1, "b": 5, "gauge": 9}), nil)
	w.note(scrape(map[string]float64{"a": 2, "b": 5, "gauge": 1}), nil)
	assert.Empty(t, w.Report().Falls, "a gauge may fall")
	assert.Equal(t, 1, w.Report().Rises)

	w.note(nil, errors.New("refused"))
	w.note(scrape(map[string]float64{"a": math.Nextafter(2, 0), "b": 5}), nil)
	w.note(scrape(map[string]float64{"a": 2}), nil)
	w.note(scrape(map[string]float64{"a": 2}), nil)
	w.note(scrape(map[string]float64{"a": 2, "b": 4}), nil)

	r := w.Report()
	assert.Equal(t, 6, r.Scrapes)
	assert.Equal(t, 1, r.Failed)
	assert.EqualError(t, r.LastError, "refused")
	var falls []string
	for _, f := range r.Falls {
		falls = append(falls, f.String())
	}
	assert.Equal(t, []string{
		"a fell from 2 to 1.9999999999999998 in scrape 3", // by one ulp
		"b fell from 5 to nothing in scrape 4",            // once, however long it is gone
		"b fell from 5 to 4 in scrape 6",                  // came back lower
	}, falls)
}

func TestWatch(t *testing.T) {
	answers := make(chan string)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case text := <-answers:
			_, _ = w.Write([]byte("# TYPE a counter\n" + text + "\n"))
		case <-r.Context().Done():
		}
	}))
	defer srv.Close()

	w := Watch(srv.URL, time.Millisecond)
	for _, a := range []string{"a 1", "a 3", "a 2", "a 2"} {
		answers <- a
	}
	// The last answer may still be under way; the one before has been noted.
	r := w.Stop()
	assert.GreaterOrEqual(t, r.Scrapes, 3)
	assert.Len(t, r.Falls, 1)
	http.DefaultClient.CloseIdleConnections()
}
