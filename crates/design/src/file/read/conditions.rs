//! The conditions: all combinations of the levels of `[factor]` less `[[leave_out]]`, or
//! the rows of a table.
//!
//! `tabular` reads these.

use super::factors::{Factors, Found, level};
use super::tabular::{CONDITIONS_MAX, Levels, misnamed, rows};
use crate::file::cells::{head_of, header};
use crate::file::choices;
use crate::file::files::Shelf;
use crate::study::experiment::Assign;
use crate::study::factor::{Condition, List, mixed_radix};
use chronotap_config::trial_files::reading::{Field, Part, Value};

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
    // What a table lacks that could not be read is no mistake of those who name it.
    let mut unsure = tables.len() < files.len() || files.is_empty();
    let first = tables.first().map(|((name, text), _)| (name.clone(), header(text)));
    let mut lists = Vec::new();
    let mut table = Levels::default();
    for ((name, text), field) in &tables {
        let said = shelf.said(name);
        let page = field.page.beside(&said, text);
        if let Some((of, columns)) = first.as_ref().filter(|(_, columns)| *columns != header(text))
        {
            let message = format!("the columns differ from those of {}", shelf.said(of));
            page.cured(head_of(text), message, format!("write them as {}", columns.join(", ")));
        }
        let (conditions, good) = rows(&page, (top, text), &mut table, shelf.were_recorded());
        unsure |= !good;
        lists.push(List { file: Some(name.clone()), conditions });
    }
    if let Some(((name, text), field)) = tables.first().filter(|_| !unsure) {
        let said = shelf.said(name);
        let others = factors.names();
        unsure |= misnamed(&field.page.beside(&said, text), (top, text), &table, &others);
    }
    factors.within.extend(table.factors);
    if unsure {
        factors.doubt();
    }
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
