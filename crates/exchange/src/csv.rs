//! [`write_csv`]: a table as CSV (RFC 4180): commas, quotation marks where they are needed, a dot
//! in numbers, nothing where a cell is missing.

use crate::{ExchangeError, Frame, Values};
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
    chronotap_files::replace(path, write).map_err(ExchangeError::write(path))
}

fn put(frame: &Frame, out: &mut impl Write) -> std::io::Result<()> {
    let names: Vec<String> = frame.columns.iter().map(|column| quoted(&column.name)).collect();
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
            out.write_all(words.get(row).map(quoted).unwrap_or_default().as_bytes())
        }
        Values::Integer(cells) => cells[row].map_or(Ok(()), |cell| write!(out, "{cell}")),
        Values::Number(cells) => cells[row].map_or(Ok(()), |cell| write!(out, "{cell}")),
        Values::Truth(cells) => cells[row].map_or(Ok(()), |cell| write!(out, "{cell}")),
    }
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
