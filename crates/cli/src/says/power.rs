//! What is said of studies that are rehearsed for their power.

use super::{Row, Says, of, row, with};
use chronotap_data::tables::measures;
use chronotap_session::power::{ContrastError, DifferenceError, PowerError, UnknownLevel};

pub(super) const ROWS: &[Row] =
    &[row::<ContrastError>(), row::<DifferenceError>(), row::<PowerError>(), row::<UnknownLevel>()];

impl Says for PowerError {
    fn says(&self) -> String {
        match self {
            PowerError::Study(error) => of(error),
            PowerError::Assign(error) => of(error),
            PowerError::Wires(error) => error.says(),
            PowerError::Rehearse(error) => error.says(),
            PowerError::Difference(error) => error.says(),
            PowerError::Contrast(error) => error.says(),
            PowerError::TakesUp(_) => with(self, "set a value in its place for the rehearsal"),
            PowerError::Nothing => self.to_string(),
        }
    }
}

impl Says for DifferenceError {
    fn says(&self) -> String {
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
            DifferenceError::Level(error) => format!("--difference: {}", error.says()),
        }
    }
}

impl Says for ContrastError {
    fn says(&self) -> String {
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
            ContrastError::Level(error) => format!("--contrast: {}", error.says()),
        }
    }
}

impl Says for UnknownLevel {
    fn says(&self) -> String {
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
    use chronotap_session::power::Named;
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
    let unit = DifferenceError::Unit { parameter: "mean".into(), stated: "ms".into() };
    let differences = [
        DifferenceError::Form("delay".into()),
        DifferenceError::NotStated("mean".into()),
        unit,
        DifferenceError::Level(level(None)),
    ];
    let powers = [
        PowerError::Contrast(ContrastError::Same("0 ms".into())),
        PowerError::Difference(DifferenceError::Form("delay".into())),
        PowerError::TakesUp("find".into()),
        PowerError::Nothing,
    ];
    let contrasts = contrasts.into_iter().map(|error| Box::new(error) as _);
    let differences = differences.into_iter().map(|error| Box::new(error) as _);
    contrasts
        .chain(differences)
        .chain(powers.into_iter().map(|error| Box::new(error) as _))
        .collect()
}
