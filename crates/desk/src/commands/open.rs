//! `chronotap open`: a file that was packed, unpacked, worked out again and compared.

mod devices;

use crate::CommandVerdict;
use crate::args::{Open, RehearsalArgs};
use crate::commands::pack::{counts, without};
use crate::commands::{remove_unfinished, take_over_ctrl_c};
use crate::rehearsed::rehearsal;
use crate::says::{Says, Terminal};
use crate::screen::{Progress, remark, say, wrapped};
use crate::surroundings::here;
use anyhow::{Context, Result, bail};
use chronotap_core::files::{create_folder, create_new, is_there, probably_meant};
use chronotap_core::text::counted;
use chronotap_core::time::Nanos;
use chronotap_report::{ComparedEffect, effects_page, figures};
use chronotap_session::pack::{
    Differences, Manifest, OfStudy, PackDifference, PackEffect as EffectFound, PackError, PackStop,
    Unpacked, check_dataset, check_study, rehearsed_effects, study_of_dataset, study_of_pack,
    unpack,
};
use chronotap_words::commands as words;
use std::io::Write;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

pub fn open(args: &Open) -> Result<CommandVerdict> {
    look_at(&args.file)?;
    let to = folder(args)?;
    let own = here().own_ports(args.machine.as_deref())?;
    remove_unfinished(&to);
    let interrupt = take_over_ctrl_c()?;
    let stop: PackStop<'_> = &|| interrupt.requested();
    let mut line = Progress::new(u32::MAX);
    line.show("reading the file");
    let mut unpacked = unpack(&args.file, &to, stop)?;
    let root = unpacked.root().to_owned();
    let checked = checked(&unpacked, stop, &mut line).map_err(|error| without(&root, error));
    line.end();
    let Checked { mut found, verified, effects, follows } = checked?;
    unpacked.changed.drain(..).for_each(|changed| found.add(changed));
    // What the file claims and nothing proves is not shown as a fact.
    let packed_by = unpacked.manifest.program.clone();
    let is_known = follows.is_some();
    let manifest = follows.unwrap_or_else(|| unpacked.manifest.clone());
    let drawn = draw(&root, (&manifest, &packed_by), &effects)?;
    let not_on_windows = unpacked.not_on_windows.take();
    unpacked.finish()?;
    if let Some((name, why)) = not_on_windows {
        remark(words::not_on_windows(&name, why));
    }
    if !args.quiet {
        if !is_known {
            say("Claimed by the file, for nothing follows from it:");
        }
        say(format!("{}, packed by {packed_by}", manifest.title));
        manifest.dataset.iter().for_each(|of| say(counts(of)));
        manifest.published.iter().for_each(|of| say(wrapped(&format!("published: {of}"), "")));
        effects.iter().for_each(|effect| say(wrapped(&effect.says(), "")));
        devices::sentences(&manifest, own.as_deref())
            .iter()
            .for_each(|said| say(wrapped(said, "")));
    }
    tell(&found, &verified, (&root, args.quiet));
    if !args.quiet {
        drawn.into_iter().for_each(|name| say(to.join(name).display()));
        say(to.display());
    }
    Ok(CommandVerdict::of(found.is_none()))
}

/// Whether the file is there as it was sent. Windows does not show the ending of a name.
fn look_at(pack: &Path) -> Result<()> {
    if pack.is_dir() {
        bail!(words::unpacked_already(pack));
    }
    if !is_there(pack) {
        let meant = probably_meant(Path::new(""), &pack.to_string_lossy());
        bail!(words::no_such_pack(pack, meant.as_deref()));
    }
    Ok(())
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
    effects: Vec<ComparedEffect>,
    /// What the manifest would be of what is in the pack; `None` where nothing follows.
    follows: Option<Manifest>,
}

/// Everything worked out again.
fn checked(unpacked: &Unpacked, stop: PackStop<'_>, line: &mut Progress) -> Result<Checked> {
    let (root, manifest) = (unpacked.root(), &unpacked.manifest);
    if let (Some(of), Some(study)) = (&manifest.study, study_of_pack(root, manifest)?) {
        let rehearsal = rehearsal(&study, &as_packed(of)?)?;
        let people = counted(rehearsal.labels.len(), "participant");
        line.show(&format!("rehearsing {people}"));
        let (found, rehearsed, follows) = check_study(root, manifest, &study, &rehearsal, stop)?;
        let effects = compared(rehearsed, Vec::new());
        let verified = format!("{people} rehearsed");
        return Ok(Checked { found, verified, effects, follows: Some(follows) });
    }
    let mut told = |done, of| line.show(&format!("{done} of {}", counted(of, "participant")));
    let (found, of, effects, follows) = check_dataset(root, manifest, stop, &mut told)?;
    let verified = format!("{} replayed", counted(of.trials, "trial"));
    line.show("rehearsing the study");
    let rehearsed = rehearsed_beside(root, !effects.is_empty(), stop)?;
    Ok(Checked { found, verified, effects: compared(rehearsed, effects), follows })
}

/// The same effects of a rehearsal and of data beside each other.
fn compared(rehearsed: Vec<EffectFound>, data: Vec<EffectFound>) -> Vec<ComparedEffect> {
    let mut all: Vec<ComparedEffect> = Vec::new();
    let (rehearsed, data) = (rehearsed.into_iter(), data.into_iter());
    let named = rehearsed.map(|of| (of, "rehearsal", " simulated"));
    for (of, name, kind) in named.chain(data.map(|of| (of, "these data", ""))) {
        let EffectFound { what, unit, published, said, estimate, people } = of;
        let count = if people == 1 { "person" } else { "people" };
        let found = estimate.map(|found| (format!("{name}, {people}{kind} {count}"), found));
        let same = |known: &&mut ComparedEffect| known.what == what;
        match all.iter_mut().find(same) {
            Some(known) => known.found.extend(found),
            None => all.push(ComparedEffect {
                what,
                unit,
                published,
                said,
                found: found.into_iter().collect(),
            }),
        }
    }
    all.retain(|effect| !effect.found.is_empty());
    all
}

/// The most that are rehearsed of a study that somebody else wrote.
const MOST_PEOPLE: u32 = 100_000;

/// How the study was rehearsed when it was packed.
fn as_packed(of: &OfStudy) -> Result<RehearsalArgs> {
    if !(1..=MOST_PEOPLE).contains(&of.participants) || of.longest_ns <= 0 {
        bail!(
            "manifest.json: no rehearsal is of {} participants; ask for another copy",
            of.participants
        );
    }
    Ok(RehearsalArgs {
        participants: Some(of.participants),
        simulate: Some(of.model.clone()),
        longest: Some(Nanos(of.longest_ns)),
    })
}

/// The effects of a rehearsal of a finished study, where it states what it is for. A study that cannot be
/// rehearsed has none.
fn rehearsed_beside(
    root: &Path,
    wanted: bool,
    stop: PackStop<'_>,
) -> Result<Vec<EffectFound>, PackError> {
    let study = if wanted { study_of_dataset(root)? } else { None };
    let usual = RehearsalArgs { participants: None, simulate: None, longest: None };
    let Some((study, rehearsal)) =
        study.and_then(|study| Some((rehearsal(&study, &usual).ok()?, study)).map(|(r, s)| (s, r)))
    else {
        return Ok(Vec::new());
    };
    rehearsed_effects(&study, &rehearsal, stop)
}

/// The page with the effects, where the study states what it is for, and each figure of it as a file; its name.
fn draw(
    root: &Path,
    (manifest, packed_by): (&Manifest, &str),
    effects: &[ComparedEffect],
) -> Result<Option<&'static str>> {
    if effects.is_empty() {
        return Ok(None);
    }
    let has = |said: &&String| effects.iter().any(|effect| effect.said.as_ref() == Some(said));
    let others = manifest.published.iter().filter(|said| !has(said));
    let others: String = others.map(|said| format!("Published: {said} ")).collect();
    let remark = format!(
        "{others}Packed by {packed_by}; computed again when it was opened. The rehearsal is one experiment with simulated people."
    );
    let page = effects_page(&manifest.title, effects, &remark);
    keep(root, EFFECT, page.as_bytes())?;
    let folder = root.join(FIGURES);
    create_folder(&folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
    for figure in figures(&page) {
        keep(&folder, &format!("{}.svg", figure.name), figure.svg.as_bytes())?;
        keep(&folder, &format!("{}.pdf", figure.name), &figure.pdf())?;
    }
    Ok(Some(EFFECT))
}

fn keep(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = folder.join(name);
    let written = create_new(&path).and_then(|mut file| file.write_all(bytes));
    written.with_context(|| format!("{}: cannot be written", path.display()))
}

/// The folder of the figures.
const FIGURES: &str = "figures";
const EFFECT: &str = "effect.html";
/// So many differences are told.
const TOLD: usize = 20;

/// What differs, or that nothing does.
fn tell(found: &Differences, verified: &str, (root, quiet): (&Path, bool)) {
    let root = root.display().to_string(); // it has another name now
    for difference in found.kept.iter().take(TOLD) {
        let said = match difference {
            PackDifference::Problem(problem) => in_dataset(&problem.to_string(), &root),
            other => other.says(Terminal),
        };
        say(wrapped(&below(&said, &root), ""));
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

/// The names of files without the folder that they lie in.
fn below(said: &str, root: &str) -> String {
    let parted = ['/', MAIN_SEPARATOR].map(|part| format!("{root}{part}"));
    parted.iter().fold(said.to_owned(), |said, root| said.replace(root, ""))
}

/// What is wrong with a file of the dataset, by its name in the pack.
fn in_dataset(said: &str, root: &str) -> String {
    if said.contains(root) { said.to_owned() } else { format!("dataset/{said}") }
}
