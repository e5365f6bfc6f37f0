//! [`overlaps`]: perturbations of feedback that fall on the same tap, which a reader of the
//! file should know of. With a seed those that do are told, without one those that may.

use chronotap_engine::foretold::perturbed_taps;
use chronotap_engine::trial::{Feedback, Occasions, Perturb, Trial};

/// Among so many taps those that are perturbed are told.
pub(crate) const TAPS_TOLD: u32 = 1_000;

/// A doubt for each two perturbations of a channel that meet.
pub(crate) fn overlaps(trial: &Trial, seed: Option<u64>) -> Vec<String> {
    let of = |(index, channel): (usize, &Feedback)| {
        let drawn = seed.map(|seed| perturbed_taps(trial, index, seed, TAPS_TOLD));
        let pairs = (0..channel.perturb.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        pairs.filter_map(|two| doubt(channel, two, drawn.as_deref())).collect::<Vec<_>>()
    };
    trial.feedback.iter().enumerate().flat_map(of).collect()
}

fn doubt(
    channel: &Feedback,
    (i, j): (usize, usize),
    drawn: Option<&[(u32, usize)]>,
) -> Option<String> {
    let (first, second) = (&channel.perturb[i], &channel.perturb[j]);
    let place = match common(first, second) {
        Some(tap) => format!("both fall on tap {tap}"),
        None => match drawn {
            Some(drawn) => format!("both fall on tap {}", meeting(drawn, i, j)?),
            None if may_meet(first, second) => "may fall on the same tap".to_owned(),
            None => return None,
        },
    };
    let then = if first.mute || second.mute {
        "only the first of the file acts there"
    } else {
        "what the first alters, the second leaves"
    };
    Some(format!(
        "feedback {}: perturbations {} and {} {place}; {then}",
        channel.name,
        i + 1,
        j + 1
    ))
}

/// The first tap that both list.
fn common(first: &Perturb, second: &Perturb) -> Option<u32> {
    let (Occasions::Listed(one), Occasions::Listed(other)) = (&first.at, &second.at) else {
        return None;
    };
    one.iter().find(|tap| other.contains(tap)).copied()
}

/// The first tap at which both come.
fn meeting(drawn: &[(u32, usize)], i: usize, j: usize) -> Option<u32> {
    let of = |which: usize| move |(_, p): &&(u32, usize)| *p == which;
    let mut first = drawn.iter().filter(of(i));
    first.find(|(tap, _)| drawn.contains(&(*tap, j))).map(|(tap, _)| *tap)
}

/// Whether the draws can meet: `apart` of the later keeps it from the earlier, that of the
/// earlier keeps it from what is listed alone.
fn may_meet(first: &Perturb, second: &Perturb) -> bool {
    let listed = |p: &Perturb| matches!(p.at, Occasions::Listed(_));
    match (listed(first), listed(second)) {
        (true, true) => false,
        (false, true) => first.apart == 0,
        _ => second.apart == 0,
    }
}
