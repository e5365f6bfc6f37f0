//! One namespace for all columns: factors, questions, fields, statistics, and the fixed
//! columns of plan and dataset.

use super::Factors;
use crate::part::Part;
use crate::question::{Field, Question};
use chronotap_analysis::statistics::STATISTICS;
use std::collections::HashMap;

/// The fixed columns of plan, of the table of trials, and of participants.tsv.
const FIXED: [&str; 18] = [
    "trial",
    "step",
    "block",
    "repetition",
    "attempt",
    "counts",
    "seed",
    "events_file",
    "participant_id",
    "k",
    "onset_utc",
    "timing",
    "data",
    "flags",
    "withdrawn",
    "staircase",
    "level",
    "answer",
];

/// Reports names that are taken.
pub(crate) fn apart(top: &Part<'_>, factors: &Factors, questions: &[Question], fields: &[Field]) {
    let mut taken: HashMap<String, &str> = HashMap::new();
    for known in STATISTICS {
        taken.insert(known.name.to_owned(), "a statistic");
        taken.insert(known.column(), "the column of a statistic");
    }
    taken.extend(FIXED.iter().map(|name| ((*name).to_owned(), "a fixed column")));
    let factors = factors.names().into_iter().map(|name| (name, "a factor"));
    let questions = questions.iter().map(|question| (question.name.as_str(), "a question"));
    let fields = fields.iter().map(|field| (field.name.as_str(), "a field of participants"));
    for (name, what) in factors.chain(questions).chain(fields) {
        if let Some(other) = taken.insert(name.to_owned(), what) {
            let at = place(top, what, name);
            let message = format!("{name} is {what} and also {other}; both would be one column");
            top.page.cured(at, message, "give it another name");
        }
    }
}

fn place(top: &Part<'_>, what: &str, name: &str) -> usize {
    let sections: &[&str] = match what {
        "a factor" => &["factor", "between"],
        "a question" => &["question"],
        _ => &["participant"],
    };
    let name = name.split('.').next().unwrap_or(name);
    let entry = |section: &&str| top.table.get(section)?.node.table()?.get(name).map(|e| e.at);
    sections.iter().find_map(entry).unwrap_or_else(|| top.at("conditions"))
}
