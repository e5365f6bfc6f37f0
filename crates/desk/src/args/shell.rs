//! The arguments of commands that tell the shell and its manual about the program.

use clap::Args;
use std::path::PathBuf;

/// Print what a shell needs to complete commands and options with Tab.
///
/// For bash: `chronotap completions bash >
/// ~/.local/share/bash-completion/completions/chronotap`. For zsh, into a folder of $fpath as
/// `_chronotap`; for fish, into `~/.config/fish/completions/chronotap.fish`.
#[derive(Args, Debug)]
pub struct Completions {
    /// Which shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// Write manual pages of the program and of each command.
///
/// `chronotap man ~/.local/share/man/man1` puts them where `man chronotap-run` finds them.
/// Existing pages are replaced.
#[derive(Args, Debug)]
pub struct Man {
    /// The folder; created if missing
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}
