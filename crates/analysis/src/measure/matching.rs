//! Which tap answers which beat.
//!
//! Every beat has a window. Its answer is the first tap in it: what comes behind is a bounce of
//! the pad or a doubled tap ([`MatchingRule::FirstOnset`]). Taking the closest tap instead would prefer
//! the bounce of everybody who taps early, as nearly all people do. Where windows overlap (a
//! share above a half), a tap is of the beat that is closer to it. Where one input answers several
//! streams (a polyrhythm on one pad), taps that are closer to another stream's beat come last.
//!
//! The window is a share of the local inter-onset interval, as the beats really came: on the
//! early side of the interval before the beat, on the late side of the one after it, as
//! in the relative windows of REPP (Anglada-Tort, Harrison & Jacoby 2022).
//!
//! The local interval is taken within a run of beats ([`crate::runs`]). At the ends of a
//! run the interval on the inner side stands for that on the outer, and no window reaches
//! farther than its share of the way to the stream's next or previous beat. A beat that
//! stands alone in its run has no interval; [`ALONE`] stands for it.
//!
//! Beats of a run that are over before the first tap were listened to: they are neither
//! answered nor missed.
//!
//! Do not match where people tap against the beat or at another level of the
//! metre: describe all taps by [`crate::metre`] instead. For dense patterns and music, where
//! windows overlap, match by [`Grid::matched_optimally`].

pub mod optimal;

use crate::observed::ObservedStream;
pub use crate::observed::{MatchingRule, WINDOW};
use crate::runs::{intervals, runs};
use chronotap_core::time::Nanos;

/// The interval of a beat that stands alone: its window is ±400 ms, room for a reaction to
/// a signal, and less where another beat of the stream is near.
pub const ALONE: Nanos = Nanos::from_secs(1);

/// A tap and the beat it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Index of the beat.
    pub beat: usize,
    /// Index of the tap.
    pub tap: usize,
    /// Tap onset − pacing onset; negative is early.
    pub asynchrony: Nanos,
}

/// What became of every beat and every tap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matching {
    /// Matched beats, in the order of the beats.
    pub pairs: Vec<Pair>,
    /// Beats without a tap.
    pub missed: Vec<usize>,
    /// Beats that were over before the first tap, and so are not missed.
    pub listened: Vec<usize>,
    /// Taps without a beat while the stream is pacing.
    pub extra: Vec<usize>,
    /// Taps without a beat while it is not: before it, in continuation.
    pub unpaced: Vec<usize>,
    /// Of the extra and unpaced taps those within the window of a beat that another tap
    /// answers.
    pub doubled: Vec<usize>,
    /// Taps without a beat of this stream that answer one of another stream of the input: of three against two on
    /// one pad. They are neither extra nor doubled, and say nothing of how somebody follows this stream.
    pub elsewhere: Vec<usize>,
}

impl Matching {
    /// Takes taps that answer another stream out of the extra and doubled ones.
    pub fn leave_to_others(&mut self, answers_another: impl Fn(usize) -> bool) {
        let extra = std::mem::take(&mut self.extra);
        (self.elsewhere, self.extra) = extra.into_iter().partition(|tap| answers_another(*tap));
        let elsewhere = &self.elsewhere;
        self.doubled.retain(|tap| elsewhere.binary_search(tap).is_err());
    }

    /// The asynchronies, in the order of the beats.
    pub fn asynchronies(&self) -> Vec<Nanos> {
        self.pairs.iter().map(|pair| pair.asynchrony).collect()
    }

    /// Matched beats divided by all that were not only listened to.
    pub fn hit_rate(&self) -> Option<f64> {
        let beats = self.pairs.len() + self.missed.len();
        (beats > 0).then(|| self.pairs.len() as f64 / beats as f64)
    }
}

/// The beats of a stream with their windows: what taps are matched to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    onsets: Vec<Nanos>,
    /// The earliest and latest tap that may answer each beat.
    windows: Vec<(Nanos, Nanos)>,
    /// From the first to the last window of each run of two or more beats.
    spans: Vec<(Nanos, Nanos)>,
}

impl Grid {
    /// The grid of a stream. `window` is the share of the local interval, usually
    /// [`WINDOW`], kept in 0..=1.
    pub fn new(stream: &ObservedStream<'_>, window: f64) -> Grid {
        let onsets: Vec<Nanos> = stream.beats.iter().map(|beat| beat.at).collect();
        let share =
            |interval: Nanos| Nanos::round_from_f64(interval.0 as f64 * window.clamp(0.0, 1.0));
        let mut grid = Grid { onsets, ..Grid::default() };
        for run in runs(&stream.beats, &stream.pattern) {
            let local = intervals(&stream.beats[run.clone()], &stream.pattern);
            for (place, beat) in run.clone().enumerate() {
                let (before, after) = grid.reach(beat, place, &local);
                let at = grid.onsets[beat];
                grid.windows.push((at - share(before), at + share(after)));
            }
            if run.len() > 1 {
                grid.spans.push((grid.windows[run.start].0, grid.windows[run.end - 1].1));
            }
        }
        grid
    }

    /// The interval before and that after a beat, which is at `place` of a run with the
    /// intervals `local`.
    fn reach(&self, beat: usize, place: usize, local: &[Nanos]) -> (Nanos, Nanos) {
        let before = place.checked_sub(1).and_then(|before| local.get(before)).copied();
        let after = local.get(place).copied();
        let early = before.or(after).unwrap_or(ALONE);
        let late = after.or(before).unwrap_or(ALONE);
        let to = |other: Option<usize>| {
            let other = other.and_then(|other| self.onsets.get(other));
            other.map_or(Nanos::MAX, |other| (*other - self.onsets[beat]).abs())
        };
        (early.min(to(beat.checked_sub(1))), late.min(to(Some(beat + 1))))
    }

    /// The earliest and latest tap that may answer each beat.
    pub fn windows(&self) -> &[(Nanos, Nanos)] {
        &self.windows
    }

    /// Whether the stream is pacing at this time. A beat that stands alone paces nothing.
    pub fn paces(&self, at: Nanos) -> bool {
        self.spans.iter().any(|(from, to)| (*from..=*to).contains(&at))
    }

    /// Matches taps, in ascending order, to the beats.
    pub fn matched_by(&self, rule: MatchingRule, taps: &[Nanos]) -> Matching {
        self.matched_among(&[], rule, taps)
    }

    /// The same of taps that answer other streams too. A tap that is closer to a beat of another
    /// of them may be meant for that, and so comes behind all taps that are not.
    pub fn matched_among(&self, others: &[&Grid], rule: MatchingRule, taps: &[Nanos]) -> Matching {
        let close = self.close_pairs(taps);
        match rule {
            MatchingRule::FirstOnset | MatchingRule::FirstHeard => {
                let pairs = self.first_pairs(taps, &close, others);
                let mut found = self.accounted(taps, &close, pairs);
                self.pass_over_listening(&mut found, taps);
                found
            }
            MatchingRule::ClosestFirst => {
                self.accounted(taps, &close, self.closest_pairs(taps, &close))
            }
        }
    }

    /// The first tap of each beat, of those that are not closer to another stream's beat where
    /// there are any. A tap is of the beat that is closest to it.
    fn first_pairs(&self, taps: &[Nanos], close: &[Pair], others: &[&Grid]) -> Vec<Pair> {
        let mut closest = vec![None; taps.len()];
        for pair in close {
            closest[pair.tap].get_or_insert(*pair);
        }
        let elsewhere = |pair: &Pair| {
            let closer = |grid: &&Grid| grid.distance(taps[pair.tap]) < pair.asynchrony.abs();
            others.iter().any(closer)
        };
        let (own, other): (Vec<Pair>, Vec<Pair>) =
            closest.into_iter().flatten().partition(|pair| !elsewhere(pair));
        let mut taken = vec![false; self.onsets.len()];
        let first = |pair: &Pair| !std::mem::replace(&mut taken[pair.beat], true);
        let mut pairs: Vec<Pair> = own.into_iter().chain(other).filter(first).collect();
        pairs.sort_by_key(|pair| pair.beat);
        pairs
    }

    /// From a time to the closest beat.
    fn distance(&self, at: Nanos) -> Nanos {
        let next = self.onsets.partition_point(|onset| *onset < at);
        let around = [next.checked_sub(1), Some(next)].into_iter().flatten();
        let apart = around.filter_map(|beat| Some((*self.onsets.get(beat)? - at).abs()));
        apart.min().unwrap_or(Nanos::MAX)
    }

    /// The closest pair, then the closest of what is left.
    fn closest_pairs(&self, taps: &[Nanos], close: &[Pair]) -> Vec<Pair> {
        let mut beat_taken = vec![false; self.onsets.len()];
        let mut tap_taken = vec![false; taps.len()];
        let mut pairs = Vec::new();
        for pair in close {
            if !beat_taken[pair.beat] && !tap_taken[pair.tap] {
                beat_taken[pair.beat] = true;
                tap_taken[pair.tap] = true;
                pairs.push(*pair);
            }
        }
        pairs.sort_by_key(|pair| pair.beat);
        pairs
    }

    /// Beats that pace and are over before the first tap are not missed. A beat that stands
    /// alone is a signal, which is missed where nobody answers it.
    fn pass_over_listening(&self, found: &mut Matching, taps: &[Nanos]) {
        let Some(first) = taps.first() else { return };
        let over = |beat: &usize| self.windows[*beat].1 < *first && self.paces(self.onsets[*beat]);
        let missed = std::mem::take(&mut found.missed);
        (found.listened, found.missed) = missed.into_iter().partition(over);
    }

    /// What becomes of the beats and taps beside these pairs.
    fn accounted(&self, taps: &[Nanos], close: &[Pair], pairs: Vec<Pair>) -> Matching {
        let mut beat_taken = vec![false; self.onsets.len()];
        let mut tap_taken = vec![false; taps.len()];
        for pair in &pairs {
            beat_taken[pair.beat] = true;
            tap_taken[pair.tap] = true;
        }
        let missed = left(&beat_taken).collect();
        let (extra, unpaced) = left(&tap_taken).partition(|tap| self.paces(taps[*tap]));
        let mut doubled: Vec<usize> =
            close.iter().map(|pair| pair.tap).filter(|t| !tap_taken[*t]).collect();
        doubled.sort_unstable();
        doubled.dedup();
        Matching { pairs, missed, extra, unpaced, doubled, ..Matching::default() }
    }

    /// Every tap within the window of a beat, the closest first.
    fn close_pairs(&self, taps: &[Nanos]) -> Vec<Pair> {
        let mut close: Vec<Pair> = Vec::with_capacity(self.onsets.len());
        let mut first = 0; // the taps before are too early for this beat and all later ones
        for (beat, (early, late)) in self.windows.iter().enumerate() {
            while taps.get(first).is_some_and(|tap| tap < early) {
                first += 1; // windows begin in the order of the beats
            }
            let within = taps.iter().enumerate().skip(first).take_while(|(_, tap)| *tap <= late);
            let asynchrony = |tap: Nanos| tap - self.onsets[beat];
            close.extend(within.map(|(tap, at)| Pair { beat, tap, asynchrony: asynchrony(*at) }));
        }
        close.sort_by_key(|pair| (pair.asynchrony.abs(), pair.beat, pair.tap));
        close
    }
}

/// Matches taps, in ascending order, to the beats of a stream.
pub fn match_taps(stream: &ObservedStream<'_>, taps: &[Nanos], window: f64) -> Matching {
    Grid::new(stream, window).matched_by(MatchingRule::FirstOnset, taps)
}

fn left(taken: &[bool]) -> impl Iterator<Item = usize> + '_ {
    taken.iter().enumerate().filter(|(_, taken)| !**taken).map(|(index, _)| index)
}

/// Drops each onset that comes less than `minimum` after the last one kept.
pub fn debounce(onsets: &[Nanos], minimum: Nanos) -> Vec<Nanos> {
    let mut kept: Vec<Nanos> = Vec::with_capacity(onsets.len());
    for onset in onsets {
        if kept.last().is_none_or(|last| *onset - *last >= minimum) {
            kept.push(*onset);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observed::Beat;

    fn ms(times: &[i64]) -> Vec<Nanos> {
        times.iter().map(|t| Nanos::from_millis(*t)).collect()
    }

    fn match_taps(beats: &[Nanos], taps: &[Nanos], window: f64) -> Matching {
        super::match_taps(&ObservedStream::steady("beats", beats.iter().copied()), taps, window)
    }

    fn worked_example() -> (Vec<Nanos>, Vec<Nanos>) {
        let beats: Vec<i64> = (0..10).map(|k| 600 * k).collect();
        let taps = [-20, 570, 1190, 1195, 1795, 2990, 3610, 4150, 4810, 5400, 5720];
        (ms(&beats), ms(&taps))
    }

    #[test]
    fn the_first_of_two_taps_answers_the_beat() {
        let (beats, taps) = worked_example();
        let matching = match_taps(&beats, &taps, 0.5);
        assert_eq!(matching.pairs[2].asynchrony, Nanos::from_millis(-10));
        assert_eq!(matching.missed, [4]);
        assert_eq!([&matching.extra[..], &matching.unpaced[..]].concat(), [3, 10]);
        assert_eq!(matching.doubled, [3]);
        assert_eq!(matching.hit_rate(), Some(0.9));
    }

    /// The rule of trials that were recorded before there was another.
    #[test]
    fn by_the_earlier_rule_the_closer_of_two_taps_answers_the_beat() {
        let (beats, taps) = worked_example();
        let grid = Grid::new(&ObservedStream::steady("beats", beats), 0.5);
        let matching = grid.matched_by(MatchingRule::ClosestFirst, &taps);
        assert_eq!(matching.pairs[2].asynchrony, Nanos::from_millis(-5));
        assert_eq!([&matching.extra[..], &matching.unpaced[..]].concat(), [2, 10]);
    }

    #[test]
    fn beats_that_were_listened_to_before_the_first_tap_are_not_missed() {
        let beats: Vec<i64> = (0..10).map(|k| 600 * k).collect();
        let taps = ms(&[2_380, 2_990, 4_190, 4_780, 5_390]);
        let matching = match_taps(&ms(&beats), &taps, WINDOW);
        assert_eq!((&matching.listened[..], &matching.missed[..]), (&[0, 1, 2, 3][..], &[6][..]));
        assert_eq!(matching.hit_rate(), Some(5.0 / 6.0));
        let nobody = match_taps(&ms(&beats), &[], WINDOW);
        assert_eq!((nobody.listened.len(), nobody.missed.len()), (0, 10));
    }

    #[test]
    fn a_signal_before_the_first_tap_is_missed() {
        let found = super::match_taps(&alone(&[1_000, 9_000]), &ms(&[9_200]), WINDOW);
        assert_eq!((&found.missed[..], found.listened.len()), (&[0][..], 0));
    }

    /// Three against two on one pad: the tap to a beat of the faster stream lies in the window of the
    /// slower one's next beat.
    #[test]
    fn a_tap_to_another_stream_answers_only_where_nothing_else_does() {
        let grid = |beats: &[i64]| Grid::new(&ObservedStream::steady("beats", ms(beats)), WINDOW);
        let (two, three) = (grid(&[0, 600, 1_200]), grid(&[0, 400, 800, 1_200]));
        let taps = ms(&[-20, 380, 590, 790, 1_190]);
        let found = two.matched_among(&[&three], MatchingRule::FirstOnset, &taps);
        assert_eq!(found.asynchronies(), ms(&[-20, -10, -10]));
        let without = ms(&[-20, 380, 790, 1_190]);
        let found = two.matched_among(&[&three], MatchingRule::FirstOnset, &without);
        assert_eq!(found.asynchronies(), ms(&[-20, -220, -10]));
    }

    #[test]
    fn where_windows_overlap_a_tap_is_of_the_beat_closest_to_it() {
        let beats = ms(&[0, 600, 1_200]);
        let matching = match_taps(&beats, &ms(&[10, 350, 640, 1_190]), 1.0);
        assert_eq!(matching.asynchronies(), ms(&[10, -250, -10]));
    }

    #[test]
    fn debouncing_keeps_the_first_of_two_taps() {
        let (beats, taps) = worked_example();
        let matching = match_taps(&beats, &debounce(&taps, Nanos::from_millis(40)), 0.5);
        assert_eq!(matching.pairs[2].asynchrony, Nanos::from_millis(-10));
        assert_eq!((matching.extra.len(), matching.unpaced), (0, vec![9]));
    }

    #[test]
    fn taps_of_a_continuation_are_unpaced_and_not_extra() {
        let beats = ms(&[1000, 1500, 2000, 6000, 6500]);
        let taps = ms(&[970, 1480, 1600, 1990, 2470, 2980, 5400, 5990, 6510, 7010]);
        let matching = match_taps(&beats, &taps, WINDOW);
        assert_eq!(matching.pairs.len(), 5);
        assert_eq!(matching.extra, [2]);
        assert_eq!(matching.unpaced, [4, 5, 6, 9]);
    }

    #[test]
    fn the_window_follows_the_local_interval_on_each_side() {
        let beats = ms(&[0, 1000, 1200]);
        assert_eq!(match_taps(&beats, &ms(&[650]), WINDOW).pairs[0].beat, 1);
        assert_eq!(match_taps(&beats, &ms(&[1090]), WINDOW).pairs.len(), 0);
    }

    #[test]
    fn nothing_matches_nothing() {
        assert_eq!(match_taps(&[], &[], WINDOW), Matching::default());
        assert_eq!(match_taps(&[], &ms(&[5]), WINDOW).unpaced, [0]);
        assert_eq!(match_taps(&ms(&[5]), &[], WINDOW).missed, [0]);
        assert_eq!(match_taps(&ms(&[5]), &ms(&[9]), WINDOW).pairs.len(), 1);
        assert_eq!(match_taps(&[], &[], WINDOW).hit_rate(), None);
    }
    fn alone(times: &[i64]) -> ObservedStream<'static> {
        let beat = |at: Nanos| Beat { id: 0, number: 1, deadline: at, at };
        ObservedStream {
            beats: ms(times).into_iter().map(beat).collect(),
            ..ObservedStream::default()
        }
    }

    #[test]
    fn a_beat_alone_takes_a_tap_within_400_ms_and_makes_no_other_extra() {
        let go = alone(&[1_000]);
        let matching = super::match_taps(&go, &ms(&[1_250, 1_300, 2_980, 3_500]), WINDOW);
        assert_eq!(matching.asynchronies(), ms(&[250]));
        assert_eq!((matching.extra.len(), &matching.unpaced[..]), (0, &[1, 2, 3][..]));
        assert_eq!(matching.doubled, [1]);
        let late = super::match_taps(&go, &ms(&[2_980]), WINDOW);
        assert_eq!((late.pairs.len(), late.missed.len(), late.unpaced.len()), (0, 1, 1));
    }

    #[test]
    fn a_stream_that_is_restarted_with_one_beat_each_has_all_its_beats() {
        let go = alone(&[1_000, 3_000, 5_000, 5_500]);
        let matching = super::match_taps(&go, &ms(&[1_250, 3_300, 4_000, 5_230, 5_650]), WINDOW);
        assert_eq!(matching.asynchronies(), ms(&[250, 300, 150]));
        assert_eq!((matching.missed, matching.extra.len()), (vec![2], 0));
    }

    #[test]
    fn no_window_grows_into_the_gap_of_a_rhythm() {
        let rhythm = ms(&[0, 200, 400, 5_400, 5_600, 5_800]);
        assert_eq!(match_taps(&rhythm, &ms(&[700, 5_100]), WINDOW).pairs, []);
    }
}
