//! CLOCK_MONOTONIC and the rights to be on time.

/// Now, in nanoseconds of CLOCK_MONOTONIC.
pub fn now() -> i64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `t` is a valid place for the time; the clock exists on every Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut t) };
    t.tv_sec * 1_000_000_000 + t.tv_nsec
}

/// SCHED_FIFO at `priority` and memory locked; 0 asks for neither.
pub fn become_urgent(priority: i32) -> Result<(), String> {
    if priority == 0 {
        return Ok(());
    }
    let asked = libc::sched_param { sched_priority: priority };
    // SAFETY: `asked` outlives the call; the calls touch no memory of ours.
    let refused = unsafe {
        libc::sched_setscheduler(0, libc::SCHED_FIFO, &asked) != 0
            || libc::mlockall(libc::MCL_CURRENT) != 0
    };
    if refused {
        Err(format!("SCHED_FIFO {priority}: {}", std::io::Error::last_os_error()))
    } else {
        Ok(())
    }
}
