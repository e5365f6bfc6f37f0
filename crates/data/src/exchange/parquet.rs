//! [`write_parquet`]: a table as Parquet, by the crate `parquet` without Arrow; [`Growing`] writes
//! one that is never all in memory, and [`Parts`] one of several files. Whole numbers are stored by
//! their differences, text by a dictionary, and all of it compressed by LZ4: times of taps take about
//! nine bytes each. Every group of rows says the least and the greatest of each column, so that a
//! reader passes over the groups of other people.

use crate::exchange::columns::Columns;
use crate::exchange::{ExchangeError, Frame, ValueKind, Values};
use ::parquet::basic::{
    Compression, Encoding, LogicalType, Repetition, TimeUnit, Type as Physical,
};
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
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// So many rows stand together: what a reader takes in or passes over at once.
const GROUP: usize = 1 << 16;
/// So many rows of a table of several files are in one: some 100 MB in a program that holds them all.
const FILE: usize = 1 << 18;

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
    let mut writer = writer(&heads_of(table), file, facts)?;
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

fn heads_of<'a>(table: &'a Columns<'_>) -> Vec<Head<'a>> {
    table.columns.iter().map(|column| (column.name.as_str(), column.kind)).collect()
}

fn as_io(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

fn put(frame: &Frame, file: &mut File, facts: &[(&str, String)]) -> Result<()> {
    let mut writer = writer(&heads(frame), file, facts)?;
    put_groups(&mut writer, std::slice::from_ref(frame))?;
    writer.close()?;
    Ok(())
}

/// A column's name and what it holds.
type Head<'a> = (&'a str, ValueKind);

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

/// Rows of tables with the same columns, one table after another, in groups.
fn put_groups(writer: &mut SerializedFileWriter<&mut File>, frames: &[Frame]) -> Result<()> {
    let (mut group, mut room) = (Vec::new(), GROUP);
    for frame in frames {
        let mut from = 0;
        while from < frame.rows {
            let to = (from + room).min(frame.rows);
            group.push((frame, from..to));
            room -= to - from;
            from = to;
            if room == 0 {
                put_group(writer, &std::mem::take(&mut group))?;
                room = GROUP;
            }
        }
    }
    if group.is_empty() { Ok(()) } else { put_group(writer, &group) }
}

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
        match &mut self.writer {
            Some(writer) if rows > 0 => put_groups(writer, &frames).map_err(as_io),
            _ => Ok(()),
        }
    }
}

/// A table of several files in a folder, `part-0.parquet` and so on, each whole. A program of many
/// workers gives each worker files; one that needs the first rows alone opens one.
pub(crate) struct Parts {
    folder: PathBuf,
    facts: Vec<(&'static str, String)>,
    waiting: Vec<Frame>,
    rows: usize,
    written: usize,
}

impl Parts {
    /// Into a folder, which is made; `facts` go into each file's metadata.
    ///
    /// # Errors
    /// [`ExchangeError::Write`].
    pub fn new(
        folder: PathBuf,
        facts: Vec<(&'static str, String)>,
    ) -> std::result::Result<Parts, ExchangeError> {
        chronotap_core::files::create_folder(&folder).map_err(ExchangeError::write(&folder))?;
        Ok(Parts { folder, facts, waiting: Vec::new(), rows: 0, written: 0 })
    }

    /// Adds rows.
    ///
    /// # Errors
    /// [`ExchangeError::Write`].
    pub fn add(&mut self, frame: Frame) -> std::result::Result<(), ExchangeError> {
        self.rows += frame.rows;
        self.waiting.push(frame);
        if self.rows >= FILE { self.put() } else { Ok(()) }
    }

    /// Adds the rows of a table whose columns are made one after the other.
    ///
    /// # Errors
    /// [`ExchangeError::Write`].
    pub fn add_columns(&mut self, table: &Columns<'_>) -> std::result::Result<(), ExchangeError> {
        (0..table.rows.max(1))
            .step_by(FILE)
            .try_for_each(|from| self.add(table.frame_of(from..(from + FILE).min(table.rows))))
    }

    /// Writes what is waiting; of a table without rows, a file without rows.
    ///
    /// # Errors
    /// [`ExchangeError::Write`].
    pub fn close(mut self) -> std::result::Result<(), ExchangeError> {
        if self.rows > 0 || self.written == 0 { self.put() } else { Ok(()) }
    }

    fn put(&mut self) -> std::result::Result<(), ExchangeError> {
        let path = self.folder.join(format!("part-{}.parquet", self.written));
        let (frames, none) = (std::mem::take(&mut self.waiting), Frame::default());
        let write = |file: &mut File| {
            let heads = heads(frames.first().unwrap_or(&none));
            let mut writer = writer(&heads, file, &self.facts).map_err(as_io)?;
            put_groups(&mut writer, &frames).map_err(as_io)?;
            writer.close().map(drop).map_err(as_io)
        };
        chronotap_core::files::replace(&path, write).map_err(ExchangeError::write(&path))?;
        (self.rows, self.written) = (0, self.written + 1);
        Ok(())
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
        if matches!(kind, ValueKind::Integer | ValueKind::Moment) {
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
        ValueKind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        ValueKind::Integer => (Physical::INT64, None),
        ValueKind::Number => (Physical::DOUBLE, None),
        ValueKind::Truth => (Physical::BOOLEAN, None),
        ValueKind::Moment => {
            (Physical::INT64, Some(LogicalType::timestamp(true, TimeUnit::MICROS)))
        }
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
        (
            ColumnWriter::Int64ColumnWriter(writer),
            Values::Integer(cells) | Values::Moment(cells),
        ) => {
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
