//! A whole folder of FTAP's files, with the folders in it: every configuration file as a trial
//! file, every data file as a recorded trial, with one list of what was read how. Everything is
//! read before anything is written, and the new folder gets its name when it is whole.

use super::{columns, read_data};
use crate::CommandVerdict;
use crate::args::ImportFtap;
use crate::commands::remove_unfinished;
use crate::says::ftap::problems;
use crate::says::{Says, Terminal};
use crate::screen::say;
use anyhow::{Context, Result, anyhow, bail};
use chronotap_config::ftap::{LineRead, Readings, account, import, text_of_ftap};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::files::{Unfinished, create_folder, create_new};
use chronotap_core::text::counted;
use chronotap_data::exchange::abs::{AbsColumns, AbsError, ImportedTrial};
use chronotap_data::record::write_events;
use chronotap_words::commands as words;
use std::collections::HashMap;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The name of the list, in the new folder.
const LIST: &str = "imported.txt";

pub(super) fn import_folder(args: &ImportFtap) -> Result<CommandVerdict> {
    let shown = args.file.display();
    let Some(to) = &args.output else {
        bail!("{shown} is a folder: name a new one for what its files become, with --output DIR");
    };
    if args.data.is_some() || args.force {
        bail!(
            "--{}: {shown} is a folder, of which everything goes into a new one; leave it out",
            if args.force { "force" } else { "data" }
        );
    }
    let found = Found::read(args)?;
    if !found.refused.is_empty() {
        bail!("{}", found.refused.join("\n"));
    }
    if found.trials.is_empty() && found.recorded.is_empty() {
        bail!("{shown}: no file in it is FTAP's; check the path");
    }
    let list = found.list();
    remove_unfinished(to);
    found.write(to, &list).map_err(|error| match error.downcast_ref::<std::io::Error>() {
        Some(refusal) if refusal.kind() == ErrorKind::AlreadyExists => {
            anyhow!("--output {}: it exists; name another folder", to.display())
        }
        _ => error.context(words::cannot_write_to("--output", to)),
    })?;
    let made = [("trial file", found.trials.len()), ("recorded trial", found.recorded.len())];
    let made = made.iter().filter(|(_, n)| *n > 0).map(|(what, n)| counted(*n, what));
    say(format!("{}: {}", to.display(), made.collect::<Vec<_>>().join(", ")));
    say(list.trim_end());
    Ok(CommandVerdict::Passed)
}

/// What a folder holds.
#[derive(Default)]
struct Found {
    /// Configuration files by their names, each with its trial file.
    trials: Vec<(String, String)>,
    recorded: Vec<(String, ImportedTrial)>,
    /// What was read how.
    said: Vec<(String, Vec<LineRead>)>,
    /// Files that are not FTAP's, and folders that have none of its.
    left_alone: Vec<String>,
    /// Why files of FTAP cannot be read.
    refused: Vec<String>,
}

impl Found {
    fn read(args: &ImportFtap) -> Result<Found> {
        let readings = Readings::parse(&args.ftap.readings)?.without(&args.ftap.without)?;
        let columns = columns(args)?;
        let mut found = Found::default();
        found.folder("", &args.file, &readings, columns.as_ref())?;
        Ok(found)
    }

    /// Takes what is in a folder; `way` leads to it, as `pilot/`.
    fn folder(
        &mut self,
        way: &str,
        folder: &Path,
        readings: &Readings,
        columns: Option<&AbsColumns>,
    ) -> Result<()> {
        for (name, path) in inside(folder)? {
            let name = format!("{way}{name}");
            if path.is_dir() && !path.is_symlink() {
                self.below(&format!("{name}/"), &path, readings, columns)?;
            } else if !path.is_file() {
                self.left_alone.push(name); // a link that leads nowhere or to a folder, a pipe
            } else if name.ends_with(".abs") {
                self.data(&name, &path, columns)?;
            } else {
                self.configuration(&name, &path, readings)?;
            }
        }
        Ok(())
    }

    /// The same of a folder in it, which is named as a whole if nothing in it is FTAP's.
    fn below(
        &mut self,
        way: &str,
        folder: &Path,
        readings: &Readings,
        columns: Option<&AbsColumns>,
    ) -> Result<()> {
        let (before, left) = (self.taken(), self.left_alone.len());
        self.folder(way, folder, readings, columns)?;
        if self.taken() == before {
            self.left_alone.truncate(left);
            self.left_alone.push(way.to_owned());
        }
        Ok(())
    }

    /// How many files are FTAP's so far.
    fn taken(&self) -> usize {
        self.trials.len() + self.recorded.len() + self.refused.len()
    }

    fn configuration(&mut self, name: &str, path: &Path, readings: &Readings) -> Result<()> {
        let Some(text) = text_of_ftap(&TrialFile::bytes(path)?) else {
            self.left_alone.push(name.to_owned());
            return Ok(());
        };
        match import(&text, name, readings) {
            Err(mut mistakes) => {
                mistakes.0.iter_mut().for_each(|one| one.file = path.display().to_string());
                self.refused.push(problems(&mistakes).to_string());
            }
            Ok(imported) => {
                let notes =
                    imported.notes.iter().map(|note| (note.line, note.remark.says(Terminal)));
                let said = imported.readings.iter().map(|reading| (0, reading.clone()));
                self.said.push((name.to_owned(), said.chain(notes).collect()));
                self.trials.push((name.to_owned(), imported.toml));
            }
        }
        Ok(())
    }

    fn data(&mut self, name: &str, path: &Path, columns: Option<&AbsColumns>) -> Result<()> {
        match read_data(path, columns) {
            Ok((made, inferred)) => {
                let stray = made.stray.iter().map(|line| (*line, super::STRAY.to_owned()));
                let said: Vec<LineRead> =
                    inferred.map(|said| (0, said)).into_iter().chain(stray).collect();
                if !said.is_empty() {
                    self.said.push((name.to_owned(), said));
                }
                self.recorded.push((name.to_owned(), made));
            }
            Err(error) => match error.downcast_ref::<AbsError>() {
                Some(wrong) => self.refused.push(wrong.says(Terminal)),
                None => return Err(error),
            },
        }
        Ok(())
    }

    /// What became what, what was read how, and what was left alone.
    fn list(&self) -> String {
        let mut lines = Vec::new();
        let names = own_names(&self.trials);
        let became =
            self.trials.iter().zip(&names).map(|((from, _), to)| format!("{from} -> {to}"));
        let runs = runs(&self.recorded);
        let data = self.recorded.iter().zip(&runs);
        let data = data.map(|((name, _), run)| format!("{name} -> data/{run}_events.tsv"));
        for (title, all) in [
            ("What became what", became.chain(data).collect()),
            ("Read so", account(&self.said)),
            ("Left alone, because they are not FTAP's", self.left_alone.clone()),
        ] {
            if !all.is_empty() {
                lines.push(title.to_owned());
                lines.extend(all.iter().map(|line| format!("  {line}")));
            }
        }
        lines.join("\n") + "\n"
    }

    fn write(&self, to: &Path, list: &str) -> Result<()> {
        let folder = Unfinished::beside(to)?;
        let put = |name: &str, text: &str| {
            let path = folder.path().join(name);
            beside(&path)?;
            create_new(&path).and_then(|mut file| file.write_all(text.as_bytes()))
        };
        for ((_, toml), name) in self.trials.iter().zip(own_names(&self.trials)) {
            put(&name, toml)?;
        }
        let data = folder.path().join("data");
        for ((_, made), run) in self.recorded.iter().zip(runs(&self.recorded)) {
            let path = data.join(&run);
            beside(&path)?;
            let (folder, run) = (path.parent().unwrap_or(&data), run_name(&run));
            write_events(folder, run, &made.header, &made.entries, &made.footer, true)?;
        }
        put(LIST, list)?;
        Ok(folder.finish(to)?)
    }
}

/// What is in a folder, by name.
fn inside(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let unread = || format!("{}: cannot be read", folder.display());
    let mut inside = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(unread)? {
        let entry = entry.with_context(unread)?;
        inside.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
    }
    inside.sort();
    Ok(inside)
}

/// The names of the trial files: without the ending, unless two files differ in it alone.
fn own_names(trials: &[(String, String)]) -> Vec<String> {
    let mut stems: HashMap<&str, usize> = HashMap::new();
    trials.iter().for_each(|(name, _)| *stems.entry(stem(name)).or_default() += 1);
    let own = |(name, _): &(String, String)| match stems[stem(name)] {
        1 => format!("{}.toml", stem(name)),
        _ => format!("{name}.toml"),
    };
    trials.iter().map(own).collect()
}

/// The names of the recorded trials, each of its own number.
fn runs(recorded: &[(String, ImportedTrial)]) -> Vec<String> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let stems = recorded.iter().map(|(name, _)| stem(name));
    let mut run = |stem| {
        let number = numbers.entry(stem).or_default();
        *number += 1;
        format!("{stem}_run-{number:02}")
    };
    stems.map(|stem| run(stem.strip_suffix("_events").unwrap_or(stem))).collect()
}

/// A name without the folders that lead to it.
fn run_name(run: &str) -> &str {
    run.rsplit_once('/').map_or(run, |(_, own)| own)
}

/// Makes the folder that a file comes into.
fn beside(path: &Path) -> std::io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.is_dir() => create_folder(folder),
        _ => Ok(()),
    }
}

/// A name without its ending, with the folders that lead to it.
fn stem(name: &str) -> &str {
    let own = name.rfind('/').map_or(0, |slash| slash + 1);
    match name[own..].rfind('.') {
        Some(dot) if dot > 0 => &name[..own + dot],
        _ => name,
    }
}
