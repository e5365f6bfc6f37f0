//! [`RoundtripTest`]: how long sound takes from an output of the card to an input, by the
//! thirteen tones of [`chronotap_audio::meter`], to a thousandth of a frame.
//!
//! The card plays the tones and hands what it hears to an ordinary thread, which reads
//! the meter ten times a second. It goes on after a period that the card missed, and counts
//! these. Only readings that agree are given ([`gather`]);
//! otherwise the reason is. Over several periods a line is fitted ([`RoundTripLine`]): round
//! trip = 2 periods + what the converters take, where the driver has two periods. What
//! belongs to an instrument in between is measured alone first and subtracted
//! ([`Calibration`]; Vignati et al. 2022).

mod calibration;
mod gather;
mod series;
mod talker;

pub use calibration::{Calibration, CalibrationError};
pub use series::Unreported;

pub use gather::{Disagreement, MeterLook, RoundTrip, gather, listen};
pub use talker::{RoundtripListener, Talker, pair};

use crate::timing::{Length, Part, Probe, TestFound, TestRefusal, TestRun, doubts};
use chronotap_core::time::Nanos;
use chronotap_linux::cards::{Card, CardError, CardName, CardRequest, CardShape, PortJoin};
use chronotap_linux::clocks::{MonotonicClock, sleep_until};

/// The periods of the study's table.
pub const PERIODS: [u32; 6] = [16, 32, 64, 128, 256, 512];
/// How often the meter is read.
const EVERY: Nanos = Nanos::from_millis(100);
/// How often it is told of missed periods between two readings.
const HEEDED: i64 = 4;

#[derive(Clone, Debug, Default)]
pub struct RoundtripTest {
    /// The card, whose first output is connected to its first input.
    pub card: CardName,
    /// What the ports of a JACK server's client are joined to.
    pub join: PortJoin,
    /// Periods in frames; where none is given, the card's own, or the study's where the
    /// card lets one choose.
    pub periods: Option<Vec<u32>>,
    /// Frames a second; by default the card's.
    pub rate_hz: Option<u32>,
    /// What is subtracted.
    pub calibration: Option<Calibration>,
    /// How long each period is measured; by default what the length says.
    pub duration: Option<Nanos>,
}

impl Probe for RoundtripTest {
    fn name(&self) -> &'static str {
        "roundtrip"
    }

    fn available(&self) -> Result<(), TestRefusal> {
        let first = self.wanted(self.periods()[0]);
        Card::open(&self.card, &first, |_, _| Box::new(Talker::deaf()))?;
        Ok(())
    }

    fn duration(&self, length: Length) -> Nanos {
        self.one_run(length) * self.periods().len() as i64
    }

    fn run(&self, course: &mut TestRun<'_>) -> TestFound {
        let mut found = TestFound::of(self.name());
        let periods = self.periods();
        let mut measured = Vec::new();
        for (part, period) in Part::of_each(&periods) {
            match self.one(*period, part, course) {
                Ok((shape, Ok(trip))) => {
                    let of = series::Of { calibration: self.calibration.as_ref(), join: self.join };
                    series::add(&shape, &trip, &of, course, &mut found);
                    measured.push((shape, trip));
                }
                Ok((shape, Err(why))) => {
                    let why = course.words_for(&why);
                    doubts::note(&mut found, format!("{} frames: {why}", shape.period_frames));
                }
                Err(error) => doubts::note(&mut found, course.words_for(&error)),
            }
            if course.interrupted() {
                break;
            }
        }
        series::remarks(&measured, self.calibration.as_ref(), &mut found);
        found.interrupted = course.interrupted();
        found
    }
}

/// A card that ran, and what was read or why not.
type Tried = (CardShape, Result<RoundTrip, Disagreement>);

impl RoundtripTest {
    fn one_run(&self, length: Length) -> Nanos {
        self.duration.unwrap_or(Nanos::from_secs(length.pick(2, 5, 30)))
    }

    /// `None` stands for the card's own.
    fn periods(&self) -> Vec<Option<u32>> {
        match (&self.periods, &self.card) {
            (Some(periods), _) if !periods.is_empty() => {
                periods.iter().copied().map(Some).collect()
            }
            (_, CardName::Virtual(Some(looped))) => {
                let fits = |frames: &u32| *frames <= looped.delay_frames;
                PERIODS.into_iter().filter(fits).map(Some).collect::<Vec<_>>()
            }
            _ => vec![None],
        }
    }

    fn wanted(&self, period_frames: Option<u32>) -> CardRequest {
        let (rate_hz, join) = (self.rate_hz, self.join);
        CardRequest {
            period_frames,
            rate_hz,
            inputs: 1,
            outputs: 1,
            join,
            ..CardRequest::default()
        }
    }

    fn one(
        &self,
        period: Option<u32>,
        part: Part,
        course: &mut TestRun<'_>,
    ) -> Result<Tried, CardError> {
        let mut listener = None;
        let card = Card::open(&self.card, &self.wanted(period), |shape, _| {
            let (talker, hears) = talker::pair(f64::from(shape.rate_hz));
            listener = Some(hears);
            Box::new(talker)
        })?;
        let shape = card.shape().clone();
        let Some(mut listener) = listener else { return Err(CardError::Silent(shape.card)) };
        let readings = self.read(&mut listener, &card, part, course);
        let xruns = card.watch().xruns();
        drop(card);
        let trip = gather(&readings).map(|trip| RoundTrip { xruns, ..trip });
        Ok((shape, trip))
    }

    fn read(
        &self,
        listener: &mut RoundtripListener,
        card: &Card,
        part: Part,
        course: &mut TestRun<'_>,
    ) -> Vec<gather::MeterLook> {
        let (begin, span) = (MonotonicClock::raw(), self.one_run(course.length));
        let what = format!("round trip, {} frames", card.shape().period_frames);
        let mut readings = Vec::new();
        let mut next = begin + EVERY;
        while next <= begin + span && !course.interrupted() {
            for part in 1..HEEDED {
                sleep_until(next - EVERY + EVERY * part / HEEDED);
                listener.heed(card.watch().xruns());
            }
            sleep_until(next);
            readings.push(listener.look(card.watch().xruns()));
            course.tell(&what, part.at((next - begin).0 as f64 / span.0 as f64));
            next += EVERY;
        }
        readings
    }
}
