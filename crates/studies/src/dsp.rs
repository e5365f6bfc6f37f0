//! [`DspTest`]: how much sound this machine can compute without a drop-out, as Vignati
//! et al. (2022) tested it.
//!
//! For each period, number of tracks and kind of load: the largest number of instances
//! on each track with which no period is missed ([`border`]), the mean DSP load there,
//! the load of one instance, and the cost of handing the work to the tracks' threads
//! alone. A track is a pinned real-time thread ([`Relay`]); the periods come from a
//! timer ([`Pace`]), so that no sound card is needed and none's driver is measured, or from
//! a card, whose callback is then the only track ([`Computing`]). What
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

pub use computing::{Computing, Seen};
pub use cycle::{Cycles, Pace};
pub use plugin::{Factory, Plugin, UnknownPlugin};
pub use relay::{Order, Relay};
pub use search::{Border, CONFIRMATIONS, Phase, REFUTATIONS, RunEnd, border};
pub use track::{Arrangement, Track};

use bench::Bench;
use chronotap_cards::{CardError, CardName};
use chronotap_plugins::PluginError;
use chronotap_time::Nanos;
use chronotap_timing::{Course, Found, Length, Probe, Scheduling, usable_cores};
use in_card::InCard;
use std::ops::RangeInclusive;

/// The periods of the study.
pub const PERIODS: [u32; 6] = [16, 32, 64, 128, 256, 512];
/// More searches of one border than that tell nothing new.
const SEARCHES: RangeInclusive<u32> = 1..=100;
/// Periods and rates that make sense.
const FRAMES: RangeInclusive<u32> = 8..=8_192;
const RATES_HZ: RangeInclusive<u32> = 8_000..=384_000;
/// Where nothing else is asked.
const RATE_HZ: u32 = 48_000;
/// More instances are never tried.
const MOST: u32 = 4_096;
/// Runs of a search that last their time, about; those with xruns are short.
const RUNS: i64 = 9;
/// All runs of a search in a card, those with xruns too, for each of which the card is opened.
const RUNS_IN_A_CARD: i64 = 20;
/// From one of them to the next, about.
const OPENING: Nanos = Nanos::from_millis(350);

/// What to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DspTest {
    /// Frames of a period; by default 64 and 256 for a quick test, else the study's.
    pub periods: Option<Vec<u32>>,
    /// Numbers of tracks; by default one and all for a quick test, else one to all.
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
    pub arrangement: Arrangement,
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
            arrangement: Arrangement::Parallel,
            card: None,
        }
    }
}

impl Probe for DspTest {
    fn name(&self) -> &'static str {
        "dsp"
    }

    fn available(&self) -> Result<(), String> {
        let frames = self.periods.iter().flatten().find(|frames| !FRAMES.contains(frames));
        let cores = self.cores.len();
        let tracks = self.tracks.iter().flatten().find(|tracks| !(1..=cores).contains(*tracks));
        if let Some(frames) = frames {
            return Err(format!("a period is 8 to 8192 frames, not {frames}"));
        }
        if let Some(tracks) = tracks {
            return Err(format!(
                "there can be 1 to {cores} tracks, one on each core, not {tracks}"
            ));
        }
        if let Some(rate) = self.rate_hz.filter(|rate| !RATES_HZ.contains(rate)) {
            return Err(format!("a rate is 8000 to 384000 Hz, not {rate}"));
        }
        if let Some(searches) = self.searches.filter(|searches| !SEARCHES.contains(searches)) {
            return Err(format!("a border is sought 1 to 100 times, not {searches}"));
        }
        self.loadable().map_err(|error| error.to_string())?;
        self.opens()
    }

    fn duration(&self, length: Length) -> Nanos {
        let lasting = self.lasting(length);
        let opening = if self.card.is_some() { OPENING * RUNS_IN_A_CARD } else { Nanos::ZERO };
        let search = lasting.search * RUNS + lasting.confirm * i64::from(CONFIRMATIONS) + opening;
        let cells = self.cells(length) * self.periods(length).len();
        search * i64::from(self.searches(length)) * cells as i64
    }

    fn run(&self, course: &mut Course<'_>) -> Found {
        match self.available() {
            Ok(()) => self.measure(course),
            Err(why) => Found::unavailable(self.name(), why),
        }
    }
}

/// How long runs last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lasting {
    search: Nanos,
    confirm: Nanos,
}

impl DspTest {
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

    /// Whether the card, where there is one, calls with every period, on its one thread.
    fn opens(&self) -> Result<(), String> {
        let Some(card) = &self.card else { return Ok(()) };
        if let Some(tracks) = self.tracks.iter().flatten().find(|tracks| **tracks != 1) {
            return Err(format!(
                "a card has one track, its own thread, not {tracks}; leave out --tracks or --card"
            ));
        }
        let looked_at = |frames| self.looked_at(card, frames).map(drop);
        let mut periods = self.periods(Length::Quick).into_iter();
        periods.try_for_each(looked_at).map_err(|error| error.to_string())
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

    /// Those of one period; in a card there is one track.
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
                cores: self.cores[..*tracks].to_vec(),
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
        match &self.card {
            Some(_) => vec![1],
            None => self.tracks.clone().unwrap_or(length.pick(ends, all.clone(), all)),
        }
    }

    /// Every cell, those of a period that the card does not offer aside: they are noted.
    fn benches(&self, length: Length, found: &mut Found) -> Vec<Bench> {
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
                Err(error) => found.notes.push(error.to_string()),
            }
        }
        benches
    }

    fn measure(&self, course: &mut Course<'_>) -> Found {
        let mut found = Found { test: self.name().into(), ..Found::default() };
        let isolated = cores::isolated();
        if !isolated.trim().is_empty() {
            found.notes.push(format!("the kernel has isolated cores {}", isolated.trim()));
        }
        let benches = self.benches(course.length, &mut found);
        for (n, bench) in benches.iter().enumerate() {
            let part = (n as f64 / benches.len() as f64, 1.0 / benches.len() as f64);
            match bench.run(part, course) {
                Ok(run) => series::add(bench, run, course.load, &mut found),
                Err(error) => found.notes.push(error.to_string()),
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
        let why = |test: DspTest| test.available().unwrap_err();
        let two = DspTest { cores: vec![0, 1], ..DspTest::default() };
        assert!(why(DspTest { tracks: Some(vec![3]), ..two.clone() }).contains("1 to 2 tracks"));
        assert!(why(DspTest { periods: Some(vec![64, 4]), ..two.clone() }).contains("not 4"));
        assert!(why(DspTest { rate_hz: Some(1), ..two.clone() }).contains("8000 to 384000"));
        assert!(why(DspTest { searches: Some(0), ..two.clone() }).contains("1 to 100 times"));
        assert_eq!(two.available(), Ok(()));
    }

    #[test]
    fn in_a_card_there_is_one_track_and_another_number_is_refused_with_the_cure() {
        let card = Some(CardName::Virtual(None));
        let test = DspTest { cores: vec![0, 1], card, ..DspTest::default() };
        assert_eq!(test.benches(Length::Quick, &mut Found::default()).len(), 4);
        assert_eq!((test.cells(Length::Quick), test.periods(Length::Quick).len()), (2, 2));
        let why = DspTest { tracks: Some(vec![1, 2]), ..test.clone() }.available().unwrap_err();
        assert!(why.contains("one track") && why.contains("leave out --tracks"), "{why}");
        let own = DspTest { card: Some(CardName::Jack), ..test };
        assert_eq!(own.periods(Length::Full), [None], "the server's");
    }

    #[test]
    fn the_lengths_are_from_a_minute_or_two_to_the_studys_ten_for_each_run() {
        let test = DspTest { cores: vec![0, 1], ..DspTest::default() };
        let cells = |length| test.benches(length, &mut Found::default()).len();
        assert_eq!(cells(Length::Quick), 8);
        assert_eq!(cells(Length::Normal), 24);
        assert_eq!(cells(Length::Full), 48);
        assert!(test.duration(Length::Quick) < Nanos::from_secs(120));
        assert_eq!(test.lasting(Length::Full).confirm, Nanos::from_secs(600));
    }
}
