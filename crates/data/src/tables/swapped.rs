//! [`is_swapped`]: whether two inputs were taken for each other, as where the left hand lies on the
//! right pad.

use crate::tables::of_input::OfInput;
use chronotap_analysis::account::Account;
use chronotap_analysis::circular;
use chronotap_analysis::metre::{LEVELS, angles, positions};
use chronotap_analysis::observed::Observed;
use chronotap_core::time::Nanos;

/// Fewest taps of which this is said.
const TAPS: usize = 10;
/// By so much R is greater on the circle of the other's stream, of both.
const CLEARLY: f64 = 0.3;

/// Whether the taps of this input fit the stream of another better than its own, and those of the
/// other this one's.
pub(crate) fn is_swapped(
    observed: &Observed<'_>,
    account: &Account,
    inputs: &[OfInput],
    of: &OfInput,
) -> bool {
    let Some(own) = only_stream(observed, account, of.input) else { return false };
    let fits = |of: &OfInput, this: usize, that: usize| {
        let [this, that] = [this, that].map(|stream| resultant(observed, of, stream));
        this.zip(that).is_some_and(|(this, that)| this > that + CLEARLY)
    };
    inputs.iter().filter(|other| other.input != of.input).any(|other| {
        let theirs = only_stream(observed, account, other.input).filter(|theirs| *theirs != own);
        theirs.is_some_and(|theirs| fits(of, theirs, own) && fits(other, own, theirs))
    })
}

/// The stream that an input answers; `None` where there are several.
fn only_stream(observed: &Observed<'_>, account: &Account, input: usize) -> Option<usize> {
    let answers = |stream: &usize| account.matching(input, *stream).is_some();
    let mut streams = (0..observed.pacing.len()).filter(answers);
    streams.next().filter(|_| streams.next().is_none())
}

/// R of the taps on the circle of a stream.
fn resultant(observed: &Observed<'_>, of: &OfInput, stream: usize) -> Option<f64> {
    let beats: Vec<Nanos> = observed.pacing[stream].beats.iter().map(|beat| beat.at).collect();
    let angles = angles(&positions(&beats, &of.onsets), LEVELS[0]);
    let found = circular::describe(&angles).filter(|_| angles.len() >= TAPS)?;
    Some(found.resultant)
}
