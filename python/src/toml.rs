//! Keys and values between Python's dictionaries, which come and go as JSON, and the text of
//! trial and experiment files. Their order is kept, because that of streams and conditions
//! has a meaning.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value;

/// The text that says what this JSON object says.
#[pyfunction]
pub fn toml_of_json(json: &str) -> PyResult<String> {
    let wrong = |error: String| PyValueError::new_err(error);
    let value: Value = serde_json::from_str(json).map_err(|error| wrong(error.to_string()))?;
    toml_edit::ser::to_string_pretty(&value).map_err(|error| wrong(error.to_string()))
}

/// What a text says, as a JSON object.
#[pyfunction]
pub fn json_of_toml(text: &str) -> PyResult<String> {
    let value: Value =
        toml_edit::de::from_str(text).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(value.to_string())
}
