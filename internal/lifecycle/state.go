package lifecycle

import (
	"fmt"
	"strings"
)

// State is the value of a worker.state point: where a life stands between
// birth and death. States of one life only move forward.
type State int64

const (
	// Running means that the worker is alive: an announcement or a heartbeat.
	Running State = 0
	// Quiet means that the worker is alive but takes no new work. It is shown, nothing else.
	Quiet State = 1
	// Terminated means that the worker has died, or is about to and has pushed its last data.
	Terminated State = 2
)

var stateNames = [...]string{Running: "running", Quiet: "quiet", Terminated: "terminated"}

// String is the state's name as it is used in headers, bodies and telemetry.
func (s State) String() string {
	if s.Valid() {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", int64(s))
}

// Valid reports whether s is one of the three states.
func (s State) Valid() bool { return s >= Running && s <= Terminated }

// ParseState reads a state's name. The error names the value and what is allowed.
func ParseState(name string) (State, error) {
	for s, n := range stateNames {
		if n == name {
			return State(s), nil
		}
	}
	return 0, fmt.Errorf("worker state %q is unknown, expected one of %s", name, strings.Join(stateNames[:], ", "))
}

// Reasons that a signal may carry in the worker.state.reason attribute. Other
// values are shown and otherwise treated as [ReasonGoodbye].
const (
	// ReasonGoodbye is the worker's own word, also when a signal names no reason.
	ReasonGoodbye = "goodbye"
	// ReasonReported is a supervisor's word about a worker. It may be wrong, so
	// the values of the dead are kept for as long as after staleness.
	ReasonReported = "reported"
	// ReasonConnectionLost means that the worker's last connection closed and
	// none came back. Like ReasonReported it is a guess.
	ReasonConnectionLost = "connection_lost"
)

// IsGuess reports whether a death signalled with this reason may be wrong.
func IsGuess(reason string) bool {
	return reason == ReasonReported || reason == ReasonConnectionLost
}
