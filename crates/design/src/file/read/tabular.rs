//! A table of conditions as text: the names of its columns, then a row for each condition.
//!
//! It may be one that a spreadsheet saved: with quotation marks around cells and columns without name and
//! content behind the last. In a study that was recorded, cells are what they were when it was.
//!
//! A mistake is told once, at its cell: whoever reads on takes a table that has one for unread.

use super::factors::{NO_LEVEL, says_none};
use crate::file::cells::{Cell, cells, head_cells, head_of, is_remark, placed_lines};
use crate::plan::NONE;
use crate::study::factor::{Condition, Factor, Level};
use crate::study::group::Origin;
use chronotap_config::trial_files::reading::{
    Node, Page, Part, TomlTable, Value, brief, well_named,
};
use chronotap_core::text::nearest;
use std::collections::{HashMap, HashSet};

/// More conditions than this are a mistake, and would fill the memory.
pub(super) const CONDITIONS_MAX: usize = 100_000;
const WEIGHT: &str = "weight";

/// A factor may well be called so, and it is near to `weight`.
const NO_SLIP: &str = "height";

/// So many conditions are named that stand in several rows.
const TWICE_SHOWN: usize = 5;

/// Factors as they come up in tables.
#[derive(Default)]
pub(super) struct Levels {
    pub factors: Vec<Factor>,
    places: Vec<HashMap<String, usize>>,
}

impl Levels {
    fn place(&mut self, column: usize, cell: &str) -> usize {
        if let Some(place) = self.places[column].get(cell) {
            return *place;
        }
        let levels = &mut self.factors[column].levels;
        levels.push(Level::of_cell(cell));
        self.places[column].insert(cell.to_owned(), levels.len() - 1);
        levels.len() - 1
    }
}

/// The conditions of a table, one for each row that could be read, and whether there is no mistake in it.
pub(super) fn rows(
    page: &Page<'_>,
    (top, text): (&Part<'_>, &str),
    table: &mut Levels,
    recorded: bool,
) -> (Vec<Condition>, bool) {
    let heads = head_cells(text);
    let mut good = recorded || !tells_of_remarks(page, text, heads.len());
    if head_of(text) == text.len() {
        let cure = "name the columns in the first line, and write a row for each condition";
        if good {
            page.cured(0, "the table is empty", cure);
        }
        return (Vec::new(), false);
    }
    let has_head = named(page, &heads) && (recorded || !slips(page, top, &heads));
    let columns: Vec<&str> = heads.iter().map(|(_, name)| name.as_str()).collect();
    if !has_head || !takes_factors(&columns, table) {
        return (Vec::new(), false); // others are reported as a difference to the first table
    }
    let mut conditions = Vec::new();
    let below = placed_lines(text).filter(|(at, _)| *at > head_of(text));
    for (at, line) in below.filter(|(_, line)| !line.trim().is_empty()) {
        let cells = cells((at, line), columns.len(), recorded);
        if !recorded && is_remark(line) && is_remark_of_row(line, columns.len()) {
            continue; // told
        }
        let read = (recorded || !has_none(page, &columns, &cells))
            .then(|| row(page, at, &cells, &columns, table));
        let read = read.flatten();
        good &= read.is_some();
        conditions.extend(read.map(|condition| (at, condition)));
        if conditions.len() > CONDITIONS_MAX {
            page.cured(at, "the table has more than 100000 conditions", "write fewer rows");
            break;
        }
    }
    if conditions.is_empty() && good {
        page.cured(0, "the table holds no condition", "write a row below the names of the columns");
    }
    if good && !recorded {
        doubt_twice(page, &conditions, table);
    }
    (conditions.into_iter().map(|(_, condition)| condition).collect(), good)
}

/// Whether the factors of the columns are those of the tables before it; the first table has none before.
fn takes_factors(columns: &[&str], table: &mut Levels) -> bool {
    let factors: Vec<&str> = columns.iter().copied().filter(|name| *name != WEIGHT).collect();
    if table.factors.is_empty() {
        let empty = |name: &&str| Factor {
            name: (*name).to_owned(),
            levels: Vec::new(),
            origin: Origin::Drawn,
        };
        table.factors = factors.iter().map(empty).collect();
        table.places = vec![HashMap::new(); factors.len()];
    }
    table.factors.iter().map(|factor| factor.name.as_str()).eq(factors)
}

/// Tells of lines that are for people alone and of empty ones over the names. In a table of several columns a level
/// may begin with #, such as "#1".
fn tells_of_remarks(page: &Page<'_>, text: &str, columns: usize) -> bool {
    let head = head_of(text);
    let mut told = false;
    for (at, line) in placed_lines(text).filter(|(_, line)| is_remark(line)) {
        if at < head || is_remark_of_row(line, columns) {
            page.cured(at, "the line begins with #, and a table has no remarks", "delete the line");
            told = true;
        }
    }
    told
}

fn is_remark_of_row(line: &str, columns: usize) -> bool {
    let filled = line.split('\t').filter(|cell| !cell.trim().is_empty()).count();
    line.starts_with("# ") || (columns > 1 && filled == 1)
}

fn named(page: &Page<'_>, columns: &[Cell]) -> bool {
    let mut good = true;
    for (index, (at, name)) in columns.iter().enumerate() {
        if columns[..index].iter().any(|(_, before)| before == name) {
            let message = format!("two columns are named \"{}\"", brief(name));
            page.cured(*at, message, "give each its own name");
            good = false;
        }
        let spaced = columns.len() == 1 && name.contains([' ', ',', ';']);
        if spaced {
            page.cured(
                *at,
                "the columns are not separated by tabs",
                "save the table as tab-separated values",
            );
        }
        good &= !spaced && well_named(page, *at, name);
    }
    good
}

/// Tells of columns that are meant as `weight`, unless the study names a factor so.
fn slips(page: &Page<'_>, top: &Part<'_>, columns: &[Cell]) -> bool {
    if columns.iter().any(|(_, name)| name == WEIGHT) {
        return false;
    }
    let factors = named_factors(top);
    let is_slip = |name: &str| nearest(name, [WEIGHT]).is_some() && name != NO_SLIP;
    let meant = columns.iter().filter(|(_, name)| is_slip(name) && !factors.contains(name));
    let message = |name| format!("there is no column \"{}\"", brief(name));
    meant.map(|(at, name)| page.near(*at, message(name), WEIGHT.to_owned())).count() > 0
}

/// Tells of columns that nothing names, where the study names a factor that is nearly called so.
pub(super) fn misnamed(
    page: &Page<'_>,
    (top, text): (&Part<'_>, &str),
    table: &Levels,
    others: &[&str],
) -> bool {
    let named = named_factors(top);
    let own: Vec<&str> = table.factors.iter().map(|factor| factor.name.as_str()).collect();
    let strange = |name: &&str| !own.contains(name) && !others.contains(name);
    let strange: Vec<&str> = named.iter().map(String::as_str).filter(strange).collect();
    let mut told = false;
    for (at, name) in head_cells(text).iter().filter(|(_, name)| !named.contains(name)) {
        if let Some(meant) = nearest(name, strange.iter().copied()).filter(|_| name != WEIGHT) {
            let message = format!("nothing in the study names the column \"{}\"", brief(name));
            page.near(*at, message, meant.to_owned());
            told = true;
        }
    }
    told
}

/// The factors that a study names, whether it has them or not.
fn named_factors(top: &Part<'_>) -> HashSet<String> {
    let mut named = HashSet::new();
    names_below(top.table, &mut named);
    named
}

fn names_below(table: &TomlTable, named: &mut HashSet<String>) {
    for entry in &table.entries {
        match (entry.key.as_str(), &entry.node.value) {
            ("factor" | "by", Value::Text(name)) => {
                named.insert(name.clone());
            }
            ("only" | "at_most_in_a_row", Value::Table(of)) => {
                named.extend(of.entries.iter().map(|entry| entry.key.clone()));
            }
            (_, Value::Table(below)) => names_below(below, named),
            (_, Value::List(list)) => {
                list.iter().filter_map(Node::table).for_each(|below| names_below(below, named));
            }
            _ => {}
        }
    }
}

/// Refuses a level that tables cannot tell from none.
fn has_none(page: &Page<'_>, columns: &[&str], cells: &[Cell]) -> bool {
    let all = columns.iter().zip(cells).filter(|(_, (_, cell))| cell == NONE);
    let told = all.map(|(name, (at, _))| {
        page.cured(*at, format!("{name} {}", says_none()), NO_LEVEL);
    });
    told.count() > 0
}

/// The condition of a row; `None` where a mistake was told.
fn row(
    page: &Page<'_>,
    at: usize,
    cells: &[Cell],
    columns: &[&str],
    table: &mut Levels,
) -> Option<Condition> {
    if cells.len() != columns.len() {
        let (has, named) = (cells.len(), columns.len());
        let message = format!("the row has {has} cells, but the table {named} columns");
        page.cured(at, message, "write one cell for each column, separated by tabs");
        return None;
    }
    let (mut condition, mut good) = (Condition { levels: Vec::new(), weight: 1 }, true);
    for (name, (at, cell)) in columns.iter().zip(cells) {
        if *name == WEIGHT {
            let weight = cell.parse().ok().filter(|weight| (1..=1_000_000).contains(weight));
            condition.weight = weight.unwrap_or(1);
            if weight.is_none() {
                let message = format!("the weight is \"{}\"", brief(cell));
                page.cured(*at, message, "write a whole number from 1");
                good = false;
            }
        } else if cell.is_empty() || cell.chars().any(char::is_control) {
            page.cured(*at, format!("the cell of {name} is empty"), "write a level");
            good = false;
        } else {
            let place = table.place(condition.levels.len().min(table.factors.len() - 1), cell);
            condition.levels.push(place);
        }
    }
    good.then_some(condition)
}

/// Doubts conditions that stand in several rows: somebody may mean it, and mostly a row was copied.
fn doubt_twice(page: &Page<'_>, conditions: &[(usize, Condition)], table: &Levels) {
    let mut first: HashMap<&[usize], usize> = HashMap::new();
    let mut again: Vec<(usize, usize, &Condition)> = Vec::new();
    for (at, condition) in conditions {
        match first.get(condition.levels.as_slice()) {
            Some(before) => again.push((*before, *at, condition)),
            None => drop(first.insert(&condition.levels, *at)),
        }
    }
    for (before, at, condition) in again.iter().take(TWICE_SHOWN) {
        let levels = condition.levels.iter().zip(&table.factors);
        let levels: Vec<String> = levels.map(|(at, of)| of.levels[*at].to_string()).collect();
        let message = format!(
            "the condition {} stands already in line {}, so it comes as often as both rows say \
             together; delete one row, or keep one and write that number under weight",
            levels.join(", "),
            page.line(*before)
        );
        page.warn(*at, message);
    }
    if let Some((_, at, _)) = again.get(TWICE_SHOWN) {
        let more = again.len() - TWICE_SHOWN;
        page.warn(*at, format!("so do {more} more rows, from this line on"));
    }
}
