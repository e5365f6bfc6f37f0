//! SCHED_DEADLINE: a thread is promised so much of a processor in each period, and the thread
//! whose period ends first goes first, before every SCHED_FIFO thread. The kernel grants it only
//! while all such promises together can be kept, and only to a thread that may use every
//! processor; a thread that has used up its time waits for its next period, whoever needs it.

use crate::realtime::scheduling::{has_capability, policy_of};
use chronotap_core::time::Nanos;
use chronotap_machine::grant::Item;
use rustix::io::Errno;
use rustix::thread::CapabilitySet;
use serde::{Deserialize, Serialize};

pub(crate) const WHAT: &str = "deadline scheduling";
/// SCHED_FLAG_RESET_ON_FORK of sched_setattr(2).
const RESET_ON_FORK: u64 = 1;

/// So much of a processor in each period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadlineTime {
    /// How long it may compute in each period, in nanoseconds; at least 1,024.
    pub runtime_ns: u64,
    /// From one period to the next, in nanoseconds, which is also when it must be done; the kernel
    /// accepts 100 us to some seconds (sched_deadline_period_min_us, sched_deadline_period_max_us).
    pub period_ns: u64,
}

impl DeadlineTime {
    pub fn of(runtime: Nanos, period: Nanos) -> DeadlineTime {
        let ns = |time: Nanos| u64::try_from(time.0).unwrap_or(0);
        DeadlineTime { runtime_ns: ns(runtime), period_ns: ns(period) }
    }
}

impl std::fmt::Display for DeadlineTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [runtime, period] = [self.runtime_ns, self.period_ns].map(|ns| ns as f64 / 1e3);
        write!(f, "SCHED_DEADLINE {runtime} us in {period} us")
    }
}

/// `struct sched_attr` of sched_setattr(2), as it was in its first version.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    size: u32,
    policy: u32,
    flags: u64,
    nice: i32,
    priority: u32,
    runtime_ns: u64,
    deadline_ns: u64,
    period_ns: u64,
}

/// Asks for it, for the calling thread, and looks whether it is in force.
pub(crate) fn set(time: DeadlineTime) -> Item {
    let asked = time.to_string();
    let refused = |why: String, cure: &str| {
        let got = policy_of(0).map_or("unknown scheduling".into(), |policy| policy.to_string());
        Item::refused(WHAT, asked.clone(), &got, why, cure)
    };
    match set_attributes(time).and_then(|()| policy_of(0)) {
        Ok(policy) if policy.is_deadline() => Item::granted(WHAT, asked, time.to_string()),
        Ok(_) => refused("the kernel accepted the request and did not carry it out".into(), ""),
        Err(errno) => {
            let (why, cure) = refusal(errno);
            refused(why, cure)
        }
    }
}

fn set_attributes(time: DeadlineTime) -> Result<(), Errno> {
    let attributes = Attributes {
        size: size_of::<Attributes>() as u32,
        policy: libc::SCHED_DEADLINE as u32,
        flags: RESET_ON_FORK,
        runtime_ns: time.runtime_ns,
        deadline_ns: time.period_ns,
        period_ns: time.period_ns,
        ..Attributes::default()
    };
    // SAFETY: the call only reads `attributes`, whose size stands in it and which outlives the call.
    let done = unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
    match done {
        0 => Ok(()),
        _ => Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)),
    }
}

/// Why, and what would cure it.
fn refusal(errno: Errno) -> (String, &'static str) {
    match errno {
        Errno::PERM if has_capability(CapabilitySet::SYS_NICE) => (
            "the thread may not use every processor, which the kernel demands for it".into(),
            "run it without taskset, a cpuset or a session's page, or in a cpuset of its own",
        ),
        Errno::PERM => (
            "only the privileged may, whatever limits.conf says".into(),
            "run it with sudo, or: sudo setcap cap_sys_nice=ep \"$(command -v chronotap)\"",
        ),
        Errno::BUSY => (
            "the processors' time is promised to others already".into(),
            "ask for less of each period",
        ),
        Errno::INVAL | Errno::TOOBIG => (
            "the kernel takes no such times".into(),
            "a period is 100 us to 4 s and longer than the time in it",
        ),
        Errno::NOSYS => ("this kernel has no such class".into(), ""),
        errno => (format!("sched_setattr: {errno}"), ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::realtime::{Request, ask};

    const TENTH: DeadlineTime = DeadlineTime { runtime_ns: 100_000, period_ns: 1_000_000 };

    #[test]
    fn what_was_asked_is_granted_or_refused_with_the_reason_and_given_back() {
        std::thread::spawn(|| {
            let rights = ask(&Request { deadline: Some(TENTH), ..Request::nothing() });
            let item = rights.grant().items[0].clone();
            assert_eq!(item.asked, "SCHED_DEADLINE 100 us in 1000 us");
            assert_eq!(item.granted, policy_of(0).unwrap().is_deadline(), "{item:?}");
            assert_eq!(item.granted, item.why_not.is_none(), "{item:?}");
            drop(rights);
            assert!(!policy_of(0).unwrap().is_deadline());
        })
        .join()
        .unwrap();
    }

    #[test]
    fn more_time_than_a_period_has_is_refused() {
        std::thread::spawn(|| {
            let item = set(DeadlineTime { runtime_ns: TENTH.period_ns * 2, ..TENTH });
            assert!(!item.granted && item.got == "ordinary scheduling", "{item:?}");
        })
        .join()
        .unwrap();
    }
}
