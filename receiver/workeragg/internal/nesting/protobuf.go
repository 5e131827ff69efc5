package nesting

import "math"

// MaxMessages is how many protobuf messages larger than [Small] may lie within
// each other. OTLP itself takes ten, and two or three per level of an attribute.
// Below, at most Small/2 may follow.
const MaxMessages = 1000

// Protobuf is a [Scanner]. It knows no schema: whatever has a length and is not
// small may be a message, and is looked into. What turns out to be none is
// skipped, as the decoder does with a string; if the decoder takes it for a
// message all the same, it fails there and goes no deeper.
type Protobuf struct {
	at   int64   // offset of the next byte
	skip int64   // the bytes before this offset are of no interest
	ends []int64 // of the messages that hold the next byte, innermost last

	reading part
	number  uint64 // what is known of the varint that is being read
	shift   uint
}

// part is what a varint means.
type part int

const (
	tag part = iota
	value
	length
)

// Scan reads the next piece.
func (s *Protobuf) Scan(piece []byte) error {
	for len(piece) > 0 {
		if n := min(s.skip-s.at, int64(len(piece))); n > 0 {
			s.at += n
			piece = piece[n:]
			continue
		}
		s.leave()
		b := piece[0]
		piece = piece[1:]
		s.at++
		if s.shift >= 64 {
			s.giveUp()
			continue
		}
		s.number |= uint64(b&0x7f) << s.shift
		s.shift += 7
		if b < 0x80 {
			number := s.number
			s.number, s.shift = 0, 0
			if err := s.take(number); err != nil {
				return err
			}
		}
	}
	return nil
}

// leave forgets the messages that end here, and what is half read in them.
func (s *Protobuf) leave() {
	for n := len(s.ends); n > 0 && s.ends[n-1] <= s.at; n-- {
		s.ends = s.ends[:n-1]
		s.reading, s.number, s.shift = tag, 0, 0
	}
}

// take goes on from a varint that is complete.
func (s *Protobuf) take(number uint64) error {
	what := s.reading
	s.reading = tag
	switch what {
	case tag:
		s.takeTag(number)
	case length:
		return s.takeLength(number)
	}
	return nil
}

func (s *Protobuf) takeTag(number uint64) {
	if int32(number>>3) <= 0 {
		s.giveUp()
		return
	}
	switch number & 7 {
	case 0:
		s.reading = value
	case 1:
		s.skip = s.at + 8
	case 2:
		s.reading = length
	case 3, 4: // The fields of a group are read like those around it.
	case 5:
		s.skip = s.at + 4
	default:
		s.giveUp()
	}
}

func (s *Protobuf) takeLength(number uint64) error {
	if number > uint64(s.end()-s.at) {
		s.giveUp()
		return nil
	}
	end := s.at + int64(number)
	if number < Small {
		s.skip = end
		return nil
	}
	if len(s.ends) == MaxMessages {
		return &TooDeepError{MaxMessages}
	}
	s.ends = append(s.ends, end)
	return nil
}

// giveUp skips the rest of what turned out to be no message.
func (s *Protobuf) giveUp() {
	s.skip = s.end()
	s.reading, s.number, s.shift = tag, 0, 0
}

// end is where the innermost message ends. How long the request is nobody has said.
func (s *Protobuf) end() int64 {
	if len(s.ends) == 0 {
		return math.MaxInt64
	}
	return s.ends[len(s.ends)-1]
}
