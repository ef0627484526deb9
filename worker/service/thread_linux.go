package service

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// The priority of a thread. A niceness of 16 is 3 % of the CPU time, where an
// ordinary thread wants the same CPU; with less, as of SCHED_IDLE, jobs would
// starve on a machine with other work. A thread that wakes up interrupts ours once
// that has had its stretch, unless ours must have it before the other's is over:
// Linux 6.12 and newer count that from the stretch, 3 ms for ordinary threads,
// divided by the share. So 10 is not nice enough. With the ordinary stretch ours
// would be interrupted only after it, and not before the next tick. Older versions
// ignore the stretch.
const (
	niceness = 16
	stretch  = 100 * time.Microsecond // the least there is
)

// lowerPriority ties the goroutine to its thread, which ends with it, and has
// Linux prefer every other one. That takes no privileges. Where it is forbidden
// all the same, as a filter of system calls may, the thread is an ordinary one.
func lowerPriority() {
	runtime.LockOSThread()
	err := unix.SchedSetAttr(0, &unix.SchedAttr{
		Size:    unix.SizeofSchedAttr,
		Policy:  unix.SCHED_NORMAL,
		Nice:    niceness,
		Runtime: uint64(stretch),
	}, 0)
	if err != nil {
		_ = unix.Setpriority(unix.PRIO_PROCESS, 0, niceness)
	}
}

// giveUpCPU has Linux look who else wants the CPU. When a thread of another group of
// processes wakes up, to whose priority ours is nothing, it may do so at the next
// tick alone, 4 ms later: beside a job of hard puzzles, requests from such groups
// took 1.2 ms at the 99th percentile instead of 0.75.
func giveUpCPU() { _, _, _ = unix.Syscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }
