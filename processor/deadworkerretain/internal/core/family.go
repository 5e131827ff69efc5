package core

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
)

// group is an output resource: the allow-listed attributes of the workers that
// are summed, or one life's own resource.
type group struct {
	key       Key
	attrs     pcommon.Map
	schemaURL string
	// users counts the identities and families of the group.
	users int
}

// family is an output metric in one scope of one group: what its series have in
// common. Everything here but the layouts and the overflow series is fixed at birth.
type family struct {
	key   Key
	slot  uint32
	group *group

	scope          pcommon.InstrumentationScope
	scopeSchemaURL string
	scopeKey       Key

	name, unit, description string
	kind                    kind
	agg                     Aggregation

	layouts  []*layout
	overflow *series
	series   int
	// warned is set once somebody was told that descriptions differ.
	warned bool
}

func (t *Table) familyFor(g *group, ref *metricRef) *family {
	key := ref.key.plus(g.key)
	if f, ok := t.families[key]; ok {
		if f.description != ref.metric.Description() {
			t.noteDescription(f, ref.metric.Description())
		}
		return f
	}
	f := &family{
		key: key, group: g,
		scope: pcommon.NewInstrumentationScope(), scopeSchemaURL: ref.scope.SchemaUrl(),
		scopeKey: t.hash.scope(t.opt, ref.scope).plus(g.key),
		name:     ref.metric.Name(), unit: ref.metric.Unit(), description: ref.metric.Description(),
		kind: ref.kind, agg: ref.agg,
	}
	ref.scope.Scope().CopyTo(f.scope)
	if t.opt.DropScopeVersion {
		f.scope.SetVersion("")
	}
	t.addFamily(f)
	t.noteConflict(f)
	return f
}

func (t *Table) addFamily(f *family) {
	t.families[f.key] = f
	f.slot = t.familySlots.put(f)
	t.unsaved.family(f)
	f.group.users++
}

func (t *Table) dropFamily(f *family) {
	delete(t.families, f.key)
	t.familySlots.free(f.slot)
	t.unsaved.familyGone(f)
	t.quit(f.group)
}

// quit forgets a group that nothing is in any more.
func (t *Table) quit(g *group) {
	if g.users--; g.users == 0 && t.groups[g.key] == g {
		delete(t.groups, g.key)
	}
}

// sharedGroup is the group of the aggregated series that a resource belongs to.
func (t *Table) sharedGroup(key Key, resource pcommon.Map) *group {
	if g, ok := t.groups[key]; ok {
		return g
	}
	g := &group{key: key, attrs: pcommon.NewMap()}
	for _, name := range t.opt.GroupBy {
		if v, ok := resource.Get(name); ok {
			v.CopyTo(g.attrs.PutEmpty(name))
		}
	}
	if t.opt.Split {
		g.attrs.PutStr(instanceAttr, retainedInstance)
	}
	t.groups[key] = g
	return g
}
