//! `chronotap report`: recorded trials as one page.

use crate::CommandVerdict;
use crate::args::TrialsReport;
use crate::commands::{refuse_files_to_run, refuse_linked, tell_aside, unless_withdrawn};
use crate::rules::how;
use crate::says::{Says, Terminal};
use crate::screen::{Progress, arguments, complain, say};
use anyhow::{Context, Result, bail};
use chronotap_core::files::{is_held, is_there, read, read_to_string, real, replace};
use chronotap_core::text::{shared, typed};
use chronotap_data::record::PROGRAM;
use chronotap_data::tables::{Analysis, Sources, TablesError, analyze_with_courses};
use chronotap_report::{Figure, RecordedTrials, TRIALS_MARK, figures, study, trials_page};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

pub fn report(args: &TrialsReport) -> Result<CommandVerdict> {
    let how = how(&args.rules)?;
    let sources = chosen(args)?;
    let place = place(args, &sources)?;
    if let (Some(dataset), None) = (&sources.dataset, &args.to) {
        refuse_linked(dataset, &place)?;
    }
    refuse_others(&place)?;
    refuse_within(args.figures.as_deref(), &sources)?;
    let count = sources.trials.len();
    let progress = Mutex::new(Progress::new(u32::MAX));
    let (analysis, courses) = analyze_with_courses(&sources, &how, &|done| {
        let turn = done % 50 == 0 && !args.quiet;
        if let (true, Ok(mut progress)) = (turn, progress.lock()) {
            progress.show(&format!("{done} of {count} trials"));
        }
    });
    if let Ok(mut progress) = progress.lock() {
        progress.end();
    }
    refuse_unread(&analysis)?;
    let title = title(&sources, &courses);
    let page = trials_page(&RecordedTrials {
        title: &title,
        sources: &sources,
        how: &how,
        analysis: &analysis,
        courses: &courses,
        study: sources.dataset.as_deref().and_then(study),
        program: PROGRAM,
        command: &arguments().iter().map(|word| shared(word)).collect::<Vec<_>>(),
    });
    let figures = args.figures.as_ref().map(|folder| files(folder, &page)).transpose()?;
    write(&place, &page)?;
    figures.iter().flatten().try_for_each(|(path, bytes)| keep(path, bytes, "--figures"))?;
    let drawn = figures.iter().flatten().map(|(path, _)| path.clone());
    let made: Vec<_> = drawn.chain([place.clone()]).collect();
    unless_withdrawn(sources.withdrew_meanwhile()?, &made)?;
    analysis.unread.iter().for_each(|unread| complain(&unread.why.says(Terminal)));
    let whole = tell_aside(&sources.aside);
    if !args.quiet {
        say(place.display());
        if let (Some(folder), Some(figures)) = (&args.figures, &figures) {
            say(format_args!(
                "{}: {} figures, each as SVG and PDF",
                folder.display(),
                figures.len() / 2
            ));
        }
        sources.left_out().into_iter().for_each(say);
    }
    Ok(CommandVerdict::of(analysis.unread.is_empty() && analysis.counts.changed == 0 && whole))
}

/// The trials that are asked for.
fn chosen(args: &TrialsReport) -> Result<Sources> {
    refuse_files_to_run(&args.paths)?;
    let mut sources = Sources::find(&args.paths)?;
    let labels: Vec<&str> =
        args.participant.iter().map(|label| label.strip_prefix("sub-").unwrap_or(label)).collect();
    let session = args.session.as_deref().map(|label| label.strip_prefix("ses-").unwrap_or(label));
    let is = |given: &Option<String>, asked: &str| given.as_deref() == Some(asked);
    sources.trials.retain(|trial| {
        let person = labels.is_empty() || labels.iter().any(|label| is(&trial.participant, label));
        person && session.is_none_or(|session| is(&trial.session, session))
    });
    if sources.trials.is_empty() {
        bail!(
            "no trial is of that participant and session; `chronotap status {}` lists them",
            typed(&args.paths[0])
        );
    }
    if !labels.is_empty() || session.is_some() {
        sources.unlisted = 0; // of the whole dataset
        sources.aside.clear(); // as above
    }
    Ok(sources)
}

/// Where the page goes.
fn place(args: &TrialsReport, sources: &Sources) -> Result<PathBuf, TablesError> {
    let of_dataset = sources.dataset.as_ref().map(|d| d.join("derivatives/chronotap/report.html"));
    let of_one = match &args.paths[..] {
        [path] => path.file_name().and_then(|name| name.to_str()).map(|name| {
            let stem = name.strip_suffix("_events.tsv").unwrap_or(name);
            PathBuf::from(format!("{stem}_report.html"))
        }),
        _ => None,
    };
    args.to.clone().or(of_dataset).or(of_one).ok_or(TablesError::NoPlace)
}

/// Only a report is replaced by a report.
fn refuse_others(place: &Path) -> Result<()> {
    let shown = place.display();
    match read_to_string(place) {
        _ if !is_there(place) => Ok(()),
        Ok(text) if text.contains(TRIALS_MARK) => Ok(()),
        Err(error) if is_held(&error) => bail!(
            "{shown}: another program has it open ({error}); close it there, or choose another name with --to"
        ),
        _ => bail!("{shown}: already there, and no report; choose another name with --to"),
    }
}

/// Where not one trial could be read there is nothing to report: no page is written.
fn refuse_unread(analysis: &Analysis) -> Result<()> {
    match &analysis.unread[..] {
        some if some.len() < analysis.counts.trials => Ok(()),
        [] => Ok(()),
        [one] => bail!("{}", one.why.says(Terminal)),
        [first, others @ ..] => {
            bail!("{}\nnor can {} more be read", first.why.says(Terminal), others.len())
        }
    }
}

fn write(place: &Path, page: &str) -> Result<()> {
    keep(place, page.as_bytes(), "--to")
}

/// Writes a file; `option` is what names another place for it.
fn keep(place: &Path, bytes: &[u8], option: &str) -> Result<()> {
    if let Some(folder) = place.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        chronotap_core::files::create_folder(folder).with_context(|| {
            format!("{}: cannot make the folder; choose another with {option}", folder.display())
        })?;
    }
    replace(place, |file| file.write_all(bytes)).with_context(|| {
        format!("{}: cannot write it; choose another name with {option}", place.display())
    })
}

/// Who withdraws has to be nowhere in a dataset, and figures name people.
fn refuse_within(folder: Option<&Path>, sources: &Sources) -> Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let there = whole.ancestors().find_map(|there| real(there).ok());
    let mut around = there.iter().flat_map(|there| there.ancestors());
    let own = sources.dataset.as_ref().and_then(|dataset| real(dataset).ok());
    let is_dataset =
        |there: &Path| own.as_deref() == Some(there) || is_there(&there.join(DESCRIPTION));
    if around.any(is_dataset) {
        bail!(
            "{}: lies in a dataset, where figures would stay of a person who withdraws; choose a folder outside with --figures",
            folder.display()
        );
    }
    Ok(())
}

/// By this file a dataset is known.
const DESCRIPTION: &str = "dataset_description.json";

/// The files of the figures of a page, none of which is anything else yet.
fn files(folder: &Path, page: &str) -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let files = figures(page).into_iter().flat_map(|figure| {
        let path = |end: &str| folder.join(format!("{}.{end}", figure.name));
        let (svg, pdf) = (path("svg"), path("pdf"));
        [(pdf, figure.pdf()), (svg, figure.svg.into_bytes())]
    });
    let files: Vec<(PathBuf, Vec<u8>)> = files.collect();
    let other =
        |path: &&PathBuf| is_there(path) && !read(path).is_ok_and(|bytes| Figure::is_one(&bytes));
    if let Some(path) = files.iter().map(|(path, _)| path).find(other) {
        bail!(
            "{}: already there, and no figure; choose another folder with --figures",
            path.display()
        );
    }
    Ok(files)
}

/// The name of the dataset, or the title of the first trial.
fn title(sources: &Sources, courses: &[Option<chronotap_data::tables::TimeCourse>]) -> String {
    let described = sources.dataset.as_ref().map(|folder| folder.join(DESCRIPTION));
    let text = described.and_then(|path| read_to_string(&path).ok());
    let json: Option<serde_json::Value> = text.and_then(|text| serde_json::from_str(&text).ok());
    let name = json.and_then(|json| json["Name"].as_str().map(str::to_owned));
    let of_trial = || courses.iter().flatten().map(|course| course.title.clone()).next();
    name.or_else(of_trial).unwrap_or_else(|| "Recorded trials".into())
}
