//! Below the rows: what each mark is, and what each rule does.

use super::rows::{colour, stretch, symbol};
use super::seen::{Happened, Holds, Mark, Of};
use super::{EDGE, LEADING, LETTER, seconds_ns, text, wrapped};
use chronotap_config::trial_files::TrialFile;
use chronotap_config::trial_files::reading::say;
use std::fmt::Write;
use std::mem::discriminant;

/// Between the mark and its name, and behind the name.
const BEFORE: f64 = 26.0;
const BEHIND: f64 = 22.0;
/// Times of a rule that are told one by one.
const TIMES: usize = 4;

/// The marks that the picture has, with their names, in lines.
pub(super) fn marks(svg: &mut String, seen: &Happened, whole: f64, top: f64) -> f64 {
    let (mut x, mut y) = (EDGE, top + 10.0);
    for (symbol, class, name) in entries(seen) {
        let width = BEFORE + name.chars().count() as f64 * LETTER + BEHIND;
        if x > EDGE && x + width > whole {
            (x, y) = (EDGE, y + LEADING + 4.0);
        }
        let _ = writeln!(
            svg,
            "<g class=\"l{class}\">{}</g><text x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
            symbol(x + 10.0, y),
            x + BEFORE,
            y + 4.0
        );
        x += width;
    }
    y + LEADING
}

type Symbol = Box<dyn Fn(f64, f64) -> String>;

fn entries(seen: &Happened) -> Vec<(Symbol, usize, &'static str)> {
    let mut entries: Vec<(Symbol, usize, &'static str)> = Vec::new();
    for mark in Mark::ALL {
        let has = |it: &(f64, Mark)| discriminant(&it.1) == discriminant(&mark);
        if let Some(lane) = seen.lanes.iter().find(|lane| lane.marks.iter().any(has)) {
            entries.push((Box::new(move |x, y| symbol(mark, x, y)), colour(lane.of), mark.name()));
        }
    }
    for (holds, name) in [(Holds::Silence, "silent"), (Holds::Ramp, "gradual change")] {
        let has = |it: &(f64, f64, Holds)| it.2 == holds;
        if let Some(lane) = seen.lanes.iter().find(|lane| lane.stretches.iter().any(has)) {
            let drawn = move |x: f64, y: f64| stretch(holds, [x - 10.0, x + 10.0], y);
            entries.push((Box::new(drawn), colour(lane.of), name));
        }
    }
    if seen.lanes.iter().any(|lane| !lane.windows.is_empty()) {
        let bracket = |x: f64, y: f64| {
            format!("<path class=\"stroke\" d=\"M{:.1} {:.1}v4h20v-4\"/>", x - 10.0, y - 2.0)
        };
        let of = colour(Of::Input(0));
        entries.push((Box::new(bracket), of, "window in which a tap answers a beat"));
    }
    if !seen.fired.is_empty() {
        let line = |x: f64, y: f64| {
            let y = y - 9.0;
            format!("<path class=\"line\" stroke-dasharray=\"4 3\" d=\"M{x:.1} {y:.1}v18\"/>")
        };
        entries.push((Box::new(line), colour(Of::Rules), "rule, by its number"));
    }
    entries
}

/// What each rule does and when it did, one after the other.
pub(super) fn rules(
    svg: &mut String,
    file: &TrialFile,
    seen: &Happened,
    width: f64,
    top: f64,
) -> f64 {
    let mut y = top + 10.0;
    for rule in 0..file.trial.rules.len() {
        y = text(svg, &wrapped(&told(file, seen, rule), width, EDGE), (EDGE, y), "");
    }
    y
}

/// `2. At 11 s, beat 21 of metronome: end the trial`.
pub(super) fn told(file: &TrialFile, seen: &Happened, rule: usize) -> String {
    let times: Vec<f64> =
        seen.fired.iter().filter(|fired| fired.rule == rule).map(|fired| fired.at).collect();
    let said: Vec<String> = times.iter().take(TIMES).map(|at| say(seconds_ns(*at))).collect();
    let when = match times.len() {
        0 => "Not in this rehearsal".to_owned(),
        few if few <= TIMES => format!("At {}", said.join(", ")),
        more => format!("At {} and {} times more", said.join(", "), more - TIMES),
    };
    let (waits, then) = file.rule_told(rule);
    let is_time = times.len() == 1 && waits.starts_with("time ");
    let waits = if is_time { String::new() } else { format!(", {waits}") };
    format!("{}. {when}{waits}: {}", rule + 1, then.join("; "))
}
