package collector

import (
	"os/exec"
	"runtime"
	"syscall"
)

// startWithParent starts cmd so that the kernel kills it if this process dies
// without cleaning up, and calls ended once it has ended.
func startWithParent(cmd *exec.Cmd, ended func()) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() {
		// The signal is sent when the thread that started the child ends, so
		// that thread has to stay (go.dev/issue/27505).
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		_ = cmd.Wait() // its error is in ProcessState
		ended()
	}()
	return <-started
}
