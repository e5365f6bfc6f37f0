//! [`tree`]: a text as TOML in which each value knows its place, or what keeps it from being
//! TOML; `phrases` says that in words.

use super::broken::Broken;
use super::node::TomlTable;
use super::other_kind::other_kind;
use super::page::Page;
use super::phrases::{first_causes, line_at, told};
use super::problem::no_text;
use chronotap_core::files::Foreign;
use toml::de::DeTable;

/// The tree of a text.
///
/// # Errors
/// The places at which it is not TOML, at most 100.
pub fn tree(text: &str) -> Result<TomlTable, Vec<Broken>> {
    let control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if let Some(at) = text.find(control) {
        let holds = || {
            ("this is not a text file: it holds a control character".to_owned(), "check the path")
        };
        // Plain letters in two bytes each are valid UTF-8.
        let (message, cure) =
            Foreign::of(text.as_bytes()).map_or_else(holds, |what| no_text(Some(what)));
        return Err(vec![Broken { at, message, cure: cure.to_owned() }]);
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return Ok(TomlTable::from_toml(table.get_ref()));
    }
    if let Some(other) = other_kind(text) {
        return Err(vec![other]);
    }
    let broken = errors
        .iter()
        .take(100)
        .map(|error| told(text, error.span().map_or(0, |span| span.start), error.message()));
    Err(first_causes(text, broken.collect()))
}

/// The tree of the text of a page; `None` where it is not TOML, which is then reported.
pub fn document(page: &Page<'_>, text: &str) -> Option<TomlTable> {
    let report = |Broken { at, message, cure }: Broken| {
        let line = line_at(text, at);
        let cure = twice(page, line).or_else(|| several(page, line, &message)).unwrap_or(cure);
        page.cured(at, message, cure);
    };
    tree(text).map_err(|all| all.into_iter().for_each(report)).ok()
}

/// `participant = 16` beside a heading [participant], where a key is called `participants`.
fn several(page: &Page<'_>, line: &str, message: &str) -> Option<String> {
    let (name, value) = line.split_once('=').filter(|_| message.contains("and a key here"))?;
    let key = page.keys.find("", &format!("{}s", name.trim()))?;
    Some(format!("write {} = {}", key.name, value.split('#').next()?.trim()))
}

/// What to write where a heading in single brackets is wrong because there may be several of it.
fn twice(page: &Page<'_>, line: &str) -> Option<String> {
    let heading = line.trim().strip_prefix('[')?.split(']').next()?;
    let of = |name: &str| {
        let alike = |(part, own): (&str, &str)| part == "NAME" || part == own;
        name.split('.').count() == heading.split('.').count()
            && name.split('.').zip(heading.split('.')).all(alike)
    };
    let listed = page.keys.sections().any(|it| it.title.starts_with("[[") && of(it.name));
    listed.then(|| format!("write [[{heading}]] with double brackets, each time"))
}
