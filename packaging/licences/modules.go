package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

type module struct{ path, version string }

// linkedModules are those whose code is in the binary, without the main module,
// which is generated.
func linkedModules(binary string) ([]module, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	modules := make([]module, len(info.Deps))
	for i, dep := range info.Deps {
		modules[i] = module{dep.Path, dep.Version}
	}
	return modules, nil
}

// moduleDirs are the source directories of all modules that the one in dir requires.
func moduleDirs(dir string) (map[string]string, error) {
	cmd := exec.Command("go", "list", "-m", "-json=Path,Dir", "all")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return nil, fmt.Errorf("go list -m in %s: %w", dir, err)
	}
	dirs := map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var m struct{ Path, Dir string }
		switch err := decoder.Decode(&m); {
		case errors.Is(err, io.EOF):
			return dirs, nil
		case err != nil:
			return nil, err
		}
		dirs[m.Path] = m.Dir
	}
}
