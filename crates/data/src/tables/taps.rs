//! The table of taps: one row for each tap, with what became of it.

use crate::tables::Source;
use crate::tables::cells::{end, integer, ns, prefix, text};
use crate::tables::of_input::OfInput;
use chronotap_analysis::account::{Account, Fate};
use chronotap_analysis::cleaning::{Cleaned, CleaningRule};
use chronotap_analysis::observed::{Observed, OnsetSource, TapForce};
use chronotap_core::time::Nanos;

/// A tap, with what became of it.
#[derive(Clone, Copy, Debug)]
pub struct TapRow<'a> {
    pub input: &'a str,
    /// The tap's number at this input, from 1, debounced ones included.
    pub tap: i64,
    /// The event in the events file.
    pub event_id: Option<i64>,
    /// When it was.
    pub onset: Nanos,
    /// The stretch that it lies in.
    pub stretch: &'a str,
    /// Since the tap before it that counts.
    pub interval: Option<Nanos>,
    /// What became of it, in a word.
    pub fate: &'a str,
    /// The stream and the number of the beat that it answers, and tap - beat.
    pub answered: Option<(&'a str, i64, Nanos)>,
    /// The rules that left out the tap, the interval that ends with it, its asynchrony.
    pub left_out: [Option<CleaningRule>; 3],
    /// How hard and how long it pressed on a sensor.
    pub force: Option<TapForce>,
    /// Whence its onset is, in a word, where its sound was kept.
    pub onset_source: Option<&'a str>,
}

/// Where the taps of trials go, one after the other.
pub trait TapSink: Default + Send {
    /// The rows that follow are of this trial.
    fn begin(&mut self, source: &Source);
    /// So many taps follow, where it is of use to know.
    fn make_room(&mut self, _taps: usize) {}
    /// The next tap.
    fn put(&mut self, row: &TapRow<'_>);
}

/// Rows of the table of taps, as text.
#[derive(Debug, Default)]
pub(crate) struct TapText {
    prefix: Vec<u8>,
    pub out: Vec<u8>,
}

/// What the cells of a tap take behind those of its trial, in bytes.
const USUAL: usize = 96;

impl TapSink for TapText {
    fn begin(&mut self, source: &Source) {
        self.prefix = prefix(source);
    }

    fn make_room(&mut self, taps: usize) {
        self.out.reserve(taps * (self.prefix.len() + USUAL));
    }

    fn put(&mut self, row: &TapRow<'_>) {
        let out = &mut self.out;
        out.extend_from_slice(&self.prefix);
        text(out, Some(row.input));
        integer(out, Some(row.tap));
        integer(out, row.event_id);
        ns(out, Some(row.onset));
        text(out, Some(row.stretch));
        ns(out, row.interval);
        text(out, Some(row.fate));
        text(out, row.answered.map(|(stream, ..)| stream));
        integer(out, row.answered.map(|(_, beat, _)| beat));
        ns(out, row.answered.map(|(.., asynchrony)| asynchrony));
        for rule in &row.left_out {
            text(out, rule.as_ref().map(CleaningRule::to_string).as_deref());
        }
        integer(out, row.force.map(|force| i64::from(force.peak)));
        ns(out, row.force.map(|force| force.rise));
        ns(out, row.force.map(|force| force.dwell));
        text(out, row.onset_source);
        end(out);
    }
}

/// Where the taps go that nobody wants.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTaps;

impl TapSink for NoTaps {
    fn begin(&mut self, _: &Source) {}
    fn put(&mut self, _: &TapRow<'_>) {}
}

/// Two sinks, each of which gets everything.
#[derive(Debug, Default)]
pub(crate) struct Both<A, B>(pub A, pub B);

impl<A: TapSink, B: TapSink> TapSink for Both<A, B> {
    fn begin(&mut self, source: &Source) {
        self.0.begin(source);
        self.1.begin(source);
    }

    fn make_room(&mut self, taps: usize) {
        self.0.make_room(taps);
        self.1.make_room(taps);
    }

    fn put(&mut self, row: &TapRow<'_>) {
        self.0.put(row);
        self.1.put(row);
    }
}

/// Hands on the taps of a trial; how many there were.
pub(crate) fn put_taps(
    sink: &mut impl TapSink,
    observed: &Observed<'_>,
    account: &Account,
    inputs: &[OfInput],
) -> usize {
    let mut count = 0;
    sink.make_room(inputs.iter().map(|of| observed.taps[of.input].taps.len()).sum());
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
            sink.put(&TapRow {
                input: input.name,
                tap: tap as i64 + 1,
                event_id: i64::try_from(seen.id).ok(),
                onset: seen.onset,
                stretch: &account.stretches[account.stretch(seen.onset)].name,
                interval,
                fate: fate.word(),
                answered: answered(&fate, observed),
                left_out: [marks.tap, marks.interval, marks.asynchrony],
                force: seen.force,
                onset_source: seen.source.map(OnsetSource::word),
            });
            count += 1;
        }
    }
    count
}

fn answered<'a>(fate: &Fate, observed: &Observed<'a>) -> Option<(&'a str, i64, Nanos)> {
    let Fate::Matched { stream, beat, asynchrony } = fate else { return None };
    let stream = &observed.pacing[*stream];
    Some((stream.name, i64::from(stream.beats[*beat].number), *asynchrony))
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
