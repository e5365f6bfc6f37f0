//! [`other_kind`]: a text that is no TOML in any line, because it is a file of another kind.
//! That is one mistake, and is told once.

use super::broken::Broken;

/// What texts of other kinds begin with, what they are, and what to do. No TOML begins so.
const BEGINNINGS: [(&str, &str, &str); 4] = [
    ("{\\rtf", "a text with fonts (RTF)", "save it as plain text"),
    ("%PDF-", "a PDF", "check the path"),
    ("<", "a page of the web, or XML", "check the path"),
    ("{", "JSON", "write key = value, with headings in [brackets]"),
];

const TABLE: &str = "name the table in the file that it belongs to";

/// What the file is instead; `None` where it may be TOML with mistakes.
pub(super) fn other_kind(text: &str) -> Option<Broken> {
    let at = text.len() - text.trim_start().len();
    let begins = BEGINNINGS.iter().find(|(begins, ..)| text[at..].starts_with(begins));
    let (message, cure) = match begins {
        Some((_, what, cure)) => (format!("this is {what}"), *cure),
        None => by_lines(text)?,
    };
    Some(Broken { at, message, cure: cure.to_owned() })
}

/// By all lines together: at least two, and none with what every line of TOML has.
fn by_lines(text: &str) -> Option<(String, &'static str)> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let all_have = |marks: &[char]| lines().all(|line| line.contains(marks));
    let heads = |line: &str| line.starts_with(['[', '#']);
    // A cell of recorded events may well hold what a line of TOML has.
    let is_row = |line: &str| line.matches('\t').count() > 1 && !heads(line);
    let is_table = lines().all(is_row);
    if lines().count() < 2 || !is_table && lines().any(|line| line.contains('=') || heads(line)) {
        return None;
    }
    Some(match (is_table || all_have(&['\t', ',', ';']), all_have(&[':'])) {
        (true, _) => ("cells of a table stand here".to_owned(), TABLE),
        (false, true) => {
            ("this is YAML".to_owned(), "write key = value, with headings in [brackets]")
        }
        (false, false) => ("no line is key = value".to_owned(), "check the path"),
    })
}

#[cfg(test)]
mod tests {
    use super::super::tree;

    #[test]
    fn a_file_of_another_kind_is_told_once_as_what_it_is() {
        for (text, told) in [
            ("{\\rtf1\\ansi title = \"x\"}", "this is a text with fonts (RTF)"),
            ("%PDF-1.5\nabc\n", "this is a PDF"),
            ("\n<!DOCTYPE html>\n<body>x = 1</body>\n", "this is a page of the web, or XML"),
            ("{\"title\": \"x\",\n \"seed\": 1}\n", "this is JSON"),
            ("title: x\npacing:\n  metronome:\n    interval: 500 ms\n", "this is YAML"),
            ("time,tap\n1,2\n", "cells of a table stand here"),
            ("onset\tnote\n1\t2\n", "cells of a table stand here"),
            ("onset\tkind\tvalue\n1\ttap\tport=1\n", "cells of a table stand here"),
            ("Dear participant\nplease tap\n", "no line is key = value"),
        ] {
            let broken = tree(text).unwrap_err();
            assert_eq!(broken.iter().map(|one| &one.message[..]).collect::<Vec<_>>(), [told]);
        }
        assert!(tree("a: 1\nb = 2\n").unwrap_err()[0].message.contains("not key = value"));
    }
}
