//! Simultaneous spikes: all cores were late at once, for the same reason.
//!
//! Kernel and programs delay one processor; only the host of a virtual machine or the
//! firmware stops all of them. A spike is a value above the median by 100 us and ten
//! times the distance of the quartiles; it lasted from its deadline until it was seen.
//! Rule: at least three times the spikes of all cores overlap, and at least five times
//! as often as they would by chance, did they come independently.

use super::{Artefact, Signature, StampedValue, percentile, sorted};
use chronotap_core::time::Nanos;

const ABOVE: Nanos = Nanos::from_micros(100);
const LEAST: usize = 3;

/// A span of time in which a core was late.
type Span = (Nanos, Nanos);

/// Whether the samples of two or more cores show it.
pub fn simultaneous(cores: &[&[StampedValue]]) -> Option<Signature> {
    let spikes: Vec<Vec<Span>> = cores.iter().map(|samples| spikes(samples)).collect();
    let (first, others) = spikes.split_first()?;
    if others.is_empty() {
        return None;
    }
    let together =
        first.iter().filter(|spike| others.iter().all(|core| meets(core, spike))).count();
    let chance = by_chance(first, others, duration(cores)?);
    (together >= LEAST && together as f64 >= 5.0 * chance).then(|| {
        let evidence = format!(
            "{together} delays came on all {} processors at once ({chance:.1} would by chance)",
            cores.len()
        );
        Signature::of(Artefact::Simultaneous, evidence)
    })
}

/// Overlapping ones of one core are one.
fn spikes(samples: &[StampedValue]) -> Vec<Span> {
    let values = sorted(samples);
    let quartiles = percentile(&values, 75) - percentile(&values, 25);
    let limit = percentile(&values, 50) + ABOVE.max(quartiles * 10);
    let mut spikes: Vec<Span> = Vec::new();
    for (seen, late) in samples.iter().copied().filter(|(_, late)| *late > limit) {
        match spikes.last_mut() {
            Some((_, end)) if seen - late <= *end => *end = seen.max(*end),
            _ => spikes.push((seen - late, seen)),
        }
    }
    spikes
}

/// Spikes are in the order of their ends, and of one core they do not overlap.
fn meets(spikes: &[Span], (begin, end): &Span) -> bool {
    let after = spikes.partition_point(|(_, other_end)| other_end < begin);
    spikes.get(after).is_some_and(|(other_begin, _)| other_begin <= end)
}

fn duration(cores: &[&[StampedValue]]) -> Option<Nanos> {
    let begin = cores.iter().filter_map(|samples| samples.first()).map(|(seen, _)| *seen).min()?;
    let end = cores.iter().filter_map(|samples| samples.last()).map(|(seen, _)| *seen).max()?;
    (end > begin).then(|| end - begin)
}

/// How many spikes of the first core would meet one of each other core, were these
/// anywhere: two spans meet when one begins within the length of both of the other.
fn by_chance(first: &[Span], others: &[Vec<Span>], duration: Nanos) -> f64 {
    let length = |spikes: &[Span]| {
        let all: i64 = spikes.iter().map(|(begin, end)| (*end - *begin).0).sum();
        all as f64 / spikes.len().max(1) as f64
    };
    let own = length(first);
    let meeting =
        |core: &Vec<Span>| (core.len() as f64 * (own + length(core)) / duration.0 as f64).min(1.0);
    first.len() as f64 * others.iter().map(meeting).product::<f64>()
}
