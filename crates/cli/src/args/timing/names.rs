//! [`LoadName`]: a load as it is named on the command line, where `all` stands for all.

use crate::says::{Says, Terminal};
use chronotap_bench::studies::Load;
use chronotap_bench::studies::loads::UnknownLoad;
use std::str::FromStr;

/// Some load, or all that can run here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadName {
    /// Every load, and none.
    All,
    /// This one.
    One(Load),
}

impl FromStr for LoadName {
    type Err = String;

    fn from_str(name: &str) -> Result<LoadName, String> {
        match name {
            "all" => Ok(LoadName::All),
            name => name
                .parse()
                .map(LoadName::One)
                .map_err(|error: UnknownLoad| format!("{}, all", error.says(Terminal))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_name_is_answered_with_the_right_ones() {
        assert_eq!("all".parse(), Ok(LoadName::All));
        assert_eq!("none".parse(), Ok(LoadName::One(Load::None)));
        let error = "arithmetics".parse::<LoadName>().unwrap_err();
        assert!(error.contains("arithmetic") && error.ends_with(", all"), "{error}");
    }
}
