//! [`timeline`]: a trial as one picture: when each stream beats, when somebody taps, which tone a tap gets and how
//! late, when each rule acts and what it does, and when the trial ends.
//!
//! Everything that happened was decided by the engine in a rehearsal or in a trial; nothing is worked out here but
//! where it lies. A long trial is drawn in rows of time, and of a very long one the rows in which a rule acts.

mod key;
mod layout;
mod rows;
mod seen;

use crate::alone;
use crate::escape;
use chronotap_analysis::observed::Observed;
use chronotap_config::trial_files::TrialFile;
use chronotap_config::trial_files::reading::say;
use chronotap_core::time::Nanos;
use chronotap_data::record::Entry;
use layout::Layout;
use seen::{Happened, Lane};

/// The picture in its own units.
const WIDTH: f64 = 960.0;
const EDGE: f64 = 16.0;
/// Between two lines of letters, and about the width of one letter.
const LEADING: f64 = 18.0;
const LETTER: f64 = 7.0;

/// The timeline of a trial as a file (SVG) that needs nothing else. `observed` is what was observed in the same
/// entries; `who` says whose taps these are.
pub fn timeline(file: &TrialFile, entries: &[Entry], observed: &Observed<'_>, who: &str) -> String {
    let seen = Happened::of(file, entries, observed);
    let layout = Layout::of(&seen);
    let mut svg = String::new();
    let mut top = text(&mut svg, std::slice::from_ref(&file.title), 20.0, "");
    top = text(&mut svg, &wrapped(who, 0), top, " class=\"label\"");
    top = rows::draw(&mut svg, &seen, &layout, top);
    top = key::marks(&mut svg, &seen, top + 10.0);
    top = key::rules(&mut svg, file, &seen, top + 10.0);
    let title = escape(&format!("The timeline of {}", file.title));
    let description = escape(&described(file, &seen));
    alone(&format!(
        "<svg viewBox=\"0 0 {WIDTH} {top}\" role=\"img\"><title>{title}</title><desc>{description}</desc>\n{svg}</svg>"
    ))
}

/// Lines of letters from `y` on; where the next would stand.
fn text(svg: &mut String, lines: &[String], y: f64, class: &str) -> f64 {
    for (at, line) in lines.iter().enumerate() {
        let y = y + LEADING * at as f64;
        *svg += &format!("<text{class} x=\"{EDGE}\" y=\"{y}\">{}</text>\n", escape(line));
    }
    y + LEADING * lines.len() as f64
}

/// Lines that the picture has room for, where they begin so many letters from its edge.
fn wrapped(text: &str, indent: usize) -> Vec<String> {
    let room = ((WIDTH - 2.0 * EDGE) / LETTER) as usize - indent;
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last().map_or(0, |line| line.chars().count());
        match lines.last_mut() {
            Some(line) if last == 0 => line.push_str(word),
            Some(line) if last + 1 + word.chars().count() <= room => *line += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The picture for those who cannot see it.
fn described(file: &TrialFile, seen: &Happened) -> String {
    let lanes = seen.lanes.iter().map(|lane| format!("{}: {}", lane.name, counted(lane)));
    let rules = (0..file.trial.rules.len()).map(|rule| key::told(file, seen, rule));
    let parts: Vec<String> = lanes.chain(rules).collect();
    let ends = if seen.is_cut { "is drawn to" } else { "ends at" };
    format!("The trial {ends} {}. {}.", say(seconds_ns(seen.end)), parts.join(". "))
}

/// What a lane has, in words.
fn counted(lane: &Lane) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for (_, mark) in &lane.marks {
        match counts.iter_mut().find(|(name, _)| *name == mark.name()) {
            Some((_, count)) => *count += 1,
            None => counts.push((mark.name(), 1)),
        }
    }
    let said: Vec<String> =
        counts.iter().map(|(name, count)| format!("{count} × {name}")).collect();
    if said.is_empty() { "nothing".to_owned() } else { said.join(", ") }
}

fn seconds(time: Nanos) -> f64 {
    time.0 as f64 / 1e9
}

fn seconds_ns(seconds: f64) -> Nanos {
    Nanos((seconds * 1e3).round() as i64 * 1_000_000)
}
