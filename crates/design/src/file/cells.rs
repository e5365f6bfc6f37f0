//! A table as text: its lines, the names of its columns and the cells of a row, each with its place.

use crate::study::factor::Level;

/// Where a table has a level of a factor first.
pub(super) fn cell_of(
    text: &str,
    factor: &str,
    is_meant: impl Fn(&Level) -> bool,
) -> Option<usize> {
    let column = header(text).iter().position(|name| name == factor)?;
    let below = placed_lines(text).filter(|(at, _)| *at > head_of(text));
    let mut cells = below.filter_map(|line| cells(line, 0, false).into_iter().nth(column));
    cells.find(|(_, cell)| is_meant(&Level::of_cell(cell))).map(|(at, _)| at)
}

/// A cell and the byte of the table at which it stands.
pub(super) type Cell = (usize, String);

/// Where the line begins that names the columns: behind remarks and empty lines, which are told.
pub(super) fn head_of(text: &str) -> usize {
    let named =
        |line: &str| !is_remark(line) && !line.trim_start_matches('\u{feff}').trim().is_empty();
    placed_lines(text).find(|(_, line)| named(line)).map_or(text.len(), |(at, _)| at)
}

/// The names of the columns, less those at the end that have none.
pub(super) fn header(text: &str) -> Vec<String> {
    head_cells(text).into_iter().map(|(_, name)| name).collect()
}

pub(super) fn head_cells(text: &str) -> Vec<Cell> {
    let at = head_of(text);
    let line = text[at..].lines().next().unwrap_or_default();
    let mut names = placed_cells(at, line.trim_start_matches('\u{feff}'), unquoted);
    while names.len() > 1 && names.last().is_some_and(|(_, name)| name.is_empty()) {
        names.pop();
    }
    names
}

/// Whether a line is meant for people alone, as in other files of the study.
pub(super) fn is_remark(line: &str) -> bool {
    line.trim_start_matches('\u{feff}').trim_start_matches('"').starts_with('#')
}

/// The cells of a line that begins at `at`.
fn placed_cells(at: usize, line: &str, as_meant: fn(&str) -> String) -> Vec<Cell> {
    let mut at = at;
    let cell = |cell: &str| {
        let begins = at + (cell.len() - cell.trim_start().len());
        at += cell.len() + 1;
        (begins, as_meant(cell))
    };
    line.split('\t').map(cell).collect()
}

/// A cell as it was meant: spreadsheets write quotation marks around what has some, or a comma, and each of them twice.
fn unquoted(cell: &str) -> String {
    let cell = cell.trim();
    let inner = cell.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inner {
        Some(inner) if !inner.replace("\"\"", "").contains('"') => {
            inner.replace("\"\"", "\"").trim().to_owned()
        }
        _ => cell.to_owned(),
    }
}

pub(super) fn placed_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let begins = at;
        at += line.len();
        (begins, line.trim_end_matches(['\n', '\r']))
    })
}

/// The cells of a row, less empty ones behind the last column.
pub(super) fn cells((at, line): (usize, &str), columns: usize, recorded: bool) -> Vec<Cell> {
    let plain: fn(&str) -> String = |cell| cell.trim().to_owned();
    let mut cells = placed_cells(at, line, if recorded { plain } else { unquoted });
    while cells.len() > columns && cells.last().is_some_and(|(_, cell)| cell.is_empty()) {
        cells.pop();
    }
    cells
}
