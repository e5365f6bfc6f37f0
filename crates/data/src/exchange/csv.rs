//! [`write_csv`]: a table as CSV (RFC 4180): commas, quotation marks where they are needed, a dot
//! in numbers, nothing where a cell is missing.
//!
//! Background: a spreadsheet computes a cell that begins with `=` and some other characters, also
//! where a participant typed it as an answer; such a formula can send what stands beside it away.
//! Solution: text that a spreadsheet might compute has an apostrophe before it, and so has text that
//! begins with one. Whoever drops the first apostrophe of a cell has the text as it was. Numbers
//! compute nothing and stay as they are, also in columns of text (`-30 ms`).

use crate::exchange::{ExchangeError, Frame, FrameColumn, Values};
use crate::record::moment;
use std::borrow::Cow;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Writes a table as CSV, whole or not at all; a file of this name is replaced.
///
/// # Errors
/// [`ExchangeError::Write`].
pub fn write_csv(frame: &Frame, path: &Path) -> Result<(), ExchangeError> {
    let write = |file: &mut std::fs::File| {
        let mut out = BufWriter::new(file);
        put(frame, &mut out)?;
        out.flush()
    };
    chronotap_core::files::replace(path, write).map_err(ExchangeError::write(path))
}

fn put(frame: &Frame, out: &mut impl Write) -> std::io::Result<()> {
    let name = |column: &FrameColumn| quoted(&text_only(&column.name));
    let names: Vec<String> = frame.columns.iter().map(name).collect();
    write!(out, "{}\r\n", names.join(","))?;
    for row in 0..frame.rows {
        for (place, column) in frame.columns.iter().enumerate() {
            if place > 0 {
                out.write_all(b",")?;
            }
            put_cell(&column.values, row, out)?;
        }
        out.write_all(b"\r\n")?;
    }
    Ok(())
}

fn put_cell(values: &Values, row: usize, out: &mut impl Write) -> std::io::Result<()> {
    match values {
        Values::Text(words) => {
            let cell = words.get(row).map(|text| quoted(&text_only(text)));
            out.write_all(cell.unwrap_or_default().as_bytes())
        }
        Values::Integer(cells) => cells[row].map_or(Ok(()), |cell| write!(out, "{cell}")),
        Values::Number(cells) => cells[row].map_or(Ok(()), |cell| write!(out, "{cell}")),
        Values::Truth(cells) => cells[row].map_or(Ok(()), |cell| write!(out, "{cell}")),
        Values::Moment(cells) => {
            cells[row].map_or(Ok(()), |at| write!(out, "{}", moment::text(at)))
        }
    }
}

/// Text as a spreadsheet shows it and never computes it.
fn text_only(text: &str) -> Cow<'_, str> {
    match is_computed(text) && !is_quantity(text) {
        true => Cow::Owned(format!("'{text}")),
        false => Cow::Borrowed(text),
    }
}

/// Whether a spreadsheet may compute it, or would drop its apostrophe. Some pass over white space
/// before a formula, and some take the wide characters of East Asian keyboards for the usual ones.
fn is_computed(text: &str) -> bool {
    let begins = |c: char| matches!(c, '=' | '+' | '-' | '@' | '\'' | '＝' | '＋' | '－' | '＠');
    text.starts_with(|c: char| c.is_whitespace() || c.is_control())
        || text.trim_start().starts_with(begins)
}

/// Whether it is a number with a sign, alone or with a unit behind it, such as `-30 ms`.
fn is_quantity(text: &str) -> bool {
    let Some(bare) = text.strip_prefix(['-', '+']) else { return false };
    let (number, unit) = bare.split_once(' ').unwrap_or((bare, ""));
    let is_number = number.starts_with(|c: char| c.is_ascii_digit());
    is_number && number.parse::<f64>().is_ok() && unit.chars().all(char::is_alphabetic)
}

/// In quotation marks where it has to be. Empty text is quoted, to differ from a missing one.
fn quoted(text: &str) -> String {
    match text.is_empty() || text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells of a table of one column, as they are written.
    fn written(cells: &[&str]) -> Vec<String> {
        let rows: String = cells.iter().map(|cell| format!("{cell}\n")).collect();
        let frame = Frame::parse(Path::new("x.tsv"), &format!("comment\n{rows}")).unwrap();
        let mut out = Vec::new();
        put(&frame, &mut out).unwrap();
        String::from_utf8(out).unwrap().split("\r\n").skip(1).map(str::to_owned).collect()
    }

    #[test]
    fn what_a_spreadsheet_would_compute_is_text_there_and_comes_back() {
        let typed = [
            "=1+1",
            "+1+1",
            "-1+1",
            "@SUM(A1)",
            "\\t=1",
            "\\r=1",
            "=HYPERLINK(A1)",
            " =1",
            "＝1",
            "'tis",
        ];
        let guarded = [
            "'=1+1",
            "'+1+1",
            "'-1+1",
            "'@SUM(A1)",
            "'\t=1",
            "\"'\r=1\"",
            "'=HYPERLINK(A1)",
            "' =1",
            "'＝1",
            "''tis",
        ];
        assert_eq!(written(&typed)[..typed.len()], guarded);
        let back = |cell: &str| cell.trim_matches('"').strip_prefix('\'').unwrap().to_owned();
        let plain = typed.map(|cell| cell.replace("\\t", "\t").replace("\\r", "\r"));
        assert_eq!(guarded.map(back), plain);
    }

    #[test]
    fn numbers_stay_numbers_also_among_text() {
        let cells = ["-30 ms", "+5", "-0.25", "-1e-3", "late", "a=b", "1-2", "-5 µs"];
        assert_eq!(written(&cells)[..cells.len()], cells);
        assert_eq!(written(&["-5", "7"])[..2], ["-5", "7"]);
        assert_eq!(
            written(&["-1 A1", "-1 SUM(A1)", "-", "late"])[..3],
            ["'-1 A1", "'-1 SUM(A1)", "'-"]
        );
    }

    #[test]
    fn commas_and_quotation_marks_are_quoted_and_missing_is_empty() {
        let text = "name\tn\ta,b\nx, y\t1\tn/a\nsay \\\"hi\\\"\tn/a\t2\n";
        let frame = Frame::parse(Path::new("x.tsv"), text).unwrap();
        let mut out = Vec::new();
        put(&frame, &mut out).unwrap();
        let expected = "name,n,\"a,b\"\r\n\"x, y\",1,\r\n\"say \"\"hi\"\"\",,2\r\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
