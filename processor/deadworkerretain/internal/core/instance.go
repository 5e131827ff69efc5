package core

import (
	"strconv"
	"strings"
)

// retainedInstance is the instance of the retained series in split output.
const retainedInstance = "retained"

// nameInstance chooses the service.instance.id for what is emitted of a life
// alone: its identity's name, for siblings with their life attributes. It stays
// for as long as anything is known of the life, and no other life of the group
// has it; where two would, the later one is numbered.
func (t *Table) nameInstance(l *life) {
	var parts []string
	if l.identity.name != "" {
		parts = append(parts, l.identity.name)
	}
	if m := marksText(t.opt, l.marks); m != "" && (len(l.identity.lives) > 0 || len(parts) == 0) {
		parts = append(parts, m)
	}
	name := strings.Join(parts, "/")
	if name == "" {
		name = "anonymous"
	}
	l.instance = name
	for n := 2; t.instanceTaken(l); n++ {
		l.instance = name + "#" + strconv.Itoa(n)
	}
	t.instances[t.instanceKey(l)] = struct{}{}
}

func (t *Table) instanceTaken(l *life) bool {
	_, taken := t.instances[t.instanceKey(l)]
	return taken || t.opt.Split && l.instance == retainedInstance
}

func (t *Table) instanceKey(l *life) Key {
	return t.hash.text(roleInstance, l.instance).plus(l.identity.group.key)
}
