//! One namespace for all columns: factors, questions, fields, and what the tables have already.

use super::{Context, Factors};
use crate::study::columns::{OF_LANGUAGES, Taken, taken};
use crate::study::question::{ParticipantField, Question};
use chronotap_config::trial_files::reading::Part;
use std::collections::HashMap;

/// Reports names that are taken. Those of a study that was `recorded` may be columns of an analysis,
/// which then gives the factor's column another name.
pub(crate) fn apart(
    top: &Part<'_>,
    (factors, questions, fields): (&Factors, &[Question], &[ParticipantField]),
    recorded: bool,
) {
    let factors = factors.names().into_iter().map(|name| (name, "a factor"));
    let questions = questions.iter().map(|question| (question.name.as_str(), "a question"));
    let fields = fields.iter().map(|field| (field.name.as_str(), "a field of participants"));
    let mut before: HashMap<&str, &str> = HashMap::new();
    for (name, what) in factors.chain(questions).chain(fields) {
        let of_table = taken(name)
            .or_else(|| of_languages(top, name))
            .filter(|taken| !(recorded && *taken == Taken::Analysis));
        // Two factors of one name are told where both are read.
        let before = before.insert(name, what).filter(|other| *other != what);
        let other = before.or(of_table.map(said));
        if let Some(other) = other {
            let at = place(top, what, name);
            let message = format!("{name} is {what} and also {other}; both would be one column");
            top.page.cured(
                at,
                message,
                format!("give it another name, such as {name}_{}", word(what)),
            );
        }
    }
}

/// A study in several languages has one more column.
fn of_languages(top: &Part<'_>, name: &str) -> Option<Taken> {
    (name == OF_LANGUAGES.name() && top.has("translation")).then_some(Taken::Fixed)
}

/// What a name may end in that says what it is of.
fn word(what: &str) -> &'static str {
    match what {
        "a factor" => "level",
        "a question" => "answer",
        _ => "of_participant",
    }
}

fn said(taken: Taken) -> &'static str {
    match taken {
        Taken::Fixed => "a fixed column",
        Taken::Statistic => "a statistic or the column of one",
        Taken::Analysis => "a column of the tables of an analysis",
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

/// The factors whose levels a whole session has.
pub(super) fn fixed_names(context: &Context<'_>) -> Vec<String> {
    let fixed = context.factors.between.iter().map(|factor| &factor.name);
    let session = context.factors.session.iter().map(|session| &session.factor.name);
    fixed.chain(session).cloned().collect()
}
