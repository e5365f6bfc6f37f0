//! `[factor]`, `[between]` and `[session]`.

use super::groups;
use super::levels::{LEVELS_MAX, level_of, levels, same_times};
use crate::file::choices;
use crate::plan::NONE;
use crate::study::experiment::SessionFactor;
use crate::study::factor::{Factor, Level};
use crate::study::group::Origin;
use chronotap_config::trial_files::reading::{Field, Part, Value, brief, well_named};
use std::collections::HashSet;

/// All the factors of an experiment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Factors {
    pub within: Vec<Factor>,
    pub between: Vec<Factor>,
    pub session: Option<SessionFactor>,
    /// Whether the heading over some of them is misspelt, or some could not be read, which is told by itself.
    unsure: bool,
    /// Those whose levels are no list, so that what they set need not be right.
    unlisted: Vec<String>,
}

/// Where a factor varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Within(usize),
    Between(usize),
    Session,
}

impl Factors {
    /// The factor of this name, and where it varies.
    pub fn find(&self, name: &str) -> Option<(Found, &Factor)> {
        let place = |list: &[Factor]| list.iter().position(|factor| factor.name == name);
        if let Some(index) = place(&self.within) {
            return Some((Found::Within(index), &self.within[index]));
        }
        if let Some(index) = place(&self.between) {
            return Some((Found::Between(index), &self.between[index]));
        }
        let session = self.session.as_ref().filter(|session| session.factor.name == name)?;
        Some((Found::Session, &session.factor))
    }

    /// Takes a name that is none of them for one that could not be read.
    pub fn doubt(&mut self) {
        self.unsure = true;
    }

    /// Whether a name that is none of them may still be meant as one.
    pub fn are_unsure(&self) -> bool {
        self.unsure
    }

    /// Whether the levels of this one could be read as a list.
    pub fn is_listed(&self, name: &str) -> bool {
        !self.unlisted.iter().any(|unlisted| unlisted == name)
    }

    /// The names of all factors.
    pub fn names(&self) -> Vec<&str> {
        let session = self.session.iter().map(|session| &session.factor);
        let all = self.within.iter().chain(session).chain(&self.between);
        all.map(|factor| factor.name.as_str()).collect()
    }

    /// The factor that a field names; reported where there is none.
    pub fn named(&self, field: &Field<'_>) -> Option<(Found, &Factor)> {
        let name = field.text()?;
        self.known(field, field.at, &name)
    }

    /// The factor of a name that stands at `at`; reported where there is none.
    pub fn known(&self, field: &Field<'_>, at: usize, name: &str) -> Option<(Found, &Factor)> {
        let found = self.find(name);
        if found.is_none() && !self.unsure {
            let message = format!("{}: there is no factor \"{}\"", field.path, brief(name));
            field.page.unknown(at, message, name, self.names());
        }
        found
    }
}

/// The level of a factor that a field names; reported where it has none such.
pub(crate) fn level(field: &Field<'_>, factor: &Factor) -> Option<usize> {
    let written = level_of(field)?.to_string();
    let place = factor.place(&written);
    if place.is_none() {
        let message =
            format!("{}: {} has no level \"{}\"", field.path, factor.name, brief(&written));
        let levels: Vec<String> = factor.levels.iter().take(30).map(Level::to_string).collect();
        field.page.unknown(field.at, message, &written, levels.iter().map(String::as_str));
    }
    place
}

/// Reads them all. The factor of the sessions is taken out of those within participants.
/// A study that was `recorded` may have levels that are refused today.
pub(crate) fn factors(top: &Part<'_>, sessions: u32, recorded: bool) -> Factors {
    let [(within, read), (between, both)] =
        ["factor", "between"].map(|name| listed(top, name, recorded));
    let unsure = !read || !both || top.misspells(&["factor", "between", "session"]);
    let unlisted = unlisted(top);
    let unsure = unsure || !unlisted.is_empty();
    let mut factors = Factors { within, between, session: None, unsure, unlisted };
    let mut seen = HashSet::new();
    for factor in factors.within.iter().chain(&factors.between) {
        if !seen.insert(factor.name.clone()) {
            let message =
                format!("{} is a factor both within and between participants", factor.name);
            top.page.cured(top.at("between"), message, "give each factor its own name");
        }
    }
    let levels = factors.between.iter().map(|factor| factor.levels.len());
    let cells = levels.into_iter().try_fold(1usize, usize::checked_mul);
    if cells.is_none_or(|cells| cells > LEVELS_MAX) {
        let message = "the factors between participants make more than 10000 cells";
        top.page.cured(top.at("between"), message, "name fewer factors or levels");
        factors.between.clear();
    }
    factors.session = session(top, &mut factors, sessions);
    factors
}

/// The factors within and between participants whose levels are no list.
fn unlisted(top: &Part<'_>) -> Vec<String> {
    let tables = ["factor", "between"].iter().filter_map(|name| top.table.get(name)?.node.table());
    let alone = |value: &Value| !matches!(value, Value::List(_) | Value::Table(_));
    let entries = tables.flat_map(|table| &table.entries).filter(|entry| alone(&entry.node.value));
    entries.map(|entry| entry.key.clone()).collect()
}

/// The factors below a heading, and whether all of them could be read.
fn listed(top: &Part<'_>, name: &str, recorded: bool) -> (Vec<Factor>, bool) {
    let mut factors = Vec::new();
    let named = top.named(name);
    let all = named.len();
    for (key, at, field) in named {
        well_named(top.page, at, key);
        let read = match field.node.table() {
            Some(_) if name == "between" => groups::measured(&field),
            None if !matches!(field.node.value, Value::List(_)) => one_level(&field),
            _ => levels(&field).map(|levels| (levels, Origin::Drawn)),
        };
        if let Some((levels, origin)) = read {
            if !recorded {
                fit_for_tables(&field, &levels);
                same_times(&field, &levels);
            }
            factors.push(Factor { name: key.to_owned(), levels, origin });
        }
    }
    let read =
        factors.len() == all && top.table.get(name).is_none_or(|of| of.node.table().is_some());
    (factors, read)
}

/// A level that stands alone, without a list; it stays, so that nothing else is told to lack the
/// factor.
fn one_level(field: &Field<'_>) -> Option<(Vec<Level>, Origin)> {
    let level = level_of(field)?;
    let each: Vec<Level> = match &level {
        Level::Text(text) => {
            text.split(',').map(|one| Level::Text(one.trim().to_owned())).collect()
        }
        _ => vec![level],
    };
    let cure = "write all its levels in [brackets], with a comma between two";
    field.problem::<()>("is one level, not a list of levels", cure);
    Some((each, Origin::Drawn))
}

/// Refuses levels that no table can tell from others: `n/a` is there what has no level.
fn fit_for_tables(field: &Field<'_>, levels: &[Level]) {
    let texts = levels.iter().map(Level::to_string);
    for level in texts.filter(|text| text.is_empty() || text.chars().any(char::is_control)) {
        let message = format!("has the level \"{}\"", brief(&level));
        field.problem::<()>(&message, "write letters or digits, without tabs and line ends");
    }
    if levels.iter().any(|level| level.to_string() == NONE) {
        field.problem::<()>(&says_none(), NO_LEVEL);
    }
}

/// What is wrong with a level that is written as [`NONE`].
pub(super) fn says_none() -> String {
    format!("has the level \"{NONE}\", which in tables is that of trials without one")
}

/// What to write in its place.
pub(super) const NO_LEVEL: &str = "name it otherwise, such as \"without\"";

fn session(top: &Part<'_>, factors: &mut Factors, sessions: u32) -> Option<SessionFactor> {
    let part = Part::of(&top.field("session")?, "session")?;
    let by = part.must("by", |f| factors.named(f).map(|(found, _)| found));
    let order = part.must("order", |f| f.choice(&choices::ORDER));
    let (factor, place, order) = match (by?, order?) {
        (Found::Within(index), order) => (factors.within.remove(index), index, order),
        _ => {
            let message = "session.by must be a factor of [factor]";
            part.page.cured(part.at("by"), message, "declare it in [factor], with its levels");
            return None;
        }
    };
    if factor.levels.len() != sessions as usize {
        let levels = factor.levels.len();
        let message = format!("{} has {levels} levels, but sessions = {sessions}", factor.name);
        part.page.cured(part.at("by"), message, format!("write sessions = {levels}"));
    }
    Some(SessionFactor { factor, place, order })
}
