//! [`Lines`]: from the place of a byte in a text, which parsers give, to the line and
//! column that people look for.

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Finds them.
    pub fn new(text: &'t str) -> Lines<'t> {
        let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1);
        Lines { text, starts: std::iter::once(0).chain(breaks).collect() }
    }

    /// The line in which byte `at` stands, from 1. A place behind the text is in the last.
    pub fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).max(1)
    }

    /// Its line, and its column in characters, both from 1. Column 1 also where `at` is
    /// behind the text or within a character.
    pub fn place(&self, at: usize) -> (usize, usize) {
        let line = self.line(at);
        let start = self.starts[line - 1];
        let column = self.text.get(start..at).map_or(1, |before| before.chars().count() + 1);
        (line, column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn places_count_lines_and_columns_from_one() {
        let lines = Lines::new("ab\n\u{e9}x\n");
        assert_eq!(lines.place(0), (1, 1));
        assert_eq!(lines.place(1), (1, 2));
        assert_eq!(lines.place(5), (2, 2));
        assert_eq!(lines.place(7), (3, 1));
        assert_eq!(Lines::new("").place(9), (1, 1));
    }

    proptest! {
        #[test]
        fn prop_a_line_is_one_more_than_the_breaks_before(text in "[a\u{e9}\n]{0,20}", at in 0..50usize) {
            let before = text.bytes().take(at).filter(|b| *b == b'\n').count();
            prop_assert_eq!(Lines::new(&text).line(at), before + 1);
        }
    }
}
