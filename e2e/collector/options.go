package collector

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// BinaryEnv names the environment variable with the path of the collector to
// run, for those who do not want dist/otelcol-workers.
const BinaryEnv = "OTELCOL_WORKERS_BIN"

// Options say what to start. One of Config and ConfigFile is set.
type Options struct {
	// Binary is the path of the collector; empty: what [Binary] finds.
	Binary string
	// Config is the YAML to run, a text/template: {{addr "name"}} is a free
	// address on loopback, the same one for the same name, {{port "name"}} is
	// its port alone, and {{dir}} is the directory of this collector.
	Config string
	// ConfigFile is the path of a YAML file to run as it is. Use Set to move it
	// away from the ports it names.
	ConfigFile string
	// Set holds values for --set, templates like Config.
	Set []string
	// Args holds further arguments, such as feature gates.
	Args []string
	// Env is added to this process's environment.
	Env []string
	// Dir is the working directory, which holds what the collector stores. It must exist.
	Dir string
}

func (o *Options) validate() error {
	if (o.Config == "") == (o.ConfigFile == "") {
		return errors.New("collector: expected exactly one of Config and ConfigFile")
	}
	if info, err := os.Stat(o.Dir); err != nil || !info.IsDir() {
		return fmt.Errorf("collector: Dir is %q, expected a directory", o.Dir)
	}
	return nil
}

// resolve makes the paths independent of the working directory.
func (o *Options) resolve() error {
	var err error
	if o.Binary == "" {
		o.Binary, err = Binary()
	} else {
		o.Binary, err = filepath.Abs(o.Binary)
	}
	if err == nil && o.ConfigFile != "" {
		o.ConfigFile, err = filepath.Abs(o.ConfigFile)
	}
	return err
}

// Binary finds the collector: where [BinaryEnv] says, otherwise
// dist/otelcol-workers of the repository that holds the working directory.
func Binary() (string, error) {
	if path := os.Getenv(BinaryEnv); path != "" {
		return filepath.Abs(path)
	}
	root, err := Root()
	if err != nil {
		return "", err
	}
	path := filepath.Join(root, "dist", "otelcol-workers")
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("collector: %w; run `make build` or set %s", err, BinaryEnv)
	}
	return path, nil
}

// Root is the directory of the repository that holds the working directory.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "builder-config.yaml")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("collector: no builder-config.yaml above the working directory, expected to run inside the repository")
		}
		dir = parent
	}
}
