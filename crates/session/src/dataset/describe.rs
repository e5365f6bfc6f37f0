//! The files that say what a dataset is: for people, for BIDS tools, and for this program.
//! Those that a laboratory may complete by hand (authors, licence, README) are written once
//! and then left alone.

use super::{About, Dataset, DatasetError, KEY};
use crate::attrition::Attrition;
use crate::columns::{Column, description};
use crate::dataset::withdrawals::MARK;
use chronotap_core::files::Disk as AnyDisk;
use chronotap_data::record::{PROGRAM, hed};
use chronotap_data::tables::names::{self, ATTRITION};
use serde_json::{Map, Value, json};
use std::path::Path;

/// The version of BIDS that the layout follows.
pub const BIDS: &str = "1.11.0";
/// Files that stand among those of BIDS and are none: what a running trial leaves, and the
/// callbacks of sound cards.
pub const IGNORED: &str = "*.journal\n*.callbacks\n*_callbacks.tsv.gz\n*_callbacks.json\n*.part\n";

/// The files of these names that are not there.
pub fn missing<D: AnyDisk>(dataset: &Dataset<D>, about: &About) -> Vec<String> {
    let names = [".bidsignore", "README.md", "participants.json", "dataset_description.json"];
    let all = names.map(str::to_owned).into_iter().chain([of_the_task(about)]);
    all.filter(|name| !dataset.has(Path::new(name))).collect()
}

fn of_the_task(about: &About) -> String {
    format!("task-{}_events.json", about.task)
}

/// Writes what is not there yet.
pub fn write<D: AnyDisk>(dataset: &Dataset<D>, about: &About) -> Result<(), DatasetError> {
    dataset.make_folder(Path::new(""))?;
    let once = |name: &str, text: String| {
        let there = dataset.has(Path::new(name));
        if there { Ok(()) } else { dataset.replace(Path::new(name), text.as_bytes()) }
    };
    once(".bidsignore", IGNORED.to_owned())?;
    once("README.md", readme(about, dataset.simulated))?;
    let stimuli = marked(presentation(), dataset.simulated);
    once(&of_the_task(about), pretty(&Value::Object(stimuli)))?;
    let columns = description(&about.columns.of_participants());
    once("participants.json", pretty(&Value::Object(marked(columns, dataset.simulated))))?;
    if dataset.notes()?.iter().any(|note| !note.removed) {
        add_withdrawn(dataset)?;
    }
    // Last: with it the folder is a dataset.
    once("dataset_description.json", pretty(&dataset_description(about, dataset.simulated)))
}

/// Describes the column that a dataset gets when somebody withdraws whose data stay.
pub fn add_withdrawn<D: AnyDisk>(dataset: &Dataset<D>) -> Result<(), DatasetError> {
    add(dataset, Column::new(MARK, "Whether the participant withdrew: `true` or `false`."))
}

/// Describes the column that a dataset gets when somebody declines or drops out.
pub fn add_attrition<D: AnyDisk>(dataset: &Dataset<D>) -> Result<(), DatasetError> {
    let levels = Attrition::words().map(|(word, meaning)| (word.to_owned(), meaning.to_owned()));
    let about = "How the participant left the study; `n/a` of those who did not.";
    add(dataset, Column { levels: levels.collect(), ..Column::new(ATTRITION, about) })
}

/// Adds a column to the description of participants.tsv, where it is not there as it is.
fn add<D: AnyDisk>(dataset: &Dataset<D>, column: Column) -> Result<(), DatasetError> {
    let path = Path::new("participants.json");
    let text = dataset.told(path, dataset.text(path))?;
    let broken = |_| DatasetError::Table { path: dataset.root().join(path) };
    let mut all: Map<String, Value> = serde_json::from_str(&text).map_err(broken)?;
    let before = all.clone();
    all.extend(description(&[column]));
    match all == before {
        true => Ok(()),
        false => dataset.replace(path, pretty(&Value::Object(all)).as_bytes()),
    }
}

/// Whether a file or folder of this name is there before the description of the dataset.
pub(super) fn is_written_first(name: &str) -> bool {
    let names = [".bidsignore", "README.md", "participants.json", names::SOURCE];
    let task = name.starts_with("task-") && name.ends_with("_events.json");
    names.contains(&name) || task || name.ends_with(".part")
}

/// The description of a session's table of trials.
pub fn trials_description(about: &About, simulated: bool) -> String {
    let mut all = task(about, simulated);
    all.extend(description(&about.columns.of_trials()));
    pretty(&Value::Object(all))
}

fn dataset_description(about: &About, simulated: bool) -> Value {
    let kind = if simulated { " (simulated participants)" } else { "" };
    let mut all = json!({
        "Name": format!("{}{kind}", about.title),
        "BIDSVersion": BIDS,
        "DatasetType": "raw",
        "GeneratedBy": [{
            "Name": "chronotap",
            "Version": PROGRAM.trim_start_matches("chronotap "),
            "Description": "Ran the trials and wrote this dataset.",
        }],
        KEY: { "task": about.task, "title": about.title, "simulated": simulated },
    });
    for (key, value) in credits(about) {
        all[key] = value;
    }
    if about.coded {
        all["HEDVersion"] = json!(hed::VERSION); // the events of its trials have tags
    }
    all
}

/// What the study says of those who made it, by the names of BIDS; nothing of what it leaves open.
fn credits(about: &About) -> impl Iterator<Item = (&'static str, Value)> {
    let credits = &about.credits;
    let links = about.reference.as_slice();
    let all = [
        ("Authors", json!(credits.authors)),
        ("License", json!(credits.license)),
        ("Acknowledgements", json!(credits.acknowledgements)),
        ("Funding", json!(credits.funding)),
        ("EthicsApprovals", json!(credits.ethics)),
        ("ReferencesAndLinks", json!(links)),
    ];
    all.into_iter().filter(|(_, value)| !value.is_null() && *value != json!([]))
}

/// What presented the trials. It holds for all recordings of the task, and BIDS takes it over to each
/// of them. The task's name and instructions are in the description of each table of trials: as strings in
/// that of events they are an error to the BIDS validator for JavaScript (1.15).
fn presentation() -> Map<String, Value> {
    let system = json!({
        "OperatingSystem": "Linux",
        "SoftwareName": "chronotap",
        "SoftwareVersion": PROGRAM.trim_start_matches("chronotap "),
    });
    Map::from_iter([("StimulusPresentation".to_owned(), system)])
}

/// What the table of trials says of its task.
fn task(about: &About, simulated: bool) -> Map<String, Value> {
    let description = match about.description.as_str() {
        "" => about.title.clone(),
        text => text.to_owned(),
    };
    let instructions = match about.instructions.as_str() {
        "" => "The experiment file has no text of instructions.",
        text => text,
    };
    let texts = [
        ("TaskName", about.task.as_str()),
        ("TaskDescription", description.as_str()),
        ("Instructions", instructions),
    ];
    let texts = texts.map(|(key, text)| (key.to_owned(), Value::from(text)));
    marked(texts.into_iter().chain(presentation()).collect(), simulated)
}

/// With the mark of simulated data. The trials' own descriptions have another key, since
/// BIDS would take this one for theirs.
pub fn marked(mut all: Map<String, Value>, simulated: bool) -> Map<String, Value> {
    all.insert("ChronotapStudy".to_owned(), json!({ "simulated": simulated }));
    all
}

fn readme(about: &About, simulated: bool) -> String {
    let title = &about.title;
    let description = match about.description.as_str() {
        "" => String::new(),
        text => format!("{text}\n\n"),
    };
    let whose = match simulated {
        true => "**All participants are simulated.** Nobody tapped.\n\n",
        false => "",
    };
    format!(
        "# {title}\n\n{description}{whose}\
         A dataset in the layout of BIDS {BIDS}, written by {PROGRAM}.\n\n\
         - `participants.tsv`: one row for each participant.\n\
         - `sub-*/…/beh/*_beh.tsv`: one row for each trial that was done, in the order of time. \
         Rows with `counts` = `true` are those to analyse.\n\
         - `sub-*/…/beh/*_events.tsv`: the events of one trial; its `.json` describes every \
         column and holds the trial file and the machine.\n\
         - `sourcedata/`: the experiment file with all files that it names, and for each session its plan, its \
         journal and the checksums of its files.\n"
    )
}

pub fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dataset_names_the_version_of_its_tags_where_trials_have_codes_and_nowhere_else() {
        let of = |coded| dataset_description(&About { coded, ..About::default() }, false);
        assert_eq!(of(true)["HEDVersion"], hed::VERSION);
        assert!(of(false).get("HEDVersion").is_none());
    }
}
