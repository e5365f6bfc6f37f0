//! When the beats of a stream come: an interval, a tempo, the participant's own tempo, or a
//! list of onsets; and how many there are.

use super::files::onsets;
use super::pools::Pools;
use super::{Names, files};
use crate::trial_files::reading::{Field, Part, say};
use chronotap_core::time::{Exact, Nanos};
use chronotap_engine::trial::{OwnTempo, Repeat, Span};

/// By what a stream says when its beats come.
#[derive(Clone, Copy)]
enum Spacing {
    Interval,
    Tempo,
    Onsets,
    BeatsFrom,
}

const SPACINGS: [(&str, Spacing); 4] = [
    ("interval", Spacing::Interval),
    ("tempo", Spacing::Tempo),
    ("onsets", Spacing::Onsets),
    ("beats_from", Spacing::BeatsFrom),
];

/// The interval, and the onsets where the stream has a list of them.
pub(super) fn spacing(part: &Part<'_>, names: &Names) -> (Exact, Option<Span>) {
    let placeholder = Exact::whole(Nanos::from_secs(1));
    match part.exactly_one(&SPACINGS) {
        Some(Spacing::Onsets) => listed(part.read("onsets", onsets), names),
        Some(Spacing::BeatsFrom) => {
            listed(part.read("beats_from", |f| files::beats(f, names)), names)
        }
        // Known only when its taps have come; until then as long as any may be.
        Some(Spacing::Interval) if is_own_tempo(part) => {
            part.field("interval");
            (Exact::whole(Nanos::from_secs(3_600)), None)
        }
        Some(Spacing::Interval) => {
            (part.read("interval", |f| f.interval()).unwrap_or(placeholder), None)
        }
        Some(Spacing::Tempo) => {
            let interval = part.read("tempo", |f| f.interval()).unwrap_or(placeholder);
            let at = Some(part.at("tempo"));
            part.page.record(&part.path_of("interval"), say(interval.round()), "time", at);
            (interval, None)
        }
        None => {
            // Whatever is wrong with either is told as well.
            part.given("interval", |f| f.interval());
            part.given("tempo", |f| f.interval());
            part.given("onsets", onsets);
            (placeholder, None)
        }
    }
}

/// The onsets of a list. The last gap stands for the interval after the last onset, which a stream
/// that starts after this one waits for.
fn listed(times: Option<Vec<Nanos>>, names: &Names) -> (Exact, Option<Span>) {
    let times = times.unwrap_or_default();
    let gap = times.windows(2).last().map_or(Nanos::from_secs(1), |pair| pair[1] - pair[0]);
    (Exact::whole(gap), Some(names.pools.times(&times)))
}

fn is_own_tempo(part: &Part<'_>) -> bool {
    part.table.get("interval").is_some_and(|entry| entry.node.table().is_some())
}

/// `interval = { from_taps = [11, 31] }`; `None` also where it is a time.
pub(super) fn own_tempo(field: &Field<'_>, names: &Names) -> Option<OwnTempo> {
    field.node.table()?;
    let fields = Part::of(field, "pacing.NAME.interval")?;
    let taps = fields.needs("from_taps")?;
    let list = taps.list("tap numbers")?;
    let [first, last] = &list[..] else { return taps.wrong("two tap numbers, such as [11, 31]") };
    let (first, last) = (first.count()?, last.count()?);
    if first >= last {
        let cure = format!("write [{}, {}]", last, first.max(last + 1));
        return taps.problem("must name a tap and a later one", cure);
    }
    let input = match fields.get("input") {
        Some(input) => input.named("input", &names.inputs)?,
        None if names.inputs.len() > 1 => {
            let cure = format!("add input = \"{}\"", names.inputs[0]);
            return taps.problem("does not say of which input", cure);
        }
        None => 0,
    };
    Some(OwnTempo { input, first, last })
}

/// How the list repeats, and how often: no number is endless.
pub(super) fn repeat(
    part: &Part<'_>,
    onsets: Option<Span>,
    pools: &Pools,
) -> (Option<Repeat>, Option<u32>) {
    if !part.has("repeat") {
        part.field("repeat"); // records that there is none
        return (None, None);
    }
    let inner = part.part("repeat", "pacing.NAME.repeat");
    let every = inner.read("every", |f| f.interval());
    let times = inner.read("times", beats).flatten();
    let Some(onsets) = onsets else {
        let message = format!("{}: only a list of onsets repeats", part.said());
        part.page.cured(part.at("repeat"), message, "an interval or tempo goes on by itself");
        return (None, None);
    };
    let Some(every) = every else {
        if !inner.has("every") {
            let message = format!("{} lacks every", inner.said());
            part.page.cured(part.at("repeat"), message, "write { every = \"5 s\" }");
        }
        return (None, None);
    };
    let list = length(onsets, pools);
    if every.round() <= list {
        let message = format!("{}: the list is as long as {}", inner.said(), say(list));
        part.page.cured(inner.at("every"), message, format!("let every be above {}", say(list)));
    }
    (Some(Repeat { every }), times)
}

/// From the first onset of a list to its last.
fn length(onsets: Span, pools: &Pools) -> Nanos {
    let times = pools.all_times();
    let times = onsets.of(&times);
    times.last().zip(times.first()).map_or(Nanos::ZERO, |(last, first)| *last - *first)
}

/// A number of beats, or `None` for `"endless"`.
pub(super) fn beats(field: &Field<'_>) -> Option<Option<u32>> {
    match field.node.text() {
        Some("endless") => Some(None),
        Some(_) => field.wrong("a whole number from 1, or \"endless\""),
        None => field.count().map(Some),
    }
}

/// How many beats: what is given, or all there are. `repeated` says how often a list is
/// played that repeats.
pub(super) fn beats_of(
    part: &Part<'_>,
    onsets: Option<Span>,
    repeated: Option<Option<u32>>,
) -> Option<u32> {
    let given = part.read("beats", beats).flatten();
    let Some(onsets) = onsets else { return given };
    let all = repeated.unwrap_or(Some(1)).map(|times| onsets.len.saturating_mul(times));
    if let Some((beats, all)) = given.zip(all).filter(|(beats, all)| beats > all) {
        let message = format!("{} has {all} onsets but beats = {beats}", part.said());
        part.page.cured(part.at("beats"), message, "leave beats out, or write more onsets");
    }
    given.or(all)
}
