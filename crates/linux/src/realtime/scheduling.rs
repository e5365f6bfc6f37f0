//! Scheduling of a thread: class, priority, processor, timer slack.
//!
//! Every SCHED_FIFO thread carries SCHED_RESET_ON_FORK, so that nothing it starts
//! inherits the priority, and RLIMIT_RTTIME, so that the kernel itself ends a
//! process whose real-time thread computes for [`RT_TIME_LIMIT_US`] without ever
//! sleeping, should the watchdog fail too.

use chronotap_machine::grant::{Item, REAL_TIME};
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{self, CapabilitySet, CpuSet};
use std::num::NonZeroU64;

const WHAT: &str = REAL_TIME;

/// Microseconds of unbroken real-time computing after which the kernel ends the
/// process: well after the watchdog's limits.
pub const RT_TIME_LIMIT_US: u64 = 10_000_000;

/// Scheduling class and priority of a thread, as the kernel tells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    class: i32, // SCHED_OTHER 0, SCHED_FIFO 1, ...; without the reset flag
    priority: i32,
    reset_on_fork: bool,
}

impl Policy {
    /// Whether it is SCHED_FIFO or SCHED_RR.
    pub const fn is_realtime(&self) -> bool {
        matches!(self.class, libc::SCHED_FIFO | libc::SCHED_RR)
    }

    /// Whether it is SCHED_DEADLINE.
    pub const fn is_deadline(&self) -> bool {
        self.class == libc::SCHED_DEADLINE
    }

    /// 1..=99 for real-time threads, else 0.
    pub const fn priority(&self) -> i32 {
        self.priority
    }
}

impl std::fmt::Display for Policy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let reset = if self.reset_on_fork { ", reset on fork" } else { "" };
        match self.class {
            libc::SCHED_FIFO => write!(f, "SCHED_FIFO {}{reset}", self.priority),
            libc::SCHED_RR => write!(f, "SCHED_RR {}{reset}", self.priority),
            libc::SCHED_DEADLINE => write!(f, "SCHED_DEADLINE{reset}"),
            libc::SCHED_OTHER => f.write_str("ordinary scheduling"),
            other => write!(f, "scheduling class {other}"),
        }
    }
}

/// The scheduling of thread `tid`; 0 is the calling thread.
///
/// # Errors
/// ESRCH where there is no such thread.
pub fn policy_of(tid: i32) -> Result<Policy, Errno> {
    let mut param = libc::sched_param { sched_priority: 0 };
    // SAFETY: both calls only write to `param`, which outlives them. The system
    // calls are made directly because some C libraries stub their wrappers.
    let (class, got) = unsafe {
        (
            libc::syscall(libc::SYS_sched_getscheduler, tid),
            libc::syscall(libc::SYS_sched_getparam, tid, &raw mut param),
        )
    };
    if class < 0 || got < 0 {
        return Err(last_errno());
    }
    let class = class as i32;
    Ok(Policy {
        class: class & !libc::SCHED_RESET_ON_FORK,
        priority: param.sched_priority,
        reset_on_fork: class & libc::SCHED_RESET_ON_FORK != 0,
    })
}

/// Makes thread `tid` (0: the calling one) an ordinary one. Never refused to the
/// owner of the thread; keeps the reset-on-fork flag, which only the privileged
/// may take away.
///
/// # Errors
/// ESRCH where there is no such thread.
pub fn demote(tid: i32) -> Result<(), Errno> {
    set_policy(tid, libc::SCHED_OTHER, 0)
}

/// Gives the calling thread SCHED_FIFO with this priority, and verifies it.
///
/// # Errors
/// EPERM without the right, EINVAL for a priority outside 1..=99.
pub fn become_fifo(priority: i32) -> Result<Policy, Errno> {
    set_policy(0, libc::SCHED_FIFO, priority)?;
    policy_of(0)
}

/// Gives a thread SCHED_FIFO with this priority.
///
/// # Errors
/// EPERM without the right, ESRCH where there is no such thread.
pub fn set_fifo_of(tid: i32, priority: i32) -> Result<(), Errno> {
    set_policy(tid, libc::SCHED_FIFO, priority)
}

/// Gives the calling thread the class and the priority of another. Makes no more than one system
/// call and allocates nothing, so that a real-time thread may call it.
///
/// # Errors
/// EPERM without the right.
pub fn adopt(policy: Policy) -> Result<(), Errno> {
    set_policy(0, policy.class, policy.priority)
}

/// Binds the calling thread to one processor, as [`adopt`] a real-time thread may.
///
/// # Errors
/// EINVAL where this program may not use it.
pub fn bind(cpu: usize) -> Result<(), Errno> {
    if cpu >= CpuSet::MAX_CPU {
        return Err(Errno::INVAL);
    }
    let mut set = CpuSet::new();
    set.set(cpu);
    thread::sched_setaffinity(None, &set)
}

fn set_policy(tid: i32, class: i32, priority: i32) -> Result<(), Errno> {
    let param = libc::sched_param { sched_priority: priority };
    let class = class | libc::SCHED_RESET_ON_FORK;
    // SAFETY: the call only reads `param`, which outlives it.
    let done = unsafe { libc::syscall(libc::SYS_sched_setscheduler, tid, class, &raw const param) };
    if done < 0 { Err(last_errno()) } else { Ok(()) }
}

fn last_errno() -> Errno {
    Errno::from_raw_os_error(std::io::Error::last_os_error().raw_os_error().unwrap_or(0))
}

pub(crate) fn set_fifo(priority: i32) -> Item {
    let asked = format!("SCHED_FIFO {priority}");
    if !(1..=98).contains(&priority) {
        let why = "a priority is 1 to 98 (99 is the watchdog's)".to_owned();
        return Item::refused(WHAT, asked, "ordinary scheduling", why, "ask for 80");
    }
    limit_rt_time();
    match become_fifo(priority) {
        Ok(policy) if policy.is_realtime() && policy.priority() == priority => {
            Item::granted(WHAT, asked, policy.to_string())
        }
        Ok(policy) => {
            let why = "the kernel accepted the request and did not carry it out".to_owned();
            Item::refused(
                WHAT,
                asked,
                &policy.to_string(),
                why,
                "run outside this container or sandbox",
            )
        }
        Err(errno) => {
            let (why, cure) = fifo_refusal(errno);
            Item::refused(WHAT, asked, "ordinary scheduling", why, &cure)
        }
    }
}

/// Lowers the soft limit only, so that it can be put back.
fn limit_rt_time() {
    let limit = getrlimit(Resource::Rttime);
    if limit.current.is_none_or(|now| now > RT_TIME_LIMIT_US) {
        // A refusal leaves the watchdog as the guard; nothing else depends on it.
        let _ = setrlimit(Resource::Rttime, Rlimit { current: Some(RT_TIME_LIMIT_US), ..limit });
    }
}

fn fifo_refusal(errno: Errno) -> (String, String) {
    if errno != Errno::PERM {
        return (format!("sched_setscheduler: {errno}"), String::new());
    }
    if has_capability(CapabilitySet::SYS_NICE) {
        let why = "the user may, but this control group has no real-time time (RT_GROUP_SCHED)";
        return (
            why.into(),
            "start it in the root group, or give the group time: echo 950000 > its cpu.rt_runtime_us"
                .into(),
        );
    }
    let limit = getrlimit(Resource::Rtprio).current;
    let limit = limit.map_or("unlimited".into(), |limit| limit.to_string());
    (
        format!("this user may not use real-time priorities (limit {limit})"),
        format!(
            "add `@audio - rtprio 95` to /etc/security/limits.d/audio.conf, join group audio and \
             log in again, or: sudo setcap cap_sys_nice,cap_ipc_lock=ep {}",
            this_program()
        ),
    )
}

/// This program's file as a shell takes it, so that a line with it can be typed as it stands.
fn this_program() -> String {
    let path = std::env::current_exe().map(|path| path.display().to_string());
    match path {
        Ok(path) if path.contains(|c: char| c.is_whitespace() || "'\"\\$`".contains(c)) => {
            format!("'{}'", path.replace('\'', "'\\''"))
        }
        Ok(path) => path,
        Err(_) => "\"$(command -v chronotap)\"".to_owned(),
    }
}

/// Whether the calling thread has a capability.
pub(crate) fn has_capability(capability: CapabilitySet) -> bool {
    thread::capabilities(None).is_ok_and(|sets| sets.effective.contains(capability))
}

pub(crate) fn set_timer_slack(ns: u64) -> Item {
    const WHAT: &str = "timer slack";
    let asked = format!("{ns} ns");
    let set = thread::set_current_timer_slack(NonZeroU64::new(ns));
    match set.and_then(|()| thread::current_timer_slack()) {
        Ok(got) if got == ns => Item::granted(WHAT, asked, format!("{got} ns")),
        // A real-time thread reads 0 and has none.
        Ok(0) => Item::granted(WHAT, asked, "0 ns (a real-time thread has none)".into()),
        Ok(got) => {
            Item::refused(WHAT, asked, &format!("{got} ns"), "the kernel kept its own".into(), "")
        }
        Err(errno) => Item::refused(WHAT, asked, "the default", format!("prctl: {errno}"), ""),
    }
}

/// Nice values belong to threads on Linux, although POSIX gives them to processes.
pub(crate) fn set_nice(nice: i32) -> Item {
    const WHAT: &str = "nice value";
    let thread = Some(thread::gettid());
    let set = rustix::process::setpriority_process(thread, nice);
    match set.and_then(|()| rustix::process::getpriority_process(thread)) {
        Ok(got) if got == nice => Item::granted(WHAT, nice.to_string(), got.to_string()),
        Ok(got) => {
            Item::refused(WHAT, nice.to_string(), &got.to_string(), "it is -20 to 19".into(), "")
        }
        Err(errno) => {
            let cure = "add `@audio - nice -20` to /etc/security/limits.d/audio.conf, join group \
                        audio and log in again";
            Item::refused(WHAT, nice.to_string(), "0", format!("setpriority: {errno}"), cure)
        }
    }
}

/// The processors that the calling thread may run on, in rising order.
pub fn usable_processors() -> Vec<usize> {
    let Ok(set) = thread::sched_getaffinity(None) else { return vec![0] };
    (0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect()
}

/// Keeps the calling thread off a processor, and with it all threads and programs that it starts
/// from now on, so that a real-time thread there meets none of them. Call it before any other
/// thread is made.
pub fn keep_off(cpu: usize) -> Item {
    let asked = format!("any processor but {cpu}");
    let others: Vec<usize> = usable_processors().into_iter().filter(|&one| one != cpu).collect();
    let mut set = CpuSet::new();
    others.iter().for_each(|&one| set.set(one));
    let refused = |why: String| Item::refused(OTHERS, asked.clone(), "any processor", why, "");
    if others.is_empty() {
        return refused("it is the only one that this program may use".into());
    }
    match thread::sched_setaffinity(None, &set) {
        Ok(()) => Item::granted(OTHERS, asked, format!("processors {}", cpu_list(&others))),
        Err(errno) => refused(format!("sched_setaffinity: {errno}")),
    }
}

const OTHERS: &str = "other threads";

/// Processors in rising order as the kernel and `taskset` write them: `0-2,5`.
pub fn cpu_list(cpus: &[usize]) -> String {
    let runs = cpus.chunk_by(|a, b| a + 1 == *b).filter_map(|run| run.first().zip(run.last()));
    let words = runs.map(|(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") });
    words.collect::<Vec<_>>().join(",")
}

/// Whether the program's first thread, of which its ordinary threads come, keeps off a processor.
fn is_left_alone(cpu: usize) -> bool {
    thread::sched_getaffinity(Some(rustix::process::getpid())).is_ok_and(|set| !set.is_set(cpu))
}

pub(crate) fn pin(cpu: usize) -> Item {
    const WHAT: &str = "processor";
    let asked = format!("processor {cpu}");
    let mut set = CpuSet::new();
    let done = if cpu < CpuSet::MAX_CPU {
        set.set(cpu);
        thread::sched_setaffinity(None, &set).and_then(|()| thread::sched_getaffinity(None))
    } else {
        Err(Errno::INVAL)
    };
    match done {
        Ok(got) if got == set && is_left_alone(cpu) => {
            let got = format!("{asked}, which the program's ordinary threads leave alone");
            Item::granted(WHAT, asked, got)
        }
        Ok(got) if got == set => Item::granted(WHAT, asked.clone(), asked),
        Ok(_) => {
            Item::refused(WHAT, asked, "another set", "the kernel kept its own set".into(), "")
        }
        Err(errno) => {
            let why = format!("sched_setaffinity: {errno}");
            Item::refused(
                WHAT,
                asked,
                "any processor",
                why,
                "name one of those in `nproc` and of this cpuset",
            )
        }
    }
}

/// How a thread was scheduled before; dropping it restores that.
#[derive(Debug)]
pub(crate) struct Former {
    realtime: bool,
    nice: Option<i32>,
    slack_ns: Option<u64>,
    cpus: Option<CpuSet>,
    rt_time: Rlimit,
}

impl Former {
    pub(crate) fn of_this_thread() -> Former {
        Former {
            realtime: policy_of(0).is_ok_and(|policy| policy.is_realtime()),
            nice: rustix::process::getpriority_process(Some(thread::gettid())).ok(),
            slack_ns: thread::current_timer_slack().ok(),
            cpus: thread::sched_getaffinity(None).ok(),
            rt_time: getrlimit(Resource::Rttime),
        }
    }
}

impl Drop for Former {
    /// What the system refuses here stays as it is; the thread goes on either way.
    fn drop(&mut self) {
        let urgent = |policy: Policy| policy.is_realtime() || policy.is_deadline();
        if !self.realtime && policy_of(0).is_ok_and(urgent) {
            let _ = demote(0);
        }
        let _ = setrlimit(Resource::Rttime, self.rt_time);
        if let Some(nice) = self.nice {
            let _ = rustix::process::setpriority_process(Some(thread::gettid()), nice);
        }
        if let Some(slack) = self.slack_ns.and_then(NonZeroU64::new) {
            let _ = thread::set_current_timer_slack(Some(slack));
        }
        if let Some(cpus) = &self.cpus {
            let _ = thread::sched_setaffinity(None, cpus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slack_and_processor_come_back_when_the_rights_are_dropped() {
        std::thread::spawn(|| {
            let before = thread::sched_getaffinity(None).unwrap();
            let slack = thread::current_timer_slack().unwrap();
            let former = Former::of_this_thread();
            let first = (0..CpuSet::MAX_CPU).find(|cpu| before.is_set(*cpu)).unwrap();
            assert!(pin(first).granted);
            assert!(set_timer_slack(1).granted);
            drop(former);
            assert_eq!(thread::sched_getaffinity(None).unwrap(), before);
            assert_eq!(thread::current_timer_slack().unwrap(), slack);
        })
        .join()
        .unwrap();
    }

    #[test]
    fn processors_are_listed_as_the_kernel_lists_them() {
        let lists = [&[][..], &[3], &[0, 1, 2, 5], &[0, 2, 4, 5]].map(cpu_list);
        assert_eq!(lists, ["", "3", "0-2,5", "0,2,4-5"]);
    }

    #[test]
    fn what_keeps_off_a_processor_is_obeyed_by_the_threads_that_are_made_afterwards() {
        std::thread::spawn(|| {
            let before = usable_processors();
            let (first, rest) = before.split_first().unwrap();
            let item = keep_off(*first);
            assert_eq!(item.granted, !rest.is_empty(), "{item:?}");
            let inherited = std::thread::spawn(usable_processors).join().unwrap();
            let expected = if rest.is_empty() { &before[..] } else { rest };
            assert_eq!(inherited, expected);
            // A thread of its own may be put there all the same.
            assert!(
                std::thread::spawn({
                    let first = *first;
                    move || pin(first)
                })
                .join()
                .unwrap()
                .granted
            );
        })
        .join()
        .unwrap();
    }

    #[test]
    fn a_nice_value_is_the_threads_own_and_comes_back() {
        std::thread::spawn(|| {
            let former = Former::of_this_thread();
            let before = former.nice;
            assert!(set_nice(15).granted);
            let elsewhere = std::thread::scope(|scope| {
                let other = || rustix::process::getpriority_process(None);
                scope.spawn(other).join().unwrap()
            });
            assert!(elsewhere.is_ok());
            drop(former);
            // Without the right to raise it the thread keeps what it has.
            let now = rustix::process::getpriority_process(Some(thread::gettid())).ok();
            assert!(now == before || now == Some(15));
            assert!(!set_nice(100).granted);
        })
        .join()
        .unwrap();
    }

    #[test]
    fn the_line_with_setcap_names_this_program_as_a_shell_takes_it() {
        let said = this_program();
        let path = std::env::current_exe().unwrap().display().to_string();
        let line = format!("printf %s {said}");
        let read = std::process::Command::new("sh").args(["-c", &line]).output().unwrap().stdout;
        assert_eq!(String::from_utf8(read).unwrap(), path);
    }

    #[test]
    fn a_processor_that_is_not_there_is_refused() {
        assert!(!pin(1_000).granted);
        assert!(!pin(1_000_000).granted);
    }
}
