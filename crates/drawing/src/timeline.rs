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

/// The width of a picture that stands for itself, in its own units.
pub const WIDE: f64 = 960.0;
/// No picture is narrower: a telephone's screen.
pub const NARROW: f64 = 300.0;
const EDGE: f64 = 16.0;
/// Between two lines of letters, and about the width of one letter.
const LEADING: f64 = 18.0;
const LETTER: f64 = 7.0;

/// The timeline of a trial as a file (SVG) that needs nothing else. `observed` is what was observed in the same
/// entries; `who` says whose taps these are. Its letters have the same size in whatever width it has.
pub fn timeline(
    file: &TrialFile,
    entries: &[Entry],
    observed: &Observed<'_>,
    who: &str,
    width: f64,
) -> String {
    let width = width.clamp(NARROW, WIDE).floor();
    let seen = Happened::of(file, entries, observed);
    let layout = Layout::of(&seen, width);
    let mut svg = String::new();
    let mut top = text(&mut svg, &wrapped(&file.title, width, EDGE), (EDGE, 20.0), "");
    top = text(&mut svg, &wrapped(who, width, EDGE), (EDGE, top), " class=\"label\"");
    top = rows::draw(&mut svg, &seen, &layout, top);
    top = key::marks(&mut svg, &seen, width, top + 10.0);
    top = key::rules(&mut svg, file, &seen, width, top + 10.0);
    let title = escape(&format!("The timeline of {}", file.title));
    let description = escape(&described(file, &seen));
    alone(&format!(
        "<svg viewBox=\"0 0 {width} {top}\" role=\"img\"><title>{title}</title><desc>{description}</desc>\n{svg}</svg>"
    ))
}

/// Lines of letters from a place on; where the next would stand.
fn text(svg: &mut String, lines: &[String], (x, y): (f64, f64), class: &str) -> f64 {
    for (at, line) in lines.iter().enumerate() {
        let y = y + LEADING * at as f64;
        *svg += &format!("<text{class} x=\"{x}\" y=\"{y}\">{}</text>\n", escape(line));
    }
    y + LEADING * lines.len() as f64
}

/// Lines that a picture of this width has room for, where they begin at `from`.
fn wrapped(text: &str, width: f64, from: f64) -> Vec<String> {
    let room = ((width - from - EDGE) / LETTER) as usize;
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
