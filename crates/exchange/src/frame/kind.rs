//! [`Kind`]: what a column holds.

use chronotap_record::text::MISSING;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// Whole numbers.
    Integer,
    /// Numbers.
    Number,
    /// True or false.
    Truth,
}

/// Columns of labels and names, which are text even where every cell looks like a number.
const LABELS: [&str; 12] = [
    "participant_id",
    "participant",
    "session",
    "task",
    "step",
    "input",
    "against",
    "stretch",
    "name",
    "port",
    "events_file",
    "message",
];
/// Ends of the names of measures: numbers, even where every cell is a whole one.
const MEASURES: [&str; 7] = ["_ms", "_ms2", "_us", "_s", "_rad", "_hz", "_percent"];

impl Kind {
    /// The kind of a column.
    pub(crate) fn of(name: &str, cells: &[&str]) -> Kind {
        if LABELS.contains(&name) {
            return Kind::Text;
        }
        let there = || cells.iter().filter(|cell| **cell != MISSING);
        let whole = there().all(|cell| is_whole(cell));
        let numbers = whole || there().all(|cell| is_number(cell));
        if name.ends_with("_ns") && whole {
            Kind::Integer
        } else if MEASURES.iter().any(|end| name.ends_with(end)) && numbers {
            Kind::Number
        } else if there().next().is_none() {
            Kind::Text
        } else if there().all(|cell| matches!(*cell, "true" | "false")) {
            Kind::Truth
        } else if whole {
            Kind::Integer
        } else if numbers {
            Kind::Number
        } else {
            Kind::Text
        }
    }
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

    #[test]
    fn a_measure_is_a_number_even_where_all_are_whole() {
        assert_eq!(Kind::of("mean_interval_ms", &["500", "600"]), Kind::Number);
        assert_eq!(Kind::of("taps", &["500", "600"]), Kind::Integer);
        assert_eq!(Kind::of("onset_ns", &[MISSING]), Kind::Integer);
        assert_eq!(Kind::of("comment", &[MISSING]), Kind::Text);
    }
}
