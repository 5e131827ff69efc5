package workeragg

import (
	"sync"

	"go.opentelemetry.io/collector/receiver"
)

// instances holds the living receiver of each configuration: the collector
// asks for one per signal, but one port can only be opened once.
var instances = instanceMap{receivers: map[*Config]*workerReceiver{}}

type instanceMap struct {
	mu        sync.Mutex
	receivers map[*Config]*workerReceiver
}

// attach connects a signal's consumer to the receiver of the configuration,
// which it makes if there is none.
func (m *instanceMap) attach(cfg *Config, set receiver.Settings, connect func(*workerReceiver) error) (*workerReceiver, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, known := m.receivers[cfg]
	if !known {
		var err error
		if r, err = newReceiver(cfg, set, func() { m.forget(cfg) }); err != nil {
			return nil, err
		}
	}
	if err := connect(r); err != nil {
		return nil, err
	}
	m.receivers[cfg] = r
	return r, nil
}

// forget lets a later attach make a new receiver of the same configuration.
func (m *instanceMap) forget(cfg *Config) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.receivers, cfg)
}
