//! [`write_xlsx`]: tables as one workbook (Office Open XML, ECMA-376), by the crate
//! `rust_xlsxwriter`: a sheet for each table, and a last one that says what each column holds. Text is
//! stored as text, so that no program computes it, whatever a participant typed.

use crate::exchange::{ExchangeError, Frame, FrameColumn, Values};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use serde_json::{Map, Value};
use std::io::{Cursor, Read, Write};
use std::path::Path;

/// A table and what its columns are, as the `.json` file beside it says.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// At most 31 characters.
    pub name: String,
    pub table: Frame,
    /// By column, as BIDS has it.
    pub about: Map<String, Value>,
}

/// Rows and columns that a sheet can have, and characters of a cell (Excel specifications and limits).
const MOST_ROWS: usize = 1_048_576;
const MOST_COLUMNS: usize = 16_384;
const MOST_LETTERS: usize = 32_767;
/// What holds more is not looked into, which is said: a packed gigabyte of nothing takes a megabyte.
const LARGEST: u64 = 1 << 28;
/// A spreadsheet shows so many digits of a number and no more.
const EXACT: i64 = 999_999_999_999_999;

/// Writes a workbook, whole or not at all; a file of this name is replaced.
///
/// # Errors
/// [`ExchangeError::TooLarge`] for a table that no sheet can hold, and [`ExchangeError::Write`].
pub fn write_xlsx(sheets: &[Sheet], path: &Path) -> Result<(), ExchangeError> {
    sheets.iter().try_for_each(|sheet| fits(sheet, path))?;
    let bytes = workbook(sheets).map_err(|error| ExchangeError::Write {
        path: path.to_owned(),
        source: std::io::Error::other(error),
    })?;
    chronotap_core::files::replace(path, |file| file.write_all(&bytes))
        .map_err(ExchangeError::write(path))
}

/// All parts of a workbook under each other, as they were before they were packed: to look for a name.
///
/// # Errors
/// Where this is no workbook, a damaged one, or one that holds more than 256 MB.
pub fn unpacked_xlsx(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut parts = zip::ZipArchive::new(Cursor::new(bytes)).map_err(std::io::Error::other)?;
    let mut all = Vec::new();
    for place in 0..parts.len() {
        let part = parts.by_index(place).map_err(std::io::Error::other)?;
        part.take(LARGEST + 1).read_to_end(&mut all)?;
        if all.len() as u64 > LARGEST {
            return Err(std::io::Error::other("it holds more than 256 MB"));
        }
        all.push(b'\n');
    }
    Ok(all)
}

fn fits(sheet: &Sheet, path: &Path) -> Result<(), ExchangeError> {
    let Frame { rows, columns } = &sheet.table;
    if *rows < MOST_ROWS && columns.len() <= MOST_COLUMNS {
        return Ok(());
    }
    let (path, sheet) = (path.to_owned(), sheet.name.clone());
    Err(ExchangeError::TooLarge { path, sheet, rows: *rows, columns: columns.len() })
}

fn workbook(sheets: &[Sheet]) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    // The same tables give the same bytes: no moment of their making is in them.
    let made = ExcelDateTime::from_ymd(2000, 1, 1)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&made));
    for sheet in sheets {
        put(book.add_worksheet().set_name(&sheet.name)?, &sheet.table)?;
    }
    put(book.add_worksheet().set_name("descriptions")?, &descriptions(sheets))?;
    book.save_to_buffer()
}

fn put(sheet: &mut Worksheet, table: &Frame) -> Result<(), XlsxError> {
    let (bold, moment) = (Format::new().set_bold(), moment_format());
    sheet.set_freeze_panes(1, 0)?;
    for (place, column) in (0..).zip(&table.columns) {
        sheet.write_string_with_format(0, place, shortened(&column.name), &bold)?;
        let letters = (column.name.chars().count() + 2).clamp(8, 40);
        sheet.set_column_width(place, letters as f64)?;
    }
    if let Some(last) = table.columns.len().checked_sub(1) {
        sheet.autofilter(0, 0, table.rows as u32, last as u16)?;
    }
    for (place, column) in (0..).zip(&table.columns) {
        put_column(sheet, place, column, &moment)?;
    }
    Ok(())
}

fn moment_format() -> Format {
    Format::new().set_num_format("yyyy-mm-dd hh:mm:ss.000")
}

fn put_column(
    sheet: &mut Worksheet,
    place: u16,
    column: &FrameColumn,
    moment: &Format,
) -> Result<(), XlsxError> {
    match &column.values {
        Values::Text(words) => (1..).zip(0..words.cells.len()).try_for_each(|(row, from)| {
            put_cell(words.get(from), |text| sheet.write_string(row, place, shortened(text)))
        }),
        // A seed of sixteen digits would be another number there.
        Values::Integer(cells) if cells.iter().flatten().any(|cell| cell.abs() > EXACT) => {
            (1..).zip(cells).try_for_each(|(row, cell)| {
                put_cell(*cell, |cell| sheet.write_string(row, place, cell.to_string()))
            })
        }
        Values::Integer(cells) => (1..).zip(cells).try_for_each(|(row, cell)| {
            put_cell(*cell, |cell| sheet.write_number(row, place, cell as f64))
        }),
        Values::Number(cells) => (1..).zip(cells).try_for_each(|(row, cell)| {
            let finite = cell.filter(|number| number.is_finite());
            put_cell(finite, |cell| sheet.write_number(row, place, cell))
        }),
        Values::Truth(cells) => (1..).zip(cells).try_for_each(|(row, cell)| {
            put_cell(*cell, |cell| sheet.write_boolean(row, place, cell))
        }),
        Values::Moment(cells) => (1..).zip(cells).try_for_each(|(row, cell)| {
            put_cell(*cell, |at| {
                sheet.write_number_with_format(row, place, days_since_1900(at), moment)
            })
        }),
    }
}

/// A missing cell stays empty.
fn put_cell<T, W>(
    cell: Option<T>,
    write: impl FnOnce(T) -> Result<W, XlsxError>,
) -> Result<(), XlsxError> {
    cell.map_or(Ok(()), |cell| write(cell).map(drop))
}

/// A moment as spreadsheets count it: days, 1970-01-01 is day 25,569.
fn days_since_1900(micros: i64) -> f64 {
    25_569.0 + micros as f64 / 86_400e6
}

/// No cell has more letters.
fn shortened(text: &str) -> String {
    text.chars().take(MOST_LETTERS).collect()
}

/// What all columns hold, a row for each.
fn descriptions(sheets: &[Sheet]) -> Frame {
    let mut cells: [crate::exchange::frame::TextCells; 5] = Default::default();
    for sheet in sheets {
        for column in &sheet.table.columns {
            let about = sheet.about.get(&column.name);
            let said = |key: &str| about.and_then(|about| about[key].as_str());
            let levels = about.and_then(|about| about["Levels"].as_object());
            let levels = levels.map(|all| all.keys().cloned().collect::<Vec<_>>().join(", "));
            let row = [&*sheet.name, &column.name].map(Some).into_iter();
            let row = row.chain([said("Description"), said("Units"), levels.as_deref()]);
            cells.iter_mut().zip(row).for_each(|(words, cell)| words.push(cell));
        }
    }
    let rows = cells[0].cells.len();
    let names = ["sheet", "column", "description", "units", "levels"];
    let columns = names.into_iter().zip(cells);
    let columns =
        columns.map(|(name, words)| FrameColumn::named(name, Values::Text(words))).collect();
    Frame { columns, rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_no_sheet_can_hold_is_refused() {
        let table = Frame { columns: Vec::new(), rows: MOST_ROWS };
        let sheet = Sheet { name: "taps".into(), table, ..Sheet::default() };
        let refused = write_xlsx(&[sheet], Path::new("/nowhere/x.xlsx")).unwrap_err();
        assert!(matches!(refused, ExchangeError::TooLarge { rows: MOST_ROWS, .. }), "{refused}");
    }

    #[test]
    fn what_stands_in_a_workbook_is_found_in_it() {
        let text = "participant_id\ttaps\nsub-07\t38\n";
        let table = Frame::parse(Path::new("x.tsv"), text).unwrap();
        let sheets = [Sheet { name: "trials".into(), table, ..Sheet::default() }];
        let bytes = workbook(&sheets).unwrap();
        let has = |bytes: &[u8]| bytes.windows(6).any(|part| part == b"sub-07");
        assert!(!has(&bytes) && has(&unpacked_xlsx(&bytes).unwrap()));
        assert!(unpacked_xlsx(b"no workbook").is_err());
    }

    #[test]
    fn days_are_counted_as_spreadsheets_do() {
        let noon = 1_795_176_000_000_000; // 2026-11-20T12:00:00Z
        assert_eq!(days_since_1900(noon), 46_346.5);
    }
}
