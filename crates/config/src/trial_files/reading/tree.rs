//! [`tree`]: a text as TOML in which each value knows its place, or what keeps it from being
//! TOML, with the cure of what people write instead.

use super::node::Table;
use super::page::Page;
use super::point::with_point;
use super::quantity::brief;
use toml::de::DeTable;

/// A place at which a text is not TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The byte.
    pub at: usize,
    /// What is wrong there.
    pub message: String,
    /// What to write instead.
    pub cure: String,
}

/// The tree of a text.
///
/// # Errors
/// The places at which it is not TOML, at most 100.
pub fn tree(text: &str) -> Result<Table, Vec<Broken>> {
    let control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if let Some(at) = text.find(control) {
        let message = "this is not a text file: it holds a control character".to_owned();
        return Err(vec![Broken { at, message, cure: "check the path".to_owned() }]);
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return Ok(Table::from_toml(table.get_ref()));
    }
    let broken = errors.iter().take(100).map(|error| {
        let at = error.span().map_or(0, |span| span.start);
        Broken { at, message: in_words(error.message()), cure: hint(text, at) }
    });
    Err(broken.collect())
}

/// The tree of the text of a page; `None` where it is not TOML, which is then reported.
pub fn document(page: &Page<'_>, text: &str) -> Option<Table> {
    let report = |Broken { at, message, cure }: Broken| {
        let cure = twice(page, line_at(text, at)).unwrap_or(cure);
        page.cured(at, message, cure);
    };
    tree(text).map_err(|all| all.into_iter().for_each(report)).ok()
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

/// Quotes as word processors make them of straight ones.
const TYPOGRAPHIC: [char; 9] = ['“', '”', '„', '‟', '‘', '’', '‚', '«', '»'];

/// What people write for `true` and `false`.
const FLAGS: [(&str, bool); 4] = [("yes", true), ("no", false), ("on", true), ("off", false)];

/// The parser's message, where it is one for people; it speaks of strings and literals.
fn in_words(message: &str) -> String {
    if message.starts_with("string values must be quoted") {
        return "the value is text without quotes".to_owned();
    }
    message.to_lowercase()
}

/// The line in which a byte stands.
fn line_at(text: &str, at: usize) -> &str {
    let start = text[..at.min(text.len())].rfind('\n').map_or(0, |n| n + 1);
    text[start..].lines().next().unwrap_or_default()
}

/// Name and value of a line `name: value`, as YAML and JSON have it; the value as TOML.
fn yaml(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split('#').next()?.split_once(':')?;
    let (name, value) = (name.trim().trim_matches('"'), value.trim().trim_end_matches(','));
    let bare = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    if name.is_empty() || !name.chars().all(bare) || value.is_empty() {
        return None;
    }
    let is_toml = toml::de::DeValue::parse(value).is_ok();
    let value = if is_toml { brief(value) } else { format!("\"{}\"", brief(value)) };
    Some((name.to_owned(), value))
}

/// What the line should look like.
fn hint(text: &str, at: usize) -> String {
    let line = line_at(text, at);
    if let Some((name, value)) = yaml(line) {
        return format!("= stands between a key and its value: write {name} = {value}");
    }
    let value = line.split_once('=').map_or("", |(_, value)| value.trim());
    let bare = value.split('#').next().unwrap_or_default().trim();
    if line.contains(TYPOGRAPHIC) {
        let straight = bare.replace(TYPOGRAPHIC, "\"");
        return format!("these are typographic quotes; write straight ones: {}", brief(&straight));
    }
    if let Some(point) = with_point(bare) {
        let quote = if point.contains(char::is_alphabetic) { "\"" } else { "" };
        return format!("decimals have a point: write {quote}{}{quote}", brief(&point));
    }
    let small = bare.to_lowercase();
    if matches!(&small[..], "true" | "false") {
        return format!("it is written in small letters: {small}");
    }
    if let Some((_, flag)) = FLAGS.iter().find(|(word, _)| *word == small) {
        return format!("write {flag}, or \"{}\" if it is text", brief(bare));
    }
    if bare.chars().all(|c| c.is_alphanumeric() || " ./-#%".contains(c))
        && bare.contains(char::is_alphabetic)
    {
        let what = if bare.starts_with(|c: char| c.is_ascii_digit()) { "a time" } else { "text" };
        return format!("put {what} in quotes: write \"{}\"", brief(bare));
    }
    "write key = value, text and times in quotes, or a heading in [brackets]".to_owned()
}
