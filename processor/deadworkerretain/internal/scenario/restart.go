package scenario

import "errors"

// restart does what a Collector statement says.
func (r *runner) restart(what string) error {
	c := r.collector
	var err error
	switch what {
	case "stop":
		err = c.stop()
	case "start":
		err = r.again(c.start)
	case "restart":
		err = errors.Join(c.stop(), r.settle(), r.again(c.start))
	case "crash":
		err = r.again(c.crash)
	}
	return errors.Join(err, r.settle())
}

// again starts the collector again. What it cannot know any more may be missing.
func (r *runner) again(start func() error) error {
	r.flushed = nil
	if r.collector.storageID == nil || r.storageLost {
		r.law.Restarted()
	}
	return start()
}

func (r *runner) storage(what string) error {
	s := r.collector.storage
	switch what {
	case "fails":
		s.Fail(true)
	case "works":
		s.Fail(false)
	case "damaged":
		s.Damage()
		r.storageLost = true
	case "emptied":
		s.Empty()
		r.storageLost = true
	}
	return nil
}
