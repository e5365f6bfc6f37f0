//! The columns that say which trial a row is of, with those of the factors.

use crate::tables::columns::{Column, EVENTS, WHICH, described};
use crate::tables::{Sources, factor_columns};
use serde_json::{Map, Value};

/// The columns that say which trial it is.
pub(super) fn which(sources: &Sources) -> Vec<String> {
    let before = WHICH.iter().map(|column| column.name.to_owned());
    let factors = factor_columns(&sources.factors);
    before.chain(factors).chain([EVENTS.name.to_owned()]).collect()
}

pub(super) fn about_which(sources: &Sources) -> Map<String, Value> {
    let mut about: Map<String, Value> = WHICH.iter().map(Column::described).collect();
    for (column, factor) in factor_columns(&sources.factors).into_iter().zip(&sources.factors) {
        let what = about_factor(&column, factor);
        about.insert(column, described(&what, ""));
    }
    about.extend([EVENTS.described()]);
    about
}

fn about_factor(column: &str, factor: &str) -> String {
    if column == factor {
        return "A factor of the experiment.".to_owned();
    }
    format!(
        "The factor `{factor}` of the experiment; the tables have a column `{factor}` of their own."
    )
}
