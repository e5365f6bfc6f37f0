//! What keeps a text from being TOML, in words for people who never heard of TOML: [`told`] turns the parser's phrase
//! into what is wrong at this place and what to write there, and [`first_causes`] leaves out what only follows from a
//! mistake before it.

use super::broken::Broken;
use super::odd::odd;
use super::quantity::{brief, separated};
use chronotap_core::text::nearest;

/// Quotes as word processors make them of straight ones.
const TYPOGRAPHIC: [char; 9] = ['“', '”', '„', '‟', '‘', '’', '‚', '«', '»'];

/// What people write for `true` and `false`.
const FLAGS: [(&str, bool); 4] = [("yes", true), ("no", false), ("on", true), ("off", false)];

/// What remarks begin with elsewhere.
const REMARKS: [&str; 5] = [";", "//", "--", "%", "/*"];

const USUAL: &str = "write key = value, text and times in quotes, or a heading in [brackets]";
const NAMES: &str = "names have the letters a to z, digits, _ and -";
const EACH_ITS_LINE: &str = "write each key on a line of its own";

/// What is wrong at a byte, where the parser says this of it.
pub(super) fn told(text: &str, at: usize, phrase: &str) -> Broken {
    let line = line_at(text, at);
    let code = code(line);
    if let Some(broken) = single(text, line, phrase).or_else(|| as_a_key(text, at, phrase)) {
        return broken;
    }
    let (message, cure) = unseen(&code)
        .or_else(|| remark(line))
        .or_else(|| typographic(line, &code))
        .or_else(|| bracketed(line, phrase))
        .or_else(|| in_braces(&code))
        .or_else(|| heading(line, phrase))
        .or_else(|| listed(line, &code, phrase))
        .unwrap_or_else(|| (phrase.to_lowercase(), hint(line)));
    Broken { at, message, cure }
}

type Said = (String, String);

fn said(message: &str, cure: impl Into<String>) -> Option<Said> {
    Some((message.to_owned(), cure.into()))
}

/// A character that is not what it looks like; typographic quotes have a cure of their own.
fn unseen(code: &str) -> Option<Said> {
    let odd = odd(code).filter(|odd| !code[odd.at..].starts_with(TYPOGRAPHIC))?;
    Some((format!("there is {}", odd.said), odd.cure))
}

/// Quotes of a word processor, with the line's value in straight ones.
fn typographic(line: &str, code: &str) -> Option<Said> {
    if !code.contains(TYPOGRAPHIC) {
        return None;
    }
    let value = line.split_once('=').map_or(line, |(_, value)| value);
    let straight = value.split('#').next()?.trim().replace(TYPOGRAPHIC, "\"");
    said("the quotes are typographic", format!("write straight ones: {}", brief(&straight)))
}

/// The heading in single brackets above one of the same name in double brackets.
fn single(text: &str, line: &str, phrase: &str) -> Option<Broken> {
    let name = line.trim().strip_prefix("[[")?.split(']').next()?.trim();
    let heading = format!("[{name}]");
    let mut at = 0;
    for above in text.split_inclusive('\n') {
        if phrase.starts_with("duplicate key") && above.trim_start().starts_with(&heading) {
            let message = format!("the heading {} stands twice", brief(name));
            let cure = format!("write [[{}]] with double brackets, each time", brief(name));
            return Some(Broken { at, message, cure });
        }
        at += above.len();
    }
    None
}

/// The key of a line that has the name of a heading further below.
fn as_a_key(text: &str, at: usize, phrase: &str) -> Option<Broken> {
    if !["duplicate key", "cannot extend value"].iter().any(|of| phrase.starts_with(of)) {
        return None;
    }
    let heading = line_at(text, at).trim().strip_prefix('[')?.trim_start_matches('[');
    let name = heading.split([']', '.']).next()?.trim();
    let mut start = 0;
    for line in text[..at.min(text.len())].split_inclusive('\n') {
        let key = line.split_once('=').map(|(key, _)| key.trim());
        if line.trim_start().starts_with('[') {
            return None; // keys further below are in a section
        }
        if key == Some(name) {
            let below = text[..at].matches('\n').count() + 1;
            let message = format!("\"{name}\" is a heading (line {below}), and a key here");
            let cure = "leave this line out, or give it the name of the key that is meant";
            return Some(Broken { at: start, message, cure: cure.to_owned() });
        }
        start += line.len();
    }
    None
}

fn remark(line: &str) -> Option<Said> {
    let line = line.trim();
    let mark = REMARKS.iter().find(|mark| line.starts_with(**mark))?;
    let words = line.trim_start_matches(*mark).trim();
    said("a remark begins with #", format!("write # {}", brief(words)))
}

/// A heading that lacks one of its brackets, or has others.
fn bracketed(line: &str, phrase: &str) -> Option<Said> {
    if !["key with no value", "invalid unquoted key"].iter().any(|of| phrase.starts_with(of)) {
        return None; // such as the last word of a list
    }
    let line = line.split('#').next()?.trim();
    let name = line.strip_suffix([']', ')', ':'])?;
    let name = name.strip_prefix('(').unwrap_or(name).trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let is_heading = !name.is_empty() && name.chars().all(is_name);
    is_heading.then(|| ("a heading stands in [ ]".to_owned(), format!("write [{}]", brief(name))))
}

/// A value between braces that lacks its quotes, or has a comma for its decimal point.
fn in_braces(code: &str) -> Option<Said> {
    let (_, inner) = code.split_once('{').filter(|(before, _)| before.contains('='))?;
    let parts: Vec<&str> = inner.split(['{', '}', ',']).collect();
    let of = |part: &str| {
        let (key, value) = part.split_once('=')?;
        let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
        (!key.is_empty() && !value.contains(['=', '"', '['])).then_some((key, value))
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let split = parts.windows(2).find_map(|two| {
        let (key, whole) = of(two[0])?;
        let is_number = digits(&whole)
            && digits(two[1].trim_end())
            && two[0].ends_with(|c: char| c.is_ascii_digit());
        is_number
            .then(|| format!("decimals have a point: write {key} = {whole}.{}", two[1].trim_end()))
    });
    if let Some(cure) = split {
        return said("there is a comma within a number", cure);
    }
    let bare = |value: &str| {
        let is_known = value.parse::<f64>().is_ok() || matches!(value, "true" | "false");
        value.starts_with(|c: char| c.is_alphanumeric())
            && !is_known
            && value.contains(char::is_alphabetic)
    };
    let (key, value) = parts.iter().filter_map(|part| of(part)).find(|(_, value)| bare(value))?;
    said(
        "text and times stand in quotes, between { and } too",
        format!("write {} = \"{}\"", brief(&key), brief(&value)),
    )
}

/// What is wrong with a heading.
fn heading(line: &str, phrase: &str) -> Option<Said> {
    let line = line.split('#').next()?.trim();
    let twice = line.starts_with("[[");
    let name = line.strip_prefix('[')?.trim_start_matches('[').trim_end_matches(']').trim();
    let whole = |name: &str| if twice { format!("[[{name}]]") } else { format!("[{name}]") };
    if phrase.starts_with("duplicate key") {
        let message = format!("the heading {} stands twice", brief(&whole(name)));
        return Some((message, "put all its keys under one heading".to_owned()));
    }
    if name.contains(char::is_whitespace) && !name.contains(['"', '\'']) {
        let joined: Vec<&str> = name.split_whitespace().collect();
        return said(
            "there is a space in a name",
            format!("write {}", brief(&whole(&joined.join("_")))),
        );
    }
    let strange = |c: &char| !c.is_ascii_alphanumeric() && !"_-. \"'".contains(*c);
    let letter = name.chars().find(strange).filter(|_| phrase.starts_with("invalid unquoted key"));
    letter.map(|letter| {
        let message = format!("a name has {letter}, which it may not have");
        // What stands between a kind and a name elsewhere.
        let cure = match "/\\:>|".contains(letter) {
            true => format!("write {}", brief(&whole(&name.replace(letter, ".")))),
            false => NAMES.to_owned(),
        };
        (message, cure)
    })
}

/// By what the parser says.
fn listed(line: &str, code: &str, phrase: &str) -> Option<Said> {
    let is = |begins: &[&str]| begins.iter().any(|words| phrase.starts_with(words));
    let (key, bare) = code.split_once('=').map_or((code, ""), |(key, value)| (key, value.trim()));
    let key = key.trim();
    if is(&["missing opening quote"]) {
        return said("the text has no quote at its beginning", "write the same quote at both ends");
    }
    if is(&["duplicate key"]) {
        let message = format!("\"{}\" stands twice in its section", brief(key));
        return Some((message, "keep one of the two".to_owned()));
    }
    if let Some(cure) = indexed(code).filter(|_| is(&["key with no value"])) {
        return said("a name stands in brackets", cure);
    }
    if let Some((key, value)) = added(line).filter(|_| code.contains("+=") || code.contains("-=")) {
        let cure = format!("write {} = {}", brief(key.trim()), brief(value.trim()));
        return said("a value can be set, not added to", cure);
    }
    if yaml(line).is_some() && is(&["invalid unquoted key", "key with no value"]) {
        return said("this is not key = value", hint(line));
    }
    if is(&["unquoted keys cannot be empty"]) {
        return said("there is no key before the =", "write key = value");
    }
    if is(&["invalid unquoted key"]) {
        let strange = |c: &char| !c.is_ascii_alphanumeric() && !"_-. \"'".contains(*c);
        return match key.chars().find(strange).filter(|_| code.contains('=')) {
            Some(letter) => said(&format!("a name has {letter}, which it may not have"), NAMES),
            None => said("a key has a character that it may not have", USUAL),
        };
    }
    if is(&["key with no value"]) && line.trim().contains('\t') {
        return said(
            "cells of a table stand here",
            "name the table in the file that it belongs to",
        );
    }
    if is(&["key with no value"]) {
        let (key, value) = line.trim().split_once(char::is_whitespace).unwrap_or((key, "value"));
        let bare = value.trim_start_matches(['<', '>', '=', '!', '~', ' ']);
        let what = match bare == value {
            true => "there is no = behind the key",
            false => "a comparison stands where = belongs",
        };
        return said(what, format!("write {} = {}", brief(key), brief(bare.trim())));
    }
    if is(&["string values must be quoted", "unexpected key or value"])
        && let Some((before, remark)) = line.split_once(" //")
    {
        let [before, remark] = [before, remark].map(|part| brief(part.trim()));
        return said("a remark begins with #", format!("write {before} # {remark}"));
    }
    if is(&["string values must be quoted"]) && !code.contains('=') {
        let first = code.trim_start_matches([' ', '\t', '[', ',']);
        let first = first.split([',', ']', '"']).next().unwrap_or_default().trim();
        return said(
            "a value of a list is text without quotes",
            format!("put each in quotes: write \"{}\"", brief(first)),
        );
    }
    if is(&["string values must be quoted"]) && bare.is_empty() {
        return said("there is no value behind the =", "write one, text and times in quotes");
    }
    if is(&["string values must be quoted", "unexpected key or value"]) && bare.contains('=') {
        return said("two keys stand on one line", EACH_ITS_LINE);
    }
    if is(&["string values must be quoted"]) && bare.starts_with(['[', '{']) {
        let cure = "put text and times in quotes, and a comma between two values";
        return said("a value is text without quotes, or there is no comma before it", cure);
    }
    if let Some(mark) = bare.chars().last().filter(|last| ";,".contains(*last)) {
        return said(&format!("there is a {mark} behind the value"), "leave it out");
    }
    if is(&["string values must be quoted"]) {
        return said("the value is text without quotes", hint(line));
    }
    if is(&["unexpected key or value"]) {
        return said("something stands behind the value", hint(line));
    }
    if is(&["extra `=`", "extra assignment"]) && lacks_a_comma(code) {
        return said("there is no comma between two values", "write a comma between them");
    }
    if is(&["extra `=`", "extra assignment"]) {
        return said("there is a second =", "write one =");
    }
    if is(&["unexpected leading zero"]) {
        let number = bare.trim_start_matches(['-', '+']).trim_start_matches('0');
        return said("the number begins with 0", format!("write {}", brief(number)));
    }
    if is(&["missing escaped value", "too few unicode value digits", "invalid escape"]) {
        return said(
            "a \\ in text begins a special character",
            "write \\\\ for it, or put the text in single quotes",
        );
    }
    if is(&["invalid basic string", "invalid literal string", "invalid multi-line"]) {
        return said("the text has no quote at its end", "write the same quote at both ends");
    }
    if is(&["missing comma", "missing inline table opening"]) {
        return said("there is no comma between two values", "write a comma between them");
    }
    if is(&["extra comma", "missing key for inline table element"]) {
        return said(
            "there is a comma too many, or a value is missing",
            "leave the comma out, or write the value",
        );
    }
    if is(&["carriage return"]) {
        let cure = "save the file with the ends of lines of Linux (LF) or Windows (CRLF)";
        return said("lines end as on an old Mac (CR)", cure);
    }
    if is(&["invalid fraction"]) && bare.contains("..") {
        return said("a range is text", format!("put it in quotes: write \"{}\"", brief(bare)));
    }
    if is(&["invalid float", "invalid integer", "invalid date", "invalid time"]) {
        return said("the value is text without quotes", hint(line));
    }
    let small = bare.to_lowercase();
    let is_flag = || nearest(&small, ["true", "false"]).is_some();
    if is(&["invalid boolean"]) && (number_in_words(&small).is_some() || !is_flag()) {
        return said("the value is text without quotes", hint(line));
    }
    if is(&["invalid boolean"]) {
        return said("this is neither true nor false", hint(line));
    }
    is(&["integer number overflowed", "floating-point number overflowed"])
        .then(|| ("the number is too large".to_owned(), "write a smaller one".to_owned()))
}

/// Those that do not follow from one before: one of a line, none behind a bracket that is never closed, and none of
/// the keys below a heading that stands twice.
pub(super) fn first_causes(text: &str, broken: Vec<Broken>) -> Vec<Broken> {
    let open = left_open(text).filter(|open| broken.iter().any(|one| one.at >= *open));
    let line = |at: usize| text[..at.min(text.len())].matches('\n').count();
    let mut first: Vec<Broken> = Vec::new();
    let mut below_second = false;
    for one in broken.into_iter().filter(|one| open.is_none_or(|open| one.at < open)) {
        let is_heading = line_at(text, one.at).trim_start().starts_with('[');
        // One of a list may stand again; it is told where the list before it has a mistake.
        let of_list = line_at(text, one.at).trim_start().starts_with("[[") && !first.is_empty();
        let follows =
            (below_second && !is_heading || of_list) && one.message.contains("stands twice");
        if is_heading {
            below_second = one.message.contains("stands twice");
        }
        if !follows && first.last().is_none_or(|last| line(last.at) != line(one.at)) {
            first.push(one);
        }
    }
    first.extend(open.map(|open| never_closed(text, open)));
    first
}

/// A bracket without its other half.
fn never_closed(text: &str, at: usize) -> Broken {
    let line = line_at(text, at).split('#').next().unwrap_or_default().trim();
    let (opens, closes) = if text[at..].starts_with('[') { ('[', ']') } else { ('{', '}') };
    let message = format!("this {opens} has no {closes}");
    let name = line.trim_matches(['[', ']']).trim();
    let first = text[at + 1..].split(['\n', ',']).next().unwrap_or_default();
    let holds_keys =
        first.split_once('=').is_some_and(|(key, _)| !key.contains(['"', '\'', '[', '{']));
    if opens == '[' && holds_keys && !line.starts_with('[') {
        let message = "keys and their values stand in this [".to_owned();
        return Broken { at, message, cure: "write { and } around them".to_owned() };
    }
    let cure = match (line.starts_with("[["), line.starts_with('[')) {
        (true, _) => format!("write [[{}]]", brief(name)),
        (false, true) => format!("write [{}]", brief(name)),
        (false, false) => format!("write {closes} where it ends"),
    };
    Broken { at, message, cure }
}

/// The first bracket that is never closed.
fn left_open(text: &str) -> Option<usize> {
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let at = text.len() - rest.len();
        let mut length = letter.len_utf8();
        match letter {
            '#' => length = rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => length = quoted(rest, letter),
            '[' | '{' => open.push((at, letter)),
            ']' | '}' => {
                let opens = if letter == ']' { '[' } else { '{' };
                if open.last().is_some_and(|(_, last)| *last != opens) {
                    return open.last().map(|(at, _)| *at);
                }
                open.pop();
            }
            _ => {}
        }
        rest = &rest[length..];
    }
    open.first().map(|(at, _)| *at)
}

/// How long a text in quotes is; one of a single line ends with it.
fn quoted(rest: &str, quote: char) -> usize {
    let three = quote.to_string().repeat(3);
    if let Some(inner) = rest.strip_prefix(&three) {
        return inner.find(&three).map_or(rest.len(), |end| end + 6);
    }
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            '\n' => return at,
            '\\' if quote == '"' && !escaped => escaped = true,
            letter if letter == quote && !escaped => return at + 1,
            _ => escaped = false,
        }
    }
    rest.len()
}

/// A line without what stands in straight quotes, and without its remark.
fn code(line: &str) -> String {
    let mut code = String::new();
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let mut length = letter.len_utf8();
        match letter {
            '#' => break,
            '"' | '\'' => {
                length = quoted(rest, letter);
                code.push_str("\"\"");
            }
            _ => code.push(letter),
        }
        rest = &rest[length..];
    }
    code
}

/// The line in which a byte stands.
pub(super) fn line_at(text: &str, at: usize) -> &str {
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
    let is_toml = |value: &str| toml::de::DeValue::parse(value).is_ok();
    let inner = value.replace(':', " =").replace("  =", " =");
    let value = match value.starts_with('{') {
        _ if is_toml(value) => brief(value),
        true if is_toml(&inner) => brief(&inner),
        _ => format!("\"{}\"", brief(value)),
    };
    Some((name.to_owned(), value))
}

/// Whether a value and the next key stand side by side: `{ a = 1 b = 2 }`.
fn lacks_a_comma(code: &str) -> bool {
    let parts: Vec<&str> = code.split('=').collect();
    let side_by_side =
        |part: &&str| part.split_whitespace().count() > 1 && !part.contains(['{', ',']);
    parts.iter().take(parts.len() - 1).skip(2).any(side_by_side)
}

/// What is added to what.
fn added(line: &str) -> Option<(&str, &str)> {
    line.split_once("+=").or_else(|| line.split_once("-="))
}

/// `a["b"] = 1` as other languages have it, as `a.b = 1`.
fn indexed(code: &str) -> Option<String> {
    let (path, rest) = code.split_once('[')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let is_path = !path.is_empty() && path.chars().all(is_name);
    let (_, behind) = rest.split_once(']').filter(|_| is_path)?;
    behind
        .trim_start()
        .starts_with('=')
        .then(|| format!("write {path}.NAME = ..., with the name behind a point"))
}

/// What the line should look like.
fn hint(line: &str) -> String {
    if let Some((name, value)) = yaml(line) {
        return format!("= stands between a key and its value: write {name} = {value}");
    }
    let value = line.split_once('=').map_or("", |(_, value)| value.trim());
    let bare = value.split('#').next().unwrap_or_default().trim();
    let quote = if bare.contains(char::is_alphabetic) { "\"" } else { "" };
    if let Some(cure) = separated(bare, quote) {
        return cure;
    }
    let small = bare.to_lowercase();
    if matches!(&small[..], "true" | "false") {
        return format!("it is written in small letters: {small}");
    }
    if let Some((_, flag)) = FLAGS.iter().find(|(word, _)| *word == small) {
        return format!("write {flag}, or \"{}\" if it is text", brief(bare));
    }
    if let Some(number) = number_in_words(&small) {
        return format!("write {number}, or \"{}\" if it is text", brief(bare));
    }
    if let Some((least, greatest)) = from_to(bare) {
        return format!("write [{least}, {greatest}] for the least and the greatest");
    }
    if bare.chars().all(|c| c.is_alphanumeric() || " ./-#%".contains(c))
        && bare.contains(char::is_alphabetic)
    {
        let what = if bare.starts_with(|c: char| c.is_ascii_digit()) { "a time" } else { "text" };
        return format!("put {what} in quotes: write \"{}\"", brief(bare));
    }
    USUAL.to_owned()
}

/// The number that stands as a word (`three`), or with the ending of an ordinal one (`3rd`).
fn number_in_words(small: &str) -> Option<usize> {
    let words = "zero one two three four five six seven eight nine ten eleven twelve";
    let digits = small.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let ordinal = ["st", "nd", "rd", "th"].contains(&&small[digits.len()..]);
    match ordinal {
        true => digits.parse().ok(),
        false => words.split(' ').position(|word| word == small),
    }
}

/// Two numbers with a dash between them.
fn from_to(bare: &str) -> Option<(u32, u32)> {
    let (least, greatest) = bare.split_once('-')?;
    Some((least.trim().parse().ok()?, greatest.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::tree;

    /// What is said of a text, with the line: `3: message; cure`.
    fn said(text: &str) -> Vec<String> {
        let line = |at: usize| text[..at].matches('\n').count() + 1;
        let one = |one: super::Broken| format!("{}: {}; {}", line(one.at), one.message, one.cure);
        tree(text).unwrap_err().into_iter().map(one).collect()
    }

    #[test]
    fn the_parsers_phrases_are_told_in_words_with_the_cure_of_the_place() {
        for (text, told) in [
            ("a = 1\na = 2\n", "2: \"a\" stands twice in its section; keep one of the two"),
            (
                "[a]\nb = 1\n[a]\nb = 2\n",
                "3: the heading [a] stands twice; put all its keys under one heading",
            ),
            (
                "a = [\n  C4,\n  \"E4\"\n]\n",
                "2: a value of a list is text without quotes; put each in quotes: write \"C4\"",
            ),
            (
                "a = [very easy,\n \"hard\"]\n",
                "1: a value is text without quotes, or there is no comma before it; put text and \
                 times in quotes, and a comma between two values",
            ),
            (
                "a = 16\nb = 1\n[a]\nc = 2\n",
                "1: \"a\" is a heading (line 3), and a key here; leave this line out, or give it the \
                 name of the key that is meant",
            ),
            (
                "a = 16\n[a.b]\nc = 2\n",
                "1: \"a\" is a heading (line 2), and a key here; leave this line out, or give it the \
                 name of the key that is meant",
            ),
            ("; words\n", "1: a remark begins with #; write # words"),
            ("// words\n", "1: a remark begins with #; write # words"),
            ("a =\n", "1: there is no value behind the =; write one, text and times in quotes"),
            ("= 3\n", "1: there is no key before the =; write key = value"),
            (
                "onset\tnote\n",
                "1: cells of a table stand here; name the table in the file that it belongs to",
            ),
            ("a \"500 ms\"\n", "1: there is no = behind the key; write a = \"500 ms\""),
            ("a >= 61\n", "1: a comparison stands where = belongs; write a = 61"),
            ("a = 1   // words\n", "1: a remark begins with #; write a = 1 # words"),
            (
                "a[\"b\"] = 1\n",
                "1: a name stands in brackets; write a.NAME = ..., with the name behind a point",
            ),
            ("a += \"5 ms\"\n", "1: a value can be set, not added to; write a = \"5 ms\""),
            (
                "a: { b: 1 }\n",
                "1: this is not key = value; = stands between a key and its value: write a = { b = 1 }",
            ),
            ("a = 10..20\n", "1: a range is text; put it in quotes: write \"10..20\""),
            ("a = 1;\n", "1: there is a ; behind the value; leave it out"),
            ("a = 1,\n", "1: there is a , behind the value; leave it out"),
            ("a = 1 b = 2\n", "1: two keys stand on one line; write each key on a line of its own"),
            ("a == 1\n", "1: there is a second =; write one ="),
            (
                "a = { b = 1 c = 2 }\n",
                "1: there is no comma between two values; write a comma between them",
            ),
            ("a = { b == 1 }\n", "1: there is a second =; write one ="),
            (
                "durée = 1\n",
                "1: a name has é, which it may not have; names have the letters a to z, digits, _ and -",
            ),
            ("a = 021\n", "1: the number begins with 0; write 21"),
            (
                "a = no\n",
                "1: the value is text without quotes; write false, or \"no\" if it is text",
            ),
            (
                "a = three\n",
                "1: the value is text without quotes; write 3, or \"three\" if it is text",
            ),
            (
                "a = 21st\n",
                "1: the value is text without quotes; write 21, or \"21st\" if it is text",
            ),
            (
                "a = 1-7\n",
                "1: the value is text without quotes; write [1, 7] for the least and the greatest",
            ),
            (
                "a = \u{201c}5 s\u{201d}\n",
                "1: the quotes are typographic; write straight ones: \"5 s\"",
            ),
            (
                "[when]\nbeat = 1\n[[when]]\nbeat = 2\n",
                "1: the heading when stands twice; write [[when]] with double brackets, each time",
            ),
            (
                "a = 1\rb = 2\r",
                "1: lines end as on an old Mac (CR); save the file with the ends of lines of Linux (LF) \
                 or Windows (CRLF)",
            ),
            (
                "a = 1,500\n",
                "1: something stands behind the value; a comma separates nothing here: write 1500, or 1.500 if it stands for a decimal point",
            ),
            ("[a.my tone]\n", "1: there is a space in a name; write [a.my_tone]"),
            (
                "[a.töne]\n",
                "1: a name has ö, which it may not have; names have the letters a to z, digits, _ and -",
            ),
            ("[a/tone]\n", "1: a name has /, which it may not have; write [a.tone]"),
            (
                "a = \"text\n",
                "1: the text has no quote at its end; write the same quote at both ends",
            ),
            (
                "a = [1 2]\n",
                "1: a value is text without quotes, or there is no comma before it; put text and times in quotes, and a comma between two values",
            ),
            (
                "a = [\"x\" \"y\"]\n",
                "1: there is no comma between two values; write a comma between them",
            ),
            (
                "a\u{a0}= 1\n",
                "1: there is a no-break space (U+00A0), which looks like a space; type a plain space in its place",
            ),
            (
                "d\u{435}lay = 1\n",
                "1: there is \"\u{435}\" (U+0435), a Cyrillic letter, which looks like e; type e in its place",
            ),
            (
                "b\u{ad}eat = 1\n",
                "1: there is a soft hyphen (U+00AD), which cannot be seen; delete it, or type the line anew",
            ),
        ] {
            assert_eq!(said(text), [told]);
        }
        assert!(
            said("a = \"C:\\data\\x\"\n")[0].contains("a \\ in text begins a special character")
        );
    }

    #[test]
    fn one_mistake_is_told_once_by_its_first_cause() {
        let rest = "b = { c = 1 }\n[d]\ne = [1, 2]\n[[when]]\nend = true\n";
        for (head, told) in [
            ("a = { x = 1\n", "1: this { has no }; write } where it ends"),
            ("a = [1, 2\n", "1: this [ has no ]; write ] where it ends"),
            ("[a\n", "1: this [ has no ]; write [a]"),
            ("[[a]\n", "1: this [ has no ]; write [[a]]"),
            (
                "a = [ x = 1 }\n",
                "1: keys and their values stand in this [; write { and } around them",
            ),
        ] {
            assert_eq!(said(&format!("{head}{rest}")), [told]);
        }
        assert_eq!(said("a = 1;\nb = 1;\n").len(), 2, "two mistakes are told");
    }
}
