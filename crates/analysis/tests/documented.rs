//! The table of all statistics in docs/statistics.md is that of their definitions.

use chronotap_analysis::joined::Scale;
use chronotap_analysis::statistics::{
    Better, Join, Range, Statistic, columns, described_asynchronies, described_intervals, tables,
};
use std::collections::HashSet;
use std::fs::read_to_string;

/// Every statistic once, in the order of tables.
fn all() -> Vec<&'static Statistic> {
    let only_summary = columns().iter().filter(|one| !tables().contains(one));
    tables().iter().chain(only_summary).copied().collect()
}

const HEADING: &str =
    "| column | of | range | better | over trials | source |\n|---|---|---|---|---|---|\n";

fn row(of: &Statistic) -> String {
    let better = match of.better {
        Better::Less => "less",
        Better::More => "more",
        Better::Neither => "",
    };
    let (column, needs) = (of.column(), of.needs.word());
    let source = of.source;
    format!("| `{column}` | {needs} | {} | {better} | {} | {source} |\n", range(of), joined(of))
}

fn range(of: &Statistic) -> String {
    match of.range {
        Range::ANY => String::new(),
        Range::FROM_ZERO => "from 0".to_owned(),
        Range::CIRCLE => "−π to π".to_owned(),
        Range { least, most } => format!("{least} to {most}").replace('-', "−"),
    }
}

fn joined(of: &Statistic) -> &'static str {
    match of.join {
        Join::Line(Scale::Plain) => "mean",
        Join::Line(Scale::Positive) => "mean, on the logarithm",
        Join::Line(Scale::Share) => "mean, on the logit",
        Join::Line(Scale::Correlation) => "mean, on Fisher's z",
        Join::Circle => "mean vector",
        Join::Never => "never joined",
    }
}

fn path(name: &str) -> String {
    format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_table_of_all_statistics_is_as_kept() {
    let rows: String = all().into_iter().map(row).collect();
    chronotap_kept::assert_block(path("statistics.md"), HEADING, rows.trim_end(), "\n\n");
}

#[test]
fn the_manual_names_every_statistic_of_a_summary() {
    let text = read_to_string(path("events-files.md")).unwrap();
    for known in columns() {
        assert!(text.contains(&format!("`{}`", known.name)), "docs/events-files.md: {known:?}");
    }
}

#[test]
fn every_definition_is_whole() {
    let mut names = HashSet::new();
    for known in all() {
        assert!(names.insert(known.name) && !known.name.is_empty(), "{known:?}");
        assert!(known.about.ends_with('.'), "{known:?}: {}", known.about);
        assert_eq!(known.is_estimated(), !known.coverage.is_empty(), "{known:?}");
        let counted = known.counted_by();
        assert!(counted.iter().all(|count| all().contains(count)), "{known:?}");
    }
    for described in [described_intervals(), described_asynchronies()] {
        let keys: HashSet<String> =
            described.iter().map(|known| format!("{:?}", known.key)).collect();
        assert_eq!(keys.len(), described.len(), "{described:?}");
    }
}
