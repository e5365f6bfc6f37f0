//! One cell: pauses of one length by one mechanism under one scheduling, first alone,
//! then beside the companion.

use super::companion::Companion;
use super::round::{take_pauses, turns, turns_beside};
use crate::mechanisms::{Mechanism, Wait};
use crate::timing::doubts::Faults;
use crate::timing::{
    Histogram, Length, Placement, Quantity, RealTimer, SampleSeries, Scheduling, TestFound, Timer,
};
use chronotap_core::time::Nanos;
use chronotap_linux::clocks::thread_cpu_time;
use chronotap_linux::realtime::{Interrupt, Usage};
use std::io;

/// Turns by which the loop's own overhead is calibrated.
const CALIBRATION_TURNS: usize = 100;

/// One cell, and what it measured.
pub(super) struct Cell {
    pub(super) mechanism: Mechanism,
    placement: Placement,
    span: Nanos,
    pauses: Vec<Nanos>, // as long as there are turns
    taken: usize,
    beside: Vec<Nanos>, // a scratch for the second round
    shares: Shares,
    faults: Faults,
    overhead: Nanos,
    own: Vec<(&'static str, f64)>,
}

/// Of the time that a round took.
#[derive(Default)]
struct Shares {
    cpu: Option<f64>,
    left_to_others: Option<f64>,
}

/// How a placement is named in the condition `scheduling`.
pub(super) fn name(placement: Placement) -> String {
    match (placement.scheduling, placement.timer_slack_ns) {
        (Scheduling::Ordinary, Some(slack_ns)) => format!("ordinary, timer slack {slack_ns} ns"),
        (scheduling, _) => scheduling.to_string(),
    }
}

impl Cell {
    pub(super) fn new(
        mechanism: Mechanism,
        placement: Placement,
        span: Nanos,
        length: Length,
    ) -> Cell {
        let turns = turns(span, length);
        Cell {
            mechanism,
            placement,
            span,
            pauses: vec![Nanos(1); turns],
            taken: 0,
            beside: vec![Nanos(1); turns_beside(turns)],
            shares: Shares::default(),
            faults: Faults::default(),
            overhead: Nanos::ZERO,
            own: Vec::new(),
        }
    }

    /// On the measuring thread.
    pub(super) fn take(
        &mut self,
        wait: &mut dyn Wait,
        companion: Option<&Companion>,
        interrupt: Interrupt,
    ) -> io::Result<()> {
        self.overhead = overhead();
        wait.set(self.span)?;
        // The first one touches code and kernel structures for the first time, and
        // meets a device that ticks somewhere between two ticks.
        wait.wait(RealTimer.now(), self.span)?;
        self.alone(wait, interrupt)?;
        self.own = wait.figures();
        match companion {
            Some(companion) => self.beside(wait, companion, interrupt),
            None => Ok(()),
        }
    }

    fn alone(&mut self, wait: &mut dyn Wait, interrupt: Interrupt) -> io::Result<()> {
        let timer = &mut RealTimer;
        let (begin, cpu, usage) = (timer.now(), thread_cpu_time(), Usage::of_this_thread());
        let ended = || interrupt.requested();
        self.taken = take_pauses(timer, wait, self.span, &mut self.pauses, ended)?;
        self.faults.add(Usage::of_this_thread() - usage);
        self.shares.cpu = share(thread_cpu_time() - cpu, timer.now() - begin);
        Ok(())
    }

    fn beside(
        &mut self,
        wait: &mut dyn Wait,
        companion: &Companion,
        interrupt: Interrupt,
    ) -> io::Result<()> {
        let timer = &mut RealTimer;
        companion.begin();
        let (begin, before) = (timer.now(), companion.got());
        let ended = || interrupt.requested();
        let taken = take_pauses(timer, wait, self.span, &mut self.beside, ended);
        let (span, got) = (timer.now() - begin, companion.got());
        companion.rest();
        self.shares.left_to_others = share(got.cpu - before.cpu, span);
        taken.map(drop)
    }

    /// Adds the series, where there is one.
    pub(super) fn report(self, found: &mut TestFound) {
        let pauses = &self.pauses[..self.taken];
        let Some(least) = pauses.iter().min() else { return };
        let late = Histogram::of(pauses.iter().map(|pause| *pause - self.span));
        let scheduling = name(self.placement);
        let requested = requested_us(self.span);
        let conditions = [
            ("mechanism", self.mechanism.name()),
            ("scheduling", scheduling.as_str()),
            ("requested_us", requested.as_str()),
            ("load", "none"),
        ];
        let quantity = match self.mechanism.ticks() {
            true => Quantity::IntervalDeviation,
            false => Quantity::Lateness,
        };
        let mut series = SampleSeries::of(quantity, &conditions, late)
            .with("smallest_pause_ns", least.0 as f64)
            .with("overhead_ns", self.overhead.0 as f64);
        let shares = [("cpu_share", self.shares.cpu)];
        let left = [("left_to_others_share", self.shares.left_to_others)];
        let known = shares.into_iter().chain(left).filter_map(|(name, share)| Some((name, share?)));
        let own = self.own.into_iter().chain(known);
        series.figures.extend(own.map(|(name, value)| (name.to_owned(), value)));
        series.figures.extend(self.faults.figures());
        let what = format!("{}, {scheduling}, {requested} us", self.mechanism.name());
        found.notes.extend(self.faults.note(&what));
        found.series.push(series);
    }
}

/// Microseconds with as many decimals as they have: `50`, `122.07`.
fn requested_us(span: Nanos) -> String {
    format!("{}", span.as_micros_f64())
}

/// `None` of no time.
fn share(part: Nanos, whole: Nanos) -> Option<f64> {
    (whole > Nanos::ZERO).then(|| part.0 as f64 / whole.0 as f64)
}

/// What a pause contains that is the loop's: a wait that returns at once takes so
/// long, the least of many.
fn overhead() -> Nanos {
    let mut pauses = [Nanos::ZERO; CALIBRATION_TURNS];
    // It never fails.
    let _ = take_pauses(&mut RealTimer, &mut NoWait, Nanos(1), &mut pauses, || false);
    pauses.into_iter().min().unwrap_or_default()
}

struct NoWait;

impl Wait for NoWait {
    fn wait(&mut self, _begin: Nanos, _span: Nanos) -> io::Result<()> {
        Ok(())
    }
}
