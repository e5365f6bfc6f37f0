//! The definitions in the orders of those who show them, worked out once from [`super::list`].

use super::list::{Line, STANDARD};
use super::{Key, Needs, Statistic};
use std::sync::OnceLock;
use thiserror::Error;

/// Statistics in an order.
pub type Order = &'static [&'static Statistic];

/// The statistics of a summary, in the order of columns.
pub fn columns() -> Order {
    &catalogue().columns
}

/// The same in the order in which a summary tells them, one after the other.
pub fn rows() -> Order {
    &catalogue().rows
}

/// Those of the tables of an analysis, in the order of their columns. What is measured of a row has
/// its place in this order.
pub fn tables() -> Order {
    &catalogue().tables
}

/// The statistic of a summary that has this name.
pub fn find(name: &str) -> Option<&'static Statistic> {
    columns().iter().copied().find(|known| known.name == name)
}

/// What describes intervals between taps in a summary.
pub fn described_intervals() -> Order {
    &catalogue().intervals
}

/// What describes asynchronies in a summary.
pub fn described_asynchronies() -> Order {
    &catalogue().asynchronies
}

/// What describes intervals between taps and has an interval for 95 %.
pub fn estimated_intervals() -> Order {
    &catalogue().estimated_intervals
}

/// What describes asynchronies and has an interval for 95 %.
pub fn estimated_asynchronies() -> Order {
    &catalogue().estimated_asynchronies
}

/// That the list was in use before more was added to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the list of statistics is in use and takes no more")]
pub struct AlreadyRead;

/// Adds statistics that are none of this crate's behind the others, once, before anybody has asked
/// for the list. The toy statistic by which `crates/cli/tests/a_toy_statistic.rs` tries the recipe
/// comes in here; a statistic that is to stay has its line in [`STANDARD`].
///
/// # Errors
/// [`AlreadyRead`] where somebody has.
pub fn further(lines: &'static [Line]) -> Result<(), AlreadyRead> {
    let mut added = false;
    CATALOGUE.get_or_init(|| {
        added = true;
        Catalogue::of(STANDARD.iter().chain(lines))
    });
    if added { Ok(()) } else { Err(AlreadyRead) }
}

static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();

fn catalogue() -> &'static Catalogue {
    CATALOGUE.get_or_init(|| Catalogue::of(STANDARD.iter()))
}

struct Catalogue {
    columns: Vec<&'static Statistic>,
    rows: Vec<&'static Statistic>,
    tables: Vec<&'static Statistic>,
    intervals: Vec<&'static Statistic>,
    asynchronies: Vec<&'static Statistic>,
    estimated_intervals: Vec<&'static Statistic>,
    estimated_asynchronies: Vec<&'static Statistic>,
}

fn is_of_intervals(one: &Statistic) -> bool {
    matches!(one.needs, Needs::Intervals(..))
}

fn is_of_asynchronies(one: &Statistic) -> bool {
    matches!(one.needs, Needs::Asynchronies(..))
}

/// Whether it has an interval for 95 %, and a name beside its like.
fn is_told_with_interval(one: &Statistic) -> bool {
    one.is_estimated() && one.key != Key::None
}

impl Catalogue {
    fn of(lines: impl Iterator<Item = &'static Line> + Clone) -> Catalogue {
        let standing = |stands: fn(&Line) -> bool| {
            lines.clone().filter(|line| stands(line)).map(|line| line.statistic).collect()
        };
        let (columns, rows, tables): (Vec<_>, Vec<_>, Vec<_>) = (
            standing(|line| line.columns),
            standing(|line| line.rows),
            standing(|line| line.tables),
        );
        // In the order of the tables, as data files have them.
        let only_summary = rows.iter().filter(|one| !tables.contains(one));
        let all: Vec<&'static Statistic> = tables.iter().chain(only_summary).copied().collect();
        let some = |holds: &dyn Fn(&Statistic) -> bool| -> Vec<&'static Statistic> {
            all.iter().copied().filter(|one| holds(one)).collect()
        };
        let described = |one: &Statistic| rows.contains(&one);
        Catalogue {
            intervals: some(&|one| is_of_intervals(one) && described(one)),
            asynchronies: some(&|one| is_of_asynchronies(one) && described(one)),
            estimated_intervals: some(&|one| is_of_intervals(one) && is_told_with_interval(one)),
            estimated_asynchronies: some(&|one| {
                is_of_asynchronies(one) && is_told_with_interval(one)
            }),
            columns,
            rows,
            tables,
        }
    }
}
