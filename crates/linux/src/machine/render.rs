//! Findings as text, 80 columns wide: by topic, one line where all is well, and below
//! each other finding why it matters, what to do, and how to undo it. Commands are
//! folded so that they can be copied as they stand.

use crate::machine::{Finding, FindingStatus, FindingTally};
use chronotap_core::text::{COLUMNS, broken};

/// Where names and what was found begin.
const NAME: usize = 11;
const FOUND: usize = 34;

/// All findings and, as the last line, how many came out how.
pub fn report(findings: &[Finding]) -> String {
    let mut lines = Vec::new();
    let mut topic = None;
    for finding in findings {
        if topic.replace(finding.topic) != Some(finding.topic) {
            lines.push(String::new());
            lines.push(finding.topic.heading().to_owned());
        }
        lines.extend(one(finding));
    }
    lines.push(String::new());
    lines.push(FindingTally::of(findings).to_string());
    lines.remove(0); // the empty line before the first heading
    lines.join("\n")
}

impl FindingStatus {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            FindingStatus::Ok => "OK",
            FindingStatus::Note => "NOTE",
            FindingStatus::Bad => "BAD",
            FindingStatus::Unknown => "UNKNOWN",
        }
    }
}

fn one(finding: &Finding) -> Vec<String> {
    let Finding { name, status, found, why, advice, cure, undo, reboot, .. } = finding;
    let head = format!("  {:<8} {name:<22} ", status.word());
    let mut lines = broken(found, &head, &" ".repeat(FOUND));
    if *status == FindingStatus::Ok {
        return lines;
    }
    lines.extend(broken(why, &label("why"), &label("")));
    if let Some(advice) = advice {
        lines.extend(broken(advice, &label("do"), &label("")));
    }
    let cure_label = if *reboot { "cure, needs a restart" } else { "cure" };
    if cure.is_none() && *reboot {
        lines.push(format!("{}needs a restart", label("")));
    }
    for (word, command) in [(cure_label, cure), ("undo", undo)] {
        let Some(command) = command else { continue };
        let short = label(word);
        match short.chars().count() + command.chars().count() <= COLUMNS && word.len() < 6 {
            true => lines.push(format!("{short}{command}")),
            false => {
                lines.push(format!("{}{word}:", " ".repeat(NAME)));
                lines.extend(command_lines(command, 4));
            }
        }
    }
    lines
}

fn label(word: &str) -> String {
    format!("{}{word:<6}", " ".repeat(NAME))
}

/// A shell command in lines that fit, each but the last ending in a way that lets the
/// shell read on: `|`, `&&` or a backslash. What stands in quotation marks stays whole.
pub fn command_lines(command: &str, indent: usize) -> Vec<String> {
    let margin = " ".repeat(indent);
    let mut lines: Vec<String> = vec![margin.clone()];
    for word in words(command) {
        let last = lines.len() - 1;
        let line = &mut lines[last];
        let begun = line.len() > indent;
        // room for a backslash behind it
        if begun && line.chars().count() + 1 + word.chars().count() + 2 > COLUMNS {
            if !line.ends_with('|') && !line.ends_with("&&") {
                line.push_str(" \\");
            }
            lines.push(format!("{margin}  {word}"));
            continue;
        }
        if begun {
            line.push(' ');
        }
        line.push_str(&word);
    }
    lines
}

/// The words of a command; spaces in single quotes are none between words.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match c {
            ' ' if !quoted => words.push(String::new()),
            _ => {
                quoted ^= c == '\'';
                words.last_mut().expect("never empty").push(c);
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folded_command_is_the_same_command() {
        let paths: Vec<String> =
            (0..9).map(|n| format!("/sys/devices/policy{n}/governor")).collect();
        let command = format!("echo 'a  b c' | sudo tee {} && sudo true", paths.join(" "));
        let lines = command_lines(&command, 13);
        assert!(lines.len() > 3 && lines.iter().all(|line| line.len() <= 80), "{lines:#?}");
        let joined: Vec<&str> =
            lines.iter().map(|line| line.trim().trim_end_matches('\\').trim_end()).collect();
        assert_eq!(joined.join(" "), command);
    }
}
