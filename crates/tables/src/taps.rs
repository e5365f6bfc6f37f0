//! The table of taps: one row for each tap, with what became of it.

use crate::cells::{end, integer, ns, text};
use crate::trial::OfInput;
use chronotap_analysis::account::{Account, Fate};
use chronotap_analysis::cleaning::{Cleaned, Rule};
use chronotap_analysis::observed::Observed;
use chronotap_time::Nanos;

/// The columns behind those that say which trial it is, with their units and what they are.
pub(crate) const COLUMNS: [(&str, &str, &str); 13] = [
    ("input", "", "The input, by its name in the trial file."),
    ("tap", "", "The tap's number at this input, from 1, debounced ones included."),
    ("event_id", "", "The event in the events file."),
    ("onset_ns", "ns", "When it was, since the start of the trial."),
    ("stretch", "", "The stretch of the trial that it lies in."),
    ("interval_ns", "ns", "Since the tap before it that counts."),
    ("fate", "", "What became of it: matched, debounced, doubled, extra, unpaced, or unmeasured."),
    ("against", "", "The stream whose beat it answers."),
    ("beat", "", "The number of that beat."),
    ("asynchrony_ns", "ns", "Tap - beat; negative is early."),
    ("tap_left_out", "", "The rule that left out the tap."),
    ("interval_left_out", "", "The rule that left out the interval that ends with it."),
    ("asynchrony_left_out", "", "The rule that left out its asynchrony."),
];

/// Appends the rows of a trial; each begins with `prefix`.
pub(crate) fn put_taps(
    out: &mut Vec<u8>,
    prefix: &[u8],
    observed: &Observed<'_>,
    account: &Account,
    inputs: &[OfInput],
) -> usize {
    let mut count = 0;
    for of in inputs {
        let input = &observed.taps[of.input];
        let (mut accepted, mut last) = (0, None);
        for (tap, seen) in input.taps.iter().enumerate() {
            let fate = account.tap(of.input, tap);
            let place = (!seen.debounced).then_some(accepted);
            accepted += usize::from(!seen.debounced);
            let cleaned = cleaned(of, &fate);
            let marks = place.map(|place| cleaned.marks[place]).unwrap_or_default();
            let counts = place.is_some() && marks.tap.is_none();
            let interval = last.filter(|_| counts).map(|last: Nanos| seen.onset - last);
            last = if counts { Some(seen.onset) } else { last };
            out.extend_from_slice(prefix);
            text(out, Some(input.name));
            integer(out, Some(tap as i64 + 1));
            integer(out, i64::try_from(seen.id).ok());
            ns(out, Some(seen.onset));
            text(out, Some(&account.stretches[account.stretch(seen.onset)].name));
            ns(out, interval);
            put_fate(out, &fate, observed);
            for rule in [marks.tap, marks.interval, marks.asynchrony] {
                text(out, rule.as_ref().map(Rule::to_string).as_deref());
            }
            end(out);
            count += 1;
        }
    }
    count
}

/// The taps as they were cleaned against the stream that this one answers.
fn cleaned<'a>(of: &'a OfInput, fate: &Fate) -> &'a Cleaned {
    let answered = match fate {
        Fate::Matched { stream, .. } => Some(*stream),
        _ => None,
    };
    let found = of.cleaned.iter().find(|(stream, _)| *stream == answered);
    &found.unwrap_or(&of.cleaned[0]).1
}

fn put_fate(out: &mut Vec<u8>, fate: &Fate, observed: &Observed<'_>) {
    text(out, Some(fate.word()));
    match fate {
        Fate::Matched { stream, beat, asynchrony } => {
            let stream = &observed.pacing[*stream];
            text(out, Some(stream.name));
            integer(out, Some(i64::from(stream.beats[*beat].number)));
            ns(out, Some(*asynchrony));
        }
        _ => (0..3).for_each(|_| text(out, None)),
    }
}
