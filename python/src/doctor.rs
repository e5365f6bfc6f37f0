//! `doctor`: what on this machine spoils timing, and what cures it, as `chronotap doctor` says.

use chronotap_linux::machine::{BelowRoot, Facts, FindingTally, Root, examine, report};
use pyo3::prelude::*;
use serde_json::json;

/// Findings, how many came out how, and the report as text, as JSON.
#[pyfunction]
pub fn doctor(py: Python<'_>) -> String {
    py.detach(|| {
        let findings = examine(&Facts::read(&Root::system()));
        let (tally, text) = (FindingTally::of(&findings), report(&findings));
        json!({ "findings": findings, "tally": tally, "text": text }).to_string()
    })
}
