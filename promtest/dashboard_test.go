//go:build !race

package promtest

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dashboard is what Grafana reads, as far as the tests look at it.
type dashboard struct {
	UID        string
	Title      string
	Templating struct{ List []variable }
	Panels     []panel
}

type variable struct {
	Name, Type, Definition string
	Query                  variableQuery
}

// variableQuery is an object for a query variable, and a string for others.
type variableQuery struct{ Query string }

func (q *variableQuery) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte(`"`)) {
		return nil
	}
	type plain variableQuery
	return json.Unmarshal(text, (*plain)(q))
}

type panel struct {
	ID                       int
	Type, Title, Description string
	GridPos                  rectangle
	Datasource               datasource
	Targets                  []struct {
		RefID, Expr, LegendFormat string
		Datasource                datasource
	}
}

type datasource struct{ Type, UID string }

type rectangle struct{ X, Y, W, H int }

func (r rectangle) overlaps(o rectangle) bool {
	return r.X < o.X+o.W && o.X < r.X+r.W && r.Y < o.Y+o.H && o.Y < r.Y+r.H
}

func readDashboard(t *testing.T) dashboard {
	t.Helper()
	var d dashboard
	require.NoError(t, json.Unmarshal(readConfig(t, "grafana", "workers.json"), &d))
	return d
}

// No Grafana can be had here; this is what it would complain of.
func TestDashboard(t *testing.T) {
	d := readDashboard(t)
	assert.Equal(t, "otelcol-workers", d.UID, "docker-compose.yaml names it")
	assert.NotEmpty(t, d.Title)
	chosen := datasource{Type: "prometheus", UID: "${datasource}"}
	ids := map[int]bool{}
	for i, p := range d.Panels {
		assert.False(t, ids[p.ID], "panel %q: id %d is taken", p.Title, p.ID)
		ids[p.ID] = true
		assert.LessOrEqual(t, p.GridPos.X+p.GridPos.W, 24, "panel %q is beyond the right edge", p.Title)
		for _, other := range d.Panels[:i] {
			assert.False(t, p.GridPos.overlaps(other.GridPos), "panels %q and %q overlap", p.Title, other.Title)
		}
		if p.Type == "row" {
			continue
		}
		assert.NotEmpty(t, p.Description, "panel %q", p.Title)
		assert.NotEmpty(t, p.Targets, "panel %q", p.Title)
		assert.Equal(t, chosen, p.Datasource, "panel %q", p.Title)
		refs := map[string]bool{}
		for _, target := range p.Targets {
			assert.Equal(t, chosen, target.Datasource, "panel %q", p.Title)
			assert.False(t, refs[target.RefID], "panel %q: %s is taken", p.Title, target.RefID)
			refs[target.RefID] = true
		}
	}
}
