//! Finney's load, "three simultaneous normal priority programs doing continuous
//! arithmetic". On her one processor they contended with the test; where there are
//! several, three loops leave the test a processor to itself, so there is a second
//! form with three loops on each.

use super::job::Job;
use super::work::LoadWork;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::hint::black_box;
use std::io;

const LOOPS: usize = 3;
/// Additions and multiplications of a step, about 0.1 ms.
const STEP: u32 = 100_000;

/// Three loops, wherever the scheduler puts them.
pub(super) fn anywhere() -> Vec<Box<dyn Job>> {
    (0..LOOPS).map(|_| Box::new(Loop { pin: None }) as Box<dyn Job>).collect()
}

/// Three loops pinned to each processor that this process may use.
pub(super) fn on_each_processor() -> io::Result<Vec<Box<dyn Job>>> {
    let allowed = sched_getaffinity(None)?;
    let processors = (0..CpuSet::MAX_CPU).filter(|cpu| allowed.is_set(*cpu));
    let pinned = |cpu| (0..LOOPS).map(move |_| Box::new(Loop { pin: Some(cpu) }) as Box<dyn Job>);
    Ok(processors.flat_map(pinned).collect())
}

struct Loop {
    /// The processor to go to first.
    pin: Option<usize>,
}

impl Job for Loop {
    fn step(&mut self, work: &mut LoadWork) -> io::Result<()> {
        if let Some(cpu) = self.pin.take() {
            let mut only = CpuSet::new();
            only.set(cpu);
            sched_setaffinity(None, &only)?;
        }
        let mut sum = 1u64;
        for n in 0..u64::from(STEP) {
            sum = black_box(sum.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(n));
        }
        black_box(sum);
        work.add("additions", STEP.into());
        Ok(())
    }
}
