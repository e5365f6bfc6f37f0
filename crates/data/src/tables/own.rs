//! [`own_columns`]: the headings that the tables have where there is no factor; and what the columns
//! of all tables hold ([`kinds`]).

use crate::tables::columns::{
    Column, EVENTS, OF_TAPS, PART, POOLED, SAID, SECOND_ORDER, TRIALS, VERDICTS, WHICH, ends,
    joined,
};
use crate::tables::{ValueKind, measures};
use chronotap_analysis::statistics;
use std::collections::HashMap;

/// The columns of all tables of an analysis, but for those of the factors.
pub(crate) fn own_columns() -> Vec<String> {
    let measured = measures().iter().flat_map(|of| of.columns());
    let joined = joined().flat_map(|(_, of)| {
        let column = of.column();
        ends(of).iter().map(move |(end, _)| format!("{column}{end}"))
    });
    defined().map(|column| column.name.to_owned()).chain(measured).chain(joined).collect()
}

/// Those that are no measure.
fn defined() -> impl Iterator<Item = &'static Column> {
    let which = WHICH.iter().chain([&EVENTS, &TRIALS]).chain(&PART).chain(&OF_TAPS);
    which.chain(&VERDICTS).chain(&SAID).chain(&POOLED).chain(&SECOND_ORDER)
}

/// What the columns of the tables of an analysis hold, but for those of the factors. A statistic has
/// the kind of its values here, also one that only the tables of trials of a dataset have; beside its
/// SD it is a mean, which is any number.
pub(crate) fn kinds() -> HashMap<String, ValueKind> {
    let mut kinds: HashMap<String, ValueKind> =
        defined().map(|column| (column.name.to_owned(), column.kind)).collect();
    kinds.extend(statistics::columns().iter().map(|of| (of.column(), of.kind)));
    for of in measures() {
        let column = of.column();
        kinds.extend(ends(of).iter().map(|(end, kind)| (format!("{column}{end}"), *kind)));
        kinds.insert(column, of.kind);
    }
    kinds
}
