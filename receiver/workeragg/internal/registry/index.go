package registry

import "slices"

// owners are the workers that answer to a name: nearly always one.
type owners struct {
	one  *Worker
	more map[*Worker]struct{}
}

func (o *owners) add(w *Worker) {
	switch {
	case o.one == nil || o.one == w:
		o.one = w
	case o.more == nil:
		o.more = map[*Worker]struct{}{w: {}}
	default:
		o.more[w] = struct{}{}
	}
}

// remove reports whether nobody is left.
func (o *owners) remove(w *Worker) bool {
	delete(o.more, w)
	if o.one == w {
		o.one = nil
		for next := range o.more {
			o.one = next
			delete(o.more, next)
			break
		}
	}
	return o.one == nil
}

func (o *owners) all() []*Worker {
	if o == nil {
		return nil
	}
	all := make([]*Worker, 0, 1+len(o.more))
	all = append(all, o.one)
	for w := range o.more {
		all = append(all, w)
	}
	return all
}

func (r *Registry) index(w *Worker, names []string) {
	for _, name := range names {
		o := r.byName[name]
		if o == nil {
			o = &owners{}
			r.byName[name] = o
		}
		o.add(w)
	}
}

func (r *Registry) unindex(w *Worker, names []string) {
	for _, name := range names {
		if o := r.byName[name]; o != nil && o.remove(w) {
			delete(r.byName, name)
		}
	}
}

func (w *Worker) answersTo(name string) bool {
	return name == w.alias || slices.Contains(w.names, name)
}
