//! [`import`]: trials of another program as a dataset, which is then read, analyzed, checked and withdrawn from
//! like one of a study. It has no journal and no plan: no session was run. What the dataset says of
//! itself is that its trials were imported, from what, and what is not known.
//!
//! The files of the source are not copied: they may hold more of a person than is wanted here, and
//! whoever withdraws must be nowhere. The description of each trial names them with their checksums.

use crate::checksum::{listed, sha256};
use crate::columns::{Column, Columns, Headed, description, statistics};
use crate::dataset::describe::{BIDS, IGNORED, marked, pretty};
use crate::dataset::{Dataset, DatasetError, KEY};
use crate::disk::SessionDisk;
use crate::outcome;
use crate::table::{TsvRow, TsvTable};
use crate::visit::Visit;
use chronotap_analysis::summary::Summary;
use chronotap_core::files::{Disk as AnyDisk, Unfinished, slashes};
use chronotap_data::exchange::taps::{Arranged, ArrangedTrial, Made};
use chronotap_data::record::{PROGRAM, RecordError, RecordedOrigin, write_events};
use chronotap_data::tables::names::{PARTICIPANTS, SOURCE};
use chronotap_design::columns::Fixed;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

/// What is imported.
#[derive(Debug)]
pub struct Import<'a> {
    pub title: &'a str,
    /// The task label, of letters and digits.
    pub task: &'a str,
    /// Where the trials come from; its files and lines are those of no trial.
    pub origin: &'a RecordedOrigin,
    pub arranged: &'a Arranged,
    /// Each trial of `arranged`.
    pub made: &'a [Made],
}

/// Writes the dataset into a folder that is empty or not there. Where anything fails, nothing is in it.
///
/// # Errors
/// [`DatasetError`].
pub fn import(root: &Path, import: &Import<'_>) -> Result<(), DatasetError> {
    let there = Dataset::new_for_import(root, SessionDisk::that_syncs_at_the_end())?;
    let refused = |source| DatasetError::Disk { path: root.to_owned(), source };
    if there.disk.is_there(root) {
        let filled = fill(&there, import);
        if filled.is_err() {
            empty(&there); // the error that counts is told
        }
        return filled;
    }
    if let Some(above) = root.parent().filter(|above| !above.as_os_str().is_empty()) {
        there.disk.make_folder(above).map_err(refused)?;
    }
    let folder = Unfinished::beside(root).map_err(refused)?;
    let dataset = Dataset::new_for_import(folder.path(), SessionDisk::that_syncs_at_the_end())?;
    fill(&dataset, import).map_err(|error| named(error, folder.path(), root))?;
    folder.finish(root).map_err(refused)
}

/// Removes all that a folder has which was empty.
fn empty(dataset: &Dataset) {
    for name in dataset.names_of_root().unwrap_or_default() {
        let _ = dataset.disk.remove_all(&dataset.root().join(name));
    }
}

/// An error of a file by the name that it would have had.
fn named(error: DatasetError, made: &Path, root: &Path) -> DatasetError {
    match error {
        DatasetError::Disk { path, source } => {
            let path = path.strip_prefix(made).map(|within| root.join(within)).unwrap_or(path);
            DatasetError::Disk { path, source }
        }
        other => other,
    }
}

/// The description of the dataset comes last.
fn fill(dataset: &Dataset, import: &Import<'_>) -> Result<(), DatasetError> {
    let columns = columns(import);
    dataset.make_folder(Path::new(SOURCE))?;
    for (label, _) in &import.arranged.people {
        person(dataset, import, &columns, label)?;
    }
    let people = people(import, &columns);
    dataset.replace_table(Path::new(PARTICIPANTS), &people)?;
    let about = marked(description(&columns.of_participants()), false);
    dataset.replace(Path::new("participants.json"), pretty(&Value::Object(about)).as_bytes())?;
    dataset.replace(Path::new(".bidsignore"), IGNORED.as_bytes())?;
    dataset.replace(Path::new("README.md"), readme(import).as_bytes())?;
    let about = pretty(&dataset_description(import));
    dataset.replace(Path::new("dataset_description.json"), about.as_bytes())?;
    dataset.told(Path::new(""), dataset.disk.sync_all_of(dataset.root()))
}

/// What the source calls somebody, where that is not their label.
const IN_SOURCE: &str = "label_in_source";

fn columns(import: &Import<'_>) -> Columns {
    let trials = import.made.iter().map(|made| &made.trial);
    let mut columns = Columns { statistics: statistics(trials), ..Columns::default() };
    let about = "A condition of the source.";
    let named = |name: &str| heading(&columns.statistics, name);
    let within = import.arranged.factors.iter().enumerate().map(|(place, name)| {
        let levels = import.arranged.trials.iter().filter_map(|trial| trial.levels[place].clone());
        Column::of_levels(&named(name), about, &in_order(levels))
    });
    let between = import.arranged.between.iter().map(|(name, levels)| {
        Column::of_levels(&named(name), about, &in_order(levels.values().cloned()))
    });
    let (within, between) = (within.collect(), between.collect());
    (columns.factors, columns.between) = (within, between);
    let renamed = |(label, whose): &(String, String)| label != whose;
    if import.arranged.people.iter().any(renamed) {
        columns.fields.push(Column::new(IN_SOURCE, "What the source calls the participant."));
    }
    columns
}

/// The column of a condition of the source: its name, unless a table of trials with these statistics
/// has one of that name.
fn heading(statistics: &[(String, Column)], name: &str) -> String {
    let own = Columns { statistics: statistics.to_vec(), ..Columns::default() }.of_trials();
    match own.iter().any(|own| own.name == name) {
        true => format!("factor_{name}"),
        false => name.to_owned(),
    }
}

/// Each level once, by the numbers in them.
fn in_order(levels: impl Iterator<Item = String>) -> Vec<String> {
    let mut levels: Vec<String> = levels.collect();
    let natural = chronotap_data::tables::natural;
    levels.sort_by(|one, other| natural(one).cmp(&natural(other)));
    levels.dedup();
    levels
}

fn visit(import: &Import<'_>, label: &str) -> Visit {
    Visit { label: label.to_owned(), session: None, task: import.task.to_owned() }
}

/// The files of a participant: the trials, their table, and the checksums of all.
fn person(
    dataset: &Dataset,
    import: &Import<'_>,
    columns: &Columns,
    label: &str,
) -> Result<(), DatasetError> {
    let place = visit(import, label);
    dataset.make_folder(&place.beh())?;
    dataset.make_folder(&place.source())?;
    let of_trials = columns.of_trials();
    let mut table = TsvTable::new(of_trials.iter().map(|column| column.name.clone()).collect());
    let mut files: Vec<PathBuf> = Vec::new();
    let factors = import.arranged.factors.iter().enumerate();
    let places: HashMap<String, usize> =
        factors.map(|(place, name)| (heading(&columns.statistics, name), place)).collect();
    let trials = import.arranged.trials.iter().zip(import.made);
    for (trial, made) in trials.filter(|(trial, _)| trial.label == label) {
        let folder = dataset.root().join(place.beh());
        let name = place.trial(trial.run);
        let written =
            write_events(&folder, &name, &made.header, &made.entries, &made.footer, false);
        dataset.told(&place.events(trial.run), written.map(|_| ()).map_err(refusal))?;
        table.rows.push(row(&place, (columns, &places), trial, &made.summary));
        let events = place.events(trial.run);
        files.extend([events.clone(), events.with_extension("json")]);
    }
    dataset.replace_table(&place.table(), &table)?;
    let about = about_trials(import, of_trials);
    dataset.replace(&place.table_description(), about.as_bytes())?;
    files.extend([place.table(), place.table_description()]);
    let mut sums = String::new();
    for path in files {
        let bytes = dataset.told(&path, dataset.bytes(&path))?;
        sums += &listed(&sha256(&bytes), &slashes(&path));
    }
    dataset.replace(&place.checksums(), sums.as_bytes())
}

/// Where the files of everybody in the table of participants of an imported dataset stand.
pub(crate) fn people_of<D: AnyDisk>(dataset: &Dataset<D>) -> Result<Vec<Visit>, DatasetError> {
    let table = dataset.table(Path::new(PARTICIPANTS))?.unwrap_or_default();
    let task = dataset.task().unwrap_or_default();
    let labels = table.rows.iter().filter_map(|row| table.cell(row, "participant_id"));
    let labels = labels.map(|id| id.strip_prefix("sub-").unwrap_or(id).to_owned());
    Ok(labels.map(|label| Visit { label, session: None, task: task.clone() }).collect())
}

/// What the system said of a file of a trial.
fn refusal(error: RecordError) -> io::Error {
    match error {
        RecordError::Events { source, .. } => source,
        other => io::Error::other(other.to_string()),
    }
}

fn row(
    place: &Visit,
    (columns, places): (&Columns, &HashMap<String, usize>),
    trial: &ArrangedTrial,
    summary: &Summary,
) -> TsvRow {
    let found = outcome::statistics(summary);
    let level = |name: &str| trial.levels.get(*places.get(name)?)?.clone();
    columns.row_of_trials(|headed| match headed {
        Headed::Fixed(fixed) => fixed_cell(fixed, place, trial, summary),
        Headed::Factor(column) => level(&column.name),
        Headed::Statistic(name, _) => found.get(name).map(ToString::to_string),
        Headed::Question(_) => None,
    })
}

/// What is known of a trial without a session: no step, no draw, no moment.
fn fixed_cell(
    column: Fixed,
    place: &Visit,
    trial: &ArrangedTrial,
    summary: &Summary,
) -> Option<String> {
    match column {
        Fixed::Trial => Some(trial.number.clone().unwrap_or_else(|| trial.run.to_string())),
        Fixed::Attempt => Some("1".to_owned()),
        Fixed::Counts => Some("true".to_owned()),
        Fixed::EventsFile => Some(slashes(&place.events(trial.run))),
        Fixed::Timing => Some(summary.verdict.word().to_owned()),
        Fixed::Data => Some(if summary.data.usable { "usable" } else { "unusable" }.to_owned()),
        Fixed::Flags => {
            let flags = summary.data.reasons.join("; ");
            (!flags.is_empty()).then_some(flags)
        }
        Fixed::Step
        | Fixed::Block
        | Fixed::Repetition
        | Fixed::Seed
        | Fixed::Staircase
        | Fixed::Level
        | Fixed::Answer
        | Fixed::Reversal
        | Fixed::Threshold
        | Fixed::Language
        | Fixed::OnsetUtc => None,
    }
}

fn about_trials(import: &Import<'_>, mut columns: Vec<Column>) -> String {
    for column in &mut columns {
        let said = match column.name.as_str() {
            "trial" => "The number that the source gives the trial, or its place.",
            "timing" => {
                "The verdict on the trial's timing: `unknown`, for another program recorded it."
            }
            _ => continue,
        };
        said.clone_into(&mut column.description);
    }
    let mut all = Map::new();
    all.insert("TaskName".into(), json!(import.task));
    all.insert("TaskDescription".into(), json!(import.title));
    let mut all = marked(all, false);
    all.extend(description(&columns));
    pretty(&Value::Object(all))
}

fn people(import: &Import<'_>, columns: &Columns) -> TsvTable {
    let names = columns.of_participants().into_iter().map(|column| column.name).collect();
    let mut table = TsvTable::new(names);
    let between = import.arranged.between.iter();
    let between: HashMap<String, _> =
        between.map(|(name, levels)| (heading(&columns.statistics, name), levels)).collect();
    for (label, whose) in &import.arranged.people {
        let cell = |column: &String| match column.as_str() {
            "participant_id" => Some(format!("sub-{label}")),
            "k" => None, // no place in squares
            IN_SOURCE => Some(whose.clone()),
            factor => between.get(factor)?.get(label).cloned(),
        };
        table.rows.push(table.columns.iter().map(cell).collect());
    }
    table
}

fn dataset_description(import: &Import<'_>) -> Value {
    let RecordedOrigin { format, columns, unknown, .. } = import.origin;
    json!({
        "Name": import.title,
        "BIDSVersion": BIDS,
        "DatasetType": "raw",
        "GeneratedBy": [{
            "Name": "chronotap",
            "Version": PROGRAM.trim_start_matches("chronotap "),
            "Description": format!("Imported trials of another program ({format})."),
        }],
        KEY: {
            "task": import.task,
            "title": import.title,
            "simulated": false,
            "imported": { "format": format, "columns": columns, "unknown": unknown },
        },
    })
}

fn readme(import: &Import<'_>) -> String {
    let RecordedOrigin { format, unknown, columns, .. } = import.origin;
    let mut text = format!(
        "# {}\n\n**Another program recorded these trials** ({format}); {PROGRAM} imported them. \
         A dataset in the layout of BIDS {BIDS}.\n\n",
        import.title
    );
    text += "Read from the source:\n\n";
    for column in columns {
        let unit =
            if column.unit.is_empty() { String::new() } else { format!(", in {}", column.unit) };
        let _ = writeln!(text, "- {}: {}{unit}", column.holds, column.column); // text takes anything
    }
    text += "\nNot known:\n\n";
    for what in unknown {
        let _ = writeln!(text, "- {what}"); // as above
    }
    text + "\n- `participants.tsv`: one row for each participant.\n\
            - `sub-*/beh/*_beh.tsv`: one row for each trial.\n\
            - `sub-*/beh/*_events.tsv`: the taps and stimuli of one trial; under the key `source`, its `.json` \
            names the file that it comes from, with its checksum.\n"
}
