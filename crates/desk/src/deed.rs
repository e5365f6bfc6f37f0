//! [`Deed`]: what a command takes and what it does, as the table of all commands has it. Which command it is, and
//! in which list of the help it stands, its row says.

use crate::CommandVerdict;
use clap::{ArgMatches, Command};

/// What a command takes, and what it does with what was given.
#[derive(Clone, Copy)]
pub struct Deed {
    /// Adds its arguments and its help to the command of its name.
    pub with: fn(Command) -> Command,
    /// Reads what was given; the command runs when that is called.
    pub given: fn(&ArgMatches) -> Result<GivenDeed, clap::Error>,
}

/// A command with everything that was given, to be run once.
pub type GivenDeed = Box<dyn FnOnce() -> anyhow::Result<CommandVerdict>>;

/// The deed of a type of arguments and a function that takes them.
#[macro_export]
macro_rules! deed {
    ($args:ty, $run:expr) => {
        $crate::deed::Deed {
            with: <$args as clap::Args>::augment_args,
            given: |given| {
                let args = <$args as clap::FromArgMatches>::from_arg_matches(given)?;
                let run: fn($args) -> anyhow::Result<$crate::CommandVerdict> = $run;
                Ok(Box::new(move || run(args)))
            },
        }
    };
}
