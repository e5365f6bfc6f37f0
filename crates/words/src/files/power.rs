//! What is said of studies that are rehearsed for their power.

use crate::{Says, Sentences, Surface, of, row, with};
use chronotap_session::power::{DifferenceError, PowerError};

pub(super) const ROWS: &[Sentences] = &[row::<DifferenceError>(), row::<PowerError>()];

impl Says for PowerError {
    fn says(&self, surface: Surface) -> String {
        match self {
            PowerError::Study(error) => of(error, surface),
            PowerError::Assign(error) => of(error, surface),
            PowerError::Wires(error) => error.says(surface),
            PowerError::Rehearse(error) => error.says(surface),
            PowerError::Difference(error) => error.says(surface),
            PowerError::Contrast(error) => error.says(surface),
            PowerError::TakesUp(_) => with(self, "set a value in its place for the rehearsal"),
            PowerError::Nothing => self.to_string(),
        }
    }
}

impl Says for DifferenceError {
    fn says(&self, surface: Surface) -> String {
        match self {
            DifferenceError::Form(text) => format!(
                "--difference \"{text}\": write FACTOR LEVEL: PARAMETER + AMOUNT, as in \
                 \"delay 200 ms: mean - 15 +- 5 ms\""
            ),
            DifferenceError::NotStated(parameter) => format!(
                "--difference: the participants do not state {parameter}, to which it is to be \
                 added; add it, as in --simulate \"tapper, {parameter} = …\""
            ),
            DifferenceError::Unit { parameter, stated } => {
                format!("--difference: {parameter} is stated in \"{stated}\"; use this unit")
            }
            DifferenceError::Level(error) => format!("--difference: {}", error.says(surface)),
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    use chronotap_session::power::{ContrastError, Named, UnknownLevel};
    let level = UnknownLevel {
        what: Named::Level,
        name: "200".into(),
        nearest: None,
        known: vec!["0 ms".into(), "200 ms".into()],
    };
    let unit = DifferenceError::Unit { parameter: "mean".into(), stated: "ms".into() };
    let differences = [
        DifferenceError::Form("delay".into()),
        DifferenceError::NotStated("mean".into()),
        unit,
        DifferenceError::Level(level),
    ];
    let powers = [
        PowerError::Contrast(ContrastError::Same("0 ms".into())),
        PowerError::Difference(DifferenceError::Form("delay".into())),
        PowerError::TakesUp("find".into()),
        PowerError::Nothing,
    ];
    let differences = differences.into_iter().map(|error| Box::new(error) as _);
    differences.chain(powers.into_iter().map(|error| Box::new(error) as _)).collect()
}
