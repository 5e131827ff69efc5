package core

import (
	"errors"
	"fmt"
)

// reader reads the record of one slot. Its error is what is wrong beyond what the
// decoder has found.
type reader func(slot int, d *decoder) (things int, err error)

// all reads records of things: size is the number of slots, and n that of the
// things in the records.
func (r *restore) all(format string, size, n int, read reader) error {
	found, err := r.some(format, size, read)
	if err == nil && found != n {
		err = &DamagedError{r.t.key(format, size), nil, fmt.Errorf("%d before it are missing", n-found)}
	}
	return err
}

func (r *restore) some(format string, size int, read reader) (found int, err error) {
	const atOnce = 1000
	for from := 0; from < size; from += atOnce {
		keys := make([]string, 0, atOnce)
		for slot := from; slot < min(size, from+atOnce); slot++ {
			keys = append(keys, r.t.key(format, slot))
		}
		values, err := r.get(keys)
		if err != nil {
			return found, err
		}
		for i, raw := range values {
			if raw == nil {
				continue
			}
			d := open(raw)
			n, err := read(from+i, d)
			if err = errors.Join(d.err, err); err != nil {
				return found, &DamagedError{keys[i], raw, err}
			}
			found += n
		}
	}
	return found, nil
}
