//! `chronotap import-taps`: taps that another program recorded become a dataset. Everything is read and
//! arranged before anything is written.

use crate::CommandVerdict;
use crate::args::ImportTaps;
use crate::commands::remove_unfinished;
use crate::screen::{complain, say, wrapped};
use anyhow::{Result, bail};
use chronotap_core::text::{counted, shared};
use chronotap_data::exchange::abs::AbsColumns;
use chronotap_data::exchange::taps::{
    Arranged, FileKind, ImportOptions, Made, Read, SourceFile, TapsError, arrange, kind_of, made,
    read_taps, refuse_unused,
};
use chronotap_data::record::{OriginFile, RecordedOrigin};
use chronotap_session::import::{Import, import};
use std::path::Path;

pub fn import_taps(args: &ImportTaps) -> Result<CommandVerdict> {
    let how = how(args)?;
    let (files, stimuli) = (read_all(&args.files)?, read_all(&args.stimuli_file)?);
    if ![0, 1, files.len()].contains(&stimuli.len()) {
        bail!("--stimuli-file: give it once, or for each of the {} files", files.len());
    }
    let task = args.task.as_str();
    if task.is_empty() || !task.chars().all(|c| c.is_ascii_alphanumeric()) {
        bail!("--task {task}: a task has letters and digits alone");
    }
    let kind = kind(args, &files)?;
    let beside = |place: usize| stimuli.get(place).or(stimuli.first());
    for (place, file) in files.iter().enumerate() {
        refuse_unused(file, beside(place), kind, &how)?;
    }
    let read = |(place, file)| read_taps(file, beside(place), kind, &how);
    let reads: Vec<Read> = files.iter().enumerate().map(read).collect::<Result<_, _>>()?;
    let origins: Vec<(RecordedOrigin, i64)> = (0..)
        .zip(&files)
        .zip(&reads)
        .map(|((place, file), read)| {
            (origin(kind, (file, beside(place)), read, &how), read.step_ns)
        })
        .collect();
    let twice: usize = reads.iter().map(|read| read.twice).sum();
    let found: Vec<String> = files.iter().zip(&reads).flat_map(of_sound).collect();
    let empty: Vec<String> = files.iter().zip(&reads).filter_map(left_out).collect();
    let arranged = arrange(&files, reads, &how.condition_columns)?;
    let title = args.title.clone().unwrap_or_else(|| title(&args.data));
    let trials = arranged.trials.iter();
    let all: Vec<Made> = trials
        .map(|trial| {
            let (origin, step) = &origins[trial.file];
            made(&trial.taken, &title, origin, *step)
        })
        .collect::<Result<_, _>>()?;
    let whole = RecordedOrigin { files: Vec::new(), ..origins[0].0.clone() };
    let what = Import { title: &title, task, origin: &whole, arranged: &arranged, made: &all };
    remove_unfinished(&args.data);
    import(&args.data, &what)?;
    empty.iter().for_each(|said| complain(said));
    found.iter().for_each(|line| say(wrapped(line, "")));
    say_what_was_made(args, kind, &arranged, &all, twice);
    Ok(CommandVerdict::Passed)
}

fn how(args: &ImportTaps) -> Result<ImportOptions> {
    let columns =
        (!args.columns.is_empty()).then(|| AbsColumns::parse(&args.columns)).transpose()?;
    Ok(ImportOptions {
        taps: args.taps.clone(),
        stimuli: args.stimuli.clone(),
        asynchronies: args.asynchronies.clone(),
        interval: args.interval.clone(),
        beat_column: args.beat_column.clone(),
        participant: args.participant.clone(),
        participant_column: args.participant_column.clone(),
        trial_column: args.trial_column.clone(),
        condition_columns: args.condition_columns.clone(),
        decimal_comma: args.decimal_comma,
        unsorted: args.unsorted,
        columns,
        unit: args.unit,
        threshold: args.threshold,
        hearing: args.hearing.hearing(),
    })
}

fn read_all(paths: &[std::path::PathBuf]) -> Result<Vec<SourceFile>, TapsError> {
    let read = |path: &std::path::PathBuf| {
        let bytes = chronotap_core::files::read(path)
            .map_err(|source| TapsError::Read { path: path.clone(), source })?;
        Ok(SourceFile { name: path.display().to_string(), bytes })
    };
    paths.iter().map(read).collect()
}

/// The kind that was named, or that all files look like.
fn kind(args: &ImportTaps, files: &[SourceFile]) -> Result<&'static FileKind> {
    if let Some(kind) = args.kind() {
        return Ok(kind);
    }
    let kind = kind_of(&files[0]);
    match files.iter().find(|file| kind_of(file).word != kind.word) {
        None => Ok(kind),
        Some(other) => bail!(
            "{} is {} and {} is {}; import them apart, or name the kind of both with --as",
            files[0].name,
            kind.word,
            other.name,
            kind_of(other).word
        ),
    }
}

/// Where the trials of a file come from.
fn origin(
    kind: &FileKind,
    (file, stimuli): (&SourceFile, Option<&SourceFile>),
    read: &Read,
    how: &ImportOptions,
) -> RecordedOrigin {
    let named =
        |file: &SourceFile| OriginFile { name: shared(file.short()), sha256: file.sha256() };
    let mut unknown: Vec<String> = kind.unknown.iter().map(|what| (*what).to_owned()).collect();
    if how.asynchronies.is_some() {
        unknown.push(PLACED.to_owned());
    }
    if how.asynchronies.is_some() && how.beat_column.is_none() {
        unknown.push(NEXT.to_owned());
    }
    RecordedOrigin {
        format: kind.name.to_owned(),
        files: std::iter::once(file).chain(stimuli).map(named).collect(),
        columns: read.columns.clone(),
        unknown,
        ..RecordedOrigin::default()
    }
}

/// What asynchronies do not say.
const PLACED: &str = "the onsets of stimuli and taps: stimuli are placed one interval apart, and taps beside them, so that \
                      asynchronies hold, and everything else only as far as the stimuli kept their interval";
const NEXT: &str = "which stimuli have no row: each row is taken for the next stimulus, so that intervals between taps, and \
                    what follows from them, are wrong where one is missing";

/// How many rows of a file were of no trial and without a tap, and the first of them.
fn left_out((file, read): (&SourceFile, &Read)) -> Option<String> {
    let first = read.empty.first()?;
    let rows = counted(read.empty.len(), "row");
    Some(format!(
        "{}:{first}: {rows} without a tap and without trial or participant, left out",
        file.name
    ))
}

/// What was found of a sound, by its file.
fn of_sound<'a>((file, read): (&'a SourceFile, &'a Read)) -> impl Iterator<Item = String> + 'a {
    read.told.iter().map(|line| format!("{}: {line}", file.name))
}

/// The name of the dataset's folder.
fn title(data: &Path) -> String {
    let whole = data.components().next_back();
    whole.map_or_else(|| "taps".into(), |part| part.as_os_str().to_string_lossy().into_owned())
}

fn say_what_was_made(
    args: &ImportTaps,
    kind: &FileKind,
    arranged: &Arranged,
    made: &[Made],
    twice: usize,
) {
    for (trial, made) in arranged.trials.iter().zip(made) {
        for line in &made.stray {
            let name = args.files[trial.file].display();
            complain(&format!("{name}:{line}: an end of what did not begin; left out"));
        }
    }
    if twice > 0 {
        complain(&format!(
            "{} stood twice in a trial and were taken once",
            counted(twice, "onset")
        ));
    }
    let taps: usize = made.iter().flat_map(|made| &made.summary.taps).map(|taps| taps.taps).sum();
    let (trials, people) = (arranged.trials.len(), arranged.people.len());
    say(format!("{}: {}", counted(args.files.len(), "file"), kind.name));
    say(format!(
        "{} of {}, {}",
        counted(trials, "trial"),
        counted(people, "participant"),
        counted(taps, "tap")
    ));
    let between = arranged.between.iter().map(|(name, _)| name);
    let factors: Vec<&str> = arranged.factors.iter().chain(between).map(String::as_str).collect();
    if !factors.is_empty() {
        say(wrapped(&format!("conditions: {}", factors.join(", ")), ""));
    }
    say(format!("Dataset: {}", args.data.display()));
    let unknown = format!("The timing is unknown: {} recorded it.", kind.by);
    say(wrapped(&unknown, ""));
}
