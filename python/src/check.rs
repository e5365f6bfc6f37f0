//! `check`: a trial file explained, or all its problems.

use chronotap_config::trial_files::{Problem, Problems, TrialFile, explain};
use pyo3::prelude::*;

/// A problem: file, line, column, message, cure, nearest valid name.
pub type Found = (String, usize, usize, String, Option<String>, Option<String>);

/// Checks the bytes of a trial file called `name`. Gives the explanation as JSON with its text for
/// people, or None and the problems.
#[pyfunction]
pub fn check(py: Python<'_>, bytes: &[u8], name: &str) -> (Option<(String, String)>, Vec<Found>) {
    py.detach(|| match TrialFile::beside(bytes, std::path::Path::new(name)) {
        Ok(file) => {
            let told = explain(&file);
            let json = serde_json::to_string(&told).ok();
            (json.map(|json| (json, told.render())), Vec::new())
        }
        Err(problems) => (None, found(&problems)),
    })
}

/// Each problem, as Python takes it.
pub fn found(problems: &Problems) -> Vec<Found> {
    let one = |problem: &Problem| {
        let Problem { file, line, column, message, cure, nearest } = problem.clone();
        (file, line, column, message, cure, nearest)
    };
    problems.all().iter().map(one).collect()
}
