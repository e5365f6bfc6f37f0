//! Lines of text: sentences and paragraphs broken between words, and lines that are too wide for
//! a narrow terminal. What is shown, and where, is not known here.

use chronotap_core::text::{COLUMNS, broken};

/// A sentence in lines of at most 80 columns, the second and later ones indented
/// further; a word that is longer stands alone.
pub fn wrapped(sentence: &str, indent: &str) -> String {
    broken(sentence, indent, &format!("{indent}  ")).join("\n")
}

/// Lines that are wider than the terminal, broken between words; what follows is indented by two
/// columns more than the line, or stands below the second column of a list. A table keeps its
/// columns as far as they fit.
pub(super) fn fitted(text: &str, width: usize) -> String {
    if text.lines().all(|line| line.chars().count() <= width) {
        return text.to_owned();
    }
    text.split('\n').map(|line| narrowed(line, width)).collect::<Vec<_>>().join("\n")
}

/// A line of a histogram with its bar as much shorter as the terminal is narrower: the bars of
/// lines whose labels are equally long keep their proportions.
fn narrowed_bar(line: &str, width: usize) -> Option<String> {
    let (label, bar) = line.rsplit_once(' ')?;
    let before = label.chars().count() + 1;
    let is_bar = !bar.is_empty() && bar.chars().all(|c| c == '#');
    let narrow = is_bar && width < COLUMNS;
    let room = width.checked_sub(before).filter(|room| narrow && *room > 0)?;
    let whole = COLUMNS.checked_sub(before).filter(|whole| *whole > 0)?;
    Some(format!("{label} {}", "#".repeat((bar.len() * room).div_ceil(whole))))
}

fn narrowed(line: &str, width: usize) -> String {
    if let Some(bar) = narrowed_bar(line, width) {
        return bar;
    }
    let indent = line.chars().take_while(|c| *c == ' ').count();
    let second = second_column(line, indent).filter(|column| *column <= width * 2 / 5);
    let further = " ".repeat(second.unwrap_or(indent + 2).min(width / 2));
    let mut lines: Vec<String> = Vec::new();
    let mut rest: Vec<char> = line.chars().collect();
    while rest.len() > width {
        // A break needs something before it, else the line would stay as long.
        let words = rest.iter().take_while(|c| **c == ' ').count();
        let Some(at) = (words..=width).rev().find(|at| rest[*at] == ' ' && *at > words) else {
            break;
        };
        lines.push(rest[..at].iter().collect::<String>().trim_end().to_owned());
        let tail: String = rest[at..].iter().collect();
        rest = format!("{further}{}", tail.trim_start()).chars().collect();
    }
    lines.push(rest.into_iter().collect());
    lines.join("\n")
}

/// Where the second column of a list begins, behind the first gap.
fn second_column(line: &str, indent: usize) -> Option<usize> {
    let chars: Vec<char> = line.chars().collect();
    let gap = (indent..chars.len()).find(|at| chars[*at..].starts_with(&[' ', ' ']))?;
    (gap..chars.len()).find(|at| chars[*at] != ' ')
}

/// A text of several paragraphs, such as one in Markdown: the lines of a paragraph are joined
/// and broken again between words. An item of a list, a heading, a quotation, a row of a table
/// and an indented line each begin anew.
pub fn prose(text: &str) -> String {
    let mut blocks: Vec<String> = Vec::new();
    let mut open = false; // whether the next line goes on with the last block
    for line in text.lines() {
        let goes_on = open && !line.trim().is_empty() && !begins(line);
        match blocks.last_mut().filter(|_| goes_on) {
            Some(block) => *block += &format!(" {}", line.trim()),
            None => blocks.push(line.trim_end().to_owned()),
        }
        open = !line.trim().is_empty() && !stands_alone(line) && !line.ends_with("  ");
    }
    let shown = blocks.iter().map(|block| match stands_alone(block) {
        true => block.clone(),
        false => broken(block, "", if begins(block) { "  " } else { "" }).join("\n"),
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// Whether a line is not joined to the one before it.
fn begins(line: &str) -> bool {
    let first = line.trim_start();
    let number = first.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered =
        number.len() < first.len() && (number.starts_with(". ") || number.starts_with(") "));
    let listed = ["- ", "* ", "+ "].iter().any(|mark| first.starts_with(mark));
    numbered || listed || stands_alone(line)
}

/// Whether a line is shown as it stands.
fn stands_alone(line: &str) -> bool {
    line.starts_with("    ") || ["#", "|", ">", "\t"].iter().any(|mark| line.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_a_narrow_terminal_no_line_is_wider_than_it() {
        let text =
            "  inter-tap interval   mean   502.446 ms  SD   21.913 ms  CV  4.36 %  n 34\nshort";
        let narrow = fitted(text, 40);
        assert!(narrow.lines().all(|line| line.chars().count() <= 40), "{narrow}");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&narrow), words(text), "nothing is lost");
        assert!(narrow.lines().nth(1).unwrap().starts_with("    "), "{narrow}");
        assert_eq!(fitted(text, 80), text);
        let long = format!("  {}", "w".repeat(60));
        assert_eq!(fitted(&long, 40), long, "a word that is too long stays whole");
    }

    #[test]
    fn a_line_of_a_list_goes_on_below_its_second_column() {
        let line = format!("music      {}", "word ".repeat(20).trim_end());
        let fitting = fitted(&line, 80);
        let lines: Vec<&str> = fitting.lines().collect();
        assert!(lines.iter().all(|line| line.len() <= 80), "{fitting}");
        assert_eq!(lines[1], format!("{}{}", " ".repeat(11), "word ".repeat(6).trim_end()));
        assert_eq!(fitted(&line, 120), line, "a wide terminal has room for it");
        let far = format!("{}  {}", "f".repeat(40), "word ".repeat(20));
        assert!(fitted(&far, 80).lines().nth(1).unwrap().starts_with("  word"), "{far}");
    }

    #[test]
    fn paragraphs_are_broken_anew_and_lists_headings_and_empty_lines_stay() {
        let long = "word ".repeat(12);
        let text =
            format!("# Welcome\n{long}\n{long}\n\n- one\n- two {long}\n  {long}\nBye.  \nNow.");
        let shown = prose(&text);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[0], "# Welcome");
        assert_eq!(lines[1], "word ".repeat(16).trim_end());
        assert_eq!(lines[2], "word ".repeat(8).trim_end());
        assert_eq!((lines[3], lines[4]), ("", "- one"));
        assert!(lines[5].starts_with("- two word") && lines[6].starts_with("  word"), "{shown}");
        assert_eq!(lines.last(), Some(&"Now."));
        assert!(lines.iter().all(|line| line.len() <= 80), "{shown}");
    }

    #[test]
    fn a_long_sentence_is_broken_between_words() {
        let text = wrapped(&"word ".repeat(40), "  ");
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        assert_eq!(text.split_whitespace().count(), 40);
        assert!(text.lines().nth(1).unwrap().starts_with("    word"));
        assert_eq!(wrapped("short", "  "), "  short");
    }

    #[test]
    fn the_bars_of_a_histogram_shrink_together() {
        let lines = ["0-1 us 30", "1-2 us 15", "2-5 us 00"].map(|label| format!("{label:>31} "));
        let text = format!(
            "{}{}\n{}{}\n{}#",
            lines[0],
            "#".repeat(40),
            lines[1],
            "#".repeat(20),
            lines[2]
        );
        let found = fitted(&text, 40);
        let bars: Vec<usize> = found.lines().map(|line| line.matches('#').count()).collect();
        assert_eq!(bars, [7, 4, 1], "{found}");
        assert!(found.lines().all(|line| line.chars().count() <= 40), "{found}");
        assert_eq!(fitted(&text, 80), text);
    }
}
