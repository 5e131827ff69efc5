package core

import (
	"slices"

	"github.com/otelcol-workers/otelcol-workers/internal/lifecycle"
)

// call gives an identity a name by which it is found without its group.
func (t *Table) call(id *identity, name string) {
	t.uncall(id)
	if id.name = name; name != "" {
		t.names[name] = append(t.names[name], id)
	}
}

func (t *Table) uncall(id *identity) {
	same := slices.DeleteFunc(t.names[id.name], func(o *identity) bool { return o == id })
	if len(same) == 0 {
		delete(t.names, id.name)
	} else {
		t.names[id.name] = same
	}
}

// identityOf is the identity that a signal without data speaks of, or nil. A
// supervisor may know no more of a worker than its name. Without any attribute
// of a group the name is looked for in all groups; if several have it, nobody is
// meant. With one, a signal never reaches beyond its group.
func (a *applying) identityOf(bl *block) (*identity, error) {
	for _, name := range bl.who.names {
		if id, ok := a.t.identities[name]; ok {
			return id, nil
		}
	}
	if bl.who.group != (Key{}) || bl.who.anonymous {
		return nil, nil
	}
	name := nameOf(a.t.opt, bl.res.Resource().Attributes())
	switch found := a.t.names[name]; len(found) {
	case 0:
		return nil, nil
	case 1:
		return found[0], nil
	default:
		living := make([]string, len(found))
		for i, id := range found {
			living[i] = id.name + " of " + marksOfGroup(id.group)
		}
		return nil, &lifecycle.FencedError{Worker: name, Living: living}
	}
}

func marksOfGroup(g *group) string {
	text := ""
	for k, v := range g.attrs.All() {
		if text != "" {
			text += ","
		}
		text += k + "=" + v.AsString()
	}
	return text
}
