//! [`own_columns`]: the headings that the tables have where there is no factor; and what the columns
//! of all tables hold ([`kinds`]).

use super::columns::{EVENTS, PART, WHICH};
use super::conditions::{POOLED, SECOND_ORDER, TRIALS, ends};
use super::trials::{SAID, VERDICTS};
use super::{COLUMNS, conditions, tap_headings, trials};
use crate::tables::{Kind, Sources, measures};
use chronotap_analysis::statistics;
use std::collections::HashMap;

/// The columns of all tables of an analysis, but for those of the factors.
pub(crate) fn own_columns() -> Vec<String> {
    let none = Sources::default();
    let tables = [tap_headings(&none), trials::headings(&none), conditions::headings(&none)];
    tables.concat()
}

/// What the columns of the tables of an analysis hold, but for those of the factors. A statistic has
/// the kind of its values here, also one that only the tables of trials of a dataset have; beside its
/// SD it is a mean, which is any number.
pub(crate) fn kinds() -> HashMap<String, Kind> {
    let own = WHICH.iter().chain([&EVENTS, &TRIALS]).chain(&PART).chain(&COLUMNS);
    let own = own.chain(&VERDICTS).chain(&SAID).chain(&POOLED).chain(&SECOND_ORDER);
    let mut kinds: HashMap<String, Kind> =
        own.map(|column| (column.name.to_owned(), column.kind)).collect();
    kinds.extend(statistics::columns().iter().map(|of| (of.column(), of.kind)));
    for of in measures() {
        let column = of.column();
        kinds.extend(ends(of).iter().map(|(end, kind)| (format!("{column}{end}"), *kind)));
        kinds.insert(column, of.kind);
    }
    kinds
}
