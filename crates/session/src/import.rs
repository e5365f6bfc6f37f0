//! [`import`]: trials of another program as a dataset, which is then read, analyzed, checked and withdrawn from
//! like one of a study. It has no journal and no plan: no session was run. What the dataset says of
//! itself is that its trials were imported, from what, and what is not known.
//!
//! The files of the source are not copied: they may hold more of a person than is wanted here, and
//! whoever withdraws must be nowhere. The description of each trial names them with their checksums.

use crate::checksum::{listed, sha256};
use crate::columns::{Column, Columns, description, statistics};
use crate::dataset::describe::{BIDS, IGNORED, marked, pretty};
use crate::dataset::{Dataset, DatasetError, KEY};
use crate::disk::Disk;
use crate::outcome;
use crate::table::{Row, Table};
use crate::visit::Visit;
use chronotap_analysis::summary::Summary;
use chronotap_core::files::Disk as AnyDisk;
use chronotap_data::exchange::taps::{Arranged, ArrangedTrial, Made};
use chronotap_data::record::{Origin, PROGRAM, RecordError, write_events};
use chronotap_data::tables::names::{PARTICIPANTS, SOURCE};
use serde_json::{Map, Value, json};
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
    pub origin: &'a Origin,
    pub arranged: &'a Arranged,
    /// Each trial of `arranged`.
    pub made: &'a [Made],
}

/// Writes the dataset into a folder that is empty or not there; the description of the dataset comes last.
///
/// # Errors
/// [`DatasetError`].
pub fn import(root: &Path, import: &Import<'_>) -> Result<(), DatasetError> {
    let dataset = Dataset::new_for_import(root, Disk::that_syncs_at_the_end())?;
    let columns = columns(import);
    dataset.make_folder(Path::new(SOURCE))?;
    for (label, _) in &import.arranged.people {
        person(&dataset, import, &columns, label)?;
    }
    let people = people(import, &columns);
    dataset.replace_table(Path::new(PARTICIPANTS), &people)?;
    let about = marked(description(&columns.of_participants()), false);
    dataset.replace(Path::new("participants.json"), pretty(&Value::Object(about)).as_bytes())?;
    dataset.replace(Path::new(".bidsignore"), IGNORED.as_bytes())?;
    dataset.replace(Path::new("README.md"), readme(import).as_bytes())?;
    let about = pretty(&dataset_description(import));
    dataset.replace(Path::new("dataset_description.json"), about.as_bytes())?;
    dataset.told(Path::new(""), dataset.disk.sync_all_of(root))
}

/// What the source calls somebody, where that is not their label.
const IN_SOURCE: &str = "label_in_source";

fn columns(import: &Import<'_>) -> Columns {
    let trials = import.made.iter().map(|made| &made.trial);
    let mut columns = Columns { statistics: statistics(trials), ..Columns::default() };
    let taken: Vec<String> = columns.of_trials().into_iter().map(|column| column.name).collect();
    let about = "A condition of the source.";
    let named = |name: &str| match taken.iter().any(|own| own == name) {
        true => format!("factor_{name}"),
        false => name.to_owned(),
    };
    let within = import.arranged.factors.iter().enumerate().map(|(place, name)| {
        let levels = import.arranged.trials.iter().filter_map(|trial| trial.levels[place].clone());
        Column::of_levels(&named(name), about, &in_order(levels))
    });
    let between = import.arranged.between.iter().map(|(name, levels)| {
        Column::of_levels(&named(name), about, &in_order(levels.values().cloned()))
    });
    (columns.factors, columns.between) = (within.collect(), between.collect());
    let renamed = |(label, whose): &(String, String)| label != whose;
    if import.arranged.people.iter().any(renamed) {
        columns.fields.push(Column::new(IN_SOURCE, "What the source calls the participant."));
    }
    columns
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
    let mut table = Table::new(of_trials.iter().map(|column| column.name.clone()).collect());
    let mut files: Vec<PathBuf> = Vec::new();
    let trials = import.arranged.trials.iter().zip(import.made);
    for (trial, made) in trials.filter(|(trial, _)| trial.label == label) {
        let folder = dataset.root().join(place.beh());
        let name = place.trial(trial.run);
        let written =
            write_events(&folder, &name, &made.header, &made.entries, &made.footer, false);
        dataset.told(&place.events(trial.run), written.map(|_| ()).map_err(refusal))?;
        table.rows.push(row(&place, columns, trial, &made.summary));
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
        sums += &listed(&sha256(&bytes), &path.display().to_string());
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

fn row(place: &Visit, columns: &Columns, trial: &ArrangedTrial, summary: &Summary) -> Row {
    let number = trial.number.clone().unwrap_or_else(|| trial.run.to_string());
    let mut row: Row = vec![Some(number), None, None, None, Some("1".into()), Some("true".into())];
    row.extend(trial.levels.iter().cloned());
    row.extend([None, Some(place.events(trial.run).display().to_string())]);
    let found = outcome::statistics(summary);
    let value = |name: &String| found.get(name).map(ToString::to_string);
    row.extend(columns.statistics.iter().map(|(name, _)| value(name)));
    let usable = if summary.data.usable { "usable" } else { "unusable" };
    let flags = summary.data.reasons.join("; ");
    row.extend([None, Some(summary.verdict.word().into()), Some(usable.into())]);
    row.push((!flags.is_empty()).then_some(flags));
    row
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

fn people(import: &Import<'_>, columns: &Columns) -> Table {
    let names = columns.of_participants().into_iter().map(|column| column.name).collect();
    let mut table = Table::new(names);
    for (label, whose) in &import.arranged.people {
        let levels = import.arranged.between.iter().map(|(_, levels)| levels.get(label).cloned());
        let mut row = vec![Some(format!("sub-{label}"))];
        row.extend(levels);
        row.push(None); // no place in squares
        row.extend(columns.fields.iter().map(|_| Some(whose.clone())));
        table.rows.push(row);
    }
    table
}

fn dataset_description(import: &Import<'_>) -> Value {
    let Origin { format, columns, unknown, .. } = import.origin;
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
    let Origin { format, unknown, columns, .. } = import.origin;
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
