//! Where the data of a trial go, by the command line, and how that is said.

use crate::screen::{remark, say};
use crate::surroundings::here;
use anyhow::{Result, anyhow, bail};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::text::counted;
use chronotap_data::record::Saved;
use chronotap_engine::trial::Trial;
use chronotap_session::spare::remember;
pub use chronotap_session::spare::state_folder;
use std::path::{Path, PathBuf};

/// The names of a trial's inputs and outputs.
pub fn names(trial: &Trial) -> (Vec<&str>, Vec<&str>) {
    let inputs = trial.inputs.iter().map(|input| input.name.as_str()).collect();
    (inputs, trial.outputs.iter().map(String::as_str).collect())
}

/// The seed of a trial: given, in the file, or drawn.
pub fn seed(given: Option<u64>, file: &TrialFile) -> Result<u64> {
    match given.or(file.seed) {
        Some(seed) => Ok(seed),
        None => here().draw_seed(),
    }
}

/// Makes the data directory where it is missing.
pub fn prepare(dir: &Path) -> Result<()> {
    chronotap_core::files::create_folder(dir).map_err(|error| {
        let (why, cure) = match dir.is_file() {
            true => ("it is a file".to_owned(), "name a folder for the data"),
            false => (error.to_string(), "name one you may write to"),
        };
        anyhow!("--data {}: cannot make the directory: {why}; {cure}", dir.display())
    })
}

/// Whether [`prepare`] would make it: it is made, and taken away again where it was not there.
pub fn try_prepare(dir: &Path) -> Result<()> {
    let made: Vec<&Path> = dir.ancestors().take_while(|folder| !folder.exists()).collect();
    let done = prepare(dir);
    for folder in made {
        let _ = std::fs::remove_dir(folder); // where it was made; else there is nothing
    }
    done
}

/// A new folder for many trials, with the first number that is free.
pub fn new_set(dir: &Path, stem: &str) -> Result<PathBuf> {
    for number in 1..10_000 {
        let set = dir.join(format!("{stem}_set-{number:02}"));
        match new_folder(&set) {
            Ok(()) => return Ok(set),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                bail!("--data {}: cannot make {}: {error}", dir.display(), set.display())
            }
        }
    }
    bail!("--data {}: it has ten thousand sets of trials; name another folder", dir.display())
}

/// Where folders have rights, the laboratory alone may look into it.
fn new_folder(path: &Path) -> std::io::Result<()> {
    #[cfg_attr(not(unix), expect(unused_mut))]
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o750);
    builder.create(path)
}

/// Folders for data that their own folder refuses: the one that was given, then the user's. Whoever
/// withdraws a participant must find the first again.
pub fn spare(given: Option<&Path>) -> Vec<PathBuf> {
    if let Some(Err(error)) = given.map(remember) {
        remark(format!("--spare-data cannot be remembered for `chronotap withdraw`: {error}"));
    }
    given.map(Path::to_owned).into_iter().chain(state_folder()).collect()
}

/// First part of the data files' names. One that holds the end of a line or any other control
/// character would break every list of files.
pub fn stem(given: Option<&str>, file: &TrialFile) -> Result<String> {
    if let Some(name) = given {
        if name.is_empty() || name.contains(std::path::is_separator) {
            bail!("--name \"{name}\": a name has letters and no `/`; --data names the directory");
        }
        if name.contains(char::is_control) {
            bail!("--name {name:?}: it has control characters; give one without");
        }
        return Ok(name.to_owned());
    }
    let stem = Path::new(&file.name).file_stem();
    let stem = stem.map_or_else(|| "trial".into(), |stem| stem.to_string_lossy().into_owned());
    if stem.contains(char::is_control) {
        bail!(
            "the name of the trial file, {stem:?}, has control characters, and the data would have them too; give a name with --name"
        );
    }
    Ok(stem)
}

/// Says where a trial's files are.
pub fn say_saved(saved: &Saved) {
    say(format!("Data: {} ({})", saved.tsv.display(), counted(saved.rows, "event")));
    say(format!("      {}", saved.json.display()));
    if let Some(callbacks) = &saved.callbacks {
        say(format!("      {}", callbacks.display()));
    }
}
