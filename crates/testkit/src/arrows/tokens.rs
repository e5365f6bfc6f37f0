//! The words and signs of a file of Rust, with their lines: as much of the language as is needed to
//! see which paths stand in it. Comments, texts and numbers are left out.

/// A word, `::`, or one other sign; and its line, which counts from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'t> {
    pub text: &'t str,
    pub line: usize,
}

/// What a file is made of, in its order.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while !rest.is_empty() {
        let (length, is_told) = first(rest);
        let (text, after) = rest.split_at(length);
        if is_told {
            found.push(Token { text, line });
        }
        line += text.matches('\n').count();
        rest = after;
    }
    found
}

/// How long the first piece of a text is, and whether it tells of paths.
fn first(text: &str) -> (usize, bool) {
    if let Some(length) = space(text).or_else(|| comment(text)).or_else(|| literal(text)) {
        return (length, false);
    }
    let word = text.find(|c: char| !is_of_word(c)).unwrap_or(text.len());
    let sign = text.chars().next().map_or(0, char::len_utf8);
    match word {
        0 if text.starts_with("::") => (2, true),
        0 => (sign, true),
        _ => (word, !text.starts_with(|c: char| c.is_ascii_digit())),
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of the space with which a text begins.
fn space(text: &str) -> Option<usize> {
    let end = text.find(|c: char| !c.is_whitespace()).unwrap_or(text.len());
    (end > 0).then_some(end)
}

/// The length of the comment with which a text begins.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    text.strip_prefix("/*").map(|inner| inner.find("*/").map_or(text.len(), |end| end + 4))
}

/// The length of the text or the letter between quotes with which a text begins.
fn literal(text: &str) -> Option<usize> {
    if !text.starts_with(['"', '\'', 'b', 'c', 'r']) {
        return None;
    }
    let quotes = text.trim_start_matches(['b', 'c', 'r', '#']);
    let prefix = &text[..text.len() - quotes.len()];
    let letters = prefix.trim_end_matches('#');
    let is_prefix = matches!(letters, "" | "b" | "c" | "r" | "br" | "cr");
    if let (true, Some(inner)) = (is_prefix, quotes.strip_prefix('"')) {
        let ends = if letters.ends_with('r') { raw_end(inner, prefix) } else { end(inner, '"') };
        return Some(prefix.len() + 1 + ends);
    }
    if !matches!(prefix, "" | "b") {
        return None;
    }
    let inner = quotes.strip_prefix('\'')?;
    let mut letters = inner.chars();
    let is_letter = letters.next() == Some('\\') || letters.next() == Some('\'');
    is_letter.then(|| prefix.len() + 1 + end(inner, '\''))
}

/// Where a raw text ends, behind as many `#` as it began with.
fn raw_end(inner: &str, prefix: &str) -> usize {
    let mark = format!("\"{}", "#".repeat(prefix.matches('#').count()));
    inner.find(&mark).map_or(inner.len(), |at| at + mark.len())
}

/// Where a text ends: behind the first quote that no backslash precedes.
fn end(inner: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in inner.char_indices() {
        if c == quote && !is_escaped {
            return at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    inner.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_texts_and_letters_are_left_out_and_lines_are_counted() {
        let text = "/* a::b */ use x::y; // c::d\n\
                    let t = \"e::f \\\" g\"; let r = r#\"h\" i\"#;\n\
                    fn l<'a>(c: &'a str) { '\\''; b'\"'; '\"' }";
        let words: Vec<(&str, usize)> = tokens(text).iter().map(|t| (t.text, t.line)).collect();
        let joined: Vec<&str> = words.iter().map(|(text, _)| *text).collect();
        assert_eq!(
            joined.join(" "),
            "use x :: y ; let t = ; let r = ; fn l < ' a > ( c : & ' a str ) { ; ; }"
        );
        assert_eq!(words[1], ("x", 1));
        assert_eq!(words.last(), Some(&("}", 3)));
    }
}
