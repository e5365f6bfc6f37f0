//! The definitions in the orders of those who show them, worked out once from [`super::list`].

use super::list::{ListedStatistic, STANDARD};
use super::{
    Needs, Statistic, of_asynchronies, of_beats, of_correction, of_directions, of_following,
    of_intervals, of_perturbations, of_responses, of_sequences, of_tracking,
};
use crate::uncertainty::coverage::{self, COVERAGE};
use std::sync::OnceLock;
use thiserror::Error;

/// Statistics in an order.
pub type CatalogueOrder = &'static [&'static Statistic];

/// The statistics of a summary, in the order of columns.
pub fn columns() -> CatalogueOrder {
    &catalogue().columns
}

/// The same in the order in which a summary tells them, one after the other.
pub fn rows() -> CatalogueOrder {
    &catalogue().rows
}

/// Those of the tables of an analysis, in the order of their columns. What is measured of a row has
/// its place in this order.
pub fn tables() -> CatalogueOrder {
    &catalogue().tables
}

/// The statistic of a summary that has this name.
pub fn find(name: &str) -> Option<&'static Statistic> {
    columns().iter().copied().find(|known| known.name == name)
}

/// The share of the longest simulated runs that are not longer than `n`, or by a tenth at most: 30 taps have 29
/// intervals. For fewer values than in any, that of the shortest. `None` where the result, or the statistic
/// of this name, has no
/// interval.
pub fn held(name: &str, n: usize) -> Option<f64> {
    let named = |known: &&&'static Statistic| known.name == name;
    let statistic = || columns().iter().chain(tables()).find(named).map(|known| known.coverage);
    let other = COVERAGE.iter().find(|held| held.of == name).map(|held| held.shares);
    coverage::of(other.or_else(statistic)?, n)
}

/// The same where it is to be said beside the estimate.
pub fn doubted(of: &str, n: usize) -> Option<f64> {
    held(of, n).filter(|share| *share < coverage::LEAST)
}

/// Those that the summary in a data file has.
pub(super) fn recorded() -> CatalogueOrder {
    &catalogue().recorded
}

/// What describes intervals between taps in a summary.
pub fn described_intervals() -> CatalogueOrder {
    &catalogue().intervals
}

/// What describes asynchronies in a summary.
pub fn described_asynchronies() -> CatalogueOrder {
    &catalogue().asynchronies
}

/// What describes intervals between taps and has an interval for 95 %.
pub fn estimated_intervals() -> CatalogueOrder {
    &catalogue().estimated_intervals
}

/// What describes asynchronies and has an interval for 95 %.
pub fn estimated_asynchronies() -> CatalogueOrder {
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
pub fn further(lines: &'static [ListedStatistic]) -> Result<(), AlreadyRead> {
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
    recorded: Vec<&'static Statistic>,
}

fn is_of_intervals(one: &Statistic) -> bool {
    matches!(one.needs, Needs::Intervals(..))
}

fn is_of_asynchronies(one: &Statistic) -> bool {
    matches!(one.needs, Needs::Asynchronies(..))
}

/// Whether it has an interval for 95 %, and a name beside its like.
fn is_told_with_interval(one: &Statistic) -> bool {
    one.is_estimated() && one.key.is_some()
}

impl Catalogue {
    fn of(lines: impl Iterator<Item = &'static ListedStatistic> + Clone) -> Catalogue {
        let standing = |stands: fn(&ListedStatistic) -> bool| {
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
            recorded: standing(|line| line.recorded),
            columns,
            rows,
            tables,
        }
    }
}

impl Needs {
    /// The statistics that count together what is needed: of beats those that a tap could answer, since
    /// who only listens has no chance to hit.
    pub fn counted(&self) -> &'static [&'static Statistic] {
        match self {
            Needs::Lateness(_) | Needs::Taps(_) | Needs::Metre(_) => &[],
            Needs::Intervals(..) | Needs::Levels(..) => const { &[&of_intervals::INTERVALS] },
            Needs::Beats(..) => const { &[&of_beats::MATCHED, &of_beats::MISSED] },
            Needs::Asynchronies(..) => const { &[&of_asynchronies::ASYNCHRONIES] },
            Needs::Directions(..) => const { &[&of_directions::DIRECTIONS] },
            Needs::Correction(..) => const { &[&of_correction::CORRECTED_INTERVALS] },
            Needs::Response(..) => const { &[&of_responses::RESPONSE_ROUNDS] },
            Needs::Perturbations(..) => const { &[&of_perturbations::CORRECTION_RESPONSES] },
            Needs::Tracking(..) => const { &[&of_tracking::TRACKED_INTERVALS] },
            Needs::Following(..) => const { &[&of_following::SHARED_INTERVALS] },
            Needs::Altered(..) => const { &[&of_perturbations::ALTERED_TONES] },
            Needs::Sequence(..) => const { &[&of_sequences::NOTES] },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uncertainty::coverage::LEAST;
    use std::collections::HashMap;

    #[test]
    fn the_runs_that_are_not_longer_speak_for_a_run() {
        let first = &COVERAGE[0];
        assert_eq!(held(first.of, 5), Some(first.shares[0].1));
        assert_eq!(held(first.of, first.shares[1].0 + 1), Some(first.shares[1].1));
        assert_eq!(held(first.of, 1 << 20), first.shares.last().map(|(_, share)| *share));
        assert_eq!(held("taps", 50), None);
    }

    #[test]
    fn the_intervals_of_thirty_taps_are_those_of_the_row_of_thirty() {
        let of_row = |row| held("direction of the mode", row).unwrap();
        assert!(of_row(30) < LEAST && of_row(20) > LEAST);
        assert_eq!(doubted("direction of the mode", 29), Some(of_row(30)));
        assert_eq!(doubted("direction of the mode", 26), None);
        for (intervals, row) in [(29, 30), (26, 20), (59, 60), (9, 10), (14, 15)] {
            assert_eq!(held("together", intervals), held("together", row));
        }
    }

    #[test]
    fn every_name_and_length_stands_once() {
        let known = columns().iter().chain(tables());
        let of_statistics: HashMap<&str, &[(usize, f64)]> =
            known.map(|known| (known.name, known.coverage)).collect();
        for (place, held) in COVERAGE.iter().enumerate() {
            assert!(COVERAGE[..place].iter().all(|other| other.of != held.of), "{}", held.of);
            assert!(!of_statistics.contains_key(held.of), "{}", held.of);
        }
        let shares = COVERAGE.iter().map(|held| held.shares);
        for shares in shares.chain(of_statistics.into_values()) {
            assert!(shares.is_sorted_by(|a, b| a.0 < b.0), "{shares:?}");
        }
    }
}
