//! One file per command, each with one entry of the same name.

pub mod align;
pub mod analyze;
pub mod backup;
pub mod check;
pub mod completions;
pub mod correct;
pub mod dropout;
pub mod ear;
pub mod export;
pub mod gather;
pub mod import_ftap;
pub mod import_taps;
pub mod man;
pub mod merge;
pub mod new;
pub mod open;
pub mod pack;
pub mod plan;
pub mod power;
pub mod recover;
pub mod render;
pub mod repair;
pub mod replay;
pub mod report;
pub mod simulate;
pub mod status;
pub mod study;
pub mod summary;
pub mod verify;
pub mod withdraw;

use crate::screen::{complain, remark};
use crate::surroundings::{CtrlC, here};
use anyhow::{Context, Result, bail};
use chronotap_core::files::{Disk, System, remove_unfinished_beside};
use chronotap_data::exchange::ExchangeError;
use chronotap_data::tables::Aside;
use chronotap_words::commands as words;
use std::path::{Path, PathBuf};

/// Takes over Ctrl-C, which then ends what is under way and keeps what there is.
fn take_over_ctrl_c() -> Result<CtrlC> {
    here().take_over_ctrl_c().context("cannot take over Ctrl-C")
}

/// An error where people withdrew while these files were made of their data: they are removed, for whoever withdrew
/// is nowhere in what the program made. Who withdraws after this removes them with the rest.
pub fn unless_withdrawn(gone: Vec<String>, made: &[PathBuf]) -> Result<()> {
    if gone.is_empty() {
        return Ok(());
    }
    for path in made.iter().filter(|path| chronotap_core::files::is_there(path)) {
        System.remove(path).with_context(|| words::cannot_remove(path))?;
    }
    Err(ExchangeError::Withdrew(gone).into())
}

/// An error where a file that says what is run stands in the place of data.
pub fn refuse_files_to_run(paths: &[PathBuf]) -> Result<()> {
    let is_one =
        |path: &&PathBuf| path.extension().is_some_and(|end| end == "toml") && path.is_file();
    match paths.iter().find(is_one) {
        Some(path) => bail!(
            "{}: says what is run, and holds no data; name the dataset, the folder that --data \
             named",
            path.display()
        ),
        None => Ok(()),
    }
}

/// An error where the usual folder of what is computed leads out of the dataset: nobody who withdraws is looked for
/// behind a link.
pub fn refuse_linked(dataset: &Path, folder: &Path) -> Result<()> {
    let is_link =
        |path: &&Path| std::fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink());
    let within =
        folder.ancestors().take_while(|path| path.starts_with(dataset) && *path != dataset);
    if let Some(link) = within.into_iter().find(is_link) {
        bail!(
            "{}: is a link, and behind it nobody who withdraws is looked for; name a folder with --to, or put \
             a folder there",
            link.display()
        );
    }
    Ok(())
}

/// Removes what a killed program left beside a place, and tells it.
pub fn remove_unfinished(beside: &Path) {
    for path in remove_unfinished_beside(beside, |program| here().has_ended(program)) {
        remark(format!("{}: left by a program that was killed, and removed", path.display()));
    }
}

/// Tells what lies in a dataset and is left out; gives whether nothing else has what that has.
pub fn tell_aside(aside: &[Aside]) -> bool {
    aside.iter().for_each(|one| complain(&crate::says::said_aside(one)));
    !aside.iter().any(Aside::is_a_loss)
}
