//! From the text of an experiment file to an [`Experiment`]: every section in turn, then
//! what only shows when all are there.

mod between;
mod conditions;
mod exclude;
mod factors;
mod fields;
mod fits;
mod ftap;
mod groups;
mod level_words;
mod levels;
mod measures;
mod names;
mod outcome;
mod recordings;
mod settings;
mod staircases;
mod steps;
mod tabular;
mod translations;
mod trials;
mod visits;
mod words;

use crate::file::check;
use crate::file::files::{Files, Folder, Shelf};
use crate::file::keys::{self, KEYS};
use crate::study::experiment::{Credits, Experiment};
use crate::study::question::{self, Answer, Question, QuestionKinds};
use chronotap_config::ftap::Readings;
use chronotap_config::trial_files::reading::{
    Field, Keys, Mistakes, Page, Part, TomlTable, document,
};
use chronotap_config::trial_files::{Problems, TrialFile};
pub(crate) use factors::Factors;
use std::collections::HashMap;
use std::path::Path;

impl Experiment {
    /// Reads and checks an experiment file and all files that it names.
    ///
    /// # Errors
    /// All the mistakes in all of them, or why the file could not be read.
    pub fn read(path: &Path) -> Result<Experiment, Problems> {
        let folder = Folder(path.parent().unwrap_or(Path::new("")).to_owned());
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned());
        Experiment::read_from(&folder, &file.unwrap_or_default())
    }

    /// The same for files that are anywhere.
    ///
    /// # Errors
    /// As [`Experiment::read`].
    pub fn read_from(files: &dyn Files, name: &str) -> Result<Experiment, Problems> {
        let said = files.said(name);
        let text = files.read(name).map_err(|error| Problems::unreadable(&said, &error))?;
        Experiment::parse(&text, &said, files)
    }

    /// Checks the text of an experiment file called `name`, whose other files are `files`.
    ///
    /// # Errors
    /// All the mistakes in all of them.
    pub fn parse(text: &str, name: &str, files: &dyn Files) -> Result<Experiment, Problems> {
        experiment(text, name, files, (&QuestionKinds::standard(), &KEYS))
    }

    /// The same where there are these kinds of question.
    ///
    /// # Errors
    /// As [`Experiment::parse`].
    pub fn parse_asking(
        text: &str,
        name: &str,
        files: &dyn Files,
        kinds: &QuestionKinds,
    ) -> Result<Experiment, Problems> {
        experiment(text, name, files, (kinds, &keys::asking(kinds)))
    }
}

/// What is there when the steps are read.
pub(crate) struct Context<'p> {
    pub shelf: &'p Shelf<'p>,
    /// How trial files of FTAP are read.
    pub ftap: &'p Readings,
    pub factors: &'p Factors,
    /// The names of questions and staircases.
    pub questions: Vec<String>,
    /// The names of what `[participant]` asks.
    pub fields: Vec<String>,
    /// What may be answered to a question or a field.
    pub answers: HashMap<String, Answer>,
    pub staircases: Vec<String>,
    /// `trial` at the top of the file.
    pub trial: Option<String>,
    /// Whether the experiment file names one, readable or not.
    pub names_trial: bool,
    pub sessions: u32,
}

/// Reads and checks a text called `name`, whose other files are in `files`.
fn experiment(
    text: &str,
    name: &str,
    files: &dyn Files,
    (kinds, keys): (&QuestionKinds, &Keys),
) -> Result<Experiment, Problems> {
    let mistakes = Mistakes::default();
    let shelf = Shelf::new(files);
    let page = Page::new(&mistakes, keys, name, text);
    let table = document(&page, text);
    if table.as_ref().is_some_and(is_of_a_trial) {
        return Err(Problems::of_file(
            name,
            "this is a trial file",
            "name an experiment file (it has [[step]]s)",
        ));
    }
    let read = table.map(|table| whole(&page, &shelf, &table, kinds, text));
    if let Some((experiment, lost)) = &read {
        recordings::attach(&shelf, experiment);
        if mistakes.is_clean() {
            check::groups(&page, experiment);
            check::asks(&page, experiment);
            check::unused(&page, experiment);
            check::shown(&page, &shelf, experiment);
            check::never(&page, experiment);
            check::orders(&page, experiment);
        }
        check::trials(&page, &shelf, experiment, lost);
    }
    let warnings = mistakes.into_warnings()?;
    let (experiment, _) = read.expect("a text that is no TOML is a mistake");
    let of_ftap = shelf.of_ftap();
    Ok(Experiment { warnings, of_ftap, files: shelf.into_read(), ..experiment })
}

/// What may be answered, by the names of the file.
fn answers(
    questions: &[Question],
    fields: &[question::ParticipantField],
) -> HashMap<String, Answer> {
    let of_field = |field: &question::ParticipantField| {
        let member = field.member.as_ref().map(|member| format!(".{member}"));
        let name = member.and_then(|member| field.name.strip_suffix(&*member));
        (name.unwrap_or(&field.name).to_owned(), field.answer.clone())
    };
    let of_question = |question: &Question| (question.name.clone(), question.answer.clone());
    questions.iter().map(of_question).chain(fields.iter().map(of_field)).collect()
}

/// Whether this is a trial file: without steps, and with what only a trial has.
fn is_of_a_trial(table: &TomlTable) -> bool {
    table.get("step").is_none() && TrialFile::PARTS.iter().any(|key| table.get(key).is_some())
}

/// The experiment, and the parts of trial files in which it would set what could not be read.
fn whole<'p>(
    page: &'p Page<'p>,
    shelf: &'p Shelf<'p>,
    table: &'p TomlTable,
    kinds: &QuestionKinds,
    text: &str,
) -> (Experiment, Vec<String>) {
    let top = Part::open(page, table, 0, String::new(), "");
    let sessions = top.read("sessions", Field::count).unwrap_or(1);
    let mut factors = factors::factors(&top, sessions, shelf.were_recorded());
    let (lists, assign) = conditions::lists(&top, shelf, &mut factors);
    let questions = fields::questions(&top, kinds);
    let members = fields::members(&top);
    let fields = fields::fields(&top, &members, kinds);
    let staircases = staircases::staircases(&top);
    let ftap = ftap::readings(&top);
    let context = Context {
        shelf,
        ftap: &ftap,
        factors: &factors,
        questions: declared(&top, "question"),
        fields: declared(&top, "participant"),
        answers: answers(&questions, &fields),
        staircases: declared(&top, "staircase"),
        trial: top.read("trial", |f| trials::named(f, shelf, &ftap)),
        names_trial: top.has("trial"),
        sessions,
    };
    fields::check_only_if(&top, &context.answers);
    groups::check(&top, &factors.between, &fields, &context.answers, &context.fields);
    let settings = settings::settings(&top, &context, None);
    let mut steps = steps::steps(&top, &context);
    let questions = fields::for_members(&members, questions, &mut steps);
    names::apart(&top, (&factors, &questions, &fields), shelf.were_recorded());
    settings::results(&top, &settings, &steps);
    between::results_in_texts(&top, &steps);
    let experiment = Experiment {
        name: page.file.to_owned(),
        title: top.read("title", Field::text).unwrap_or_else(|| stem(page.file)),
        description: top.read("description", Field::lines),
        reference: top.read("reference", Field::text),
        credits: credits(&top),
        task: top.read("task", task).unwrap_or_else(|| plain(&stem(page.file))),
        participants: top.read("participants", Field::count).unwrap_or(1),
        seed: top.read("seed", |f| f.whole(0, i64::MAX as u64)).unwrap_or(1),
        sessions,
        session_factor: factors.session.clone(),
        members,
        ask_after: top.read("ask_after", Field::time).unwrap_or_default(),
        blind: top.read("blind", Field::flag).unwrap_or(false),
        factors: factors.within.clone(),
        between: factors.between.clone(),
        lists,
        assign,
        settings,
        fields,
        questions,
        staircases,
        words: words::words(&top),
        translations: Vec::new(),
        visits: visits::visits(&top, sessions),
        outcomes: Vec::new(),
        exclude: exclude::exclude(&top, &context.answers, &context.fields),
        steps,
        files: Vec::new(),
        of_ftap: Vec::new(),
        source: text.to_owned(),
        warnings: Vec::new(),
    };
    // What they compare may be a factor that is told not to be read.
    let outcomes = match factors.are_unsure() {
        true => Vec::new(),
        false => outcome::outcomes(&top, &experiment),
    };
    let levels = level_words::level_words(&top, &experiment, &experiment.words.levels);
    let experiment = Experiment { words: experiment.words.clone().with(levels), ..experiment };
    let translations = translations::translations(&top, shelf, &experiment);
    for translation in &translations {
        between::results_in_texts(&top, &translation.steps);
    }
    let experiment = Experiment { outcomes, translations, ..experiment };
    let lost = settings::lost(&top, &experiment, &factors);
    (experiment, lost)
}

fn credits(top: &Part<'_>) -> Credits {
    let texts = |name: &str| {
        let list = top.read(name, |field| field.some("texts")).unwrap_or_default();
        list.iter().filter_map(Field::text).collect()
    };
    Credits {
        authors: texts("authors"),
        license: top.read("license", Field::text),
        acknowledgements: top.read("acknowledgements", Field::lines),
        funding: texts("funding"),
        ethics: texts("ethics"),
    }
}

/// The names under a key, also of those that have mistakes: these are told by themselves.
fn declared(top: &Part<'_>, name: &str) -> Vec<String> {
    let table = top.table.get(name).and_then(|entry| entry.node.table());
    table.map_or(Vec::new(), |table| table.entries.iter().map(|e| e.key.clone()).collect())
}

fn task(field: &Field<'_>) -> Option<String> {
    let text = field.text()?;
    if text.is_empty() || !text.chars().all(|c| c.is_ascii_alphanumeric()) {
        let cure = match plain(&text) {
            plain if plain.is_empty() => "write for example \"delay\"".to_owned(),
            plain => format!("write \"{plain}\""),
        };
        return field.problem("must be letters and digits alone: it stands in file names", cure);
    }
    Some(text)
}

/// The letters and digits of a text.
fn plain(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}

fn stem(name: &str) -> String {
    let path = Path::new(name);
    path.file_stem().map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned())
}
