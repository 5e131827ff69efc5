package core

// save must be called before a life changes: a running checkpoint writes it as
// it was at the cut.
func (t *Table) save(l *life) {
	l.dirty = true
}
