//! A workbook of each dataset, or of each table.

use super::{CommandVerdict, Export, frame, refuse_other_files, say};
use crate::commands::unless_withdrawn;
use anyhow::{Context, Result, bail};
use chronotap_core::files::real;
use chronotap_data::exchange::{ExchangeError, Sheet, by_person, write_xlsx};
use chronotap_data::tables::names::PARTICIPANTS;
use chronotap_data::tables::{Around, Withdrawn, refuse_exchanged};
use chronotap_words::commands as words;
use serde_json::Map;
use std::path::{Path, PathBuf};

/// The sheets of a dataset, and the tables that they are made of.
const SHEETS: [(&str, &str); 5] = [
    ("trials", "derivatives/chronotap/desc-wide_beh.tsv"),
    ("conditions", "derivatives/chronotap/desc-conditions_beh.tsv"),
    ("outcome", OUTCOME),
    ("contrasts", "derivatives/chronotap/desc-contrasts_beh.tsv"),
    ("participants", PARTICIPANTS),
];
/// A row for each person and level.
const OUTCOME: &str = "derivatives/chronotap/desc-outcome_beh.tsv";
/// What the sheet with a row for each person is called.
const BY_PERSON: &str = "outcome by person";

pub fn export(args: &Export) -> Result<CommandVerdict> {
    let around = Around::of(&args.paths)?;
    let books: Vec<(PathBuf, Vec<Sheet>)> =
        args.paths.iter().map(|path| book(path, &args.to)).collect::<Result<_>>()?;
    for (place, (to, _)) in books.iter().enumerate() {
        if chronotap_core::files::is_there(to) {
            return Err(ExchangeError::Exists(to.clone()).into());
        }
        if books[..place].iter().any(|(other, _)| other == to) {
            bail!(
                "two of them would become {}: export them into folders of their own",
                to.display()
            );
        }
    }
    chronotap_core::files::create_folder(&args.to)
        .with_context(|| words::cannot_make_folder_in("--to", &args.to))?;
    let written = books.iter().try_for_each(|(to, sheets)| write_xlsx(sheets, to));
    let made: Vec<PathBuf> = books.into_iter().map(|(to, _)| to).collect();
    unless_withdrawn(around.withdrew_meanwhile()?, &made)?;
    written?;
    if !args.quiet {
        made.iter().for_each(|to| say(to.display()));
    }
    Ok(CommandVerdict::Passed)
}

/// The file, and its sheets.
fn book(path: &Path, to: &Path) -> Result<(PathBuf, Vec<Sheet>)> {
    let whole = real(path).with_context(|| format!("{}: cannot read it", path.display()))?;
    let name = if path.is_dir() { whole.file_name() } else { whole.file_stem() };
    let mut file = name.context("a table has a name")?.to_owned();
    file.push(".xlsx");
    Ok((to.join(file), if path.is_dir() { of_dataset(path)? } else { vec![of_table(path)?] }))
}

fn of_dataset(dataset: &Path) -> Result<Vec<Sheet>> {
    let there = |path: &str| chronotap_core::files::is_there(&dataset.join(path));
    if !there(SHEETS[0].1) {
        let shown = dataset.display();
        bail!("{shown}: its tables are not made yet; `chronotap analyze {shown}` makes them");
    }
    let sheets = SHEETS.iter().filter(|(_, path)| there(path));
    let sheets = sheets.map(|(name, path)| sheet(name, &dataset.join(path)));
    let mut sheets: Vec<Sheet> = sheets.collect::<Result<_>>()?;
    sheets.extend(people(&sheets));
    Ok(sheets)
}

/// The outcome with a row for each person, where there are both.
fn people(sheets: &[Sheet]) -> Option<Sheet> {
    let of = |name: &str| sheets.iter().find(|sheet| sheet.name == name);
    let (participants, outcome) = (of("participants")?, of("outcome")?);
    let (table, about) = by_person(&participants.table, &outcome.table)?;
    let about = participants.about.clone().into_iter().chain(about).collect();
    Some(Sheet { name: BY_PERSON.to_owned(), table, about })
}

fn of_table(table: &Path) -> Result<Sheet> {
    refuse_other_files(table, super::Format::Xlsx)?;
    let labels = table.iter().filter_map(|part| part.to_str()?.strip_prefix("sub-"));
    let labels = labels.filter_map(|label| label.split(['_', '.']).next());
    let withdrawn = Withdrawn::around(table)?;
    if labels.clone().any(|label| withdrawn.has(label)) {
        bail!(words::nothing_left_to_export(table));
    }
    refuse_exchanged(&[table])?;
    sheet("table", table)
}

fn sheet(name: &str, path: &Path) -> Result<Sheet> {
    let about = chronotap_core::files::read_to_string(&path.with_extension("json")).ok();
    let about: Option<Map<_, _>> = about.and_then(|text| serde_json::from_str(&text).ok());
    let (name, about) = (name.to_owned(), about.unwrap_or_default());
    Ok(Sheet { name, table: frame(path)?, about })
}
