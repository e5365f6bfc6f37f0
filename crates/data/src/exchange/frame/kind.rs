//! What a column holds: [`of_column`], by the definition of the column where a table of an analysis
//! has it, and else by its cells.

use crate::record::moment;
use crate::record::text::MISSING;
pub use crate::tables::ValueKind;
use crate::tables::kind_of;

/// Columns of other tables that are text even where every cell looks like a number: of events
/// files, and of tables of earlier versions.
const LABELS: [&str; 4] = ["participant", "name", "port", "message"];
/// Ends of the names of columns that hold numbers of a unit, even where every one is whole.
const UNITS: [&str; 7] = ["_ms", "_ms2", "_us", "_s", "_rad", "_hz", "_percent"];
/// What may follow the unit: the end of an interval, or a deviation.
const BEHIND_A_UNIT: [&str; 3] = ["_low", "_high", "_sd"];

/// What a column says of itself, be its cells what they may; `names` are the columns of its table.
/// A column of no table of an analysis says it by a unit in its name, if at all.
fn said(name: &str, names: &[&str]) -> Option<ValueKind> {
    let end = BEHIND_A_UNIT.iter().find_map(|end| name.strip_suffix(end));
    let has_unit = UNITS.iter().any(|unit| end.unwrap_or(name).ends_with(unit));
    kind_of(name, names)
        .or(LABELS.contains(&name).then_some(ValueKind::Text))
        .or(name.ends_with("_ns").then_some(ValueKind::Integer))
        .or((name.ends_with("_utc") || name == "acq_time").then_some(ValueKind::Moment))
        .or(has_unit.then_some(ValueKind::Number))
}

/// The kind of a column. Cells that are not what the column says of itself are what they look like:
/// none is lost.
pub(crate) fn of_column(name: &str, names: &[&str], cells: &[&str]) -> ValueKind {
    let said = said(name, names).filter(|kind| fits(*kind, cells));
    said.unwrap_or_else(|| looks_like(cells))
}

/// Whether no cell is lost as this kind.
fn fits(kind: ValueKind, cells: &[&str]) -> bool {
    let mut there = cells.iter().filter(|cell| **cell != MISSING);
    match kind {
        ValueKind::Text => true,
        ValueKind::Integer => there.all(|cell| is_whole(cell)),
        ValueKind::Number => there.all(|cell| is_number(cell)),
        ValueKind::Truth => there.all(|cell| matches!(*cell, "true" | "false")),
        ValueKind::Moment => there.all(|cell| moment::parse(cell).is_some()),
    }
}

/// The narrowest kind of these cells; text where there are none.
fn looks_like(cells: &[&str]) -> ValueKind {
    let fitting = [ValueKind::Truth, ValueKind::Integer, ValueKind::Number]
        .into_iter()
        .find(|k| fits(*k, cells));
    match cells.iter().any(|cell| *cell != MISSING) {
        true => fitting.unwrap_or(ValueKind::Text),
        false => ValueKind::Text,
    }
}

/// Whether a column says of itself what it holds.
pub(super) fn is_said(name: &str, names: &[&str]) -> bool {
    said(name, names).is_some()
}

/// The kind that all of these levels have, and text where a cell is none of it.
pub(super) fn of_levels(levels: &[&str], cells: &[&str]) -> ValueKind {
    let kind = looks_like(levels);
    if fits(kind, cells) { kind } else { ValueKind::Text }
}

/// The whole number that the text of this one says; `None` where that says none.
pub(crate) fn as_whole(number: f64) -> Option<i64> {
    /// Up to here every whole number is written with all its digits.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.abs() >= EXACT || number == 0.0 {
        let text = number.to_string();
        return text.parse().ok().filter(|_| is_whole(&text));
    }
    (number.fract() == 0.0).then_some(number as i64)
}

/// Whether it comes back from a whole number as it is written.
fn is_whole(cell: &str) -> bool {
    cell.parse::<i64>().is_ok_and(|number| number.to_string() == cell)
}

/// Whether it is a finite number without zeros or signs in vain before it.
fn is_number(cell: &str) -> bool {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let plain = digits.starts_with(|c: char| c.is_ascii_digit())
        && !(digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0."));
    plain && cell.parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_not_come_back_is_text() {
        for text in ["007", "+5", "1e400", "", "5 ms", ".5", "inf", "NaN", "-"] {
            assert!(!is_whole(text) && !is_number(text), "{text}");
        }
        for number in ["0", "-5", "12"] {
            assert!(is_whole(number) && is_number(number), "{number}");
        }
        assert!(is_number("-0.25") && is_number("1e-9") && !is_whole("1.0"));
    }

    fn of(name: &str, cells: &[&str]) -> ValueKind {
        of_column(name, &[], cells)
    }

    #[test]
    fn a_measure_is_a_number_even_where_all_are_whole() {
        assert_eq!(of("mean_interval_ms", &["500", "600"]), ValueKind::Number);
        assert_eq!(of("reaction_ms", &["500", "600"]), ValueKind::Number);
        assert_eq!(of("taps", &["500", "600"]), ValueKind::Integer);
        assert_eq!(of("onset_ns", &[MISSING]), ValueKind::Integer);
        assert_eq!(of("comment", &[MISSING]), ValueKind::Text);
        assert_eq!(of("port", &["1", "2"]), ValueKind::Text);
        assert_eq!(of("onset_utc", &["2026-11-20T13:04:05Z", MISSING]), ValueKind::Moment);
        assert_eq!(of("onset_utc", &[MISSING]), ValueKind::Moment);
        assert_eq!(of("onset_utc", &["in the morning"]), ValueKind::Text);
    }

    #[test]
    fn a_measure_that_no_trial_has_keeps_its_kind() {
        let pooled = ["pooled_alpha", "pooled_alpha_low", "rayleigh_p"];
        let own = ["alpha", "cv_interval_low", "motor_variance_ms2_high", "taps_sd", "lag_one"];
        let own = own.into_iter().chain(["alpha_of_left", "lag_one_of_pad_against_metronome"]);
        for name in own.chain(pooled) {
            assert_eq!(of(name, &[MISSING]), ValueKind::Number, "{name}");
            assert_eq!(of(name, &["0"]), ValueKind::Number, "{name}");
        }
        let (rows, words) = (["trials", "taps_n", "block"], ["used", "counts"]);
        assert!(rows.iter().all(|name| of(name, &[MISSING]) == ValueKind::Integer));
        assert!(words.iter().all(|name| of(name, &[]) == ValueKind::Truth));
        for name in ["response_rounds", "beats"] {
            assert_eq!(of(name, &[MISSING]), ValueKind::Integer, "{name}");
            assert_eq!(of(name, &["1.5"]), ValueKind::Number, "{name}");
        }
        assert_eq!(of("cv_interval", &["n\\/a"]), ValueKind::Text);
    }

    #[test]
    fn a_count_with_its_sd_and_number_beside_it_is_a_mean() {
        let names = ["taps", "taps_sd", "taps_n"];
        assert_eq!(of_column("taps", &names, &["40", "41"]), ValueKind::Number);
        assert_eq!(of_column("taps", &names[..2], &["40", "41"]), ValueKind::Integer);
    }

    #[test]
    fn numbers_have_the_text_of_whole_ones() {
        let two = 2.0_f64;
        let some = [0.0, -0.0, 1.0, -3.0, 0.5, two.powi(53), two.powi(60), two.powi(63), 1e300];
        for number in some {
            let text = number.to_string();
            assert_eq!(as_whole(number), text.parse().ok().filter(|_| is_whole(&text)), "{text}");
        }
    }
}
