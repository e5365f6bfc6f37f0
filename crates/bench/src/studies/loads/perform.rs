//! [`perform`]: a load's own process, from the inside. A load is a number of [`Job`]s,
//! one thread each, that are done step by step until [`Until`] says that it is enough;
//! a step is so small that the end is never far.
//!
//! Background: whoever started the load may be killed, and then nobody ends it. The
//! kernel's signal at a parent's death belongs to the thread that started the child,
//! which need not live as long as the program.
//! Solution: the load's standard input is a pipe whose other end only the starter
//! holds, and the load ends when that closes.
//! Why it works: however a process ends, the kernel closes its files.

use super::job::Job;
use super::work::LoadWork;
use super::{
    Load, LoadLimits, LoadRefusal, arithmetic, disk, effects, process_table, tools, varoquaux,
};
use chronotap_core::time::{Clock, Nanos};
use chronotap_linux::clocks::{MonotonicClock, timespec};
use chronotap_linux::realtime::Interrupt;
use rustix::event::{PollFd, PollFlags, poll};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// When a load ends.
#[derive(Clone, Copy, Debug)]
pub struct Until {
    /// At a signal.
    pub interrupt: Interrupt,
    /// When standard input closes.
    pub input_ends: bool,
}

/// Does a load's work in this process, with ordinary priority, until it is told to end
/// or its time is over. `begun` is called once it is under way.
///
/// # Errors
/// [`LoadRefusal`] where it could not begin.
pub fn perform(
    load: Load,
    limits: &LoadLimits,
    until: Until,
    begun: impl FnOnce(),
) -> Result<LoadWork, LoadRefusal> {
    load.available(limits)?;
    become_ordinary(limits.cpu)?;
    let jobs = jobs(load, limits).map_err(|error| LoadRefusal::Begin {
        load,
        dir: limits.dir.clone(),
        error,
    })?;
    let enough = AtomicBool::new(false);
    let (clock, cpu_before) = (MonotonicClock::start(), cpu_seconds());
    let mut work = thread::scope(|scope| {
        let workers: Vec<_> =
            jobs.into_iter().map(|job| scope.spawn(|| labour(job, &enough))).collect();
        begun();
        until.wait(clock.to_raw(Nanos::from_secs(limits.seconds.into())), &enough);
        enough.store(true, Ordering::Release);
        let mut work = LoadWork::default();
        for worker in workers {
            work.merge(worker.join().unwrap_or_default());
        }
        work
    });
    work.elapsed_s = clock.now().as_secs_f64();
    work.cpu_s = cpu_seconds() - cpu_before;
    Ok(work)
}

fn jobs(load: Load, limits: &LoadLimits) -> io::Result<Vec<Box<dyn Job>>> {
    let bytes = limits.bytes(load);
    Ok(match load {
        Load::None => Vec::new(),
        Load::Arithmetic => arithmetic::anywhere(),
        Load::Contending => arithmetic::on_each_processor()?,
        Load::Varoquaux => varoquaux::script(&limits.dir, bytes),
        Load::SenonerX11 => vec![Box::new(tools::x11perf())],
        Load::SenonerProc => vec![Box::new(process_table::Walk)],
        Load::SenonerWrite => vec![Box::new(disk::Write::begin(&limits.dir, bytes, limits.sync)?)],
        Load::SenonerCopy => vec![Box::new(disk::Copy::begin(&limits.dir, bytes, limits.sync)?)],
        Load::SenonerRead => vec![Box::new(disk::Read::begin(&limits.dir, bytes)?)],
        Load::Vignati => vec![Box::new(tools::stress(limits)?)],
        Load::Effects => vec![Box::new(effects::Live::begin(&limits.card)?)],
    })
}

/// One thread's work until it is enough or fails; a failure ends the whole load. One
/// step is always done, however late a busy machine lets the thread begin: no load
/// ends with nothing done.
fn labour(mut job: Box<dyn Job>, enough: &AtomicBool) -> LoadWork {
    let mut work = LoadWork::default();
    loop {
        if let Err(error) = job.step(&mut work) {
            work.failed = Some(error.to_string());
            enough.store(true, Ordering::Release);
        }
        if enough.load(Ordering::Acquire) {
            break;
        }
    }
    job.end(&mut work);
    work
}

impl Until {
    /// Returns when the load is to end, at the latest at `deadline`, or when `enough`.
    fn wait(&self, deadline: Nanos, enough: &AtomicBool) {
        let stdin = io::stdin();
        let mut fds = vec![PollFd::from_borrowed_fd(self.interrupt.descriptor(), PollFlags::IN)];
        if self.input_ends {
            fds.push(PollFd::new(&stdin, PollFlags::IN));
        }
        while !enough.load(Ordering::Acquire) {
            let left = (deadline - MonotonicClock::raw()).min(Nanos::from_millis(100));
            let told = poll(&mut fds, Some(&timespec(left))).unwrap_or(0) > 0;
            if told || left <= Nanos::ZERO {
                return;
            }
        }
    }
}

/// No priority that was inherited, and only the processor that was asked for.
fn become_ordinary(cpu: Option<usize>) -> Result<(), LoadRefusal> {
    use rustix::process::{getpriority_process, setpriority_process};
    use rustix::thread::{CpuSet, sched_setaffinity};
    let ordinary = |what| move |errno| LoadRefusal::Ordinary { what, errno };
    chronotap_linux::realtime::demote(0).map_err(ordinary("scheduling"))?;
    if getpriority_process(None).is_ok_and(|nice| nice < 0) {
        setpriority_process(None, 0).map_err(ordinary("priority"))?;
    }
    let Some(cpu) = cpu else { return Ok(()) };
    let mut only = CpuSet::new();
    if cpu >= CpuSet::MAX_CPU {
        return Err(LoadRefusal::Processor { cpu, error: None });
    }
    only.set(cpu);
    let kept = sched_setaffinity(None, &only);
    kept.map_err(|errno| LoadRefusal::Processor { cpu, error: Some(errno) })
}

/// Processor time of this process and the children that it waited for, in the ticks
/// that /proc counts in (10 ms).
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name, in brackets, may hold spaces; utime is the 12th field behind it.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    let ticks: f64 = fields.skip(11).take(4).filter_map(|field| field.parse::<f64>().ok()).sum();
    ticks / rustix::param::clock_ticks_per_second() as f64
}
