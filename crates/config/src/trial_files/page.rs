//! An explanation as text for a terminal of 80 columns.

use crate::trial_files::explain::{Explanation, Moment};
use crate::trial_files::reading::Parameter;
use crate::trial_files::reading::say;
use chronotap_core::time::Nanos;
use std::fmt::Write;

const WIDTH: usize = 80;
const TIME: usize = 14; // columns of the times

impl Explanation {
    /// Title, timeline, end, warnings, and the table of parameters.
    pub fn render(&self) -> String {
        let mut page = self.head();
        if !self.taps.is_empty() {
            page.push_str("\nTaps\n");
            for channel in &self.taps {
                page.push_str(&wrapped("  ", channel));
            }
        }
        page.push_str("\nTimeline\n");
        for moment in &self.timeline {
            page.push_str(&line(moment));
        }
        page.push_str(&wrapped("  The trial ends ", &format!("{}.", self.end)));
        if !self.warnings.is_empty() {
            page.push_str("\nWarnings\n");
            for warning in &self.warnings {
                page.push_str(&wrapped("  ! ", warning));
            }
        }
        page.push_str(&self.table());
        page
    }

    fn head(&self) -> String {
        let mut head = wrapped("", &self.title);
        let seed =
            self.seed.map_or("drawn when the trial runs, and recorded".into(), |s| s.to_string());
        let rows = [
            ("file", Some(self.file.clone())),
            ("description", self.description.clone()),
            ("reference", self.reference.clone()),
            ("seed", Some(seed)),
            ("limit", Some(say(Nanos(self.limit_ns)))),
            ("inputs", Some(self.inputs.join(", "))),
            ("outputs", Some(self.outputs.join(", "))),
            ("measured", Some(self.measured.clone()).filter(|said| !said.is_empty())),
        ];
        for (name, value) in rows {
            if let Some(value) = value {
                head.push_str(&wrapped(&format!("  {name:<13}"), &value));
            }
        }
        head
    }

    fn table(&self) -> String {
        let mut table =
            "\nParameters: line in the file or default, value (notes, velocities: MIDI)\n"
                .to_owned();
        let mut heading = None;
        for parameter in self.in_parts() {
            let (part, key) = split(&parameter.path);
            if heading != Some(part) {
                let _ = match part {
                    "" => writeln!(table, "  at the top of the file"),
                    _ => writeln!(table, "  [{part}]"),
                };
                heading = Some(part);
            }
            let origin = parameter.line.map_or("default".into(), |line| format!("line {line}"));
            let mut lines = fold(&parameter.value, WIDTH - 36).into_iter();
            let first = lines.next().unwrap_or_default();
            let _ = writeln!(table, "    {key:<20} {origin:<9} {first}");
            for more in lines {
                let _ = writeln!(table, "{:<35}{more}", "");
            }
        }
        table
    }

    /// Those of a part together, also where it was read in several turns.
    fn in_parts(&self) -> Vec<&Parameter> {
        let part = |parameter: &Parameter| split(&parameter.path).0.to_owned();
        let mut order: Vec<String> = Vec::new();
        for name in self.parameters.iter().map(part) {
            if !order.contains(&name) {
                order.push(name);
            }
        }
        let mut all: Vec<&Parameter> = self.parameters.iter().collect();
        all.sort_by_key(|parameter| order.iter().position(|name| *name == part(parameter)));
        all
    }
}

/// `pacing.metronome.tone.note` is `tone.note` in `pacing.metronome`.
fn split(path: &str) -> (&str, &str) {
    let end = path.match_indices('.').nth(1).map(|(at, _)| at);
    end.map_or_else(
        || path.rsplit_once('.').unwrap_or(("", path)),
        |at| (&path[..at], &path[at + 1..]),
    )
}

fn line(moment: &Moment) -> String {
    let about = if moment.about { "about " } else { "" };
    let time = moment.at_ns.map_or("?".to_owned(), |at| format!("{about}{}", say(Nanos(at))));
    let text = format!("{}: {}", moment.when, moment.then.join("; "));
    wrapped(&format!("  {time:<TIME$} "), &text)
}

/// Text after a label, further lines indented to where it began.
fn wrapped(label: &str, text: &str) -> String {
    let indent = label.chars().count().min(WIDTH / 2);
    let mut lines = fold(text, WIDTH - indent).into_iter();
    let mut page = format!("{label}{}\n", lines.next().unwrap_or_default());
    for more in lines {
        let _ = writeln!(page, "{:<indent$}{more}", "");
    }
    page
}

/// Breaks text into lines of at most `width` characters, at spaces where it can.
fn fold(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        while !word.is_empty() {
            let last = lines.last_mut().map_or(0, |line| line.chars().count());
            let gap = usize::from(last > 0);
            let fits = last + gap + word.len() <= width;
            if !fits && last > 0 {
                lines.push(String::new());
                continue;
            }
            let take = word.len().min(width);
            let piece: String = word.drain(..take).collect();
            if let Some(line) = lines.last_mut() {
                line.push_str(if gap == 1 { " " } else { "" });
                line.push_str(&piece);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_folded_at_spaces_and_long_words_are_cut() {
        assert_eq!(fold("one two three", 7), ["one two", "three"]);
        assert_eq!(fold("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(fold("", 4), [""]);
    }

    #[test]
    fn paths_split_after_the_name() {
        assert_eq!(split("pacing.p.tone.note"), ("pacing.p", "tone.note"));
        assert_eq!(split("pacing.p.interval"), ("pacing.p", "interval"));
        assert_eq!(split("input.pad.debounce"), ("input.pad", "debounce"));
    }
}
