//! Where the recordings may belong together: by a vote of all pairs of events that may be one.
//!
//! Over a short stretch two clocks hardly drift apart, so there the right offset has a vote of nearly
//! every event ([`seeds`]). A seed [`grown`] to the whole has the rate; at that rate the whole recording can
//! vote, and nothing that is nearly as good stays unseen ([`rivals`]).

use super::line::Line;
use super::{Candidate, Event, Search};

/// Events in a stretch.
const STRETCH: usize = 32;
/// Stretches, evenly over the trial; as many again may stand around the rarest codes.
const STRETCHES: usize = 8;
const RARE: usize = 4;
/// Places that are kept of each vote.
const KEPT: usize = 16;
/// Most pairs in one vote of the whole, for the sake of time; of more, every n-th event votes.
const MOST_PAIRS: usize = 60_000_000;
/// Most places of one vote, for the sake of memory; of more, places are wider.
const MOST_PLACES: f64 = 8e6;

/// A place for a stretch of our events.
pub(super) struct Seed {
    /// The stretch in ours.
    from: usize,
    to: usize,
    /// Theirs less ours, in seconds.
    shift: f64,
    /// By how much that may be wrong.
    reach: f64,
}

/// The places that the stretches vote for.
pub(super) fn seeds(search: &Search) -> Vec<Seed> {
    stretches(search).into_iter().flat_map(|(from, to)| seeds_of(search, from, to)).collect()
}

/// Stretches as first and last place.
fn stretches(search: &Search) -> Vec<(usize, usize)> {
    let count = search.ours.len();
    let last = count.saturating_sub(STRETCH);
    let around = |place: usize| place.saturating_sub(STRETCH / 2).min(last);
    let even = (0..STRETCHES).map(|nth| last * nth / (STRETCHES - 1));
    let mut from: Vec<usize> = even.chain(rare(search).into_iter().map(around)).collect();
    from.sort_unstable();
    from.dedup();
    from.into_iter().map(|from| (from, (from + STRETCH).min(count))).collect()
}

/// The events whose codes are rarest in both recordings, where codes differ.
fn rare(search: &Search) -> Vec<usize> {
    let count = |events: &[Event], code| events.iter().filter(|one| one.code == code).count();
    let mut codes: Vec<Option<u32>> = search.ours.iter().map(|event| event.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let shared = |code: &Option<u32>| code.is_some() && count(&search.theirs, *code) > 0;
    codes.retain(shared);
    codes.sort_by_cached_key(|code| count(&search.ours, *code) * count(&search.theirs, *code));
    let place = |code: &Option<u32>| search.ours.iter().position(|event| event.code == *code);
    codes.iter().take(RARE).filter_map(place).collect()
}

fn seeds_of(search: &Search, from: usize, to: usize) -> Vec<Seed> {
    let stretch = &search.ours[from..to];
    let length = stretch[stretch.len() - 1].at - stretch[0].at;
    let reach = search.tolerance_s + search.drift * length / 2.0;
    let mut shifts = shifts(stretch, &search.theirs);
    shifts.sort_unstable_by(f64::total_cmp);
    let places = crowded(&shifts, 2.0 * reach);
    places.into_iter().map(|shift| Seed { from, to, shift, reach }).collect()
}

fn shifts(ours: &[Event], theirs: &[Event]) -> Vec<f64> {
    let of = |event: &Event| -> Vec<f64> {
        let alike = theirs.iter().filter(|their| event.may_be(their));
        alike.map(|their| their.at - event.at).collect()
    };
    ours.iter().flat_map(of).collect()
}

/// The middles of the places of this width that hold most of the values, most crowded first.
fn crowded(sorted: &[f64], width: f64) -> Vec<f64> {
    let mut end = 0;
    let mut votes: Vec<(usize, f64)> = Vec::with_capacity(sorted.len());
    for (start, first) in sorted.iter().enumerate() {
        while end < sorted.len() && sorted[end] <= first + width {
            end += 1;
        }
        votes.push((end - start, (first + sorted[end - 1]) / 2.0));
    }
    let most = votes.iter().map(|(count, _)| *count).max().unwrap_or(0);
    votes.retain(|(count, _)| 2 * count >= most && *count > 1);
    apart(votes, width)
}

/// The first places by their votes, none within `width` of one with more.
fn apart(mut votes: Vec<(usize, f64)>, width: f64) -> Vec<f64> {
    votes.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let mut kept: Vec<f64> = Vec::new();
    for (_, place) in votes {
        if kept.iter().all(|other| (other - place).abs() > width) {
            kept.push(place);
        }
        if kept.len() == KEPT {
            break;
        }
    }
    kept
}

/// The seed's line, fitted to twice as much of the trial again and again until that is all of it. None
/// where it finds nothing, or a rate that no clock has.
pub(super) fn grown(search: &Search, seed: &Seed) -> Option<Candidate> {
    let (ours, mut from, mut to) = (&search.ours, seed.from, seed.to);
    let first = Line { centre: 0.0, shift: seed.shift, drift: 0.0 };
    let mut line = Line::of_medians(&points(search, &first, from, to, seed.reach), search.drift)?;
    loop {
        let points = points(search, &line, from, to, search.tolerance_s);
        if points.len() < 3 {
            return None;
        }
        line = search.fit(&points).line;
        line.drift = line.drift.clamp(-search.drift, search.drift);
        if (from, to) == (0, ours.len()) {
            return settled(search, line);
        }
        (from, to) = twice(ours, from, to);
    }
}

/// Twice as long in time, around the same middle.
fn twice(ours: &[Event], from: usize, to: usize) -> (usize, usize) {
    let (first, last) = (ours[from].at, ours[to - 1].at);
    let more = ((last - first) / 2.0).max(1e-3);
    let from = ours.partition_point(|event| event.at < first - more).min(from.saturating_sub(1));
    let to = ours.partition_point(|event| event.at <= last + more).max(to + 1);
    (from, to.min(ours.len()))
}

/// What a line brings together of a part of ours, as times.
fn points(search: &Search, line: &Line, from: usize, to: usize, reach: f64) -> Vec<(f64, f64)> {
    let part = &search.ours[from..to];
    let first = search.theirs.partition_point(|their| their.at < line.at(part[0].at) - reach);
    let end = line.at(part[part.len() - 1].at) + reach;
    let last = search.theirs.partition_point(|their| their.at <= end);
    if first >= last {
        return Vec::new();
    }
    let theirs = &search.theirs[first..last];
    let pairing = super::pairing::pair(line, part, theirs, reach);
    pairing.matched.iter().map(|&(one, other)| (part[one].at, theirs[other].at)).collect()
}

/// A line fitted to all that it brings together, until that is the same again.
fn settled(search: &Search, mut line: Line) -> Option<Candidate> {
    let mut pairing = search.pair(&line);
    for _ in 0..4 {
        let points = search.points(&pairing);
        if points.len() < 2 {
            return None;
        }
        let fitted = search.fit(&points).line;
        if fitted.drift.abs() > search.drift {
            return None;
        }
        let again = search.pair(&fitted);
        let same = again.matched == pairing.matched;
        (line, pairing) = (fitted, again);
        if same {
            break;
        }
    }
    Some(Candidate { line, pairing })
}

/// All other places for the whole, at the rate of this line, that have most votes.
pub(super) fn rivals(search: &Search, line: &Line) -> Vec<Candidate> {
    let width = 2.0 * search.tolerance_s;
    let votes = votes(search, line, width);
    let moved = |shift: f64| settled(search, Line { shift: line.shift + shift, ..*line });
    apart(votes, width).into_iter().filter_map(moved).collect()
}

/// How many pairs of events would coincide if theirs were moved by so many seconds more.
fn votes(search: &Search, line: &Line, width: f64) -> Vec<(usize, f64)> {
    let (ours, theirs) = (&search.ours, &search.theirs);
    let lowest = theirs[0].at - line.at(ours[ours.len() - 1].at);
    let highest = theirs[theirs.len() - 1].at - line.at(ours[0].at);
    let width = width.max((highest - lowest) / MOST_PLACES);
    let mut counts = vec![0_u32; ((highest - lowest) / width) as usize + 3];
    let every = (ours.len() * theirs.len()).div_ceil(MOST_PAIRS);
    for event in ours.iter().step_by(every) {
        let at = line.at(event.at);
        for their in theirs.iter().filter(|their| event.may_be(their)) {
            counts[((their.at - at - lowest) / width) as usize] += 1;
        }
    }
    middles(&counts, lowest, width)
}

/// Each place together with the next one, since what belongs together may lie on both sides of an edge.
fn middles(counts: &[u32], lowest: f64, width: f64) -> Vec<(usize, f64)> {
    let both = |pair: &[u32]| (pair[0] + pair[1]) as usize;
    let most = counts.windows(2).map(both).max().unwrap_or(0);
    let enough = (most / 4).max(2);
    let places = counts.windows(2).enumerate().filter(|(_, pair)| both(pair) >= enough);
    places.map(|(nth, pair)| (both(pair), lowest + (nth as f64 + centre(pair)) * width)).collect()
}

/// Where in two places their votes lie.
fn centre(pair: &[u32]) -> f64 {
    let (left, right) = (f64::from(pair[0]), f64::from(pair[1]));
    (0.5 * left + 1.5 * right) / (left + right)
}
