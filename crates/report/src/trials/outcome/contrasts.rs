//! The outcome and the contrasts as one table of tests.

use super::super::words::{SAME, estimate, number};
use super::DECIMALS;
use crate::html::{HtmlTable, element};
use chronotap_data::tables::{Effect, OutcomeFound, Stands};

const HOW: &str = "The planned contrasts are corrected for their number by Holm (1979). The outcome is not one of \
    them: it is the one question that the study is for, and costs nothing because others are asked beside it. The \
    intervals are not corrected.";
const COLUMNS: [&str; 9] =
    ["", "compared", "people", "estimate", "t", "df", "p", "p after Holm", "in SDs"];

/// Empty where there is nothing but the outcome.
pub(super) fn section(all: &[OutcomeFound]) -> String {
    if all.iter().all(|found| found.outcome.stands == Stands::Outcome) {
        return String::new();
    }
    let mut table = HtmlTable::new("The contrasts", &COLUMNS);
    all.iter().for_each(|found| table.row(row(found)));
    element("p", HOW) + &table.html()
}

fn row(found: &OutcomeFound) -> Vec<String> {
    let (compared, cell) =
        (found.compared(), |cell: Option<String>| cell.unwrap_or("-".to_owned()));
    let effect = found.effect();
    let test = effect.as_ref().and_then(|effect| effect.test);
    vec![
        name(found),
        if compared.is_empty() { "-".to_owned() } else { compared },
        cell(effect.as_ref().map(|of| of.people.to_string())),
        cell(effect.as_ref().map(with_unit)),
        cell(test.map(|of| number(of.t, 2))),
        cell(test.map(|of| number(of.freedom, 2))),
        cell(test.map(|of| probability(of.p))),
        cell(found.p_holm.map(probability)),
        cell(effect.and_then(|of| of.size).map(|(d, size)| format!("{d} {}", number(size, 2)))),
    ]
}

/// The unit stands behind numbers, and before words.
fn with_unit(of: &Effect) -> String {
    let said = estimate(&of.estimate, DECIMALS);
    match said.strip_suffix(SAME) {
        Some(number) => format!("{number} {}{SAME}", of.unit),
        None => format!("{said} {}", of.unit),
    }
}

fn name(found: &OutcomeFound) -> String {
    let measure = found.outcome.measure();
    match found.outcome.stands {
        Stands::Outcome => format!("outcome: {measure}"),
        Stands::Planned => format!("{}: {measure}", found.outcome.name),
        Stands::Asked => format!("{measure} (not planned)"),
    }
}

fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { number(p, 3) }
}
