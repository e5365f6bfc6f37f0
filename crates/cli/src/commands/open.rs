//! `chronotap open`: a file that was packed, unpacked, worked out again and compared.

mod devices;

use crate::Verdict;
use crate::args::{Open, Rehearsed};
use crate::commands::pack::{counts, without};
use crate::commands::take_over_ctrl_c;
use crate::rehearsed::rehearsal;
use crate::says::Says;
use crate::screen::{say, wrapped};
use anyhow::{Context, Result, bail};
use chronotap_core::files::create_new;
use chronotap_core::text::counted;
use chronotap_core::time::Nanos;
use chronotap_data::tables::{Found, Stands};
use chronotap_report::{Effect, effects_page};
use chronotap_rig::laboratory::DeviceNames;
use chronotap_session::Study;
use chronotap_session::pack::{
    Difference, Differences, Manifest, OfStudy, PackError, Stop, Unpacked, check_dataset,
    check_study, rehearsed, study_of_dataset, unpack,
};
use std::io::Write;
use std::path::{Path, PathBuf};

pub fn open(args: &Open) -> Result<Verdict> {
    let to = folder(args)?;
    let machine = DeviceNames::read(args.machine.as_deref())?;
    let interrupt = take_over_ctrl_c()?;
    let stop: Stop<'_> = &|| interrupt.requested();
    let mut unpacked = unpack(&args.file, &to, stop)?;
    let root = unpacked.root().to_owned();
    let checked = checked(&unpacked, stop).map_err(|error| without(&root, error));
    let Checked { mut found, verified, effects } = checked?;
    unpacked.changed.drain(..).for_each(|changed| found.add(changed));
    let drawn = draw(&root, &unpacked.manifest, &effects)?;
    let manifest = unpacked.manifest.clone();
    unpacked.finish()?;
    if !args.quiet {
        say(format!("{}, packed by {}", manifest.title, manifest.program));
        manifest.dataset.iter().for_each(|of| say(counts(of)));
        manifest.published.iter().for_each(|of| say(wrapped(&format!("published: {of}"), "")));
        devices::told(&manifest, machine.as_ref()).iter().for_each(|said| say(wrapped(said, "")));
    }
    tell(&found, &verified, (&root, args.quiet));
    if !args.quiet {
        drawn.into_iter().for_each(|name| say(to.join(name).display()));
        say(to.display());
    }
    Ok(Verdict::of(found.is_none()))
}

/// The folder to be made.
fn folder(args: &Open) -> Result<PathBuf> {
    if let Some(to) = &args.to {
        return Ok(to.clone());
    }
    let name = args.file.file_name().map(Path::new);
    match name.and_then(|name| Some((name, name.file_stem()?))) {
        Some((name, stem)) if name != Path::new(stem) => Ok(PathBuf::from(stem)),
        _ => bail!("{}: which folder shall it become? name it with --to", args.file.display()),
    }
}

/// What was found.
struct Checked {
    found: Differences,
    verified: String,
    effects: Vec<(&'static str, Found)>,
}

/// Everything worked out again.
fn checked(unpacked: &Unpacked, stop: Stop<'_>) -> Result<Checked> {
    let (root, manifest) = (unpacked.root(), &unpacked.manifest);
    if let (Some(of), Some(path)) = (&manifest.study, manifest.experiment(root)) {
        let study = Study::read(&path)?;
        let rehearsal = rehearsal(&study, &as_packed(of)?)?;
        let (found, effect) = check_study(root, &study, &rehearsal, stop)?;
        let verified = format!("{} rehearsed", counted(rehearsal.labels.len(), "participant"));
        return Ok(Checked { found, verified, effects: named("rehearsal", effect).collect() });
    }
    let (found, of, effect) = check_dataset(root, manifest, stop)?;
    let verified = format!("{} replayed", counted(of.trials, "trial"));
    let rehearsed = rehearsed_beside(root, !effect.is_empty(), stop)?;
    let effects = named("rehearsal", rehearsed).chain(named("these data", effect)).collect();
    Ok(Checked { found, verified, effects })
}

/// The outcome alone is drawn.
fn named(name: &'static str, found: Vec<Found>) -> impl Iterator<Item = (&'static str, Found)> {
    let outcome = found.into_iter().filter(|found| found.outcome.stands == Stands::Outcome);
    outcome.map(move |found| (name, found))
}

/// The most that are rehearsed of a study that somebody else wrote.
const MOST_PEOPLE: u32 = 100_000;

/// How the study was rehearsed when it was packed.
fn as_packed(of: &OfStudy) -> Result<Rehearsed> {
    if !(1..=MOST_PEOPLE).contains(&of.participants) || of.longest_ns <= 0 {
        bail!(
            "manifest.json: no rehearsal is of {} participants; ask for another copy",
            of.participants
        );
    }
    Ok(Rehearsed {
        participants: Some(of.participants),
        simulate: Some(of.model.clone()),
        longest: Some(Nanos(of.longest_ns)),
    })
}

/// What a rehearsal of a finished study comes to, where it states what it is for. A study that cannot be
/// rehearsed has none.
fn rehearsed_beside(root: &Path, wanted: bool, stop: Stop<'_>) -> Result<Vec<Found>, PackError> {
    let study = if wanted { study_of_dataset(root)? } else { None };
    let usual = Rehearsed { participants: None, simulate: None, longest: None };
    let Some((study, rehearsal)) =
        study.and_then(|study| Some((rehearsal(&study, &usual).ok()?, study)).map(|(r, s)| (s, r)))
    else {
        return Ok(Vec::new());
    };
    Ok(rehearsed(&study, &rehearsal, stop)?.2)
}

/// The page with the effect, where the study states what it is for; its name.
fn draw(root: &Path, manifest: &Manifest, found: &[(&str, Found)]) -> Result<Option<&'static str>> {
    let Some((_, first)) = found.last() else { return Ok(None) };
    let effects: Vec<Effect> =
        found.iter().filter_map(|(name, found)| Effect::of(name, found)).collect();
    if effects.is_empty() {
        return Ok(None);
    }
    let published: String =
        manifest.published.iter().map(|of| format!("Published: {of} ")).collect();
    let program = &manifest.program;
    let remark = format!("{published}Packed by {program}; computed again when it was opened.");
    let page = effects_page(&manifest.title, &first.what(), &first.unit, &effects, &remark);
    let path = root.join(EFFECT);
    let written = create_new(&path).and_then(|mut file| file.write_all(page.as_bytes()));
    written.with_context(|| format!("{}: cannot be written", path.display()))?;
    Ok(Some(EFFECT))
}

const EFFECT: &str = "effect.html";
/// So many differences are told.
const TOLD: usize = 20;

/// What differs, or that nothing does.
fn tell(found: &Differences, verified: &str, (root, quiet): (&Path, bool)) {
    let root = format!("{}/", root.display()); // it has another name now
    for difference in found.kept.iter().take(TOLD) {
        let said = match difference {
            Difference::Problem(problem) => in_dataset(&problem.to_string(), &root),
            other => other.says(),
        };
        say(wrapped(&said.replace(&root, ""), ""));
    }
    if found.all > TOLD {
        say(format!("and {} more", found.all - TOLD));
    }
    if !quiet {
        let (cells, tables) = (counted(found.cells, "cell"), counted(found.tables, "table"));
        say(format!("{verified}; {cells} of {tables} compared"));
    }
    match found.all {
        0 if quiet => {}
        0 => say("the same"),
        1 => say("1 thing differs"),
        n => say(format!("{n} things differ")),
    }
}

/// What is wrong with a file of the dataset, by its name in the pack.
fn in_dataset(said: &str, root: &str) -> String {
    if said.contains(root) { said.to_owned() } else { format!("dataset/{said}") }
}
