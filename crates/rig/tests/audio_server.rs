//! A port of an audio server that misses a period: recorded, corrected, replayed.

mod common;

use chronotap_core::time::Nanos;
use chronotap_data::record::{Entry, settled};
use chronotap_engine::action::{Action, Kind};
use chronotap_engine::signal::{
    Arrival, AudioPeriod, Description, Port, PortError, PortReport, Readiness, Written,
};

const PERIOD: AudioPeriod = AudioPeriod { frames: 256, rate_hz: 48_000 };

/// Places everything one period after its deadline, but plays the third beat a
/// period late and never the last release; tells of an xrun then.
#[derive(Default)]
struct Server {
    missed: Option<Action>,
    release: Option<Action>,
    finished: bool,
}

impl Port for Server {
    fn readiness(&self) -> Readiness<'_> {
        Readiness::Never
    }

    fn read(&mut self, _: Nanos, _: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        Ok(())
    }

    fn write(&mut self, action: &Action, _: Nanos) -> Result<Written, PortError> {
        match action.kind {
            Kind::Pacing(_) if action.number == 3 => self.missed = Some(*action),
            Kind::ToneOff => self.release = Some(*action),
            _ => {}
        }
        Ok(Written::At((action.deadline + PERIOD.length()).into()))
    }

    fn told(&mut self, tell: &mut dyn FnMut(PortReport)) {
        if let Some(missed) = self.missed.take() {
            tell(PortReport::Xrun(missed.deadline));
            tell(PortReport::Xrun(missed.deadline + Nanos::from_micros(40))); // a second client's
            let late = missed.deadline + PERIOD.length() * 2;
            tell(PortReport::Corrected(missed, Some(late.into())));
        }
        if self.finished {
            self.release.take().into_iter().for_each(|off| tell(PortReport::Corrected(off, None)));
        }
    }

    fn describe(&self) -> Description {
        Description::of_period(PERIOD)
    }

    fn finish(&mut self) {
        self.finished = true;
    }
}

#[test]
fn a_missed_period_is_in_the_record_once_and_what_was_late_or_lost_says_so() {
    let trial = "[pacing.beats]\ninterval = \"20 ms\"\nstart = \"20 ms\"\nbeats = 6\n\
                 tone = { duration = \"5 ms\" }\n[[when]]\ntime = \"300 ms\"\nend = true\n";
    let (entries, _) = common::run(trial, Box::new(Server::default()));
    let xruns = entries.iter().filter(|entry| entry.action.kind == Kind::Xrun);
    assert_eq!(xruns.count(), 1);
    let entries = settled(&entries);
    let late = |entry: &&Entry| {
        let beat = matches!(entry.action.kind, Kind::Pacing(_));
        beat && entry.achieved != Some(entry.action.deadline + PERIOD.length())
    };
    let late: Vec<u32> = entries.iter().filter(late).map(|entry| entry.action.number).collect();
    assert_eq!(late, [3]);
    let lost = entries.iter().filter(|entry| entry.achieved.is_none());
    assert_eq!(lost.count(), 1);
}
