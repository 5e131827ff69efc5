package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const mit = `Copyright (c) A. Nobody

Permission is hereby granted, free of charge, to any person obtaining a copy...
The above copyright notice and this
permission notice shall be included in all copies.`

func TestKinds(t *testing.T) {
	assert.Equal(t, "MIT", kindOf(mit))
	assert.Equal(t, "Apache-2.0", kindOf("                 Apache License\n           Version 2.0, January 2004"))
	assert.Equal(t, "BSD-3-Clause", kindOf("Redistributions in binary form must ...\nNeither the name of X nor ..."))
	assert.Empty(t, kindOf("GNU AFFERO GENERAL PUBLIC LICENSE Version 3"))
}

func TestTextsGoWithTheModule(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"LICENSE.md": mit, "NOTICE": "of X", "license.go": "package x", "README.md": "MIT License",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	texts, err := copyTexts(module{path: "example.com/x"}, dir, out)
	require.NoError(t, err)
	assert.Equal(t, []text{{"MIT", "example.com/x/LICENSE.md"}, {"", "example.com/x/NOTICE"}}, texts)
	copied, err := os.ReadFile(filepath.Join(out, "example.com", "x", "LICENSE.md"))
	require.NoError(t, err)
	assert.Equal(t, mit, string(copied))
}

func TestNothingUnknownIsShipped(t *testing.T) {
	dir := t.TempDir()
	_, err := copyTexts(module{path: "example.com/x"}, dir, t.TempDir())
	assert.ErrorContains(t, err, "example.com/x: no licence")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "COPYING"), []byte("All rights reserved."), 0o600))
	_, err = copyTexts(module{path: "example.com/x"}, dir, t.TempDir())
	assert.ErrorContains(t, err, "COPYING is none of the known licences")
}

func TestReport(t *testing.T) {
	dirs, err := moduleDirs(".")
	require.NoError(t, err)
	out := t.TempDir()
	require.NoError(t, write([]module{{"github.com/stretchr/testify", "v1"}}, dirs, out))
	table, err := os.ReadFile(filepath.Join(out, "licences.csv"))
	require.NoError(t, err)
	assert.Equal(t, "module,version,licence,text\ngithub.com/stretchr/testify,v1,MIT,github.com/stretchr/testify/LICENSE\n", string(table))
	assert.FileExists(t, filepath.Join(out, "github.com", "stretchr", "testify", "LICENSE"))
}

func TestTheGoCommandIsMadeOfNoModules(t *testing.T) {
	path, err := exec.LookPath("go")
	require.NoError(t, err)
	modules, err := linkedModules(path)
	require.NoError(t, err)
	assert.Empty(t, modules)

	_, err = linkedModules("licences_test.go")
	assert.Error(t, err)
}
