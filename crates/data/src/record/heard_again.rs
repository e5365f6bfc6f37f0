//! [`HeardAgain`]: what the kept sound of a trial says of its taps, once it was read again.
//!
//! While a trial runs a tap is told as it crosses the threshold, when little of its rise is known.
//! That onset decided feedback and rules, and stands in `achieved_ns` for good. The sound that was kept
//! is read once more by the detector that waits for the end of a rise, and what it finds stands beside:
//! whence the onset is that statistics take (`onset_source`), and when it was (`refined_ns`).
//! A tap that only the sound has is a row that no replay, and no statistic, takes.
//! In the same way the kept force is read once more, and says how hard and how long taps pressed.

use crate::record::{Entry, EventRows, Row, TrialType};
use chronotap_analysis::force::PressedTap;
use chronotap_analysis::observed::{OnsetSource, TapForce};
use chronotap_core::time::Nanos;
use chronotap_engine::action::ActionKind;
use chronotap_engine::perturbation::Perturbation;
use std::collections::BTreeMap;
use std::io;
use std::ops::Deref;

/// The name of the row of a tap that was found only afterwards.
const FOUND_LATER: &str = "tap found afterwards";

/// What was found in the kept sound and force of a trial; nothing where none was kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeardAgain {
    taps: BTreeMap<u64, (OnsetSource, Option<Nanos>)>, // by their events
    peaks_ppm: BTreeMap<u64, u32>,                     // of those that are in the sound
    beats: BTreeMap<u64, Option<Nanos>>, // where the output is looped; as they came back
    later: Vec<LaterTap>,                // ascending
    felt: BTreeMap<u64, Option<TapForce>>, // of the taps on sensors, by their events
}

/// A tap that was found only afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaterTap {
    /// A number that no event of the trial has.
    pub event_id: u64,
    pub input: String,
    /// When it began, since the start of the trial.
    pub at: Nanos,
    /// Its peak, in millionths of full scale; tables of earlier versions do not say it.
    pub peak_ppm: Option<u32>,
}

/// The taps that were told while a trial ran, and its beats that sounded.
#[derive(Clone, Debug, Default)]
pub struct LiveTaps {
    by_input: BTreeMap<u16, Vec<(u64, Nanos)>>,
    beats: BTreeMap<u64, Nanos>,    // that sounded
    released: BTreeMap<u64, Nanos>, // by the events of the taps
    last: Nanos,                    // instant
    last_event: u64,
}

/// What is found in the sound of an input.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FoundInSound {
    /// Ascending.
    pub onsets: Vec<OnsetInSound>,
    /// The card's numbers of some frames, and when each was at the converter, in ns.
    pub marks: Vec<(u64, f64)>,
    /// How long a frame is by the card's rate.
    pub frame_ns: f64,
    /// From when to when there is sound, ascending.
    pub stretches: Vec<[Nanos; 2]>,
    /// How much of it must be there before and after an onset.
    pub needed: [Nanos; 2],
    /// How far apart two onsets of one tap may be.
    pub apart: Nanos,
}

/// Where something begins in the sound of an input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OnsetInSound {
    pub at: Nanos,
    /// By the card's numbers of frames.
    pub frame: f64,
    /// Its peak, in millionths of full scale.
    pub peak_ppm: u32,
}

/// How far a beat that comes back may be from when it is expected: less than to the next tone, and more
/// than a card's clock wanders in a period.
const LOOP_APART: Nanos = Nanos::from_millis(2);
/// How long the way out and in again may be beyond what the card's driver says of it: a USB card keeps
/// some periods to itself.
const LOOP_TAKES: Nanos = Nanos::from_millis(50);

/// The onset that is nearest to this time, if one is near.
fn nearest(onsets: &[Nanos], expected: Nanos) -> Option<Nanos> {
    let behind = onsets.partition_point(|onset| *onset < expected);
    let near = onsets[behind.saturating_sub(1)..].iter().take(2).copied();
    let nearest = near.min_by_key(|at| (*at - expected).abs());
    nearest.filter(|at| (*at - expected).abs() <= LOOP_APART)
}

/// How much later than they were played beats come back: nothing where half of them do so in time, else
/// what most of them agree on.
fn loop_takes(beats: &BTreeMap<u64, Nanos>, onsets: &[Nanos]) -> Nanos {
    let back = |takes: Nanos| {
        beats.values().filter(|played| nearest(onsets, **played + takes).is_some()).count()
    };
    if back(Nanos::ZERO) * 2 >= beats.len() {
        return Nanos::ZERO;
    }
    let later = |played: &Nanos| {
        let first = onsets.partition_point(|onset| onset < played);
        let ways = onsets[first..].iter().map(|onset| *onset - *played);
        ways.take_while(|takes| *takes <= LOOP_TAKES).collect::<Vec<_>>()
    };
    let mut all: Vec<Nanos> = beats.values().flat_map(later).collect();
    all.sort_unstable();
    let within = |from: usize| all.partition_point(|one| *one <= all[from] + LOOP_APART) - from;
    let most = (0..all.len()).rev().max_by_key(|from| within(*from));
    most.map_or(Nanos::ZERO, |from| all[from + within(from) / 2])
}

impl LiveTaps {
    /// Those of a trial.
    pub fn of<'e>(entries: impl Iterator<Item = &'e Entry>) -> LiveTaps {
        let mut taps = LiveTaps::default();
        entries.for_each(|entry| taps.add(entry));
        taps
    }

    /// Adds an entry, of which only taps are kept.
    pub fn add(&mut self, entry: &Entry) {
        let action = &entry.action;
        if action.kind.is_end_of_another() {
            return; // a table has no row of it
        }
        self.last = self.last.max(action.instant);
        self.last_event = self.last_event.max(action.id);
        match (action.kind, entry.achieved) {
            (ActionKind::Tap(input), _) => {
                self.by_input.entry(input).or_default().push((action.id, action.deadline));
            }
            (ActionKind::Pacing(_), Some(at)) if action.message.is_some() => {
                self.beats.insert(action.id, at);
            }
            _ => {}
        }
        if let ActionKind::Release(_) = action.kind {
            self.released.entry(action.cause).or_insert(action.deadline);
        }
    }

    /// Their events, and when each was told to have begun.
    pub fn times(&self) -> impl Iterator<Item = (u64, Nanos)> {
        self.by_input.values().flatten().copied()
    }

    /// Whether somebody tapped at this input.
    pub fn has(&self, input: u16) -> bool {
        self.by_input.contains_key(&input)
    }

    /// Those at this input, each with its release.
    pub fn pressed(&self, input: u16) -> Vec<PressedTap> {
        let tap = |(id, onset)| PressedTap { id, onset, release: self.released.get(&id).copied() };
        self.of_input(input).into_iter().map(tap).collect()
    }

    fn of_input(&self, input: u16) -> Vec<(u64, Nanos)> {
        let mut taps = self.by_input.get(&input).cloned().unwrap_or_default();
        taps.sort_by_key(|(_, at)| *at);
        taps
    }
}

impl HeardAgain {
    /// What the rows of a table say.
    pub fn of_rows(rows: &[Row]) -> HeardAgain {
        let mut heard = HeardAgain::default();
        rows.iter().for_each(|row| heard.add_row(row));
        heard
    }

    /// Takes what a row says.
    pub(crate) fn add_row<T: Deref<Target = str>>(&mut self, row: &Row<T>) {
        if row.force.is_some() {
            self.felt.insert(row.event_id, row.force);
        }
        let Some(source) = row.onset_source else { return };
        if row.trial_type == TrialType::Pacing {
            self.beats.insert(row.event_id, row.refined);
        } else if source == OnsetSource::Afterwards {
            let input = row.port.as_deref().unwrap_or_default().to_owned();
            let (event_id, at, peak_ppm) = (row.event_id, row.onset, row.sound_peak_ppm);
            self.later.push(LaterTap { event_id, input, at, peak_ppm });
        } else {
            self.taps.insert(row.event_id, (source, row.refined));
            self.peaks_ppm.extend(row.sound_peak_ppm.map(|peak| (row.event_id, peak)));
        }
    }

    /// Adds the taps of an input whose force was kept, with what they came to.
    pub fn add_felt(&mut self, felt: impl IntoIterator<Item = (u64, Option<TapForce>)>) {
        self.felt.extend(felt);
    }

    /// Adds an input whose sound was kept; without what is in it where there is none.
    pub(crate) fn add_input(
        &mut self,
        (place, name): (u16, &str),
        live: &LiveTaps,
        found: Option<&FoundInSound>,
    ) {
        let taps = live.of_input(place);
        let nothing = FoundInSound::default();
        let found = found.unwrap_or(&nothing);
        let mut onsets = found.onsets.iter().copied().peekable();
        let mut later = Vec::new();
        for (event, at) in taps {
            while let Some(onset) = onsets.next_if(|onset| onset.at < at - found.apart) {
                later.push(onset);
            }
            let onset = onsets.next_if(|onset| onset.at <= at + found.apart);
            let refined = onset.map(|onset| onset.at);
            self.taps.insert(event, (found.source(at, refined), refined));
            self.peaks_ppm.extend(onset.map(|onset| (event, onset.peak_ppm)));
        }
        later.extend(onsets);
        later.retain(|onset| (Nanos::ZERO..=live.last).contains(&onset.at));
        for OnsetInSound { at, peak_ppm, .. } in later {
            let event_id = live.last_event + 1 + self.later.len() as u64;
            let (input, peak_ppm) = (name.to_owned(), Some(peak_ppm));
            self.later.push(LaterTap { event_id, input, at, peak_ppm });
        }
    }

    /// Adds the channel to which the output is looped: each beat, and when it came back, where it did.
    pub(crate) fn add_loop(&mut self, live: &LiveTaps, found: Option<&FoundInSound>) {
        let onsets: Vec<Nanos> =
            found.into_iter().flat_map(|found| &found.onsets).map(|onset| onset.at).collect();
        let takes = loop_takes(&live.beats, &onsets);
        for (event, played) in &live.beats {
            self.beats.insert(*event, nearest(&onsets, *played + takes));
        }
    }

    /// Of several inputs: the taps that were found afterwards in their order, numbered by it.
    pub(crate) fn in_order(mut self, live: &LiveTaps) -> HeardAgain {
        self.later.sort_by_key(|later| later.at);
        for (event_id, later) in (live.last_event + 1..).zip(&mut self.later) {
            later.event_id = event_id;
        }
        self
    }

    /// Whether neither sound nor force was kept, or nobody tapped.
    pub fn is_empty(&self) -> bool {
        self.is_unheard() && self.felt.is_empty()
    }

    /// Whether no sound was kept, or nobody tapped.
    pub fn is_unheard(&self) -> bool {
        self.taps.is_empty() && self.later.is_empty() && self.beats.is_empty()
    }

    /// Where the output is looped: when the beat of this event came back, if it did.
    pub fn beat(&self, event: u64) -> Option<Option<Nanos>> {
        self.beats.get(&event).copied()
    }

    /// Where the output is looped: when each beat of these was played, and when it came back, if it did.
    pub fn loops(&self, live: &LiveTaps) -> impl Iterator<Item = (Nanos, Option<Nanos>)> {
        self.beats.iter().filter_map(|(event, back)| Some((*live.beats.get(event)?, *back)))
    }

    /// How hard and how long the tap of this event pressed, where that is known.
    pub fn force(&self, event: u64) -> Option<TapForce> {
        self.felt.get(&event).copied().flatten()
    }

    /// Whence the onset of the tap of this event is, and when it was by the sound.
    pub fn tap(&self, event: u64) -> Option<(OnsetSource, Option<Nanos>)> {
        self.taps.get(&event).copied()
    }

    /// The peak of the tap of this event in the sound, in millionths of full scale.
    pub fn peak_ppm(&self, event: u64) -> Option<u32> {
        self.peaks_ppm.get(&event).copied()
    }

    /// As a table of an earlier version has it: without peaks.
    #[must_use]
    pub fn without_peaks(mut self) -> HeardAgain {
        self.peaks_ppm.clear();
        self.later.iter_mut().for_each(|later| later.peak_ppm = None);
        self
    }

    /// Whether a peak is known.
    pub fn has_peaks(&self) -> bool {
        !self.peaks_ppm.is_empty() || self.later.iter().any(|later| later.peak_ppm.is_some())
    }

    /// Every tap that was told while the trial ran: its event, whence its onset is, and when it was by
    /// the sound.
    pub fn taps(&self) -> impl Iterator<Item = (u64, OnsetSource, Option<Nanos>)> {
        self.taps.iter().map(|(event, (source, refined))| (*event, *source, *refined))
    }

    /// The taps that were found only afterwards.
    pub fn later(&self) -> &[LaterTap] {
        &self.later
    }

    /// The row of a tap or a beat of which something was heard, with that.
    fn says_of(&self, row: &Row) -> Option<Row> {
        let event = row.event_id;
        let (onset_source, refined) = match row.trial_type {
            TrialType::Tap => self.tap(event).unzip(),
            TrialType::Pacing => match self.beat(event)? {
                Some(at) => (Some(OnsetSource::Refined), Some(Some(at))),
                None => (Some(OnsetSource::Live), None),
            },
            _ => return None,
        };
        let (refined, sound_peak_ppm) = (refined.flatten(), self.peak_ppm(event));
        let force = self.force(event);
        Some(Row { onset_source, refined, sound_peak_ppm, force, ..row.clone() })
    }

    /// A table with what is known of its taps, and the taps that it does not have.
    pub fn beside<T: EventRows>(&self, table: T) -> impl EventRows {
        Beside { table, heard: self }
    }
}

impl FoundInSound {
    /// Whence the onset of a tap is that was told then.
    fn source(&self, at: Nanos, onset: Option<Nanos>) -> OnsetSource {
        match onset {
            Some(_) => OnsetSource::Refined,
            None if self.is_whole_around(at) => OnsetSource::Unconfirmed,
            None => OnsetSource::Live,
        }
    }

    fn is_whole_around(&self, at: Nanos) -> bool {
        let (from, to) = (at - self.needed[0], at + self.needed[1]);
        let behind = self.stretches.partition_point(|[begin, _]| *begin <= from);
        let stretch = behind.checked_sub(1).map(|place| self.stretches[place]);
        stretch.is_some_and(|[_, end]| end >= to)
    }
}

/// The rows of a table, and beside each what was heard again.
struct Beside<'a, T> {
    table: T,
    heard: &'a HeardAgain,
}

impl<T: EventRows> EventRows for Beside<'_, T> {
    fn rows(&self) -> usize {
        self.table.rows() + self.heard.later.len()
    }

    fn are_framed(&self) -> bool {
        self.table.are_framed()
    }

    fn are_heard_again(&self) -> bool {
        !self.heard.is_unheard()
    }

    fn are_felt(&self) -> bool {
        !self.heard.felt.is_empty()
    }

    fn each(&mut self, take: &mut dyn FnMut(&Row) -> io::Result<()>) -> io::Result<()> {
        let heard = self.heard;
        if heard.is_empty() {
            return self.table.each(take);
        }
        let mut later = heard.later.iter().map(row_of).peekable();
        self.table.each(&mut |row| {
            while let Some(one) = later.next_if(|one| place(one) < place(row)) {
                take(&one)?;
            }
            match heard.says_of(row) {
                Some(told) => take(&told),
                None => take(row),
            }
        })?;
        later.try_for_each(|one| take(&one))
    }
}

fn place(row: &Row) -> (Nanos, u64) {
    (row.onset, row.event_id)
}

/// The row of a tap that was found only afterwards. It is a marker: whoever counts taps, or plays them
/// again, does not take it for one that was answered.
fn row_of(later: &LaterTap) -> Row {
    Row {
        onset: later.at,
        duration: Some(Nanos::ZERO),
        trial_type: TrialType::Marker,
        name: Some(FOUND_LATER.to_owned()),
        number: None,
        channel: None,
        note: None,
        velocity: None,
        port: Some(later.input.clone()),
        event_id: later.event_id,
        cause: None,
        deadline: None,
        achieved: None,
        lateness: None,
        release_deadline: None,
        release_achieved: None,
        engine: later.at,
        stamp: None,
        message: None,
        flag: None,
        detail: None,
        perturbation: Perturbation::NONE,
        delay: None,
        pitch_shift: None,
        fate: None,
        frame: None,
        onset_source: Some(OnsetSource::Afterwards),
        refined: Some(later.at),
        sound_peak_ppm: later.peak_ppm,
        force: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use OnsetSource::{Live, Refined, Unconfirmed};

    const MS: fn(i64) -> Nanos = Nanos::from_millis;

    fn live(taps: &[(u64, i64)]) -> LiveTaps {
        let taps = taps.iter().map(|(event, ms)| (*event, MS(*ms))).collect();
        let beats = [(20, MS(1_000)), (21, MS(1_500))].into();
        let (by_input, released) = ([(0, taps)].into(), BTreeMap::new());
        LiveTaps { by_input, beats, released, last: MS(5_000), last_event: 40 }
    }

    /// A card with a frame each millisecond.
    fn onset(ms: i64) -> OnsetInSound {
        OnsetInSound { at: MS(ms), frame: ms as f64, peak_ppm: ms.unsigned_abs() as u32 }
    }

    fn found(onsets: &[i64], stretches: &[[i64; 2]]) -> FoundInSound {
        FoundInSound {
            onsets: onsets.iter().map(|ms| onset(*ms)).collect(),
            marks: Vec::new(),
            frame_ns: 1e6,
            stretches: stretches.iter().map(|both| both.map(MS)).collect(),
            needed: [MS(14), MS(20)],
            apart: MS(10),
        }
    }

    fn heard(taps: &[(u64, i64)], sound: Option<&FoundInSound>) -> HeardAgain {
        let (live, mut heard) = (live(taps), HeardAgain::default());
        heard.add_input((0, "pad"), &live, sound);
        heard.in_order(&live)
    }

    #[test]
    fn a_tap_takes_the_onset_that_is_found_near_it_and_only_that() {
        let sound = found(&[998, 1_509, 2_011], &[[0, 5_000]]);
        let heard = heard(&[(3, 1_000), (7, 1_500), (9, 2_000)], Some(&sound));
        assert_eq!(heard.tap(3), Some((Refined, Some(MS(998)))));
        assert_eq!(heard.tap(7), Some((Refined, Some(MS(1_509)))));
        assert_eq!(heard.tap(9), Some((Unconfirmed, None)), "11 ms are too far");
        let [later] = heard.later() else { panic!("{heard:?}") };
        assert_eq!((later.event_id, later.at, &*later.input), (41, MS(2_011), "pad"));
        let peaks = [3, 7, 9].map(|event| heard.peak_ppm(event));
        assert_eq!((peaks, later.peak_ppm), ([Some(998), Some(1_509), None], Some(2_011)));
    }

    #[test]
    fn a_beat_is_the_nearest_tone_that_came_back_within_2_ms_or_none() {
        let mut heard = HeardAgain::default();
        heard.add_loop(&live(&[]), Some(&found(&[996, 1_001, 1_002, 1_503], &[[0, 5_000]])));
        assert_eq!(
            [20, 21, 22].map(|event| heard.beat(event)),
            [Some(Some(MS(1_001))), Some(None), None]
        );
        let mut unplugged = HeardAgain::default();
        unplugged.add_loop(&live(&[]), None);
        assert_eq!(unplugged.beat(20), Some(None));
    }

    #[test]
    fn where_the_way_takes_longer_than_the_driver_says_it_is_what_most_beats_agree_on() {
        // Beats at 1,000 and 1,500 ms; each comes back 12 ms later, and other tones sound behind it.
        let all = [1_012, 1_031, 1_512, 1_540];
        let mut heard = HeardAgain::default();
        heard.add_loop(&live(&[]), Some(&found(&all, &[[0, 5_000]])));
        let back = [20, 21].map(|event| heard.beat(event));
        assert_eq!(back, [1_012, 1_512].map(|ms| Some(Some(MS(ms)))));
        let mut far = HeardAgain::default();
        far.add_loop(&live(&[]), Some(&found(&[1_051, 1_551], &[[0, 5_000]])));
        assert_eq!(far.beat(20), Some(None), "what takes longer is no loop");
    }

    #[test]
    fn where_the_sound_is_not_whole_the_live_onset_stays() {
        let taps = [(3, 1_000), (7, 1_500)];
        let sound = found(&[], &[[985, 1_021], [1_487, 1_560]]);
        let of = |heard: &HeardAgain| [3, 7].map(|event| heard.tap(event).unwrap());
        assert_eq!(of(&heard(&taps, Some(&sound))), [(Unconfirmed, None), (Live, None)]);
        assert_eq!(of(&heard(&taps, None)), [(Live, None); 2]);
        let short = found(&[], &[[900, 1_019], [1_400, 1_519]]);
        assert_eq!(of(&heard(&taps, Some(&short))), [(Live, None); 2]);
    }

    #[test]
    fn what_sounds_before_the_trial_or_behind_its_end_is_no_tap_of_it() {
        let heard = heard(&[], Some(&found(&[-3, 4_999, 5_001], &[[-100, 6_000]])));
        assert_eq!(heard.later().iter().map(|later| later.at).collect::<Vec<_>>(), [MS(4_999)]);
    }
}
