// Command licences collects the licence texts of the modules that a binary is
// made of, and lists them. It fails if a module has none, or one that it does
// not know: such a binary must not be shipped unseen.
//
//	licences -binary otelcol-workers -modules DIR -out DIR
package main

import (
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	binary := flag.String("binary", "", "the binary to report on")
	modules := flag.String("modules", "", "the directory of the module it was built from")
	out := flag.String("out", "", "where to write licences.csv and a directory of texts for each module")
	flag.Parse()
	if err := report(*binary, *modules, *out); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func report(binary, modules, out string) error {
	linked, err := linkedModules(binary)
	if err != nil {
		return err
	}
	dirs, err := moduleDirs(modules)
	if err != nil {
		return err
	}
	return write(linked, dirs, out)
}

func write(linked []module, dirs map[string]string, out string) error {
	rows := [][]string{{"module", "version", "licence", "text"}}
	var errs []error
	for _, m := range linked {
		texts, err := copyTexts(m, dirs[m.path], out)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, t := range texts {
			rows = append(rows, []string{m.path, m.version, t.kind, t.file})
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return writeCSV(filepath.Join(out, "licences.csv"), rows)
}

func writeCSV(path string, rows [][]string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(csv.NewWriter(f).WriteAll(rows), f.Close())
}
