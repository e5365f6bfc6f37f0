//! [`holds`]: whether a Parquet file has rows of somebody. Every column that says who it is, is
//! read, cell by cell.

use crate::exchange::ExchangeError;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::ParquetMetaData;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::schema::types::Type;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Whether a column of one of these names has one of these texts.
///
/// # Errors
/// [`ExchangeError::Read`], also where it is compressed in a way that this program does not know.
pub fn holds(path: &Path, columns: &[&str], texts: &[&str]) -> Result<bool, ExchangeError> {
    let refused = |error: ParquetError| ExchangeError::read(path)(io::Error::other(error));
    let file = chronotap_core::files::open(path).map_err(ExchangeError::read(path))?;
    let reader = SerializedFileReader::new(file).map_err(refused)?;
    if levels_hold(reader.metadata(), texts) {
        return Ok(true);
    }
    let Some(wanted) = projection(reader.metadata(), columns) else { return Ok(false) };
    for row in reader.get_row_iter(Some(wanted)).map_err(refused)? {
        let row = row.map_err(refused)?;
        let is_one = |text: String| texts.contains(&text.trim_matches('"'));
        if row.get_column_iter().any(|(_, cell)| is_one(cell.to_string())) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The columns that are to be read; `None` where the file has none of them.
fn projection(metadata: &ParquetMetaData, columns: &[&str]) -> Option<Type> {
    let root = metadata.file_metadata().schema();
    let fields = root.get_fields().iter().filter(|field| columns.contains(&field.name()));
    let fields: Vec<Arc<Type>> = fields.cloned().collect();
    if fields.is_empty() {
        return None;
    }
    Type::group_type_builder(root.name()).with_fields(fields).build().ok()
}

/// Files of the Python package say beside their columns which levels these have.
fn levels_hold(metadata: &ParquetMetaData, texts: &[&str]) -> bool {
    let facts = metadata.file_metadata().key_value_metadata().into_iter().flatten();
    let levels = facts.filter(|fact| fact.key == "chronotap levels");
    let levels = levels.filter_map(|fact| serde_json::from_str(fact.value.as_deref()?).ok());
    levels.into_iter().any(|levels: serde_json::Value| {
        // Files of earlier versions call the column `participant`.
        let people = ["participant_id", "participant"].map(|name| levels[name].as_array());
        let mut people = people.into_iter().flatten().flatten();
        people.any(|one| one.as_str().is_some_and(|one| texts.contains(&one)))
    })
}
