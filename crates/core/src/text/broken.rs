//! [`broken`]: a sentence in lines that a terminal of the usual width shows whole.

/// No sentence is wider, on whatever terminal.
pub const COLUMNS: usize = 80;

/// Words in lines of at most [`COLUMNS`]: the first word stands behind `first`, each line that
/// follows begins with `later`. A word that is longer than a line stays whole.
pub fn broken(text: &str, first: &str, later: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut begun) = (first.to_owned(), false);
    for word in text.split_whitespace() {
        if begun && line.chars().count() + 1 + word.chars().count() > COLUMNS {
            lines.push(std::mem::replace(&mut line, later.to_owned()));
            begun = false;
        }
        line += if begun { " " } else { "" };
        line += word;
        begun = true;
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_indented_below_their_head() {
        let lines = broken(&"word ".repeat(30), "  NOTE     name   ", &" ".repeat(17));
        assert!(lines.iter().all(|line| line.len() <= 80) && lines.len() == 3, "{lines:#?}");
        assert!(lines[1].starts_with(&format!("{}word", " ".repeat(17))));
        assert_eq!(broken("", "head", "  "), ["head"]);
        assert_eq!(broken(&"w".repeat(90), "", "  "), ["w".repeat(90)]);
    }
}
