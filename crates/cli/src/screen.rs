//! The only place that prints. A reader that closes the pipe early is no error.

use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr, stdout};

/// One line, or several, on standard output.
pub fn say(text: impl Display) {
    let _ = writeln!(stdout(), "{text}");
}

/// Text as it stands on standard output.
pub fn say_raw(text: &str) {
    let _ = stdout().write_all(text.as_bytes());
}

/// A remark that is no result: standard error.
pub fn remark(text: impl Display) {
    let _ = writeln!(stderr(), "{text}");
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
    let mut lines = vec![indent.to_owned()];
    let mut begun = false;
    for word in sentence.split_whitespace() {
        let line = lines.len() - 1;
        let width = lines[line].chars().count() + 1 + word.chars().count();
        if begun && width > COLUMNS {
            lines.push(format!("{indent}  {word}"));
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

    /// Shows a line, at most 79 columns of it.
    pub fn show(&mut self, line: &str) {
        let line: String = line.chars().take(79).collect();
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

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn a_long_sentence_is_broken_between_words() {
        let text = wrapped(&"word ".repeat(40), "  ");
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        assert_eq!(text.split_whitespace().count(), 40);
        assert!(text.lines().nth(1).unwrap().starts_with("    word"));
        assert_eq!(wrapped("short", "  "), "  short");
    }
}
