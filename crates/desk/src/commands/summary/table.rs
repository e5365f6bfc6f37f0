//! The table over recorded trials: a narrow one to read, and one for a statistics program
//! with every statistic by its name (docs/events-files.md), a line for each trial, input and
//! stream that the input answers. Statistics that are estimated have the ends of their intervals
//! beside them, by the names that they have in the tables of `analyze`.

use super::Trial;
use chronotap_analysis::estimates::{Estimated, Group};
use chronotap_analysis::statistics::of_beats::MATCHED;
use chronotap_analysis::statistics::of_responses::RESPONSE_ROUNDS;
use chronotap_analysis::statistics::of_taps::TAPS;
use chronotap_analysis::statistics::{Found, Of, Statistic, columns};
use chronotap_analysis::summary::Summary;
use chronotap_data::record::text::{MISSING, put_text};

/// One line for each trial, for people; two where the names leave no room for the numbers.
pub(super) fn readable(trials: &[Trial]) -> String {
    const HEADING: &str = "  length s   taps  greatest lateness us  timing  data";
    let names: Vec<String> = trials.iter().map(|trial| trial.file.display().to_string()).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let has_room = width + HEADING.len() + "able".len() <= 80; // "unusable"
    let first = |name: &str| match has_room {
        true => format!("{name:<width$}"),
        false => format!("{name}\n"),
    };
    let mut text = format!("{}{HEADING}\n", first("file"));
    for (name, Trial { summary, .. }) in names.iter().zip(trials) {
        let taps: usize = summary.taps.iter().map(|taps| taps.taps).sum();
        let latest = summary.lateness.as_ref().map(|lateness| format!("{:.1}", lateness.max_us));
        let latest = latest.unwrap_or_else(|| "-".to_owned());
        text += &format!(
            "{}  {:>8.3}  {taps:>5}  {latest:>20}  {:<6}  {}\n",
            first(name),
            summary.length_s,
            timing(summary),
            data(summary),
        );
    }
    text
}

/// Every statistic, for programs; `stretches` adds a line for each stretch of each trial.
pub(super) fn tsv(trials: &[Trial], stretches: bool) -> String {
    let columns = columns().iter().flat_map(|known| known.columns());
    let named = |name: &&str| (*name).to_owned();
    let heading: Vec<String> =
        HEAD.iter().map(named).chain(columns).chain([DOUBTS.to_owned()]).collect();
    let mut text = heading.join("\t") + "\n";
    for trial in trials {
        let all = trial.summary.statistics();
        for place in places(&all).into_iter().filter(|(.., within)| stretches || within.is_none()) {
            text += &line(trial, &all, place);
        }
    }
    text
}

/// The columns before the statistics.
const HEAD: [&str; 10] = [
    "file", "title", "seed", "ending", "length_s", "timing", "data", "input", "against", "stretch",
];

/// The column that says which intervals hold the truth too seldom.
const DOUBTS: &str = "interval_doubts";

/// An input, the stream it is measured against, and a stretch.
type Place<'a> = (Option<&'a str>, Option<&'a str>, Option<&'a str>);

/// Every input against every stream that it answers or reproduces, or alone; of the whole trial first,
/// then in each stretch.
fn places<'a>(all: &[Found<'a>]) -> Vec<Place<'a>> {
    let mut places = Vec::new();
    let of = |known: &'static Statistic| all.iter().filter(move |one| one.known == known);
    for taps in of(&TAPS) {
        let here = |pair: &&Found<'a>| (pair.input, pair.stretch) == (taps.input, taps.stretch);
        let before = places.len();
        let place = |found: &Found<'a>| (found.input, found.against, found.stretch);
        places.extend(of(&RESPONSE_ROUNDS).filter(here).map(place));
        places.extend(of(&MATCHED).filter(here).map(place));
        if places.len() == before {
            places.push((taps.input, None, taps.stretch));
        }
    }
    if places.is_empty() {
        places.push((None, None, None)); // a trial without inputs has its lateness
    }
    places
}

fn line(trial: &Trial, all: &[Found<'_>], place: Place<'_>) -> String {
    let Trial { file, seed, summary, .. } = trial;
    let (input, against, stretch) = place;
    let named = |name: Option<&str>| name.map_or_else(|| MISSING.to_owned(), cell);
    let mut cells = vec![cell(&file.to_string_lossy()), cell(&summary.title), seed.to_string()];
    cells.extend([cell(&summary.ending), summary.length_s.to_string()]);
    cells.extend([timing(summary).to_owned(), data(summary).to_owned()]);
    cells.extend([named(input), named(against), named(stretch)]);
    for known in columns() {
        cells.push(value(all, known, place));
        if known.is_estimated() {
            let found = estimated(trial, place).find(|estimated| estimated.known == *known);
            let ends = found.map(|found| [found.estimate.low, found.estimate.high]);
            cells.extend([0, 1].map(|end| number(ends.map(|ends| ends[end]))));
        }
    }
    cells.push(doubts(trial, place));
    cells.join("\t") + "\n"
}

/// The estimates of a line: those against the stream, and those of the taps by themselves.
fn estimated<'a>(trial: &'a Trial, place: Place<'a>) -> impl Iterator<Item = &'a Estimated> {
    let (input, against, stretch) = place;
    let here = move |group: &&Group| {
        Some(&*group.input) == input
            && group.stretch.as_deref() == stretch
            && (group.against.is_none() || group.against.as_deref() == against)
            && group.interval.is_none()
    };
    let groups = trial.estimates.iter().flat_map(|estimates| &estimates.groups);
    groups.filter(here).flat_map(|group| group.found.iter().flatten())
}

/// The estimates whose intervals hold the truth too seldom, each with the share in which they do.
fn doubts(trial: &Trial, place: Place<'_>) -> String {
    let said = |one: &Estimated| Some(format!("{} {:.3}", one.known.column(), one.doubted()?));
    let all: Vec<String> = estimated(trial, place).filter_map(said).collect();
    if all.is_empty() { MISSING.to_owned() } else { all.join("; ") }
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| MISSING.to_owned(), |value| value.to_string())
}

fn value(all: &[Found<'_>], known: &Statistic, (input, against, stretch): Place<'_>) -> String {
    let here = |one: &&Found<'_>| {
        known == one.known
            && match known.of() {
                Of::Trial => stretch.is_none(),
                Of::Input => (one.input, one.stretch) == (input, stretch),
                Of::Pair | Of::Response => {
                    (one.input, one.against, one.stretch) == (input, against, stretch)
                }
            }
    };
    number(all.iter().find(here).and_then(|one| one.value))
}

/// A text as it stands in a table.
fn cell(text: &str) -> String {
    let mut bytes = Vec::new();
    put_text(&mut bytes, text);
    String::from_utf8_lossy(&bytes).into_owned()
}

fn timing(summary: &Summary) -> &'static str {
    summary.verdict.word()
}

fn data(summary: &Summary) -> &'static str {
    if summary.data.usable { "usable" } else { "not usable" }
}
