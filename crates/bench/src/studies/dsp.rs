//! [`DspTest`]: how much sound this machine can compute without a drop-out, as Vignati
//! et al. (2022) tested it.
//!
//! For each period, number of tracks and kind of load: the largest number of instances
//! on each track with which no period is missed ([`border`]), the mean DSP load there,
//! the load of one instance, and the cost of handing the work to the tracks' threads
//! alone. A track is a pinned real-time thread ([`Relay`]); the periods come from a
//! timer ([`Pace`]), so that no sound card is needed and none's driver is measured, or from
//! a card, whose callback is then the first track and waits for the others ([`Computing`]). What
//! a track computes is a network of ours or an LV2 plugin of the user's ([`Plugin`]). A
//! run ends with its first xrun and the watchdog looks after each thread, so that a load
//! that is too great lasts two periods. What loads the machine besides is started by
//! the caller.

mod bench;
mod computing;
mod cores;
mod cycle;
mod in_callback;
mod in_card;
mod plugin;
mod relay;
mod search;
mod series;
mod track;
mod workers;

pub use crate::plugins::PluginError;
pub use computing::{Computing, DspReadings};
pub use cycle::{Cycles, Pace};
pub use plugin::{Factory, Plugin, UnknownPlugin};
pub use relay::{Relay, WorkerOrder};
pub use search::{Border, CONFIRMATIONS, REFUTATIONS, RunEnd, SearchPhase, border};
pub use series::{CardWithoutPriority, UnequalTracks};
pub use track::{DspTrack, TrackLayout};

use crate::timing::roundtrip::PERIODS;
use crate::timing::{
    ErrorWords, Length, Part, Probe, Scheduling, TestFound, TestRefusal, TestRun, usable_cores,
};
use bench::Bench;
use chronotap_core::time::Nanos;
use chronotap_linux::cards::{CardError, CardName};
use in_card::InCard;
use std::ops::RangeInclusive;

/// More tracks than that tell nothing new.
const TRACKS: RangeInclusive<usize> = 1..=64;
/// More searches of one border than that tell nothing new.
const SEARCHES: RangeInclusive<u32> = 1..=100;
/// Periods and rates that make sense.
const FRAMES: RangeInclusive<u32> = 8..=8_192;
const RATES_HZ: RangeInclusive<u32> = 8_000..=384_000;
/// Where nothing else is asked.
const RATE_HZ: u32 = 48_000;
/// More instances are never tried.
const MOST: u32 = 4_096;
/// What the clean runs of a search take in all, and parts of those with xruns: so many times
/// what a run of the search takes, and so many times one that confirms. Of a border that is a
/// little noisy, which `search.rs` tries; a machine without any noise takes half of it.
const RUNS: (i64, i64) = (12, 8);
/// The same where the border is very noisy.
const MOST_RUNS: (i64, i64) = (13, 20);
/// All runs of a search in a card, those with xruns too, for each of which the card is opened.
const RUNS_IN_A_CARD: i64 = 20;
/// From one of them to the next, about.
const OPENING: Nanos = Nanos::from_millis(350);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DspTest {
    /// Frames of a period; by default 64 and 256 for a quick test, else the study's.
    pub periods: Option<Vec<u32>>,
    /// Numbers of tracks; by default one and all cores for a quick test, else one to all; in a card
    /// one. Beyond the number of cores some share one, which the results tell.
    pub tracks: Option<Vec<usize>>,
    /// By default the light and the heavy network, for a full test all.
    pub plugins: Option<Vec<Plugin>>,
    /// Frames a second; by default 48,000, in a card the card's.
    pub rate_hz: Option<u32>,
    /// By default SCHED_FIFO 80.
    pub scheduling: Scheduling,
    /// The cores, in the order in which tracks take them; by default isolated ones
    /// first, then from the last, since the first has most interrupts.
    pub cores: Vec<usize>,
    /// How long each of the confirming runs takes; by default what the length says.
    pub duration: Option<Nanos>,
    /// How often each border is sought; by default three times, in a full test once.
    pub searches: Option<u32>,
    /// How the instances of a track are joined.
    pub arrangement: TrackLayout,
    /// In whose callback they are computed; by default none's, but by a timer.
    pub card: Option<CardName>,
}

impl Default for DspTest {
    fn default() -> DspTest {
        DspTest {
            periods: None,
            tracks: None,
            plugins: None,
            rate_hz: None,
            scheduling: Scheduling::Fifo(80),
            cores: cores::in_order(&cores::isolated(), &usable_cores()),
            duration: None,
            searches: None,
            arrangement: TrackLayout::Parallel,
            card: None,
        }
    }
}

/// Why plugins cannot be measured as was asked.
#[derive(Debug, thiserror::Error)]
pub enum DspRefusal {
    /// A period of so many frames.
    #[error("a period is 8 to 8192 frames, not {0}")]
    Period(u32),
    /// So many tracks.
    #[error("there can be 1 to 64 tracks, not {0}")]
    Tracks(usize),
    /// So many frames a second.
    #[error("a rate is 8000 to 384000 Hz, not {0}")]
    Rate(u32),
    /// A border that is sought so often.
    #[error("a border is sought 1 to 100 times, not {0}")]
    Searches(u32),
    /// A plugin cannot be loaded.
    #[error(transparent)]
    Plugin(#[from] PluginError),
    /// The card cannot be opened.
    #[error(transparent)]
    Card(#[from] CardError),
}

impl Probe for DspTest {
    fn name(&self) -> &'static str {
        "dsp"
    }

    fn available(&self) -> Result<(), TestRefusal> {
        Ok(self.check()?)
    }

    fn duration(&self, length: Length) -> Nanos {
        self.taking(RUNS, length)
    }

    fn longest(&self, length: Length) -> Nanos {
        self.taking(MOST_RUNS, length)
    }

    fn run(&self, course: &mut TestRun<'_>) -> TestFound {
        match self.available() {
            Ok(()) => self.measure(course),
            Err(why) => TestFound::unavailable(self.name(), course.words_for(&*why)),
        }
    }
}

/// How long runs last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lasting {
    search: Nanos,
    confirm: Nanos,
}

impl Lasting {
    /// So many runs of a search and so many that confirm.
    fn runs(self, (search, confirm): (i64, i64)) -> Nanos {
        self.search * search + self.confirm * confirm
    }
}

impl DspTest {
    /// All searches of all cells, where each takes so many runs.
    fn taking(&self, runs: (i64, i64), length: Length) -> Nanos {
        let opening = if self.card.is_some() { OPENING * RUNS_IN_A_CARD } else { Nanos::ZERO };
        let search = self.lasting(length).runs(runs) + opening;
        let cells = self.cells(length) * self.periods(length).len();
        search * i64::from(self.searches(length)) * cells as i64
    }

    fn searches(&self, length: Length) -> u32 {
        self.searches.unwrap_or(length.pick(3, 3, 1))
    }

    /// The study's own runs took ten minutes.
    fn lasting(&self, length: Length) -> Lasting {
        let confirm = self.duration.unwrap_or(Nanos::from_secs(length.pick(1, 2, 600)));
        let search = (confirm / 5).max(Nanos::from_millis(200)).min(Nanos::from_secs(20));
        Lasting { search, confirm }
    }

    /// Whether each of the user's own plugins makes an instance.
    fn loadable(&self) -> Result<(), PluginError> {
        let frames = self.periods.iter().flatten().next().copied().unwrap_or(PERIODS[0]);
        let own = |plugin: &&Plugin| matches!(plugin, Plugin::Lv2(_));
        for plugin in self.plugins.iter().flatten().filter(own) {
            plugin.load(frames, self.rate_hz.unwrap_or(RATE_HZ))?.instance()?;
        }
        Ok(())
    }

    /// Whether everything can be had that was asked for.
    fn check(&self) -> Result<(), DspRefusal> {
        let mut periods = self.periods.iter().flatten().copied();
        let mut tracks = self.tracks.iter().flatten().copied();
        let refusals = [
            periods.find(|frames| !FRAMES.contains(frames)).map(DspRefusal::Period),
            tracks.find(|tracks| !TRACKS.contains(tracks)).map(DspRefusal::Tracks),
            self.rate_hz.filter(|rate| !RATES_HZ.contains(rate)).map(DspRefusal::Rate),
            self.searches.filter(|n| !SEARCHES.contains(n)).map(DspRefusal::Searches),
        ];
        if let Some(refusal) = refusals.into_iter().flatten().next() {
            return Err(refusal);
        }
        self.loadable()?;
        self.opens()
    }

    /// Whether the card, where there is one, calls with every period.
    fn opens(&self) -> Result<(), DspRefusal> {
        let Some(card) = &self.card else { return Ok(()) };
        let looked_at = |frames| self.looked_at(card, frames).map(drop);
        let mut periods = self.periods(Length::Quick).into_iter();
        Ok(periods.try_for_each(looked_at)?)
    }

    fn looked_at(&self, card: &CardName, frames: Option<u32>) -> Result<InCard, CardError> {
        InCard::looked_at(card, frames, self.rate_hz, self.scheduling)
    }

    /// Frames of each period; `None` stands for the card's own.
    fn periods(&self, length: Length) -> Vec<Option<u32>> {
        let usual = || length.pick(vec![64, 256], PERIODS.to_vec(), PERIODS.to_vec());
        let chosen = match (&self.periods, &self.card) {
            (Some(periods), _) => periods.clone(),
            (None, None | Some(CardName::Virtual(_))) => usual(),
            (None, Some(_)) => return vec![None],
        };
        chosen.into_iter().map(Some).collect()
    }

    /// How many cells there are of each period.
    fn cells(&self, length: Length) -> usize {
        let pace = Pace { frames: PERIODS[0], rate_hz: RATE_HZ };
        self.benches_of(pace, None, length).len()
    }

    /// Those of one period.
    fn benches_of(&self, pace: Pace, card: Option<&InCard>, length: Length) -> Vec<Bench> {
        let study = vec![Plugin::Light, Plugin::Heavy];
        let plugins =
            self.plugins.clone().unwrap_or(length.pick(study.clone(), study, Plugin::ALL.to_vec()));
        let tracks = self.tracks(length);
        let mut benches = Vec::new();
        for plugin in &plugins {
            let bench = |tracks: &usize| Bench {
                pace,
                plugin: plugin.clone(),
                cores: cores::of_tracks(&self.cores, *tracks),
                scheduling: self.scheduling,
                lasting: self.lasting(length),
                searches: self.searches(length),
                arrangement: self.arrangement,
                card: card.cloned(),
            };
            benches.extend(tracks.iter().map(bench));
        }
        benches
    }

    fn tracks(&self, length: Length) -> Vec<usize> {
        let cores = self.cores.len();
        let all: Vec<usize> = (1..=cores).collect();
        let ends = if cores > 1 { vec![1, cores] } else { vec![1] };
        let usual = match &self.card {
            Some(_) => vec![1],
            None => length.pick(ends, all.clone(), all),
        };
        self.tracks.clone().unwrap_or(usual)
    }

    /// Every cell, those of a period that the card does not offer aside: they are noted.
    fn benches(&self, length: Length, words: ErrorWords, found: &mut TestFound) -> Vec<Bench> {
        let mut benches = Vec::new();
        for frames in self.periods(length) {
            let Some(card) = &self.card else {
                let frames = frames.unwrap_or(PERIODS[0]);
                let pace = Pace { frames, rate_hz: self.rate_hz.unwrap_or(RATE_HZ) };
                benches.extend(self.benches_of(pace, None, length));
                continue;
            };
            match self.looked_at(card, frames) {
                Ok(card) => benches.extend(self.benches_of(card.pace(), Some(&card), length)),
                Err(error) => found.notes.push(words(&error)),
            }
        }
        benches
    }

    fn measure(&self, course: &mut TestRun<'_>) -> TestFound {
        let mut found = TestFound::of(self.name());
        let isolated = cores::isolated();
        if !isolated.trim().is_empty() {
            found.notes.push(format!("the kernel has isolated cores {}", isolated.trim()));
        }
        let benches = self.benches(course.length, course.words, &mut found);
        for (part, bench) in Part::of_each(&benches) {
            match bench.run(part, course) {
                Ok(run) => series::add(bench, run, course, &mut found),
                Err(error) => found.notes.push(course.words_for(error.kind())),
            }
            if course.interrupted() {
                break;
            }
        }
        found.interrupted = course.interrupted();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_measured_is_refused_with_what_can() {
        let why = |test: DspTest| test.check().unwrap_err();
        let two = DspTest { cores: vec![0, 1], ..DspTest::default() };
        let many = why(DspTest { tracks: Some(vec![65]), ..two.clone() });
        assert!(matches!(many, DspRefusal::Tracks(65)), "{many}");
        let none = why(DspTest { tracks: Some(vec![0]), ..two.clone() });
        assert!(matches!(none, DspRefusal::Tracks(0)), "{none}");
        let period = why(DspTest { periods: Some(vec![64, 4]), ..two.clone() });
        assert!(matches!(period, DspRefusal::Period(4)), "{period}");
        let rate = why(DspTest { rate_hz: Some(1), ..two.clone() });
        assert!(matches!(rate, DspRefusal::Rate(1)), "{rate}");
        let never = why(DspTest { searches: Some(0), ..two.clone() });
        assert!(matches!(never, DspRefusal::Searches(0)), "{never}");
        assert!(two.check().is_ok());
    }

    #[test]
    fn in_a_card_there_is_one_track_unless_others_are_asked_for() {
        let card = Some(CardName::Virtual(None));
        let test = DspTest { cores: vec![0, 1], card, ..DspTest::default() };
        let words: ErrorWords = |error| error.to_string();
        assert_eq!(test.benches(Length::Quick, words, &mut TestFound::default()).len(), 4);
        assert_eq!((test.cells(Length::Quick), test.periods(Length::Quick).len()), (2, 2));
        let two = DspTest { tracks: Some(vec![1, 2]), ..test.clone() };
        assert_eq!(two.cells(Length::Quick), 4);
        assert!(two.check().is_ok());
        let why = DspTest { tracks: Some(vec![0]), ..test.clone() }.check();
        assert!(matches!(why, Err(DspRefusal::Tracks(0))), "{why:?}");
        let own = DspTest { card: Some(CardName::Jack), ..test };
        assert_eq!(own.periods(Length::Full), [None], "the server's");
    }

    #[test]
    fn the_lengths_are_from_a_minute_or_two_to_the_studys_ten_for_each_run() {
        let test = DspTest { cores: vec![0, 1], ..DspTest::default() };
        let words: ErrorWords = |error| error.to_string();
        let cells = |length| test.benches(length, words, &mut TestFound::default()).len();
        assert_eq!(cells(Length::Quick), 8);
        assert_eq!(cells(Length::Normal), 24);
        assert_eq!(cells(Length::Full), 72); // 12 cells of each of 6
        // 8 cells, 3 searches each: 12 runs of 0.2 s and 8 of 1 s; at most 13 and 20.
        let taking = (test.duration(Length::Quick), test.longest(Length::Quick));
        let ms = |ms: i64| Nanos::from_millis(24 * ms);
        assert_eq!(taking, (ms(10_400), ms(22_600)));
        assert_eq!(test.lasting(Length::Full).confirm, Nanos::from_secs(600));
    }
}
