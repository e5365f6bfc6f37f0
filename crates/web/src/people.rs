//! `simulate`: people who tap in a trial, what each tap was, and what came of all of them.

use crate::asked::Asked;
use crate::refused::Refused;
use crate::rehearsal::rehearse;
use chronotap_analysis::account::{Account, Fate};
use chronotap_analysis::observed::Observed;
use chronotap_analysis::summary::Summary;
use chronotap_config::trial_files::performers::{POPULATIONS, PRESETS};
use chronotap_core::time::Nanos;
use chronotap_data::record::observed;
use chronotap_drawing::plot::{Axis, MOST_LINES, Plot, PlotLine, extent};
use serde::Serialize;

/// What came of a trial with so many people.
#[derive(Serialize)]
pub(crate) struct People {
    title: String,
    people: Vec<OfPerson>,
    statistics: Vec<Joined>,
    /// Asynchronies and intervals along the trial, as drawings with their captions.
    figures: Vec<String>,
}

/// One person's trial.
#[derive(Serialize)]
struct OfPerson {
    seed: u64,
    length_s: f64,
    /// Why it ended.
    ending: String,
    /// Whether nothing speaks against the data.
    usable: bool,
    taps: Vec<Tapping>,
}

#[derive(Serialize)]
struct Tapping {
    input: String,
    onset_ms: f64,
    /// Since the tap before it that counts.
    interval_ms: Option<f64>,
    /// From the beat that it answers; negative is early.
    asynchrony_ms: Option<f64>,
    /// What became of it, in a word.
    fate: &'static str,
    stretch: String,
}

/// A statistic over all people who have it.
#[derive(Serialize)]
struct Joined {
    /// Its name and what it is of, such as `mean asynchrony of pad against metronome`.
    name: String,
    unit: &'static str,
    people: usize,
    mean: f64,
    /// Between people; `None` of one person.
    sd: Option<f64>,
}

/// Lets everybody tap, one after the other.
pub(crate) fn simulate(asked: &Asked) -> Result<People, Refused> {
    let file = asked.trial()?;
    let (mut people, mut summaries) = (Vec::new(), Vec::new());
    for person in 0..asked.people {
        let seed = asked.seed_of(&file, person);
        let rehearsal = rehearse(&file, asked.who(), seed)?;
        let seen = observed(&file.trial, &rehearsal.entries, &rehearsal.seen);
        let summary = rehearsal.summary(&file);
        people.push(OfPerson {
            seed,
            length_s: summary.length_s,
            ending: summary.ending.clone(),
            usable: summary.data.usable,
            taps: taps(&seen),
        });
        summaries.push(summary);
    }
    let figures = figures(&people);
    Ok(People { title: file.title.clone(), statistics: joined(&summaries), people, figures })
}

/// Each tap of each input, in the order of time.
fn taps(observed: &Observed<'_>) -> Vec<Tapping> {
    let account = Account::of(observed);
    let mut all = Vec::new();
    for (input, of) in observed.taps.iter().enumerate() {
        let mut last: Option<Nanos> = None;
        for (place, tap) in of.taps.iter().enumerate().filter(|(_, tap)| !tap.debounced) {
            let of_one_round = |last: &Nanos| account.are_of_one_round(input, *last, tap.onset);
            let interval = last.filter(of_one_round).map(|last| tap.onset - last);
            last = Some(tap.onset);
            let fate = account.tap(input, place);
            let asynchrony = match fate {
                Fate::Matched { asynchrony, .. } => Some(asynchrony),
                _ => None,
            };
            all.push(Tapping {
                input: of.name.to_owned(),
                onset_ms: tap.onset.as_millis_f64(),
                interval_ms: interval.map(Nanos::as_millis_f64),
                asynchrony_ms: asynchrony.map(Nanos::as_millis_f64),
                fate: fate.word(),
                stretch: account.stretches[account.stretch(tap.onset)].name.clone(),
            });
        }
    }
    all.sort_by(|one, other| one.onset_ms.total_cmp(&other.onset_ms));
    all
}

/// The statistics of whole trials that at least one person has.
fn joined(summaries: &[Summary]) -> Vec<Joined> {
    let mut all: Vec<(String, &'static str, Vec<f64>)> = Vec::new();
    for found in summaries.iter().flat_map(Summary::statistics) {
        let (Some(value), None) = (found.value, found.stretch) else { continue };
        let of = found.input.map(|input| format!(" of {input}")).unwrap_or_default();
        let against = found.against.map(|stream| format!(" against {stream}")).unwrap_or_default();
        let name = format!("{}{of}{against}", found.known.name);
        match all.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, _, values)) => values.push(value),
            None => all.push((name, found.known.unit.symbol(), vec![value])),
        }
    }
    let join = |(name, unit, values): (String, &'static str, Vec<f64>)| {
        let (mean, sd) = mean_and_sd(&values);
        Joined { name, unit, people: values.len(), mean, sd }
    };
    all.into_iter().map(join).collect()
}

fn mean_and_sd(values: &[f64]) -> (f64, Option<f64>) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt()))
}

type Taken = fn(&Tapping) -> Option<f64>;

/// Asynchronies and intervals of the first people along the trial.
fn figures(people: &[OfPerson]) -> Vec<String> {
    let kinds: [(&str, &str, Taken); 2] = [
        ("Asynchronies", "tap - beat (ms)", |tap| tap.asynchrony_ms),
        ("Intervals between taps", "interval (ms)", |tap| tap.interval_ms),
    ];
    kinds.into_iter().filter_map(|(title, label, of)| figure(people, title, label, of)).collect()
}

fn figure(people: &[OfPerson], title: &str, label: &str, of: Taken) -> Option<String> {
    let line = |person: &OfPerson| {
        let points = person.taps.iter().filter_map(|tap| Some((tap.onset_ms / 1e3, of(tap)?)));
        PlotLine::dots(&format!("seed {}", person.seed), points.collect())
    };
    let lines: Vec<PlotLine> = people.iter().take(MOST_LINES).map(line).collect();
    let values = lines.iter().flat_map(|line| line.points.iter().map(|point| point.1));
    let count = values.clone().count();
    if count == 0 {
        return None;
    }
    let (least, most) = extent(values);
    let room = ((most - least) / 10.0).max(1.0);
    let end = people.iter().map(|person| person.length_s).fold(1.0, f64::max);
    let of_people = match people.len() {
        1 => "one person".to_owned(),
        few if few <= MOST_LINES => format!("{few} people"),
        more => format!("the first {MOST_LINES} of {more} people"),
    };
    let plot = Plot {
        title: title.to_owned(),
        description: format!("{count} of {of_people}, from {least:.1} to {most:.1} ms"),
        x: Axis::linear("time in the trial (s)", 0.0, end),
        y: Axis::linear(label, least - room, most + room),
        lines,
    };
    Some(plot.html())
}

/// A kind of people.
#[derive(Serialize)]
pub(crate) struct Kind {
    name: &'static str,
    meaning: &'static str,
}

/// Everybody whom `--simulate` knows by a name: single people first, then populations, in which
/// each differs from the others.
pub(crate) fn populations() -> Vec<Kind> {
    let presets = PRESETS.iter().map(|(name, meaning)| Kind { name, meaning });
    presets
        .chain(POPULATIONS.iter().map(|it| Kind { name: it.name, meaning: it.meaning }))
        .collect()
}
