//! What is said of contrasts between conditions.

use crate::{Says, Sentences, Surface, row, with};
use chronotap_data::tables::{ContrastError, UnknownLevel, measures};

pub(super) const ROWS: &[Sentences] = &[row::<ContrastError>(), row::<UnknownLevel>()];

impl Says for ContrastError {
    fn says(&self, surface: Surface) -> String {
        match self {
            ContrastError::Form(text) => format!(
                "--contrast \"{text}\": write STATISTIC: FACTOR LEVEL - LEVEL, as in \
                 \"mean asynchrony: delay 200 ms - 0 ms\", or STATISTIC: slope over FACTOR \
                 (or each, curve, least, greatest in its place), or STATISTIC: against VALUE"
            ),
            ContrastError::Same(_) => format!("--contrast: {self}; name two levels"),
            ContrastError::Statistic { nearest, .. } => {
                let known = measures().iter().map(|known| known.name);
                format!("--contrast: {self}; {}", offered(nearest.as_deref(), known))
            }
            ContrastError::Numbers(..) => format!("--contrast: {self}; name two levels to compare"),
            ContrastError::Each(_) => format!("--contrast: {self}; name another factor"),
            ContrastError::Level(error) => format!("--contrast: {}", error.says(surface)),
        }
    }
}

impl Says for UnknownLevel {
    fn says(&self, _: Surface) -> String {
        let UnknownLevel { nearest, known, .. } = self;
        with(self, offered(nearest.as_deref(), known.iter().map(String::as_str)))
    }
}

/// The name that was probably meant, or all where none is near.
fn offered<'a>(nearest: Option<&str>, known: impl Iterator<Item = &'a str>) -> String {
    match nearest {
        Some(name) => format!("did you mean \"{name}\"?"),
        None => format!("there are: {}", known.collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    use chronotap_data::tables::Named;
    let level = |nearest: Option<&str>| UnknownLevel {
        what: Named::Level,
        name: "200".into(),
        nearest: nearest.map(str::to_owned),
        known: vec!["0 ms".into(), "200 ms".into()],
    };
    let factor = UnknownLevel { what: Named::Factor, ..level(None) };
    let statistic = |nearest: Option<&str>| ContrastError::Statistic {
        name: "mean asynchroni".into(),
        nearest: nearest.map(str::to_owned),
    };
    let contrasts = [
        ContrastError::Form("taps".into()),
        ContrastError::Same("0 ms".into()),
        statistic(Some("mean asynchrony")),
        statistic(None),
        ContrastError::Numbers("slope", "group".into()),
        ContrastError::Each("group".into()),
        ContrastError::Level(level(Some("200 ms"))),
        ContrastError::Level(factor),
    ];
    contrasts.into_iter().map(|error| Box::new(error) as _).collect()
}
