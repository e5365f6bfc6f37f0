//! What each clock of the system resolves and costs.
//!
//! The vDSO is the kernel's code that reads a clock without entering the kernel.
//! Whether a clock is read through it is told by its cost: below half of what the
//! same time costs by a plain system call, measured in the same moment.

use chronotap_clocks::MonotonicClock;
use chronotap_mechanisms::{ReadableClock, Reader};
use chronotap_time::Nanos;
use chronotap_timing::{Course, Histogram, Quantity, Series};

/// One series for each clock that can be read. About 0.2 s.
pub(super) fn measured(course: &Course<'_>) -> Vec<Series> {
    let reads = course.length.pick(20_000, 100_000, 100_000);
    let mut stamps = vec![Nanos(1); reads];
    let Ok(call) = ReadableClock::SystemCall.open() else { return Vec::new() };
    let call_ns = cost_ns(&call, &mut stamps);
    let mut series = Vec::new();
    for source in ReadableClock::ALL {
        if course.interrupted() {
            break;
        }
        // The counter may not be readable; the others always are.
        let Ok(clock) = source.open() else { continue };
        let cost_ns = cost_ns(&clock, &mut stamps);
        series.push(of(source, &clock, &stamps, cost_ns, call_ns));
    }
    series
}

fn of(
    source: ReadableClock,
    clock: &Reader,
    stamps: &[Nanos],
    cost_ns: f64,
    call_ns: f64,
) -> Series {
    let steps = || stamps.windows(2).map(|pair| pair[1] - pair[0]);
    let smallest = steps().filter(|step| *step > Nanos::ZERO).min();
    let smallest = smallest.or_else(|| patiently(clock));
    let conditions = [("clock", source.name()), ("scheduling", "ordinary"), ("load", "none")];
    let mut series = Series::of(Quantity::ClockStep, &conditions, Histogram::of(steps()))
        .with("resolution_ns", clock.resolution_ns())
        .with("cost_ns", cost_ns)
        .with("system_call_ns", call_ns)
        .with("in_user_space", f64::from(u8::from(cost_ns < call_ns / 2.0)));
    if let Some(step) = smallest {
        series = series.with("smallest_step_ns", step.0 as f64);
    }
    series
}

/// By CLOCK_MONOTONIC, since some of the clocks stand still for milliseconds. The least
/// of five, so that a stall of the machine is no cost of a clock.
fn cost_ns(clock: &Reader, stamps: &mut [Nanos]) -> f64 {
    let once = |_| {
        let begin = MonotonicClock::raw();
        stamps.iter_mut().for_each(|stamp| *stamp = clock.read());
        (MonotonicClock::raw() - begin).0 as f64 / stamps.len().max(1) as f64
    };
    (0..5).map(once).fold(f64::INFINITY, f64::min)
}

/// The step of a clock that stood still in all of the reads: from one change to the
/// next. `None` where there were not two within 50 ms.
fn patiently(clock: &Reader) -> Option<Nanos> {
    let end = MonotonicClock::raw() + Nanos::from_millis(50);
    let change = || {
        let before = clock.read();
        let mut now = before;
        while now == before && MonotonicClock::raw() < end {
            now = clock.read();
        }
        (now != before).then_some(now)
    };
    let first = change()?;
    Some(change()? - first)
}
