//! The measuring of a cell whose instances are computed in the callback of a sound card, which
//! says itself when it has missed a period.
//!
//! Each run opens the card anew: its tracks are made beforehand, computed in each call, and
//! gone with the card, as are the workers who compute all but the first. An ordinary thread reads
//! the calls meanwhile and ends the run when its time is over or the card has missed a period.
//! There is no watchdog here: [`Computing`] gives up by itself.

use super::bench::{Bench, BenchError, Home, Run};
use super::computing::{Computing, DspReadings};
use super::in_card::InCard;
use super::workers::{Going, Workers};
use super::{Cycles, DspTrack, Factory, Pace, RunEnd, SearchPhase, border};
use crate::timing::{Part, TestRun};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::{Callback, Callbacks};
use chronotap_linux::cards::{Calls, Card, CardError, CardShape, Offered};
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use chronotap_linux::realtime::Policy;
use std::sync::Arc;

/// How often the calls are read.
const EVERY: Nanos = Nanos::from_millis(5);
/// A card that has not called so often by then, beyond the time of its run, stands still.
const PATIENCE: Nanos = Nanos::from_secs(5);

impl Bench {
    /// Measures in the callback of a card; `part` is what it is of the whole test.
    pub(super) fn run_in(
        &self,
        card: &InCard,
        part: Part,
        course: &mut TestRun<'_>,
    ) -> Result<Run, BenchError> {
        let factory = self.plugin.load(self.pace.frames, self.pace.rate_hz)?;
        let (policy, unequal, done) = (None, false, Nanos::ZERO);
        let mut runs = Runs { bench: self, card, part, course, policy, unequal, done };
        let (mut homes, mut refused) = (Vec::new(), None);
        for _ in 0..self.searches {
            let mut home = Home::default();
            home.border = border(self.most(), |instances, phase| {
                match runs.run(&factory, instances, phase) {
                    Ok((end, cycles)) => {
                        home.keep(instances, phase, end, &cycles);
                        end
                    }
                    Err(error) => {
                        refused = Some(error);
                        RunEnd::Interrupted
                    }
                }
            });
            homes.push(home);
            if refused.is_some() || runs.course.interrupted() {
                break;
            }
        }
        let run = Run { policy: runs.policy, unequal: runs.unequal, ..Run::of(homes) };
        match refused {
            Some(error) if run.border.is_none() => Err(error),
            refused => Ok(Run { refused, ..run }),
        }
    }
}

/// The runs of a cell.
struct Runs<'a, 'c> {
    bench: &'a Bench,
    card: &'a InCard,
    part: Part,
    course: &'a mut TestRun<'c>,
    policy: Option<Policy>,
    unequal: bool, // in any run
    done: Nanos,   // of clean runs
}

impl Runs<'_, '_> {
    /// One run, to its end or to the first period that is missed.
    fn run(
        &mut self,
        factory: &Factory,
        instances: u32,
        phase: SearchPhase,
    ) -> Result<(RunEnd, Cycles), BenchError> {
        let bench = self.bench;
        let workers = Workers::of(bench.cores.len());
        let mut track = DspTrack::new(factory.clone(), bench.pace.frames, bench.arrangement);
        std::thread::scope(|scope| {
            let _going = Going(&workers.relay);
            workers.prepare(scope, bench, factory, &mut track, instances)?;
            self.run_with(track, &workers, phase)
        })
    }

    /// With workers, who have prepared theirs.
    fn run_with(
        &mut self,
        track: DspTrack,
        workers: &Workers,
        phase: SearchPhase,
    ) -> Result<(RunEnd, Cycles), BenchError> {
        let cores = &self.bench.cores;
        let mut card = Card::open(&self.card.name, &self.card.wanted, |shape, watch| {
            let seen = workers.seen.get_or_init(|| Arc::new(DspReadings::new(shape)));
            let alone = Computing::new(track, shape, watch, seen);
            let several = cores.first().filter(|_| cores.len() > 1);
            Box::new(match several {
                Some(core) => alone.beside(&workers.relay, *core),
                None => alone,
            })
        })?;
        self.as_looked_at(card.shape())?;
        let seen = workers.seen.get_or_init(|| Arc::new(DspReadings::new(card.shape())));
        let span = self.bench.span(phase);
        let mut heard = Heard::new(card.shape());
        let end = self.hear(&mut card, seen, &mut heard, self.bench.pace.periods_in(span));
        self.policy = self.policy.or(seen.policy());
        self.unequal |= seen.unequal();
        drop(card);
        if end == RunEnd::Clean {
            self.done += span;
        }
        Ok((end, heard.cycles))
    }

    /// A server's period may be changed by others meanwhile.
    fn as_looked_at(&self, now: &CardShape) -> Result<(), CardError> {
        let was = &self.card.shape;
        if (now.period_frames, now.rate_hz) == (was.period_frames, was.rate_hz) {
            return Ok(());
        }
        let shape =
            |shape: &CardShape| format!("{} frames at {} Hz", shape.period_frames, shape.rate_hz);
        let offered = Offered::Has(format!("it runs by {} now, changed meanwhile", shape(now)));
        Err(CardError::NotOffered { card: now.card.clone(), asked: shape(was), offered })
    }

    /// Reads the calls until so many have counted, or one period was missed.
    fn hear(
        &mut self,
        card: &mut Card,
        seen: &DspReadings,
        heard: &mut Heard,
        count: u64,
    ) -> RunEnd {
        let Some(mut calls) = card.take_calls() else { return RunEnd::Interrupted };
        let patience = MonotonicClock::raw() + self.bench.pace.after(count) + PATIENCE;
        let watch = Arc::clone(card.watch());
        loop {
            sleep_until(MonotonicClock::raw() + EVERY);
            heard.read(&mut calls, seen);
            let missed = seen.missed_before().is_some_and(|before| watch.xruns() > before);
            let still = MonotonicClock::raw() > patience;
            if missed || seen.gave_up() || watch.is_gone() || still {
                heard.read(&mut calls, seen);
                heard.count_xrun();
                return RunEnd::Xruns;
            }
            if heard.cycles.busy.n() >= count {
                return heard.end(self.bench.pace);
            }
            if self.course.interrupted() {
                return RunEnd::Interrupted;
            }
            self.tell();
        }
    }

    fn tell(&mut self) {
        let done = self.done.0 as f64 / self.bench.expected().0 as f64;
        self.course.tell(&self.bench.what(), self.part.at(done));
    }
}

/// What the calls of one run tell.
struct Heard {
    cycles: Cycles,
    calls: u64,
    period: Nanos,
    recent: Vec<Nanos>, // what the last calls took, as many as the buffer has periods, and one
    usual: Option<f64>, // ns, the mean of those before
}

impl Heard {
    /// How a run ended that missed no period. One whose calls took a period or more in the mean
    /// would have missed some later: its buffer only bore it to its end.
    fn end(&mut self, pace: Pace) -> RunEnd {
        if self.cycles.load(pace).is_some_and(|load| load >= 1.0) {
            self.count_xrun();
            return RunEnd::Xruns;
        }
        RunEnd::Clean
    }

    fn new(shape: &CardShape) -> Heard {
        let recent = vec![Nanos::ZERO; shape.periods.max(2) as usize + 1];
        let (cycles, period) = (Cycles::default(), shape.period());
        Heard { cycles, calls: 0, period, recent, usual: None }
    }

    fn read(&mut self, calls: &mut Calls, seen: &DspReadings) {
        while let Some(call) = calls.next() {
            if seen.computed(self.calls) {
                self.keep(&call, seen.counts(self.calls));
            }
            self.calls += 1;
        }
    }

    fn keep(&mut self, call: &Callback, counts: bool) {
        let (busy, late) = (call.ended - call.began, call.began - call.due);
        let place = (self.calls % self.recent.len() as u64) as usize;
        if place == 0 {
            self.usual = self.cycles.busy.mean_ns();
        }
        self.recent[place] = busy;
        if counts {
            self.cycles.busy.record(busy);
            self.cycles.late.record(late.max(Nanos::ZERO));
        }
    }

    /// The longest of the last cycles is the one that the buffer could not bear.
    fn count_xrun(&mut self) {
        let longest = self.recent.iter().copied().max().unwrap_or_default();
        self.cycles.count_xrun(longest, self.period, self.usual);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(busy_us: &[i64]) -> Cycles {
        let mut heard = calls(busy_us);
        heard.count_xrun();
        heard.cycles
    }

    fn calls(busy_us: &[i64]) -> Heard {
        let shape =
            CardShape { rate_hz: 48_000, period_frames: 48, periods: 2, ..CardShape::default() };
        let mut heard = Heard::new(&shape);
        for busy in busy_us {
            let began = Nanos::from_millis(heard.calls as i64);
            let ended = began + Nanos::from_micros(*busy);
            heard.keep(&Callback { frame: 0, frames: 48, due: began, began, ended }, true);
            heard.calls += 1;
        }
        heard
    }

    #[test]
    fn a_run_that_its_buffer_alone_bore_to_the_end_has_failed() {
        let pace = Pace { frames: 48, rate_hz: 48_000 };
        assert_eq!(calls(&[1_010; 50]).end(pace), RunEnd::Xruns);
        assert_eq!(calls(&[990; 50]).end(pace), RunEnd::Clean);
    }

    #[test]
    fn what_made_the_card_miss_a_period_is_told_by_the_longest_of_its_last_calls() {
        let reasons = |cycles: Cycles| (cycles.xruns, cycles.late_xruns, cycles.stalled_xruns);
        assert_eq!(reasons(heard(&[1_100; 9])), (1, 0, 0), "each is too long");
        assert_eq!(reasons(heard(&[200; 9])), (1, 1, 0), "each is short: called late");
        let mut stalled = [200; 12];
        stalled[10] = 2_500;
        assert_eq!(reasons(heard(&stalled)), (1, 0, 1));
    }
}
