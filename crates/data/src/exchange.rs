//! Tables for other programs: tab-separated tables as CSV and Parquet ([`Frame`]), and many
//! datasets gathered into partitioned Parquet (`gather`); and FTAP's data files ([`abs`]). What the numbers are was settled when
//! the tables were made; here they only change their form. Nothing is printed here.

pub mod abs;
mod analyze;
mod by_person;
#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "without Parquet nobody asks"))]
mod columns;
mod csv;
mod error;
#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "without Parquet nobody asks"))]
mod factors;
mod frame;
#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "without Parquet it only refuses"))]
mod gather;
#[cfg(feature = "parquet")]
mod look;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "without Parquet it only refuses"))]
mod tap_columns;
pub mod taps;
#[cfg(feature = "parquet")]
mod xlsx;

pub use analyze::{Analyzed, Stop, analyze};
pub use by_person::by_person;
pub use csv::write_csv;
pub use error::ExchangeError;
pub use frame::{Frame, FrameColumn, Stated, ValueKind, Values};
pub use gather::{
    Gathered, Gathering, Levels, PartTaker, RehearsedPart, SCHEMA_VERSION, gather, levels_of,
};
#[cfg(feature = "parquet")]
pub use look::holds;
#[cfg(feature = "parquet")]
pub use parquet::{Growing, write_parquet};
pub use tap_columns::TapColumns;
#[cfg(feature = "parquet")]
pub use xlsx::{Sheet, unpacked_xlsx, write_xlsx};

/// Nothing can be said of Parquet without it.
///
/// # Errors
/// [`ExchangeError::NoParquet`].
#[cfg(not(feature = "parquet"))]
pub fn holds(_: &std::path::Path, _: &[&str], _: &[&str]) -> Result<bool, ExchangeError> {
    Err(ExchangeError::NoParquet)
}

/// Nor of a workbook.
///
/// # Errors
/// That of [`ExchangeError::NoParquet`].
#[cfg(not(feature = "parquet"))]
pub fn unpacked_xlsx(_: &[u8]) -> std::io::Result<Vec<u8>> {
    Err(std::io::Error::other(ExchangeError::NoParquet))
}
