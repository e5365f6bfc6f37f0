//! The notation of a summary.

use super::wrapped;
use crate::summary::{Summary, TapsIn};
use std::fmt::{Result, Write};

/// The meaning of the numbers that stand above, and of no others.
pub(super) fn write_notation(f: &mut impl Write, summary: &Summary) -> Result {
    f.write_str("Notation\n")?;
    let notes = notes_on_taps(summary).into_iter().chain(notes_on_timing(summary));
    for (_, word, meaning) in notes.filter(|(shown, ..)| *shown) {
        wrapped(f, "  ", &format!("{word}: {meaning}"))?;
    }
    Ok(())
}

/// Whether it is shown, the word, and its meaning.
type Note = (bool, &'static str, &'static str);

fn notes_on_taps(summary: &Summary) -> [Note; 10] {
    let any = |has: &dyn Fn(&TapsIn) -> bool| {
        summary.taps.iter().flat_map(|taps| &taps.stretches).any(has)
    };
    let levels = any(&|within| within.wing_kristofferson.is_some());
    let slips = any(&|within| within.wing_kristofferson.is_some_and(|levels| levels.excluded > 0));
    let answered = !summary.synchronization.is_empty();
    let earlier = summary.matching.is_unnamed();
    let listened = summary.synchronization.iter().any(|pair| pair.listened > 0);
    [
        (
            !summary.taps.is_empty(),
            "inter-tap interval",
            "from a tap's onset to the next tap's; SD with n - 1; CV = SD / mean",
        ),
        (
            summary.stretches.len() > 1,
            "in metronome, in continuation, ...",
            "from one change of pacing to the next; intervals with both taps in it",
        ),
        (
            levels,
            "variance",
            "of clock and motor delay (Wing & Kristofferson 1973), without the bias of short runs; less drift: without the linear drift of the intervals; r1: lag-1 autocorrelation of the intervals; the model needs r1 between -0.5 and 0 and no variance below 0",
        ),
        (
            slips,
            "excluded",
            "intervals above 1.5 times their median; intervals below half of it, with the neighbour that completes them",
        ),
        (answered, "asynchrony", "tap onset - pacing onset of matched taps; negative is early"),
        (
            answered && !earlier,
            "matched",
            "the first tap within 0.4 of the interval before (early) or after (late) the beat, or within what the stream's `window` says",
        ),
        (
            answered && earlier,
            "matched",
            "closest pairs first, one tap to a beat, within 0.4 of the interval before (early) or after (late) the beat; the rule by which this trial was recorded",
        ),
        (listened, "listened", "beats before the first tap; they are not missed"),
        (
            answered,
            "extra, unpaced",
            "taps without a beat, while the stream was pacing and while it was not",
        ),
        (
            !summary.reproduction.is_empty(),
            "error",
            "reproduced - heard interval; the first tap stands for the first beat of each round; positive is too long; SD with n - 1",
        ),
    ]
}

fn notes_on_timing(summary: &Summary) -> [Note; 5] {
    [
        (
            summary.lateness.is_some(),
            "lateness",
            "achieved - deadline of each message sent; p99: the least value that 99 % do not exceed",
        ),
        (
            !summary.latencies.is_empty(),
            "achieved, of an audio output",
            "when its frame was played, as far as the server or card knows its hardware",
        ),
        (
            !summary.sound_cards.is_empty(),
            "load",
            "the share of its period that a callback of the sound card took; an xrun is a period that the card missed",
        ),
        (
            summary.services.is_some(),
            "between services",
            "from one call of the engine to the next; the program sleeps while nothing is due",
        ),
        (
            summary.verdict.limit_us > 0,
            "limit",
            "the greatest distance allowed between an output and its deadline",
        ),
    ]
}
