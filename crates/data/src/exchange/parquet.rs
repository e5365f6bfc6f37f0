//! [`write_parquet`]: a table as Parquet, by the crate `parquet` without Arrow; [`Growing`] writes
//! one that is never all in memory. Whole numbers are stored by their differences, text by a
//! dictionary, and all of it compressed by LZ4: times of taps take about nine bytes each.

use crate::exchange::columns::Columns;
use crate::exchange::{ExchangeError, Frame, Kind, Values};
use ::parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical};
use ::parquet::column::writer::ColumnWriter;
use ::parquet::data_type::ByteArray;
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::{ColumnPath, Type};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// So many rows stand together: what a reader takes in at once, and a writer keeps in memory.
const GROUP: usize = 1 << 18;

/// Writes a table as Parquet, whole or not at all; a file of this name is replaced. `facts` go
/// into the file's metadata.
///
/// # Errors
/// [`ExchangeError::Write`] and [`ExchangeError::TwoColumns`].
pub fn write_parquet(
    frame: &Frame,
    path: &Path,
    facts: &[(&str, String)],
) -> std::result::Result<(), ExchangeError> {
    let names: Vec<&str> = frame.columns.iter().map(|column| column.name.as_str()).collect();
    if let Some(twice) = (1..names.len()).find(|place| names[..*place].contains(&names[*place])) {
        let (path, name) = (path.to_owned(), names[twice].to_owned());
        return Err(ExchangeError::TwoColumns { path, name });
    }
    let write = |file: &mut File| put(frame, file, facts).map_err(as_io);
    chronotap_core::files::replace(path, write).map_err(ExchangeError::write(path))
}

/// The same of a table whose columns are made one after the other.
///
/// # Errors
/// [`ExchangeError::Write`].
pub(crate) fn write_columns(
    table: &Columns<'_>,
    path: &Path,
    facts: &[(&str, String)],
) -> std::result::Result<(), ExchangeError> {
    let write = |file: &mut File| put_columns(table, file, facts).map_err(as_io);
    chronotap_core::files::replace(path, write).map_err(ExchangeError::write(path))
}

fn put_columns(table: &Columns<'_>, file: &mut File, facts: &[(&str, String)]) -> Result<()> {
    let heads: Vec<Head<'_>> =
        table.columns.iter().map(|column| (column.name.as_str(), column.kind)).collect();
    let mut writer = writer(&heads, file, facts)?;
    for from in (0..table.rows).step_by(GROUP) {
        let rows = from..(from + GROUP).min(table.rows);
        let mut group = writer.next_row_group()?;
        for column in &table.columns {
            let mut cells = group.next_column()?.expect("the schema is that of these columns");
            put_column(cells.untyped(), &column.cells(rows.clone()), 0..rows.len())?;
            cells.close()?;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(())
}

fn as_io(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

fn put(frame: &Frame, file: &mut File, facts: &[(&str, String)]) -> Result<()> {
    let mut writer = writer(&heads(frame), file, facts)?;
    let mut from = 0;
    while from < frame.rows {
        let to = (from + GROUP).min(frame.rows);
        put_group(&mut writer, &[(frame, from..to)])?;
        from = to;
    }
    writer.close()?;
    Ok(())
}

/// A column's name and what it holds.
type Head<'a> = (&'a str, Kind);

fn heads(frame: &Frame) -> Vec<Head<'_>> {
    frame.columns.iter().map(|column| (column.name.as_str(), column.values.kind())).collect()
}

fn writer<'a>(
    heads: &[Head<'_>],
    file: &'a mut File,
    facts: &[(&str, String)],
) -> Result<SerializedFileWriter<&'a mut File>> {
    let properties = Arc::new(properties(heads, facts));
    SerializedFileWriter::new(file, Arc::new(schema(heads)?), properties)
}

/// Rows of tables with the same columns, one table after another.
fn put_group(
    writer: &mut SerializedFileWriter<&mut File>,
    parts: &[(&Frame, Range<usize>)],
) -> Result<()> {
    let columns = parts.first().map_or(0, |(frame, _)| frame.columns.len());
    let mut group = writer.next_row_group()?;
    for place in 0..columns {
        let mut cells = group.next_column()?.expect("there are as many columns as in the schema");
        for (frame, rows) in parts {
            put_column(cells.untyped(), &frame.columns[place].values, rows.clone())?;
        }
        cells.close()?;
    }
    group.close()?;
    Ok(())
}

/// A file that grows by rows, of which a group at most is in memory. The first rows say which
/// columns it has.
pub struct Growing<'a> {
    file: Option<&'a mut File>,
    facts: Vec<(&'static str, String)>,
    writer: Option<SerializedFileWriter<&'a mut File>>,
    waiting: Vec<Frame>,
    rows: usize,
}

impl<'a> Growing<'a> {
    /// Into a new file; `facts` go into its metadata.
    pub fn new(file: &'a mut File, facts: Vec<(&'static str, String)>) -> Growing<'a> {
        Growing { file: Some(file), facts, writer: None, waiting: Vec::new(), rows: 0 }
    }

    /// Adds rows.
    ///
    /// # Errors
    /// Where the disk refuses.
    pub fn add(&mut self, frame: Frame) -> io::Result<()> {
        self.rows += frame.rows;
        self.waiting.push(frame);
        if self.rows >= GROUP { self.put() } else { Ok(()) }
    }

    /// Writes what is waiting, and the end of the file.
    ///
    /// # Errors
    /// Where the disk refuses.
    pub fn close(mut self) -> io::Result<()> {
        self.put()?;
        match self.writer {
            Some(writer) => writer.close().map(drop).map_err(as_io),
            None => Ok(()),
        }
    }

    fn put(&mut self) -> io::Result<()> {
        let (frames, rows) = (std::mem::take(&mut self.waiting), std::mem::take(&mut self.rows));
        if let Some(file) = self.file.take() {
            let none = Frame::default();
            let first = frames.first().unwrap_or(&none);
            self.writer = Some(writer(&heads(first), file, &self.facts).map_err(as_io)?);
        }
        let parts: Vec<_> = frames.iter().map(|frame| (frame, 0..frame.rows)).collect();
        match &mut self.writer {
            Some(writer) if rows > 0 => put_group(writer, &parts).map_err(as_io),
            _ => Ok(()),
        }
    }
}

fn properties(heads: &[Head<'_>], facts: &[(&str, String)]) -> WriterProperties {
    let facts = facts.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone()));
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::LZ4_RAW)
        .set_created_by(crate::record::PROGRAM.to_owned())
        .set_key_value_metadata(Some(facts.collect()));
    for (name, kind) in heads {
        let path = ColumnPath::from(*name);
        if *kind == Kind::Integer {
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
    }
    properties.build()
}

fn schema(heads: &[Head<'_>]) -> Result<Type> {
    let fields = heads.iter().map(field).collect::<Result<Vec<_>>>()?;
    Type::group_type_builder("schema").with_fields(fields).build()
}

fn field((name, kind): &Head<'_>) -> Result<Arc<Type>> {
    let (physical, logical) = match kind {
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Integer => (Physical::INT64, None),
        Kind::Number => (Physical::DOUBLE, None),
        Kind::Truth => (Physical::BOOLEAN, None),
    };
    let field = Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()?;
    Ok(Arc::new(field))
}

fn put_column(writer: &mut ColumnWriter<'_>, values: &Values, rows: Range<usize>) -> Result<()> {
    match (writer, values) {
        (ColumnWriter::ByteArrayColumnWriter(writer), Values::Text(words)) => {
            let texts: Vec<ByteArray> =
                words.words.iter().map(|word| word.as_str().into()).collect();
            let cells = &words.cells[rows];
            let there: Vec<ByteArray> =
                cells.iter().flatten().map(|place| texts[*place as usize].clone()).collect();
            writer.write_batch(&there, Some(&levels(cells)), None)?;
        }
        (ColumnWriter::Int64ColumnWriter(writer), Values::Integer(cells)) => {
            let cells = &cells[rows];
            let there: Vec<i64> = cells.iter().flatten().copied().collect();
            writer.write_batch(&there, Some(&levels(cells)), None)?;
        }
        (ColumnWriter::DoubleColumnWriter(writer), Values::Number(cells)) => {
            let cells = &cells[rows];
            let there: Vec<f64> = cells.iter().flatten().copied().collect();
            writer.write_batch(&there, Some(&levels(cells)), None)?;
        }
        (ColumnWriter::BoolColumnWriter(writer), Values::Truth(cells)) => {
            let cells = &cells[rows];
            let there: Vec<bool> = cells.iter().flatten().copied().collect();
            writer.write_batch(&there, Some(&levels(cells)), None)?;
        }
        _ => unreachable!("the schema was made of these very columns"),
    }
    Ok(())
}

/// 1 where there is a value, 0 where it is missing.
fn levels<T>(cells: &[Option<T>]) -> Vec<i16> {
    cells.iter().map(|cell| i16::from(cell.is_some())).collect()
}
