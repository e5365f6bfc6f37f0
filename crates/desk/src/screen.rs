//! The only place that shows something. A reader that closes the pipe early is no error. Titles, names
//! and whatever else comes from files is made [`visible`] here, so that no file moves the
//! cursor, changes colours or renames the window.

mod lines;
mod told;
mod typed;

pub use lines::{prose, wrapped};
pub use typed::{arguments, on_one_line};

use crate::surroundings::Standard::{Error, Output};
use crate::surroundings::{Standard, here};
use chronotap_analysis::summary::Summary;
use chronotap_core::text::COLUMNS;
use lines::fitted;
use std::fmt::Display;
use std::io::{IsTerminal, stderr};
use told::Told;

/// One line, or several, on standard output.
pub fn say(text: impl Display) {
    let text = visible(&text.to_string());
    here().show(Output, format!("{}\n", fitted(&text, width(Output))).as_bytes());
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

/// Several lines with their ends, on standard output.
pub fn say_page(text: &str) {
    here().show(Output, fitted(&visible(text), width(Output)).as_bytes());
}

/// A line for programs, such as JSON, which is never broken.
pub fn say_data(line: impl Display) {
    say_raw(&format!("{line}\n"));
}

/// Text for programs as it stands, on standard output.
pub fn say_raw(text: &str) {
    here().show(Output, visible(text).as_bytes());
}

/// A remark that is no result: standard error.
pub fn remark(text: impl Display) {
    let text = visible(&text.to_string());
    here().show(Error, format!("{}\n", fitted(&text, width(Error))).as_bytes());
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
    for line in typed::quoting(text, &arguments()).lines().map(|line| format!("chronotap: {line}"))
    {
        remark(if stderr().is_terminal() { wrapped(&line, "") } else { line });
    }
}

/// At the end of the program: waits until what was shown has been taken. Whether some of it is lost,
/// which is said where anybody reads that.
pub fn is_cut_short() -> bool {
    let lost = here().lost(Output);
    if lost > 0 {
        complain(&format!(
            "{lost} bytes of standard output are lost: whoever should read it did not"
        ));
    }
    lost + here().lost(Error) > 0
}

/// How wide a terminal is; what is no terminal takes lines of any length.
fn width(at: Standard) -> usize {
    match here().columns(at) {
        None => usize::MAX,
        Some(0) => COLUMNS,
        Some(known) => known.max(NARROWEST),
    }
}

/// Narrower terminals have their lines broken by themselves.
const NARROWEST: usize = 20;

/// A line that is written over and over on a terminal; elsewhere one line now and
/// then. On standard error, so that results can be piped. Whoever asked to be told gets every line.
pub struct Progress {
    terminal: bool,
    every: u32,
    calls: u32,
    width: usize,
    told: Option<Told>,
}

impl Progress {
    /// Progress that, where there is no terminal, shows every `every`-th line.
    pub fn new(every: u32) -> Progress {
        Progress {
            terminal: stderr().is_terminal(),
            every,
            calls: 0,
            width: 0,
            told: Told::asked(),
        }
    }

    /// Shows a line, as much of it as has room: a line that wraps could not be written over.
    pub fn show(&mut self, line: &str) {
        let turn = self.calls % self.every == self.every - 1;
        self.calls += 1;
        self.put(line, turn);
    }

    /// Shows a line that brings news: where there is no terminal too, whatever its turn.
    pub fn show_news(&mut self, line: &str) {
        self.put(line, true);
    }

    fn put(&mut self, line: &str, turn: bool) {
        let room = width(Error).min(COLUMNS) - 1;
        let line: String = visible(line).chars().take(room).collect();
        self.told.iter().for_each(|told| told.put(&line));
        if self.terminal {
            here().show(Error, format!("\r{line:<width$}", width = self.width).as_bytes());
            self.width = line.chars().count();
        } else if turn {
            remark(line);
        }
    }

    /// Clears the line.
    pub fn end(&mut self) {
        self.told.iter().for_each(Told::end);
        if self.terminal && self.width > 0 {
            here().show(Error, format!("\r{:width$}\r", "", width = self.width).as_bytes());
        }
        self.width = 0;
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
}
