//! Cells of a table, appended to its bytes: text as in the events files, numbers with a dot
//! and as many digits as they need, `n/a` for what is missing.

use chronotap_record::text::{MISSING, put_i64, put_text};
use chronotap_time::Nanos;
use std::io::Write;

pub(crate) fn text(out: &mut Vec<u8>, cell: Option<&str>) {
    match cell {
        Some(cell) => put_text(out, cell),
        None => out.extend_from_slice(MISSING.as_bytes()),
    }
    out.push(b'\t');
}

pub(crate) fn integer(out: &mut Vec<u8>, cell: Option<i64>) {
    match cell {
        Some(cell) => put_i64(out, cell),
        None => out.extend_from_slice(MISSING.as_bytes()),
    }
    out.push(b'\t');
}

pub(crate) fn ns(out: &mut Vec<u8>, cell: Option<Nanos>) {
    integer(out, cell.map(|cell| cell.0));
}

/// A number with nine significant digits at least where it needs them, and none in vain.
pub(crate) fn number(out: &mut Vec<u8>, cell: Option<f64>) {
    match cell.filter(|cell| cell.is_finite()) {
        Some(cell) => write!(out, "{cell}").expect("a buffer in memory takes everything"),
        None => out.extend_from_slice(MISSING.as_bytes()),
    }
    out.push(b'\t');
}

/// Ends a line: the tab behind its last cell becomes the line's end.
pub(crate) fn end(out: &mut [u8]) {
    if let Some(last) = out.last_mut() {
        *last = b'\n';
    }
}

/// A line of names.
pub(crate) fn heading(out: &mut Vec<u8>, names: impl IntoIterator<Item = impl AsRef<str>>) {
    names.into_iter().for_each(|name| text(out, Some(name.as_ref())));
    end(out);
}
