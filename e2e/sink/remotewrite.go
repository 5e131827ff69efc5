package sink

import (
	"fmt"
	"math"
	"testing"

	"github.com/golang/snappy"
	"google.golang.org/protobuf/encoding/protowire"
)

// RemoteWrite is a backend that takes Prometheus remote write 1.0.
// https://prometheus.io/docs/specs/prw/remote_write_spec/
func RemoteWrite(t testing.TB) *Sink { return start(t, "/api/v1/write", readWriteRequest) }

const nameLabel = "__name__"

// readWriteRequest reads prometheus.WriteRequest: time series are field 1.
func readWriteRequest(body []byte) ([]Series, error) {
	raw, err := snappy.Decode(nil, body)
	if err != nil {
		return nil, err
	}
	var all []Series
	err = fields(raw, func(number protowire.Number, v []byte) error {
		if number != 1 {
			return nil
		}
		s, err := readTimeSeries(v)
		all = append(all, s)
		return err
	})
	return all, err
}

// readTimeSeries reads prometheus.TimeSeries: labels are field 1, samples field 2.
func readTimeSeries(raw []byte) (Series, error) {
	s := Series{Labels: map[string]string{}}
	err := fields(raw, func(number protowire.Number, v []byte) error {
		switch number {
		case 1:
			var pair [2]string
			err := fields(v, func(number protowire.Number, v []byte) error {
				if number < 1 || number > 2 {
					return fmt.Errorf("label has field %d, expected 1 and 2", number)
				}
				pair[number-1] = string(v)
				return nil
			})
			if pair[0] == nameLabel {
				s.Name = pair[1]
			} else {
				s.Labels[pair[0]] = pair[1]
			}
			return err
		case 2:
			return fields(v, func(number protowire.Number, v []byte) error {
				if number != 1 {
					return nil
				}
				bits, n := protowire.ConsumeFixed64(v)
				s.Value = math.Float64frombits(bits)
				return protowire.ParseError(min(n, 0))
			})
		}
		return nil
	})
	return s, err
}

// fields calls found with every field of a message: its content, if it has a
// length, otherwise its bytes as they stand.
func fields(raw []byte, found func(protowire.Number, []byte) error) error {
	for len(raw) > 0 {
		number, kind, n := protowire.ConsumeTag(raw)
		if n < 0 {
			return protowire.ParseError(n)
		}
		raw = raw[n:]
		n = protowire.ConsumeFieldValue(number, kind, raw)
		if n < 0 {
			return protowire.ParseError(n)
		}
		v := raw[:n]
		if kind == protowire.BytesType {
			v, _ = protowire.ConsumeBytes(v)
		}
		if err := found(number, v); err != nil {
			return err
		}
		raw = raw[n:]
	}
	return nil
}
