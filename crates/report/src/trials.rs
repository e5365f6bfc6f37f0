//! [`trials_page`]: recorded trials as one self-contained page. It needs no script and loads
//! nothing. First what the study came to, if it states what it is for, then whether the data can be used and what is odd, then the design, the
//! conditions, each participant, the timing of each trial, what was left out, and a paragraph
//! for the methods section. Every number comes from `chronotap-data` or
//! `chronotap-analysis`; here they are only chosen, compared and drawn.

mod compared;
mod design;
mod evidence;
mod exclusions;
mod factorial;
mod histograms;
mod methods;
mod models;
mod odd;
mod outcome;
mod outlying;
mod person;
mod pictures;
mod responses;
mod study;
mod taken;
mod tracks;
mod usable;
mod words;

use crate::figures::linked;
use crate::html::{TRIALS_MARK, document, element, escape};
use chronotap_data::tables::{Analysis, AnalysisOptions, Sources, TimeCourse};
use chronotap_design::Experiment;
pub use study::study;

/// Recorded trials, read and measured.
pub struct RecordedTrials<'a> {
    /// The title of the page: the dataset's name, or the trial's.
    pub title: &'a str,
    /// Which trials there are.
    pub sources: &'a Sources,
    /// What was left out.
    pub how: &'a AnalysisOptions,
    /// What they came to.
    pub analysis: &'a Analysis,
    /// Each of them over time; `None` where it could not be read.
    pub courses: &'a [Option<TimeCourse>],
    /// The study that they were recorded with, where it is known.
    pub study: Option<Experiment>,
    /// The program that makes the page, with its version.
    pub program: &'a str,
    /// What it was asked for, word by word.
    pub command: &'a [String],
}

/// The sections of the page: the anchor, the heading, and what is in it.
type Section = (&'static str, &'static str, fn(&RecordedTrials<'_>) -> String);
const SECTIONS: [Section; 10] = [
    ("outcome", "What came out", outcome::section),
    ("staircases", "The tracks of the staircases", tracks::section),
    ("usable", "Are these data usable, and what is odd?", usable::section),
    ("design", "The design", design::section),
    ("conditions", "The conditions compared", compared::section),
    ("participants", "Each participant", person::section),
    ("timing", "The timing of each trial", evidence::section),
    ("exclusions", "What was left out", exclusions::section),
    ("methods", "For the methods section", methods::section),
    ("notation", "What the numbers mean", words::section),
];

/// The page of recorded trials.
pub fn trials_page(of: &RecordedTrials<'_>) -> String {
    let mut body = element("h1", of.title);
    body += &format!("<p class=\"soft\">{}</p>\n", escape(&counts(of)));
    let sections =
        SECTIONS.map(|(anchor, heading, inside)| (anchor, heading, linked(anchor, &inside(of))));
    let mut there = sections.iter().filter(|(.., inside)| !inside.is_empty());
    let links: String =
        there.clone().skip(1).map(|(anchor, heading, _)| link(anchor, heading)).collect();
    if let Some((anchor, heading, inside)) = there.next() {
        body += &section(anchor, heading, inside);
    }
    body += &format!("<nav aria-label=\"Sections\"><ul>{links}</ul></nav>\n");
    for (anchor, heading, inside) in there {
        body += &section(anchor, heading, inside);
    }
    let mark = format!("{TRIALS_MARK}{}", people(of));
    document(&format!("{}: report", of.title), &mark, &body)
}

/// What the study came to, as it stands first on that page: its sentence, figure and tables.
pub fn came_out(of: &RecordedTrials<'_>) -> String {
    linked("outcome", &outcome::section(of))
}

/// Whose trials are on the page, by label: a page of somebody who withdraws is known by it.
fn people(of: &RecordedTrials<'_>) -> String {
    let labels = words::people(of.sources).into_iter().flatten().collect::<Vec<_>>().join(" ");
    format!("<meta name=\"chronotap-participants\" content=\"{}\">", escape(&labels))
}

fn link(anchor: &str, heading: &str) -> String {
    format!("<li><a href=\"#{anchor}\">{}</a></li>", escape(heading))
}

fn section(anchor: &str, heading: &str, inside: &str) -> String {
    format!("<section id=\"{anchor}\">\n<h2>{}</h2>\n{inside}</section>\n", escape(heading))
}

fn counts(of: &RecordedTrials<'_>) -> String {
    let counts = of.analysis.counts;
    let people = words::people(of.sources).len();
    format!(
        "{} of {}, {}{}; report by {}",
        words::counted(counts.trials, "trial"),
        words::counted(people, "participant"),
        words::counted(counts.taps, "tap"),
        of.sources.left_out().map_or(String::new(), |out| format!("; {out}")),
        of.program
    )
}
