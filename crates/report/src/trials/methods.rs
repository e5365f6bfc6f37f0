//! A text for the methods section of a paper, with the figures of these very trials: who took part, the design,
//! what sounded, with which devices and how exactly, what was left out, what was computed, and the references.
//! It says what the data say. What they do not say is said to be unknown, and stands in brackets where only
//! the experimenter can know it.

mod computed;
mod design;
mod devices;
mod languages;
mod left_out;
mod people;
mod ran;
mod references;
mod staircases;
mod stimuli;

use super::{RecordedTrials, odd, study};
use crate::html::escape;
use chronotap_data::tables::TimeCourse;

/// The parts of the text: what each is about, and what it says; nothing where it has nothing to say.
type Part = (&'static str, fn(&Told<'_>) -> Vec<String>);
const PARTS: [Part; 6] = [
    ("Participants", people::sentences),
    ("Design", design::sentences),
    ("Pacing and feedback", stimuli::sentences),
    ("Apparatus and timing", devices::sentences),
    ("Exclusions", left_out::sentences),
    ("Analysis", computed::sentences),
];

/// What the text is told of.
struct Told<'a> {
    of: &'a RecordedTrials<'a>,
    /// The trials that are used, each with its place among all.
    all: Vec<(usize, &'a TimeCourse)>,
    /// The steps in which something is practised.
    practice: Vec<String>,
}

impl Told<'_> {
    /// The trials that are used but those of practice.
    fn main(&self) -> impl Iterator<Item = &(usize, &TimeCourse)> {
        self.all.iter().filter(|(at, _)| {
            let step = self.of.sources.trials[*at].place[1].as_ref();
            !step.is_some_and(|step| self.practice.contains(step))
        })
    }

    fn simulated(&self) -> bool {
        self.all.iter().any(|(_, course)| course.evidence.simulated.is_some())
    }
}

pub(super) fn section(of: &RecordedTrials<'_>) -> String {
    let practice = study::practice(of.study.as_ref());
    let told = Told { of, all: odd::used(of).collect(), practice };
    if told.all.is_empty() {
        return String::new();
    }
    let parts = PARTS.map(|(about, said)| (about, said(&told).join(" ")));
    let paragraph = |(about, said): &(&str, String)| {
        format!("<p><strong>{about}.</strong> {}</p>\n", escape(said))
    };
    let text: String = parts.iter().filter(|(_, said)| !said.is_empty()).map(paragraph).collect();
    format!(
        "<p class=\"soft\">To be quoted; fill in what stands in brackets.</p>\n\
         <blockquote tabindex=\"0\">{text}{}</blockquote>\n",
        references::list(of, &parts.map(|(_, said)| said).join(" "))
    )
}

/// `a`, `a or b`, `a, b or c`.
fn either(words: &[String], and: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [some @ .., last] => format!("{} {and} {last}", some.join(", ")),
    }
}

fn distinct(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = all.collect();
    all.sort_by(|a, b| super::words::in_order(a).cmp(&super::words::in_order(b)));
    all.dedup();
    all
}
