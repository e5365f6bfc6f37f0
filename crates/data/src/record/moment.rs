//! Moments in UTC, as they stand in tables: `2026-11-20T13:04:05Z`, or with six decimals.

use jiff::Timestamp;

/// The moment of a cell, in microseconds since 1970; `None` where that would not come back as it is
/// written.
pub(crate) fn parse(cell: &str) -> Option<i64> {
    let moment: Timestamp = cell.parse().ok()?;
    let micros = moment.as_microsecond();
    (text(micros) == cell).then_some(micros)
}

/// The moment of a cell in any writing.
pub(crate) fn micros(cell: &str) -> Option<i64> {
    cell.parse().ok().map(|moment: Timestamp| moment.as_microsecond())
}

/// As it is written.
pub(crate) fn text(micros: i64) -> String {
    let moment = Timestamp::from_microsecond(micros).unwrap_or_default();
    match micros.rem_euclid(1_000_000) {
        0 => format!("{moment:.0}"),
        _ => format!("{moment:.6}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_comes_back_as_it_is_written() {
        for (cell, micros) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2026-11-20T13:04:05Z", 1_795_179_845_000_000),
            ("2026-11-20T13:04:05.000001Z", 1_795_179_845_000_001),
            ("1969-12-31T23:59:59.500000Z", -500_000),
        ] {
            assert_eq!(parse(cell), Some(micros), "{cell}");
            assert_eq!(text(micros), cell);
        }
    }

    #[test]
    fn what_would_change_is_text() {
        for cell in ["2026-11-20", "2026-11-20T13:04:05+01:00", "2026-11-20T13:04:05.5Z", "n/a", ""]
        {
            assert_eq!(parse(cell), None, "{cell}");
        }
    }
}
