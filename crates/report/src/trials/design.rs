//! What the participants were to do: factors with their levels and the number of trials in
//! each cell, trial files, and when it was.

use super::words::{counted, in_order, kind, people};
use super::{RecordedTrials, odd};
use crate::html::{HtmlTable, element, escape};
use chronotap_data::tables::Source;
use std::collections::BTreeMap;

pub(super) fn section(of: &RecordedTrials<'_>) -> String {
    let mut html = element("p", &sentence(of));
    html += &factors(of);
    html += &cells(of);
    html + &files(of)
}

fn sentence(of: &RecordedTrials<'_>) -> String {
    let trials = &of.sources.trials;
    let sessions = distinct(trials.iter().map(|t| (t.participant.clone(), t.session.clone())));
    let steps = distinct(trials.iter().filter_map(|t| t.place[1].clone()));
    let mut said = format!(
        "{} in {}, {}",
        counted(people(of.sources).len(), "participant"),
        counted(sessions.len(), "session"),
        counted(trials.len(), "trial")
    );
    if !steps.is_empty() {
        said += &format!(", in the steps {}", steps.join(", "));
    }
    let began = odd::courses(of).map(|(_, course)| &*course.evidence.started);
    let began: Vec<&str> = began.filter(|at| *at != "n/a").collect(); // of other programs' trials
    if let (Some(first), Some(last)) = (began.iter().min(), began.iter().max()) {
        let day = |at: &str| at.chars().take(10).collect::<String>();
        said += &match day(first) == day(last) {
            true => format!(", on {}", day(first)),
            false => format!(", from {} to {}", day(first), day(last)),
        };
    }
    said + "."
}

fn distinct<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn factors(of: &RecordedTrials<'_>) -> String {
    let levels = |place: usize| {
        let all = of.sources.trials.iter().filter_map(|trial| trial.levels[place].clone());
        let mut levels = distinct(all);
        let stated =
            |level: &String| of.sources.stated.get(place)?.iter().position(|one| one == level);
        levels.sort_by(|a, b| in_order(a).cmp(&in_order(b)));
        levels.sort_by_key(|level| stated(level).map_or(usize::MAX, |at| at));
        levels.join(", ")
    };
    let item = |(place, name): (usize, &String)| {
        format!("<li><strong>{}</strong>: {}</li>\n", escape(name), escape(&levels(place)))
    };
    let items: String = of.sources.factors.iter().enumerate().map(item).collect();
    if items.is_empty() { items } else { format!("<p>Factors:</p>\n<ul>\n{items}</ul>\n") }
}

/// How many trials each condition has, and how many are used.
fn cells(of: &RecordedTrials<'_>) -> String {
    let mut cells: BTreeMap<String, (&Source, [usize; 3])> = BTreeMap::new();
    for (place, source) in of.sources.trials.iter().enumerate() {
        let (_, cell) = cells.entry(kind(of.sources, source)).or_insert((source, [0; 3]));
        cell[0] += 1;
        cell[1] += usize::from(source.counts);
        cell[2] += usize::from(of.analysis.used[place]);
    }
    let head = ["condition", "trials", "that count", "used"];
    let mut table = HtmlTable::new("Trials of each condition", &head);
    let mut cells: Vec<_> = cells.into_iter().collect();
    let step = |source: &Source| {
        let same = |other: &Source| other.place[1] == source.place[1];
        of.sources.trials.iter().position(same)
    };
    cells.sort_by(|(_, (a, _)), (_, (b, _))| {
        let by_levels = || of.sources.compare_levels(&a.levels, &b.levels);
        step(a).cmp(&step(b)).then_with(by_levels)
    });
    for (name, (_, counts)) in cells {
        table.row([vec![name], counts.map(|n| n.to_string()).to_vec()].concat());
    }
    table.html()
}

/// The trial files, whole: what was really run.
fn files(of: &RecordedTrials<'_>) -> String {
    let mut files: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (place, course) in odd::courses(of) {
        let which = kind(of.sources, &of.sources.trials[place]);
        files.entry(course.evidence.file.clone()).or_default().push(which);
    }
    let shown = files.iter().take(SHOWN).map(|((name, text), ran)| {
        format!(
            "<details><summary>{}, as {} ran it{}</summary>\n<pre tabindex=\"0\">{}</pre></details>\n",
            escape(name),
            counted(ran.len(), "trial"),
            escape(&conditions(ran)),
            // It names where music lies on the computer that ran it.
            escape(&chronotap_core::text::shared(text.trim()))
        )
    });
    let mut html: String = shown.collect();
    if files.len() > SHOWN {
        html += &element(
            "p",
            &format!("{} more trial files are in the events files.", files.len() - SHOWN),
        );
    }
    html
}

/// In which conditions, the first of many.
fn conditions(ran: &[String]) -> String {
    let mut all = distinct(ran.iter());
    all.sort_by(|a, b| in_order(a).cmp(&in_order(b)));
    match &all[..] {
        [] => String::new(),
        [only] => format!(" ({only})"),
        [first, second] => format!(" ({first}; {second})"),
        [first, .., last] => format!(" ({first} … {last}: {} conditions)", all.len()),
    }
}

/// So many trial files are shown.
const SHOWN: usize = 12;
