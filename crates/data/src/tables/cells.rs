//! Cells of a table, appended to its bytes: text as in the events files, numbers with a dot
//! and as many digits as they need, `n/a` for what is missing.

use crate::record::text::{MISSING, put_i64, put_text};
use crate::tables::Source;
use chronotap_core::time::Nanos;
use std::io::Write;

pub(crate) fn text(out: &mut Vec<u8>, cell: Option<&str>) {
    match cell {
        Some(cell) => put_text(out, cell),
        None => out.extend_from_slice(MISSING.as_bytes()),
    }
    out.push(b'\t');
}

/// The cells that say which trial it is.
pub(crate) fn prefix(source: &Source) -> Vec<u8> {
    let mut out = Vec::new();
    for part in [&source.participant_id(), &source.session, &source.task] {
        text(&mut out, part.as_deref());
    }
    source.place.iter().for_each(|part| text(&mut out, part.as_deref()));
    text(&mut out, Some(if source.counts { "true" } else { "false" }));
    source.levels.iter().for_each(|level| text(&mut out, level.as_deref()));
    text(&mut out, Some(&source.shown));
    out
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
        Some(cell) if is_count(cell) => put_i64(out, cell as i64),
        Some(cell) => write!(out, "{cell}").expect("a buffer in memory takes everything"),
        None => out.extend_from_slice(MISSING.as_bytes()),
    }
    out.push(b'\t');
}

/// Whether it is a whole number above 0 of which no digit is lost; such a one is written faster.
fn is_count(cell: f64) -> bool {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    cell > 0.0 && cell < EXACT && (cell as i64) as f64 == cell
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_as_the_language_writes_it() {
        let two = 2.0_f64;
        let large = [two.powi(52) + 1.0, two.powi(53), two.powi(60), 1e300];
        for cell in [0.0, -0.0, 1.0, -1.0, 0.5, 17.0, 0.1, 1e-9].into_iter().chain(large) {
            let mut out = Vec::new();
            number(&mut out, Some(cell));
            assert_eq!(String::from_utf8(out).unwrap(), format!("{cell}\t"));
        }
    }
}
