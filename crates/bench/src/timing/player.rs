//! [`PlayerTest`]: how evenly another program plays, by what comes in at a card: its clicks,
//! heard through a cable, a loopback card or a server's monitor ports, as Phillips (2000)
//! listened to players while the machine was busy. A skip is a click that did not come.
//!
//! Not here: what the player is. Anything that plays clicks at one interval will do.

use crate::timing::tap_to_sound::{Channels, HeardOnsets, pair};
use crate::timing::{
    Histogram, Length, Probe, Quantity, SampleSeries, TestFound, TestRefusal, TestRun, beside,
    doubts,
};
use chronotap_core::time::Nanos;
use chronotap_linux::cards::{Card, CardError, CardName, CardRequest, CardShape, PortJoin};
use chronotap_linux::clocks::MonotonicClock;
use std::sync::Arc;

/// How often the ear is emptied.
const EVERY: Nanos = Nanos::from_millis(100);
/// Fewer clicks than this have no interval to speak of.
const FEWEST: usize = 5;

/// The test.
#[derive(Clone, Debug)]
pub struct PlayerTest {
    pub card: CardName,
    /// What a JACK server joins the input to.
    pub join: PortJoin,
    /// The input, from 0.
    pub channel: usize,
    pub rate_hz: Option<u32>,
    pub period_frames: Option<u32>,
    /// From one click to the next as the player means it; by default the median.
    pub interval: Option<Nanos>,
    /// What a click must exceed, as a share of full scale; by default the noise decides.
    pub threshold: Option<f32>,
    /// How long to listen; by default what the length says.
    pub duration: Option<Nanos>,
}

/// Clicks, as far as they come at one interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Clicks {
    /// How many were heard.
    pub heard: usize,
    /// From one to the next, as it was meant.
    pub interval: Nanos,
    /// Each distance minus as many intervals as it is nearest to.
    pub deviations: Vec<Nanos>,
    /// Clicks that did not come.
    pub dropped: u64,
    /// Clicks nearer to the one before than half an interval.
    pub extra: u64,
}

/// Why there is no figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClicksDoubt {
    /// Too few.
    #[error("only {0} clicks were heard, {FEWEST} are needed")]
    Few(usize),
    /// Frames are missing.
    #[error("the card missed {0} periods, so that clicks may be missing that were played")]
    Broken(u64),
}

/// The clicks of a card or a recording of this rate, by their onsets in frames, rising.
///
/// # Errors
/// [`ClicksDoubt`].
pub fn clicks(
    onsets: &[f64],
    rate_hz: u32,
    interval: Option<Nanos>,
) -> Result<Clicks, ClicksDoubt> {
    if onsets.len() < FEWEST {
        return Err(ClicksDoubt::Few(onsets.len()));
    }
    let time = |frames: f64| Nanos::round_from_f64(frames * 1e9 / f64::from(rate_hz.max(1)));
    let apart: Vec<Nanos> = onsets.windows(2).map(|two| time(two[1] - two[0])).collect();
    let interval = interval.unwrap_or_else(|| median(&apart));
    let mut clicks =
        Clicks { heard: onsets.len(), interval, deviations: Vec::new(), dropped: 0, extra: 0 };
    for distance in apart {
        match (distance.0 + interval.0 / 2) / interval.0.max(1) {
            0 => clicks.extra += 1,
            n => {
                clicks.dropped += n as u64 - 1;
                clicks.deviations.push(distance - interval * n);
            }
        }
    }
    Ok(clicks)
}

fn median(all: &[Nanos]) -> Nanos {
    let mut sorted = all.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}

impl Clicks {
    /// As a series of the test.
    pub fn series(&self, card: &str) -> SampleSeries {
        let rate = format!("{:.4}", 1e9 / self.interval.0.max(1) as f64);
        let conditions =
            [("card", card), ("rate_hz", rate.trim_end_matches('0').trim_end_matches('.'))];
        let deviations = Histogram::of(self.deviations.iter().copied());
        SampleSeries::of(Quantity::IntervalDeviation, &conditions, deviations)
            .with("clicks", self.heard as f64)
            .with("skipped_beats", self.dropped as f64)
            .with("extra_clicks", self.extra as f64)
    }

    /// In a sentence.
    pub fn sentence(&self) -> String {
        let Clicks { heard, interval, dropped, extra, .. } = self;
        let ms = interval.as_millis_f64();
        format!("{heard} clicks, {ms:.3} ms apart: {dropped} did not come, {extra} came besides")
    }
}

impl Probe for PlayerTest {
    fn name(&self) -> &'static str {
        "player"
    }

    fn available(&self) -> Result<(), TestRefusal> {
        Ok(Card::open(&self.card, &self.wanted(), |_, _| Box::new(())).map(drop)?)
    }

    fn duration(&self, length: Length) -> Nanos {
        self.duration.unwrap_or(Nanos::from_secs(length.pick(10, 60, 600)))
    }

    fn run(&self, course: &mut TestRun<'_>) -> TestFound {
        let mut found = TestFound::of(self.name());
        match self.listen(course) {
            Err(error) => doubts::note(&mut found, course.words_for(&error)),
            Ok((shape, heard, xruns)) => self.add(&shape, &heard, xruns, course, &mut found),
        }
        found.interrupted = course.interrupted();
        found
    }
}

impl PlayerTest {
    fn wanted(&self) -> CardRequest {
        CardRequest {
            rate_hz: self.rate_hz,
            period_frames: self.period_frames,
            inputs: self.channel + 1,
            outputs: 1,
            join: self.join,
            ..CardRequest::default()
        }
    }

    fn listen(&self, course: &mut TestRun<'_>) -> Result<(CardShape, HeardOnsets, u64), CardError> {
        let mut hears = None;
        let channels = Channels { sound: self.channel, tap: None };
        let card = Card::open(&self.card, &self.wanted(), |shape, watch| {
            let watch = Arc::clone(watch);
            let due = Box::new(move || watch.last_period().map_or(Nanos::ZERO, |period| period.at));
            let (ear, hearing) = pair(channels, shape.rate_hz, self.threshold, due);
            hears = Some(hearing);
            Box::new(ear)
        })?;
        let shape = card.shape().clone();
        let Some(mut hearing) = hears else { return Err(CardError::Silent(shape.card)) };
        let (begin, span) = (MonotonicClock::raw(), self.duration(course.length));
        let mut next = begin + EVERY;
        while next <= begin + span && !course.interrupted() {
            chronotap_linux::clocks::sleep_until(next);
            let heard = hearing.listen().sounds.len();
            course.tell(&format!("{heard} clicks"), (next - begin).0 as f64 / span.0.max(1) as f64);
            next += EVERY;
        }
        let (heard, xruns) = (hearing.listen().clone(), card.watch().xruns());
        Ok((shape, heard, xruns))
    }

    fn add(
        &self,
        shape: &CardShape,
        heard: &HeardOnsets,
        xruns: u64,
        course: &TestRun<'_>,
        found: &mut TestFound,
    ) {
        let onsets: Vec<f64> = heard.sounds.iter().map(|one| one.onset.frame).collect();
        if xruns > 0 || !heard.gaps.is_empty() {
            let broken = ClicksDoubt::Broken(xruns.max(heard.gaps.len() as u64));
            doubts::note(found, course.words_for(&broken));
        }
        match clicks(&onsets, shape.rate_hz, self.interval) {
            Err(why) => doubts::note(found, format!("no figure: {}", course.words_for(&why))),
            Ok(clicks) => {
                doubts::note(found, beside(&clicks.sentence(), course.load));
                found.series.push(clicks.series(&shape.card));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE_HZ: u32 = 48_000;

    #[test]
    fn what_was_dropped_late_or_doubled_is_told_from_what_was_even() {
        // Every 100 ms; the fourth is 2 ms late, the seventh is missing, the ninth comes twice.
        let at_ms = [0.0, 100.0, 200.0, 302.0, 400.0, 500.0, 700.0, 800.0, 820.0, 900.0];
        let onsets: Vec<f64> = at_ms.iter().map(|ms| 24_000.0 + ms * 48.0).collect();
        let found = clicks(&onsets, RATE_HZ, Some(Nanos::from_millis(100))).unwrap();
        assert_eq!((found.heard, found.dropped, found.extra), (10, 1, 1));
        let ms: Vec<i64> = found.deviations.iter().map(|one| one.0 / 1_000_000).collect();
        assert_eq!(ms, [0, 0, 2, -2, 0, 0, 0, -20]);
        let series = found.series("virtual");
        assert_eq!(series.condition("rate_hz"), Some("10"));
        assert_eq!(series.figures["skipped_beats"], 1.0);
    }

    #[test]
    fn where_no_interval_is_named_it_is_the_median() {
        let onsets: Vec<f64> = (0..9).map(|n| f64::from(n) * 12_000.0).collect();
        let found = clicks(&onsets, RATE_HZ, None).unwrap();
        assert_eq!((found.interval, found.dropped), (Nanos::from_millis(250), 0));
        assert_eq!(clicks(&onsets[..4], RATE_HZ, None), Err(ClicksDoubt::Few(4)));
    }
}
