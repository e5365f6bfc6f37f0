//! [`Columns`]: which columns the tables of a dataset have, and their descriptions for
//! people and for BIDS tools. They follow from the study alone, so that the tables of all
//! its participants can be laid under each other.

use crate::table::TsvRow;
use chronotap_analysis::statistics::{self, Of, Statistic};
use chronotap_config::trial_files::TrialFile;
use chronotap_design::columns::{
    AT_THE_END, BEFORE_FACTORS, BEHIND_FACTORS, Fixed, OF_LANGUAGES, OF_STAIRCASES,
};
use serde_json::{Map, Value, json};

/// A column and its description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub name: String,
    /// What it holds.
    pub description: String,
    /// The unit of its numbers; empty where there is none.
    pub units: String,
    /// The words that may stand in it, with their meaning; empty where any may.
    pub levels: Vec<(String, String)>,
}

impl Column {
    /// A column without units and levels.
    pub fn new(name: &str, description: &str) -> Column {
        Column { name: name.into(), description: description.into(), ..Column::default() }
    }

    /// A column of words.
    pub fn of_levels(name: &str, description: &str, levels: &[String]) -> Column {
        let levels = levels.iter().map(|level| (level.clone(), level.clone())).collect();
        Column { levels, ..Column::new(name, description) }
    }
}

/// The columns that a study adds to those that every study has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Between-participant factors.
    pub between: Vec<Column>,
    /// What participants are asked once.
    pub fields: Vec<Column>,
    /// Factors within participants.
    pub factors: Vec<Column>,
    /// Statistics of a trial, each with its full name.
    pub statistics: Vec<(String, Column)>,
    pub questions: Vec<Column>,
    /// Whether it has staircases.
    pub staircases: bool,
    /// Where it is in several languages: its own.
    pub language: Option<String>,
}

impl Columns {
    /// Of participants.tsv.
    pub fn of_participants(&self) -> Vec<Column> {
        let id = Column::new("participant_id", "The participant's label.");
        let k = "The participant's place in Latin and Williams squares within its group, from 0.";
        let first = std::iter::once(id).chain(self.between.iter().cloned());
        let rest = std::iter::once(Column::new("k", k)).chain(self.fields.iter().cloned());
        first.chain(rest).collect()
    }

    /// Of the table with one row for each trial.
    pub fn of_trials(&self) -> Vec<Column> {
        self.headed().into_iter().map(Headed::column).collect()
    }

    /// A row of the table with one row for each trial: `cell` is asked for what each column holds, and
    /// never for a place.
    pub(crate) fn row_of_trials(&self, cell: impl FnMut(Headed<'_>) -> Option<String>) -> TsvRow {
        self.headed().into_iter().map(cell).collect()
    }

    /// The columns of the table of trials in their order: the only list of it.
    pub(crate) fn headed(&self) -> Vec<Headed<'_>> {
        let mut all: Vec<Headed<'_>> = BEFORE_FACTORS.map(Headed::Fixed).to_vec();
        all.extend(self.factors.iter().map(Headed::Factor));
        all.extend(BEHIND_FACTORS.map(Headed::Fixed));
        all.extend(self.statistics.iter().map(|(name, column)| Headed::Statistic(name, column)));
        all.extend(self.questions.iter().map(Headed::Question));
        if self.staircases {
            all.extend(OF_STAIRCASES.map(Headed::Fixed));
        }
        all.extend(self.language.iter().map(|_| Headed::Fixed(OF_LANGUAGES)));
        all.extend(AT_THE_END.map(Headed::Fixed));
        all
    }
}

/// A column of the table of trials, and what its cells are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Headed<'c> {
    Fixed(Fixed),
    /// The level of a factor; its heading is the factor's name.
    Factor(&'c Column),
    /// A statistic of this full name.
    Statistic(&'c str, &'c Column),
    /// What was answered; its heading is the question's name.
    Question(&'c Column),
}

impl Headed<'_> {
    fn column(self) -> Column {
        match self {
            Headed::Fixed(fixed) => Column::new(fixed.name(), fixed.about()),
            Headed::Factor(column) | Headed::Statistic(_, column) | Headed::Question(column) => {
                column.clone()
            }
        }
    }
}

/// The description of these columns, as BIDS has it.
pub fn description(columns: &[Column]) -> Map<String, Value> {
    columns.iter().map(|column| (column.name.clone(), describe(column))).collect()
}

fn describe(column: &Column) -> Value {
    let mut about = json!({ "Description": column.description });
    if !column.units.is_empty() {
        about["Units"] = json!(column.units);
    }
    if !column.levels.is_empty() {
        let levels = column.levels.iter().map(|(word, meaning)| (word.clone(), json!(meaning)));
        about["Levels"] = Value::Object(levels.collect());
    }
    about
}

/// The statistics of these trials over their whole length, each with its full name. Where
/// every trial has one input (and one pair of input and stream) the column bears the
/// statistic's name alone; else there is one for each, as in `taps_of_left`.
pub fn statistics<'a>(
    trials: impl Iterator<Item = &'a TrialFile> + Clone,
) -> Vec<(String, Column)> {
    let inputs = unique(trials.clone().flat_map(inputs_of));
    let of_pairs = unique(trials.clone().flat_map(|file| pairs_of(file, Of::Pair)));
    let of_responses = unique(trials.flat_map(|file| pairs_of(file, Of::Response)));
    let of = |known: &&'static Statistic| {
        let pairs = if known.of() == Of::Response { &of_responses } else { &of_pairs };
        columns_of(known, &inputs, pairs)
    };
    statistics::columns().iter().flat_map(of).collect()
}

fn columns_of(
    known: &Statistic,
    inputs: &[String],
    pairs: &[(String, String)],
) -> Vec<(String, Column)> {
    let name = known.name;
    let column = |full: String, short: bool| {
        let heading = known.column();
        let rest = full[name.len()..].replace(' ', "_");
        let heading = if short { heading } else { heading + &rest };
        let about = format!("Summary statistic of the trial: {full}.");
        (full, Column { units: known.unit.symbol().into(), ..Column::new(&heading, &about) })
    };
    match known.of() {
        Of::Trial => vec![column(name.into(), true)],
        Of::Input => inputs
            .iter()
            .map(|input| column(format!("{name} of {input}"), inputs.len() == 1))
            .collect(),
        Of::Pair | Of::Response => pairs
            .iter()
            .map(|(input, stream)| {
                column(format!("{name} of {input} against {stream}"), pairs.len() == 1)
            })
            .collect(),
    }
}

fn inputs_of(file: &TrialFile) -> Vec<String> {
    file.trial.inputs.iter().map(|input| input.name.clone()).collect()
}

/// Each input with each stream that it answers, or that it reproduces.
fn pairs_of(file: &TrialFile, of: Of) -> Vec<(String, String)> {
    let reproduced = |stream: u16| file.answers.responses.iter().any(|(of, _)| *of == stream);
    let fits = |stream: u16| reproduced(stream) == (of == Of::Response);
    let name = |(input, stream): &(u16, u16)| {
        let input = file.trial.inputs.get(usize::from(*input))?;
        let stream = file.trial.pacing.get(usize::from(*stream))?;
        Some((input.name.clone(), stream.name.clone()))
    };
    file.answers.pairs.iter().filter(|(_, stream)| fits(*stream)).filter_map(name).collect()
}

fn unique<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut kept = Vec::new();
    for one in all {
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headings(text: &str) -> Vec<String> {
        let file = TrialFile::parse(text, "trial.toml").unwrap();
        statistics(std::iter::once(&file)).into_iter().map(|(_, column)| column.name).collect()
    }

    #[test]
    fn one_input_and_one_stream_need_no_further_name() {
        let tapped = "[pacing.metronome]\ninterval = \"500 ms\"\nbeats = 9\n[input.pad]\n";
        let names = headings(tapped);
        assert!(names.contains(&"median_interval_ms".to_owned()), "{names:?}");
        assert!(names.contains(&"mean_asynchrony_ms".to_owned()), "{names:?}");
    }

    #[test]
    fn a_stream_that_is_reproduced_has_columns_of_its_own_and_others_have_none_of_them() {
        let model = "[pacing.model]\nonsets = [\"0 s\", \"600 ms\", \"1.1 s\"]\n\
                     response = { within = \"3 s\" }\n[[when]]\ntime = \"9 s\"\nend = true\n";
        let names = headings(model);
        assert!(names.contains(&"mean_reproduction_error_ms".to_owned()), "{names:?}");
        assert!(!names.contains(&"mean_asynchrony_ms".to_owned()), "{names:?}");
        let tapped = "[pacing.metronome]\ninterval = \"500 ms\"\nbeats = 9\n";
        assert!(!headings(tapped).contains(&"mean_reproduction_error_ms".to_owned()));
    }

    #[test]
    fn two_inputs_have_each_a_column() {
        let tapped = "[input.left]\n[input.right]\n[[when]]\ntime = \"9 s\"\nend = true\n";
        let names = headings(tapped);
        assert!(names.contains(&"taps_of_left".to_owned()), "{names:?}");
        assert!(!names.contains(&"taps".to_owned()), "{names:?}");
    }
}
