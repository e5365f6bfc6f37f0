//! The only place that prints. A reader that closes the pipe early is no error. Titles, names
//! and whatever else comes from files is made [`visible`] here, so that no file moves the
//! cursor, changes colours or renames the window.

use chronotap_analysis::summary::Summary;
use chronotap_laboratory::Live;
use chronotap_recorder::Watch;
use chronotap_time::Nanos;
use rustix::termios::tcgetwinsize;
use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::os::fd::AsFd;
use std::time::Duration;

/// One line, or several, on standard output.
pub fn say(text: impl Display) {
    let text = visible(&text.to_string());
    let _ = writeln!(stdout(), "{}", fitted(&text, width(stdout())));
}

/// A summary, and what its words mean where that is wanted.
pub fn say_summary(summary: &Summary, notation: bool) {
    say(summary);
    if notation {
        say(summary.notation());
    } else {
        say("What these words mean: --notation");
    }
}

/// Text as it stands on standard output.
pub fn say_raw(text: &str) {
    let _ = stdout().write_all(visible(text).as_bytes());
}

/// A remark that is no result: standard error.
pub fn remark(text: impl Display) {
    let text = visible(&text.to_string());
    let _ = writeln!(stderr(), "{}", fitted(&text, width(stderr())));
}

/// Text in which every control character, but for tabs and the ends of lines, stands as its
/// number (`\u001b`, which JSON too reads as that character), and so does every character
/// that turns the direction of writing.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let ends_a_line = c == '\n' || c == '\r' && rest.peek() == Some(&'\n');
        let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if turns || c.is_control() && c != '\t' && !ends_a_line {
            shown += &format!("\\u{:04x}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// What went wrong, on standard error: a line for each thing, broken between words
/// only where a person reads it.
pub fn complain(text: &str) {
    for line in text.lines().map(|line| format!("chronotap: {line}")) {
        remark(if stderr().is_terminal() { wrapped(&line, "") } else { line });
    }
}

/// A sentence in lines of at most 80 columns, the second and later ones indented
/// further; a word that is longer stands alone.
pub fn wrapped(sentence: &str, indent: &str) -> String {
    broken(sentence, indent, &format!("{indent}  "))
}

/// Words in lines of at most 80 columns.
fn broken(sentence: &str, first: &str, later: &str) -> String {
    let mut lines = vec![first.to_owned()];
    let mut begun = false;
    for word in sentence.split_whitespace() {
        let line = lines.len() - 1;
        let width = lines[line].chars().count() + 1 + word.chars().count();
        if begun && width > COLUMNS {
            lines.push(format!("{later}{word}"));
            continue;
        }
        if begun {
            lines[line].push(' ');
        }
        lines[line].push_str(word);
        begun = true;
    }
    lines.join("\n")
}

const COLUMNS: usize = 80;

/// How wide a terminal is, at most [`COLUMNS`]; what is no terminal takes lines of any length.
fn width(stream: impl AsFd + IsTerminal) -> usize {
    if !stream.is_terminal() {
        return usize::MAX;
    }
    let known = tcgetwinsize(stream).map_or(0, |size| usize::from(size.ws_col));
    if known == 0 { COLUMNS } else { known.clamp(NARROWEST, COLUMNS) }
}

/// Narrower terminals have their lines broken by themselves.
const NARROWEST: usize = 20;

/// Lines that are wider than a narrow terminal, broken between words; what follows is indented
/// by two columns more than the line. A table keeps its columns as far as they fit.
fn fitted(text: &str, width: usize) -> String {
    if width >= COLUMNS || text.lines().all(|line| line.chars().count() <= width) {
        return text.to_owned();
    }
    text.split('\n').map(|line| narrowed(line, width)).collect::<Vec<_>>().join("\n")
}

fn narrowed(line: &str, width: usize) -> String {
    let indent = line.chars().take_while(|c| *c == ' ').count();
    let further = " ".repeat((indent + 2).min(width / 2));
    let mut lines: Vec<String> = Vec::new();
    let mut rest: Vec<char> = line.chars().collect();
    while rest.len() > width {
        // A break needs something before it, else the line would stay as long.
        let words = rest.iter().take_while(|c| **c == ' ').count();
        let Some(at) = (words..=width).rev().find(|at| rest[*at] == ' ' && *at > words) else {
            break;
        };
        lines.push(rest[..at].iter().collect::<String>().trim_end().to_owned());
        let tail: String = rest[at..].iter().collect();
        rest = format!("{further}{}", tail.trim_start()).chars().collect();
    }
    lines.push(rest.into_iter().collect());
    lines.join("\n")
}

/// A text of several paragraphs, such as one in Markdown: the lines of a paragraph are joined
/// and broken again between words. An item of a list, a heading, a quotation, a row of a table
/// and an indented line each begin anew.
pub fn prose(text: &str) -> String {
    let mut blocks: Vec<String> = Vec::new();
    let mut open = false; // whether the next line goes on with the last block
    for line in text.lines() {
        let goes_on = open && !line.trim().is_empty() && !begins(line);
        match blocks.last_mut().filter(|_| goes_on) {
            Some(block) => *block += &format!(" {}", line.trim()),
            None => blocks.push(line.trim_end().to_owned()),
        }
        open = !line.trim().is_empty() && !stands_alone(line) && !line.ends_with("  ");
    }
    let shown = blocks.iter().map(|block| match stands_alone(block) {
        true => block.clone(),
        false => broken(block, "", if begins(block) { "  " } else { "" }),
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// Whether a line is not joined to the one before it.
fn begins(line: &str) -> bool {
    let first = line.trim_start();
    let number = first.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered =
        number.len() < first.len() && (number.starts_with(". ") || number.starts_with(") "));
    let listed = ["- ", "* ", "+ "].iter().any(|mark| first.starts_with(mark));
    numbered || listed || stands_alone(line)
}

/// Whether a line is shown as it stands.
fn stands_alone(line: &str) -> bool {
    line.starts_with("    ") || ["#", "|", ">", "\t"].iter().any(|mark| line.starts_with(mark))
}

/// A line that is written over and over on a terminal; elsewhere one line now and
/// then. On standard error, so that results can be piped.
pub struct Progress {
    terminal: bool,
    every: u32,
    calls: u32,
    width: usize,
}

impl Progress {
    /// Progress that, where there is no terminal, shows every `every`-th line.
    pub fn new(every: u32) -> Progress {
        Progress { terminal: stderr().is_terminal(), every, calls: 0, width: 0 }
    }

    /// Shows a line, as much of it as has room: a line that wraps could not be written over.
    pub fn show(&mut self, line: &str) {
        let room = width(stderr()).min(COLUMNS) - 1;
        let line: String = visible(line).chars().take(room).collect();
        if self.terminal {
            let _ = write!(stderr(), "\r{line:<width$}", width = self.width);
            let _ = stderr().flush();
            self.width = line.chars().count();
        } else if self.calls % self.every == self.every - 1 {
            remark(line);
        }
        self.calls += 1;
    }

    /// Clears the line.
    pub fn end(&mut self) {
        if self.terminal && self.width > 0 {
            let _ = write!(stderr(), "\r{:width$}\r", "", width = self.width);
            let _ = stderr().flush();
        }
        self.width = 0;
    }
}

/// What a screen shows of a trial under way: the first of its observers.
pub struct LiveLine {
    watch: Watch,
    live: Live,
    progress: Progress,
    shown: bool,
}

impl LiveLine {
    /// A line that shows what is told there, or nothing unless `shown`.
    pub fn new(watch: Watch, shown: bool) -> LiveLine {
        LiveLine { watch, live: Live::default(), progress: Progress::new(50), shown }
    }

    /// Takes in what was told, and shows it.
    pub fn show(&mut self, now: Nanos) {
        while let Some(notice) = self.watch.next(Duration::ZERO) {
            self.live.take(&notice);
        }
        if self.shown {
            self.progress.show(&live_line(now, &self.live));
        }
    }

    /// Clears the line.
    pub fn end(&mut self) {
        self.progress.end();
    }
}

/// What matters most stands first, since narrow terminals cut the rest.
fn live_line(now: Nanos, live: &Live) -> String {
    let mut line = format!("{:6.1} s", now.as_secs_f64());
    for closed in &live.closed {
        line += &format!("  INPUT {closed} CLOSED");
    }
    if live.lost > 0 {
        line += &format!("  LOST {}", live.lost);
    }
    line += &counts("beat", &live.beats);
    line += &counts("taps", &live.taps);
    line += &format!("  feedback {:<4}", live.feedback);
    line += &format!(" greatest lateness {:.0} us", live.latest.as_micros_f64());
    if live.missed > 0 {
        line += &format!("  ({} events not shown)", live.missed);
    }
    line
}

/// One count where there is one; with its name where there are several.
fn counts(what: &str, all: &[(String, u32)]) -> String {
    match all {
        [] => String::new(),
        [(_, count)] => format!("  {what} {count:<4}"),
        several => {
            let each = several.iter().map(|(name, count)| format!("{name} {count}"));
            format!("  {what} {}", each.collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_as_numbers_and_lines_and_tabs_stay() {
        assert_eq!(visible("a\tb\nc\r\nd é"), "a\tb\nc\r\nd é");
        assert_eq!(
            visible("\x1b[2J\x07\r\x7f\u{9b}\u{202e}"),
            "\\u001b[2J\\u0007\\u000d\\u007f\\u009b\\u202e"
        );
    }

    #[test]
    fn several_inputs_are_counted_each_by_its_name() {
        let named = |name: &str, count| (name.to_owned(), count);
        let mut live = Live::default();
        live.taps = vec![named("left", 7), named("right", 3)];
        live.beats = vec![named("metronome", 5)];
        let line = live_line(Nanos::from_millis(2_500), &live);
        assert!(
            line.starts_with("   2.5 s  beat 5     taps left 7, right 3  feedback 0"),
            "{line}"
        );
        live.closed = vec!["left".into()];
        assert!(live_line(Nanos::ZERO, &live).contains("INPUT left CLOSED"));
    }

    #[test]
    fn on_a_narrow_terminal_no_line_is_wider_than_it() {
        let text =
            "  inter-tap interval   mean   502.446 ms  SD   21.913 ms  CV  4.36 %  n 34\nshort";
        let narrow = fitted(text, 40);
        assert!(narrow.lines().all(|line| line.chars().count() <= 40), "{narrow}");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&narrow), words(text), "nothing is lost");
        assert!(narrow.lines().nth(1).unwrap().starts_with("    "), "{narrow}");
        assert_eq!(fitted(text, 80), text);
        let long = format!("  {}", "#".repeat(60));
        assert_eq!(fitted(&long, 40), long, "a word that is too long stays whole");
    }

    #[test]
    fn paragraphs_are_broken_anew_and_lists_headings_and_empty_lines_stay() {
        let long = "word ".repeat(12);
        let text =
            format!("# Welcome\n{long}\n{long}\n\n- one\n- two {long}\n  {long}\nBye.  \nNow.");
        let shown = prose(&text);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[0], "# Welcome");
        assert_eq!(lines[1], "word ".repeat(16).trim_end());
        assert_eq!(lines[2], "word ".repeat(8).trim_end());
        assert_eq!((lines[3], lines[4]), ("", "- one"));
        assert!(lines[5].starts_with("- two word") && lines[6].starts_with("  word"), "{shown}");
        assert_eq!(lines.last(), Some(&"Now."));
        assert!(lines.iter().all(|line| line.len() <= 80), "{shown}");
    }

    #[test]
    fn a_long_sentence_is_broken_between_words() {
        let text = wrapped(&"word ".repeat(40), "  ");
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        assert_eq!(text.split_whitespace().count(), 40);
        assert!(text.lines().nth(1).unwrap().starts_with("    word"));
        assert_eq!(wrapped("short", "  "), "  short");
    }
}
