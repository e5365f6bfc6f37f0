//! `chronotap pack`: a study, or a finished one, as one file for somebody else.

use crate::CommandVerdict;
use crate::args::Pack;
use crate::commands::{remove_unfinished, take_over_ctrl_c};
use crate::rehearsed::rehearsal;
use crate::says::in_full;
use crate::screen::{Progress, say, wrapped};
use anyhow::{Context, Result, anyhow, bail};
use chronotap_core::files::{Disk, System, Unfinished, is_there};
use chronotap_core::text::counted;
use chronotap_session::Dataset;
use chronotap_session::pack::{
    LeftOutFiles, Manifest, OfDataset, PackError, PackStop, Packed, check_dataset, stage_dataset,
    stage_study, write,
};
use chronotap_words::commands as words;
use std::path::Path;

pub fn pack(args: &Pack) -> Result<CommandVerdict> {
    let output = &args.output;
    if is_there(output) {
        return Err(PackError::There { path: output.clone() }.into());
    }
    remove_unfinished(output);
    let interrupt = take_over_ctrl_c()?;
    let stop: PackStop<'_> = &|| interrupt.requested();
    let folder = Unfinished::beside(output);
    let folder = folder.with_context(|| format!("{}: cannot be made", output.display()))?;
    let mut line = Progress::new(u32::MAX);
    let staged =
        staged(args, &folder, stop, &mut line).map_err(|error| without(folder.path(), error));
    line.end();
    let (manifest, left_out) = staged?;
    let manifest = write(folder.path(), manifest, output, stop)?;
    if let Some(left_out) = &left_out {
        unless_withdrawn(args, left_out.withdrawn)?;
    }
    if !args.quiet {
        tell(&manifest, left_out.as_ref());
        say(output.display());
    }
    Ok(CommandVerdict::Passed)
}

/// An error where somebody withdrew while their data were packed: the pack is removed.
fn unless_withdrawn(args: &Pack, before: usize) -> Result<()> {
    if Dataset::open(&args.path)?.withdrawn()?.len() == before {
        return Ok(());
    }
    let output = &args.output;
    System.remove(output).with_context(|| words::cannot_remove(output))?;
    bail!("somebody withdrew meanwhile, so that no pack was made; pack it again")
}

/// Everything that is to be packed, in a folder.
fn staged(
    args: &Pack,
    folder: &Unfinished,
    stop: PackStop<'_>,
    line: &mut Progress,
) -> Result<(Manifest, Option<LeftOutFiles>)> {
    let (path, root) = (&args.path, folder.path());
    if path.extension().is_some_and(|end| end == "toml") {
        line.show("rehearsing the study");
        let of = |study: &_| rehearsal(study, &args.rehearsed);
        return Ok((stage_study(path, root, &of, stop)?, None));
    }
    if !Dataset::is_there(path) {
        bail!(
            "{}: neither an experiment file nor a dataset; name the study's .toml file, or the folder that holds dataset_description.json",
            path.display()
        );
    }
    line.show("reading the data");
    let Packed { manifest, left_out } =
        stage_dataset(&Dataset::open(path)?, root, args.with_persons, stop)?;
    let mut told = |done, of| line.show(&format!("{done} of {}", counted(of, "participant")));
    let (found, ..) = check_dataset(root, &manifest, stop, &mut told)?;
    found.none_or_first()?;
    Ok((manifest, Some(left_out)))
}

/// An error that names no folder which is gone when it is read.
pub fn without(folder: &Path, error: anyhow::Error) -> anyhow::Error {
    let (said, folder) = (in_full(&error), format!("{}/", folder.display()));
    if said.contains(&folder) { anyhow!(said.replace(&folder, "")) } else { error }
}

/// What is in the file, and what is not.
fn tell(manifest: &Manifest, left_out: Option<&LeftOutFiles>) {
    let files = counted(manifest.files.len(), "file");
    if let Some(study) = &manifest.study {
        let people =
            format!("a rehearsal with {}", counted(study.participants as usize, "participant"));
        say(format!("{}: the study, {files}, with {people}", manifest.title));
    }
    if let (Some(of), Some(left_out)) = (&manifest.dataset, left_out) {
        say(format!("{}: the data, {files}", manifest.title));
        say(counts(of));
        sentences(manifest, left_out).iter().for_each(|said| say(wrapped(said, "")));
    }
}

/// How many there are of everything, and the verdicts.
pub fn counts(of: &OfDataset) -> String {
    let [people, sessions, trials] =
        [(of.participants, "participant"), (of.sessions, "session"), (of.trials, "trial")]
            .map(|(n, of)| counted(n, of));
    let simulated = if of.simulated { "; simulated" } else { "" };
    let (late, unusable) = (of.timing_failed, of.unusable);
    format!(
        "{people}, {sessions}, {trials}; timing failed in {late}, data unusable in {unusable}{simulated}"
    )
}

/// So many files are named.
const NAMED: usize = 5;

fn sentences(manifest: &Manifest, left_out: &LeftOutFiles) -> Vec<String> {
    let mut said = Vec::new();
    let LeftOutFiles { withdrawn, persons, files, free_text, sounds, notes } = left_out;
    let joined = |names: Vec<String>| names.join(", ");
    if *withdrawn > 0 {
        said.push(format!("left out: {}, who withdrew", counted(*withdrawn, "participant")));
    }
    if !persons.is_empty() {
        let names = joined(persons.iter().cloned().collect());
        let cure = if manifest.persons { "" } else { "; --with-persons packs it" };
        said.push(format!("left out: what is known about persons ({names}){cure}"));
    }
    if !files.is_empty() {
        let mut names: Vec<String> =
            files.iter().take(NAMED).map(|path| path.display().to_string()).collect();
        names.extend((files.len() > NAMED).then(|| "and more".to_owned()));
        let count = counted(files.len(), "other file");
        said.push(format!("left out: {count} in the dataset ({})", joined(names)));
    }
    if !sounds.is_empty() {
        let names = joined(sounds.iter().cloned().collect());
        said.push(format!("left out: sound files that trials played ({names}); where they lay on this computer is in the trial files"));
    }
    let mut own: Vec<String> =
        free_text.iter().map(|(name, n)| format!("{name} ({})", counted(*n, "answer"))).collect();
    own.extend((*notes > 0).then(|| counted(*notes, "note")));
    if !own.is_empty() {
        let own = joined(own);
        said.push(format!(
            "packed in people's own words: {own}; read them before you hand the file over"
        ));
    }
    said.push(
        "packed: the participants' labels, their groups, when each trial began, and the names of who ran the sessions, where \
         they were given"
            .to_owned(),
    );
    said
}
