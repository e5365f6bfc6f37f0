//! The conditions: all combinations of the levels of `[factor]` less `[[leave_out]]`, or
//! the rows of a table.
//!
//! A table may be one that a spreadsheet saved: with quotation marks around cells and columns without name and
//! content behind the last. In a study that was recorded, cells are what they were when it was.

use super::factors::{Factors, Found, NO_LEVEL, level, says_none};
use crate::file::choices;
use crate::file::files::Shelf;
use crate::plan::NONE;
use crate::study::experiment::Assign;
use crate::study::factor::{Condition, Factor, Level, List, mixed_radix};
use crate::study::group::Origin;
use chronotap_config::trial_files::reading::{Field, Page, Part, Value, brief, well_named};
use std::collections::HashMap;

/// More conditions than this are a mistake, and would fill the memory.
const CONDITIONS_MAX: usize = 100_000;

/// The lists of conditions, and how participants come to theirs. Factors of a table are
/// added to those within participants.
pub(crate) fn lists(
    top: &Part<'_>,
    shelf: &Shelf<'_>,
    factors: &mut Factors,
) -> (Vec<List>, Assign) {
    let Some(field) = top.field("conditions") else {
        let conditions = combinations(top, factors);
        return (vec![List { file: None, conditions }], Assign::Latin);
    };
    for other in ["factor", "leave_out"].into_iter().filter(|other| top.has(other)) {
        // A factor of the sessions has its levels in [factor].
        if other == "leave_out" || !factors.within.is_empty() {
            let message = format!("{other} stands beside conditions, which is instead of it");
            top.page.cured(top.at(other), message, "keep one of them");
        }
    }
    let (files, assign) = match &field.node.value {
        Value::Table(_) => several(&field),
        _ => (vec![field.clone()], Assign::Latin),
    };
    let tables: Vec<_> = files.iter().filter_map(|file| Some((shelf.text(file)?, file))).collect();
    let first = tables.first().map(|((name, text), _)| (name.clone(), header(text)));
    let mut lists = Vec::new();
    let mut table = Levels::default();
    for ((name, text), field) in &tables {
        let said = shelf.said(name);
        let page = field.page.beside(&said, text);
        if let Some((of, columns)) = first.as_ref().filter(|(_, columns)| *columns != header(text))
        {
            let message = format!("the columns differ from those of {}", shelf.said(of));
            page.cured(0, message, format!("write them as {}", columns.join(", ")));
        }
        let conditions = rows(&page, text, &mut table, shelf.were_recorded());
        lists.push(List { file: Some(name.clone()), conditions });
    }
    factors.within.extend(table.factors);
    (lists, assign)
}

fn several<'p>(field: &Field<'p>) -> (Vec<Field<'p>>, Assign) {
    let Some(part) = Part::of(field, "conditions") else { return (Vec::new(), Assign::Latin) };
    let files = part.must("one_of", |f| f.list("tables")).unwrap_or_default();
    let assign = part.must("assign", |f| f.choice(&choices::ASSIGN));
    (files, assign.unwrap_or(Assign::Latin))
}

/// Every combination of levels, the last factor changing fastest, less those left out.
fn combinations(top: &Part<'_>, factors: &Factors) -> Vec<Condition> {
    let within = &factors.within;
    let count = within.iter().map(|f| f.levels.len()).try_fold(1usize, usize::checked_mul);
    let Some(count) = count.filter(|count| *count <= CONDITIONS_MAX) else {
        let message = "the factors make more than 100000 conditions";
        top.page.cured(top.at("factor"), message, "name fewer factors or levels");
        return Vec::new();
    };
    let left_out = left_out(top, factors);
    let mut used = vec![false; left_out.len()];
    let mut conditions = Vec::new();
    for index in 0..count {
        let levels = mixed_radix(index, within);
        let matches = |rule: &Vec<Option<Vec<usize>>>| {
            rule.iter()
                .zip(&levels)
                .all(|(of, level)| of.as_ref().is_none_or(|of| of.contains(level)))
        };
        let out: Vec<usize> =
            (0..left_out.len()).filter(|rule| matches(&left_out[*rule].1)).collect();
        out.iter().for_each(|rule| used[*rule] = true);
        if out.is_empty() {
            conditions.push(Condition { levels, weight: 1 });
        }
    }
    if conditions.is_empty() {
        let message = "leave_out leaves no condition";
        top.page.cured(top.at("leave_out"), message, "leave out fewer combinations");
    }
    conditions
}

/// For each `[[leave_out]]` its place, and for each factor the levels that it names.
type LeftOut = (usize, Vec<Option<Vec<usize>>>);

fn left_out(top: &Part<'_>, factors: &Factors) -> Vec<LeftOut> {
    let Some(of) = top.get("leave_out") else { return Vec::new() };
    let mut rules = Vec::new();
    for (number, node, table) in top.tables("leave_out") {
        let mut rule: Vec<Option<Vec<usize>>> = vec![None; factors.within.len()];
        for entry in &table.entries {
            let path = format!("leave_out {number}.{}", entry.key);
            let field = Field { path, ..of.with(&entry.node) };
            match factors.known(&field, entry.at, &entry.key) {
                Some((Found::Within(index), factor)) => {
                    let levels = field.some("levels").unwrap_or_default();
                    rule[index] = Some(levels.iter().filter_map(|f| level(f, factor)).collect());
                }
                Some(_) => {
                    let message = format!("{} does not vary within a session", entry.key);
                    let cure = "leave out factors of [factor]; `only` limits a step to a level";
                    top.page.cured(entry.at, message, cure);
                }
                None => {}
            }
        }
        if table.entries.is_empty() {
            let message = format!("leave_out {number} names no factor");
            top.page.cured(node.at, message, "write for example tempo = \"400 ms\"");
        }
        rules.push((node.at, rule));
    }
    rules
}

/// Factors as they come up in tables.
#[derive(Default)]
struct Levels {
    factors: Vec<Factor>,
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

/// The names of the columns, less those at the end that have none.
fn header(text: &str) -> Vec<String> {
    let line = text.lines().next().unwrap_or_default().trim_start_matches('\u{feff}');
    let mut names: Vec<String> = line.split('\t').map(unquoted).collect();
    while names.len() > 1 && names.last().is_some_and(String::is_empty) {
        names.pop();
    }
    names
}

/// A cell as it was meant: spreadsheets write quotation marks around what has some, or a comma, and each of them twice.
fn unquoted(cell: &str) -> String {
    let cell = cell.trim();
    let inner = cell.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inner {
        Some(inner) if !inner.replace("\"\"", "").contains('"') => {
            inner.replace("\"\"", "\"").trim().to_owned()
        }
        _ => cell.to_owned(),
    }
}

/// The conditions of a table: one for each row.
fn rows(page: &Page<'_>, text: &str, table: &mut Levels, recorded: bool) -> Vec<Condition> {
    let names = header(text);
    let columns: Vec<&str> = names.iter().map(String::as_str).collect();
    if !named(page, &columns) {
        return Vec::new();
    }
    let factors: Vec<&str> = columns.iter().copied().filter(|name| *name != "weight").collect();
    if table.factors.is_empty() {
        let empty = |name: &&str| Factor {
            name: (*name).to_owned(),
            levels: Vec::new(),
            origin: Origin::Drawn,
        };
        table.factors = factors.iter().map(empty).collect();
        table.places = vec![HashMap::new(); factors.len()];
    }
    if table.factors.iter().map(|factor| factor.name.as_str()).ne(factors.iter().copied()) {
        return Vec::new(); // reported as a difference to the first table
    }
    let mut conditions = Vec::new();
    for (at, line) in placed_lines(text).skip(1).filter(|(_, line)| !line.trim().is_empty()) {
        let cells = cells(line, columns.len(), recorded);
        if !recorded {
            refuse_none(page, at, &columns, &cells);
        }
        conditions.extend(row(page, at, &cells, &columns, table));
        if conditions.len() > CONDITIONS_MAX {
            page.cured(at, "the table has more than 100000 conditions", "write fewer rows");
            break;
        }
    }
    if conditions.is_empty() {
        page.cured(0, "the table holds no condition", "write a row below the names of the columns");
    }
    conditions
}

fn placed_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let begins = at;
        at += line.len();
        (begins, line.trim_end_matches(['\n', '\r']))
    })
}

fn named(page: &Page<'_>, columns: &[&str]) -> bool {
    let mut good = true;
    for (index, name) in columns.iter().enumerate() {
        if columns[..index].contains(name) {
            let message = format!("two columns are named \"{}\"", brief(name));
            page.cured(0, message, "give each its own name");
            good = false;
        }
        let spaced = columns.len() == 1 && name.contains([' ', ',', ';']);
        if spaced {
            page.cured(
                0,
                "the columns are not separated by tabs",
                "save the table as tab-separated values",
            );
        }
        good &= !spaced && well_named(page, 0, name);
    }
    good
}

/// The cells of a row, less empty ones behind the last column.
fn cells(line: &str, columns: usize, recorded: bool) -> Vec<String> {
    let as_meant = |cell: &str| if recorded { cell.trim().to_owned() } else { unquoted(cell) };
    let mut cells: Vec<String> = line.split('\t').map(as_meant).collect();
    while cells.len() > columns && cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    cells
}

/// Refuses a level that tables cannot tell from none.
fn refuse_none(page: &Page<'_>, at: usize, columns: &[&str], cells: &[String]) {
    let all = columns.iter().zip(cells).filter(|(_, cell)| *cell == NONE);
    all.for_each(|(name, _)| page.cured(at, format!("{name} {}", says_none()), NO_LEVEL));
}

fn row(
    page: &Page<'_>,
    at: usize,
    cells: &[String],
    columns: &[&str],
    table: &mut Levels,
) -> Option<Condition> {
    if cells.len() != columns.len() {
        let (has, named) = (cells.len(), columns.len());
        let message = format!("the row has {has} cells, but the table {named} columns");
        page.cured(at, message, "write one cell for each column, separated by tabs");
        return None;
    }
    let mut condition = Condition { levels: Vec::new(), weight: 1 };
    for (name, cell) in columns.iter().zip(cells) {
        if *name == "weight" {
            let weight = cell.parse().ok().filter(|weight| (1..=1_000_000).contains(weight));
            match weight {
                Some(weight) => condition.weight = weight,
                None => {
                    let message = format!("the weight is \"{}\"", brief(cell));
                    page.cured(at, message, "write a whole number from 1");
                }
            }
        } else if cell.is_empty() || cell.chars().any(char::is_control) {
            page.cured(at, format!("the cell of {name} is empty"), "write a level");
        } else {
            let place = table.place(condition.levels.len(), cell);
            condition.levels.push(place);
        }
    }
    (condition.levels.len() == table.factors.len()).then_some(condition)
}
