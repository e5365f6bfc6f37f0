//! [`own_columns`]: the headings that the tables have where there is no factor.

use super::{conditions, tap_headings, trials};
use crate::Sources;

/// The columns of all tables of an analysis, but for those of the factors.
pub(crate) fn own_columns() -> Vec<String> {
    let none = Sources::default();
    let tables = [tap_headings(&none), trials::headings(&none), conditions::headings(&none)];
    tables.concat()
}
