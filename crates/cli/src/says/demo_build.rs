//! What is said of what `make demo` does not build, since a first look does not need it and would wait for it:
//! Parquet, workbooks and LSL. Which of it there is, the features of this package say (`Cargo.toml`).

pub use chronotap_words::WHOLE;

/// Commands that are not there without LSL; then they are still known by their names.
const OF_LSL: [&str; 2] = ["listen", "lsl"];

/// The parts that are not there, as the console's pages know them.
pub fn lacks() -> Vec<&'static str> {
    let parts = [("parquet", cfg!(feature = "parquet")), ("lsl", cfg!(feature = "lsl"))];
    parts.into_iter().filter(|(_, there)| !there).map(|(name, _)| name).collect()
}

/// That LSL is not there, and how to get it.
pub fn no_lsl() -> String {
    format!("LSL is not in the demo build; {WHOLE}")
}

/// What is said of a command that is not there, where only this build lacks it.
pub fn lacked(command: &str) -> Option<String> {
    OF_LSL.contains(&command).then(|| format!("{command}: {}", no_lsl()))
}

#[cfg(test)]
mod tests {
    use super::super::{Says, Terminal};
    use super::*;
    use crate::linux::Linux;
    use chronotap_data::exchange::ExchangeError;
    use chronotap_desk::surroundings::whole_command;

    #[test]
    fn a_command_that_only_the_demo_build_lacks_is_said_to_be_lacking_there_and_how_to_get_it() {
        assert_eq!(
            lacked("listen").unwrap(),
            "listen: LSL is not in the demo build; install the whole program with \
             `cargo install --locked --path crates/cli` in its clone"
        );
        assert_eq!(lacked("lsll"), None);
        assert_eq!(
            ExchangeError::NoParquet.says(Terminal),
            "Parquet and workbooks are not in the demo build; install the whole program with \
             `cargo install --locked --path crates/cli` in its clone, or take CSV (`chronotap export`)"
        );
        chronotap_desk::begin(&Linux);
        let commands = whole_command();
        for name in OF_LSL {
            assert_eq!(commands.find_subcommand(name).is_some(), cfg!(feature = "lsl"), "{name}");
        }
    }
}
