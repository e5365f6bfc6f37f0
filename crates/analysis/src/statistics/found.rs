//! [`Found`]: a statistic of one trial, under its full name.

use super::Statistic;
use chronotap_core::time::Nanos;
use std::fmt::{Display, Formatter};

/// A statistic of one trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<'a> {
    pub known: &'static Statistic,
    /// The input that it is of.
    pub input: Option<&'a str>,
    /// The stream that the input is measured against.
    pub against: Option<&'a str>,
    /// The stretch; `None` for the whole trial.
    pub stretch: Option<&'a str>,
    /// Its value in its unit; `None` where the data have none.
    pub value: Option<f64>,
}

impl Found<'_> {
    /// The value as a time, where it is one: to the nanosecond, as a result that a later
    /// trial takes up needs it.
    pub fn time(&self) -> Option<Nanos> {
        let ns_in_unit = self.known.unit.nanoseconds()?;
        self.value.map(|value| Nanos::round_from_f64(value * ns_in_unit))
    }
}

impl Display for Found<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.known.name)?;
        let parts = [(" of ", self.input), (" against ", self.against), (" in ", self.stretch)];
        parts.iter().try_for_each(|(word, name)| match name {
            Some(name) => write!(f, "{word}{name}"),
            None => Ok(()),
        })
    }
}
