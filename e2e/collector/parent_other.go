//go:build !linux

package collector

import "os/exec"

// startWithParent starts cmd and calls ended once it has ended.
func startWithParent(cmd *exec.Cmd, ended func()) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		_ = cmd.Wait() // its error is in ProcessState
		ended()
	}()
	return nil
}
