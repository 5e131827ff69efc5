package collector

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"text/template"
)

// addresses gives out free loopback addresses by name.
type addresses map[string]string

// Ports come from below the range that the kernel takes for outgoing
// connections (from 32768 on Linux). Inside it, a port that a killed collector
// leaves for a moment could be gone when it is started again.
const lowestPort, highestPort = 10240, 32767

func (a addresses) get(name string) (string, error) {
	if addr, ok := a[name]; ok {
		return addr, nil
	}
	for range 100 {
		addr := fmt.Sprintf("127.0.0.1:%d", lowestPort+rand.IntN(highestPort-lowestPort))
		l, err := net.Listen("tcp", addr)
		if err != nil {
			continue
		}
		if err := l.Close(); err != nil {
			return "", err
		}
		a[name] = addr
		return addr, nil
	}
	return "", fmt.Errorf("collector: found no free port for %q between %d and %d", name, lowestPort, highestPort)
}

func (a addresses) expand(text, dir string) (string, error) {
	t, err := template.New("config").Funcs(template.FuncMap{
		"addr": a.get,
		"port": func(name string) (string, error) {
			addr, err := a.get(name)
			return addr[strings.LastIndexByte(addr, ':')+1:], err
		},
		"dir": func() string { return dir },
	}).Parse(text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if err := t.Execute(&b, nil); err != nil {
		return "", err
	}
	return b.String(), nil
}
