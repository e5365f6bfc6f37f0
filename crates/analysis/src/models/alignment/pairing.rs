//! [`Pairing`]: which of our events is which of theirs, where a line puts both on one clock, and how much
//! that says for the line.

use super::Event;
use super::line::Line;

/// What a line brings together, and what it leaves alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairing {
    /// Places in ours and theirs, in the order of ours.
    pub(super) matched: Vec<(usize, usize)>,
    pub(super) missing: Vec<usize>,
    pub(super) outside: Vec<usize>,
    pub(super) spurious: Vec<usize>,
    /// How many of ours lie between their first and last.
    pub(super) within: usize,
    /// Of the missing: those in whose place stands another code.
    conflicts: usize,
}

/// What an event counts that should be there and is not.
const MISSING: i64 = 1;
/// What it counts besides where another code stands in its place: it was not lost, it was never sent.
const CONFLICT: i64 = 2;

impl Pairing {
    /// How much it says for its line, in events. What lies outside says nothing: a recording may
    /// begin late. Nor does what they have besides: it is there wherever it is put.
    pub(super) fn score(&self) -> i64 {
        let count = |number: usize| number as i64;
        count(self.matched.len())
            - MISSING * count(self.missing.len())
            - CONFLICT * count(self.conflicts)
    }

    /// Whether at least half of its pairs are also the other's.
    pub(super) fn is_mostly(&self, other: &Pairing) -> bool {
        let same = |pair: &&(usize, usize)| other.matched.binary_search(pair).is_ok();
        2 * self.matched.iter().filter(same).count() >= self.matched.len()
    }
}

/// Brings each of our events together with the nearest of theirs that it may be, nearest first.
pub(super) fn pair(line: &Line, ours: &[Event], theirs: &[Event], tolerance: f64) -> Pairing {
    let mut near = near(line, ours, theirs, tolerance);
    near.sort_by(|one, other| one.apart.total_cmp(&other.apart));
    let (mut of_ours, mut of_theirs) = (vec![None; ours.len()], vec![false; theirs.len()]);
    for Near { ours, theirs, .. } in near.iter().filter(|near| near.alike) {
        if of_ours[*ours].is_none() && !of_theirs[*theirs] {
            (of_ours[*ours], of_theirs[*theirs]) = (Some(*theirs), true);
        }
    }
    let mut pairing = Pairing::default();
    let (first, last) = (theirs[0].at - tolerance, theirs[theirs.len() - 1].at + tolerance);
    for (place, event) in ours.iter().enumerate() {
        match of_ours[place] {
            Some(found) => pairing.matched.push((place, found)),
            None if (first..=last).contains(&line.at(event.at)) => pairing.missing.push(place),
            None => pairing.outside.push(place),
        }
    }
    pairing.within = ours.len() - pairing.outside.len();
    pairing.conflicts = conflicts(&near, &of_ours, &of_theirs);
    let (first, last) = (line.at(ours[0].at), line.at(ours[ours.len() - 1].at));
    let during = |at: f64| (first - tolerance..=last + tolerance).contains(&at);
    let free = |place: &usize| !of_theirs[*place] && during(theirs[*place].at);
    pairing.spurious = (0..theirs.len()).filter(free).collect();
    pairing
}

/// Two events that are one by their times.
struct Near {
    ours: usize,
    theirs: usize,
    apart: f64,
    /// Whether they are one by their codes as well.
    alike: bool,
}

fn near(line: &Line, ours: &[Event], theirs: &[Event], tolerance: f64) -> Vec<Near> {
    let (mut all, mut from) = (Vec::with_capacity(ours.len()), 0);
    for (place, event) in ours.iter().enumerate() {
        let at = line.at(event.at);
        while from < theirs.len() && theirs[from].at < at - tolerance {
            from += 1;
        }
        let within = theirs[from..].iter().take_while(|their| their.at <= at + tolerance);
        all.extend(within.enumerate().map(|(nth, their)| Near {
            ours: place,
            theirs: from + nth,
            apart: (their.at - at).abs(),
            alike: event.may_be(their),
        }));
    }
    all
}

/// How many of ours that are missing have another code in their place, which is none of ours either.
fn conflicts(near: &[Near], of_ours: &[Option<usize>], of_theirs: &[bool]) -> usize {
    let other =
        |near: &&Near| !near.alike && of_ours[near.ours].is_none() && !of_theirs[near.theirs];
    let mut places: Vec<usize> = near.iter().filter(other).map(|near| near.ours).collect();
    places.sort_unstable();
    places.dedup();
    places.len()
}

/// The probability that an event of ours has one of theirs beside it by accident: the mean share of the time,
/// over our events, that is within the tolerance of one of theirs that it may be.
pub(super) fn accident(ours: &[Event], theirs: &[Event], tolerance: f64) -> f64 {
    let length = (theirs[theirs.len() - 1].at - theirs[0].at).max(2.0 * tolerance);
    let mut codes: Vec<Option<u32>> = theirs.iter().map(|their| their.code).collect();
    codes.sort_unstable();
    let count =
        |code| codes.partition_point(|one| *one <= code) - codes.partition_point(|one| *one < code);
    let unnamed = count(None);
    let alike = |event: &Event| match event.code {
        None => theirs.len(),
        code => count(code) + unnamed,
    };
    let share = |event: &Event| (2.0 * tolerance * alike(event) as f64 / length).min(1.0);
    ours.iter().map(share).sum::<f64>() / ours.len() as f64
}
