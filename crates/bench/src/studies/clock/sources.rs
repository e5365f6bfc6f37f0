//! What each clock of the system resolves and costs.
//!
//! The vDSO is the kernel's code that reads a clock without entering the kernel.
//! Whether a clock is read through it is told by its cost: below half of what the
//! same time costs by a plain system call, measured in the same moment.

use crate::mechanisms::{ReadableClock, Reader};
use crate::timing::{Histogram, Quantity, SampleSeries, TestFound, TestRun, spoken};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::MonotonicClock;

/// About how long it takes.
pub(super) const EXPECTED: Nanos = Nanos::from_millis(300);

/// Adds one series for each clock that can be read, and a sentence for each that is coarser
/// than its reads.
pub(super) fn measure(course: &TestRun<'_>, found: &mut TestFound) {
    let reads = course.length.pick(20_000, 100_000, 100_000);
    let mut stamps = vec![Nanos(1); reads];
    let Ok(call) = ReadableClock::SystemCall.open() else { return };
    let call_ns = cost_ns(&call, &mut stamps);
    for source in ReadableClock::ALL {
        if course.interrupted() {
            break;
        }
        // The counter may not be readable; the others always are.
        let Ok(clock) = source.open() else { continue };
        let cost_ns = cost_ns(&clock, &mut stamps);
        let series = of(source, &clock, &stamps, cost_ns, call_ns);
        found.notes.extend(coarse(source.name(), &series));
        found.series.push(series);
    }
}

/// Where a clock stands still from one read to the next, its samples tell its step and not
/// how far reads are apart.
fn coarse(name: &str, series: &SampleSeries) -> Option<String> {
    let figure = |name: &str| series.figures.get(name).copied();
    let (step, cost) = (figure("smallest_step_ns")?, figure("cost_ns")?);
    (step > 2.0 * cost).then(|| {
        format!(
            "{name} moves in steps of {}, coarser than its reads, which are {} apart: most \
             samples are 0, and mean and quantiles say nothing of the reads; cost_ns does",
            spoken(step),
            spoken(cost)
        )
    })
}

fn of(
    source: ReadableClock,
    clock: &Reader,
    stamps: &[Nanos],
    cost_ns: f64,
    call_ns: f64,
) -> SampleSeries {
    let steps = || stamps.windows(2).map(|pair| pair[1] - pair[0]);
    let smallest = steps().filter(|step| *step > Nanos::ZERO).min();
    let smallest = smallest.or_else(|| patiently(clock));
    let conditions = [("clock", source.name()), ("scheduling", "ordinary"), ("load", "none")];
    let mut series = SampleSeries::of(Quantity::ClockStep, &conditions, Histogram::of(steps()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_coarser_than_its_reads_says_so() {
        let series = |step: f64| {
            SampleSeries::of(Quantity::ClockStep, &[], Histogram::new())
                .with("smallest_step_ns", step)
                .with("cost_ns", 20.0)
        };
        assert_eq!(coarse("CLOCK_MONOTONIC", &series(20.0)), None);
        let told = coarse("CLOCK_MONOTONIC_COARSE", &series(4e6)).unwrap();
        assert!(told.contains("steps of 4.00 ms") && told.contains("20 ns apart"), "{told}");
        let unknown = SampleSeries::of(Quantity::ClockStep, &[], Histogram::new());
        assert_eq!(coarse("a clock that stood still", &unknown), None);
    }
}
