//! `read_tables`: tables of a dataset under each other, with the types that its exports have; and
//! `typed_table`: one in memory.

use crate::columns::column;
use chronotap_core::files::NotUtf8;
use chronotap_data::exchange::{ExchangeError, Frame, FrameColumn, Stated, Values};
use chronotap_data::tables::{
    AnalysisOptions, AsNumbers, Excluded, Outcome, Sources, TablesError, analyze, as_numbers,
    check_asked, outcomes, placed_tables, same_files, table_of_tests,
};
use chronotap_words::{Says, Surface, TABLE_AS_UTF8};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Columns, how many rows each table has, which columns are moments, in microseconds since 1970, and which
/// are factors: their words are the levels in the order of the study.
type Tables<'py> = (Bound<'py, PyList>, Vec<usize>, Vec<String>, Vec<String>);

/// Factors, each with its levels in order.
pub type Levels = Vec<(String, Vec<String>)>;

/// Reads these tables, of which `columns` are wanted, or all. The kind of a factor is that of the levels
/// which the descriptions beside the tables state.
#[pyfunction]
#[pyo3(signature = (paths, columns = None))]
pub fn read_tables(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    columns: Option<Vec<String>>,
) -> PyResult<Tables<'_>> {
    let wanted = |name: &str| columns.as_ref().is_none_or(|all| all.iter().any(|one| one == name));
    let (frame, factors, rows) = py.detach(|| read(&paths, &wanted))?;
    let moments = moments_of(&frame);
    Ok((listed(py, frame)?, rows, moments, factors))
}

/// The same of a table in memory, of a study with these levels: of each column its name and cells, None is
/// missing.
#[pyfunction]
pub fn typed_table(
    py: Python<'_>,
    columns: Vec<(String, Vec<Option<String>>)>,
    levels: Levels,
) -> PyResult<(Bound<'_, PyList>, Vec<String>, Vec<String>)> {
    let mut stated = Stated::default();
    levels.iter().for_each(|(name, all)| stated.add(name, all.iter().map(String::as_str)));
    let (frame, factors) = py.detach(|| Frame::of_cells(&columns, &stated));
    let moments = moments_of(&frame);
    Ok((listed(py, frame)?, moments, factors))
}

/// Of factors with all their levels those that are numbers of one unit: the place of the factor, the name of
/// the column, and the number of each level.
#[pyfunction]
pub fn levels_as_numbers(factors: Levels) -> Vec<AsNumbers> {
    as_numbers(&factors)
}

/// The outcome and the contrasts of a dataset and those that are asked, as the table of their tests.
#[pyfunction]
pub fn contrasts(
    py: Python<'_>,
    folder: PathBuf,
    asked: Vec<String>,
) -> PyResult<(Bound<'_, PyList>, Vec<String>)> {
    let frame = py.detach(|| tested(folder, &asked)).map_err(PyValueError::new_err)?;
    let moments = moments_of(&frame);
    Ok((listed(py, frame)?, moments))
}

/// The tables of trials of a dataset that stand where their names say, and what else lies in it and is left
/// out, a sentence each. No table where there is no folder.
#[pyfunction]
pub fn tables_of_trials(py: Python<'_>, folder: PathBuf) -> PyResult<(Vec<PathBuf>, Vec<String>)> {
    if !folder.is_dir() {
        return Ok((Vec::new(), Vec::new()));
    }
    let listed = py.detach(|| placed_tables(&folder));
    let (tables, aside) = listed.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok((tables, aside.iter().map(ToString::to_string).collect()))
}

/// Of these events files those that are byte for byte an earlier one, by their places.
#[pyfunction]
pub fn same_trials(py: Python<'_>, paths: Vec<PathBuf>) -> Vec<(usize, usize)> {
    py.detach(|| same_files(&paths))
}

/// Whom the study of a dataset leaves out by their answers, by label, and why.
#[pyfunction]
pub fn excluded(py: Python<'_>, folder: PathBuf) -> PyResult<BTreeMap<String, String>> {
    let found = py.detach(|| Excluded::of_dataset(&folder));
    Ok(found.map_err(|error| PyValueError::new_err(error.to_string()))?.people)
}

fn tested(folder: PathBuf, asked: &[String]) -> Result<Frame, String> {
    let read = |words: &String| words.parse::<Outcome>().map_err(|error| error.to_string());
    let asked = asked.iter().map(read).collect::<Result<Vec<Outcome>, String>>()?;
    let how = AnalysisOptions { asked, ..AnalysisOptions::default() };
    let of_dataset = || -> Result<Vec<u8>, TablesError> {
        let sources = Sources::find(std::slice::from_ref(&folder))?;
        check_asked(&sources, &how.asked)?;
        Ok(table_of_tests(&outcomes(&sources, &analyze(&sources, &how), &how.asked)?))
    };
    let table = of_dataset().map_err(|error| said_of_dataset(&error))?;
    Frame::parse(&folder, &String::from_utf8_lossy(&table)).map_err(|error| said(&error))
}

/// Refuses tables of trials of a dataset in which levels stand under the names of other factors.
#[pyfunction]
pub fn refuse_exchanged(py: Python<'_>, tables: Vec<PathBuf>) -> PyResult<()> {
    let looked = py.detach(|| chronotap_data::tables::refuse_exchanged(&tables));
    looked.map_err(|error| PyValueError::new_err(said_of_dataset(&error)))
}

fn said_of_dataset(error: &TablesError) -> String {
    match error {
        TablesError::Exchanged { .. } => error.says(Surface::Python),
        error => error.to_string(),
    }
}

fn moments_of(frame: &Frame) -> Vec<String> {
    let moments = frame.columns.iter().filter(|one| matches!(one.values, Values::Moment(_)));
    moments.map(|column| column.name.clone()).collect()
}

fn listed(py: Python<'_>, frame: Frame) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    frame.columns.into_iter().try_for_each(|one| list.append(into_python(py, one)?))?;
    Ok(list)
}

fn read(
    paths: &[PathBuf],
    wanted: &dyn Fn(&str) -> bool,
) -> PyResult<(Frame, Vec<String>, Vec<usize>)> {
    let text = |path: &PathBuf| {
        chronotap_core::files::read_to_string(path).map_err(|error| unread(path, &error))
    };
    let texts: Vec<String> = paths.iter().map(text).collect::<PyResult<_>>()?;
    let tables: Vec<(&Path, &str)> =
        paths.iter().zip(&texts).map(|(path, text)| (path.as_path(), text.as_str())).collect();
    let mut stated = Stated::default();
    paths.iter().for_each(|path| stated.take_beside(path));
    let read = Frame::parse_all(&tables, wanted, &stated);
    let (frame, factors) = read.map_err(|error| PyValueError::new_err(said(&error)))?;
    let rows = texts.iter().map(|text| text.lines().count().saturating_sub(1)).collect();
    Ok((frame, factors, rows))
}

fn said(error: &ExchangeError) -> String {
    match error {
        ExchangeError::Cells { path, line, found, needed } => {
            format!(
                "{}:{line}: {found} cells, but the first line names {needed} columns",
                path.display()
            )
        }
        error => error.to_string(),
    }
}

/// A table that is no text is a `ValueError`, one that cannot be opened an `OSError` of its kind.
pub fn unread(path: &Path, error: &std::io::Error) -> PyErr {
    let path = path.display();
    match NotUtf8::of(error) {
        Some(NotUtf8 { line, .. }) => {
            PyValueError::new_err(format!("{path}:{line}: {error}; {TABLE_AS_UTF8}"))
        }
        None => std::io::Error::new(error.kind(), format!("{path}: {error}")).into(),
    }
}

fn into_python(
    py: Python<'_>,
    FrameColumn { name, values }: FrameColumn,
) -> PyResult<Bound<'_, PyTuple>> {
    match values {
        Values::Text(words) => {
            let code = |cell: Option<u32>| cell.map_or(-1, |place| place as i32);
            let codes: Vec<i32> = words.cells.iter().copied().map(code).collect();
            column(py, &name, codes, None, Some(words.words))
        }
        Values::Integer(cells) | Values::Moment(cells) => {
            let missing = cells.iter().map(Option::is_none).collect();
            let values = cells.into_iter().map(Option::unwrap_or_default).collect();
            column::<i64>(py, &name, values, Some(missing), None)
        }
        Values::Number(cells) => {
            let values = cells.into_iter().map(|cell| cell.unwrap_or(f64::NAN)).collect();
            column::<f64>(py, &name, values, None, None)
        }
        Values::Truth(cells) => {
            let missing = cells.iter().map(Option::is_none).collect();
            let values = cells.into_iter().map(Option::unwrap_or_default).collect();
            column::<bool>(py, &name, values, Some(missing), None)
        }
    }
}
