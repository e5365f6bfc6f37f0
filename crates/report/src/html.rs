//! Small pieces of HTML. Everything that comes from outside passes [`escape`] here, so
//! that no label, note or port name can become markup.

pub use chronotap_drawing::escape;

const STYLE: &str = include_str!("style.css");
/// By this a page of recorded trials is known again.
pub const TRIALS_MARK: &str = "<meta name=\"generator\" content=\"chronotap report\">";

/// A whole page, which needs no script and loads nothing. `mark` goes into its head.
pub fn document(title: &str, mark: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">{mark}\
         <title>{}</title>\n<style>\n{STYLE}</style></head>\n<body>\n<main>\n{body}</main>\n\
         </body></html>\n",
        escape(title)
    )
}

/// `<name>text</name>`, the text escaped.
pub fn element(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>\n", escape(text))
}

/// The same of a sentence in which a command stands between backticks.
pub fn sentence(name: &str, text: &str) -> String {
    let mut parts = text.split('`');
    let mut html = escape(parts.next().unwrap_or_default());
    while let Some(command) = parts.next() {
        html += &match parts.next() {
            Some(after) => format!("<code>{}</code>{}", escape(command), escape(after)),
            None => format!("`{}", escape(command)),
        };
    }
    format!("<{name}>{html}</{name}>\n")
}

/// Longer cells break between words; those that begin with no number make theirs a column of words.
const WORDS: usize = 24;
/// A longer word of a head is broken on paper.
const LONGEST: usize = 14;
/// From so many columns on a phone has to scroll a table, and is told so.
const WIDE: usize = 4;
/// From so many on paper has to make it small.
const MANY: usize = 8;

/// A table in a box that scrolls by itself. The first cell of a row is its heading.
/// Numbers stand right, a column of words stands left, each under its head.
pub struct HtmlTable {
    caption: String,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl HtmlTable {
    /// A table without rows.
    pub fn new(caption: &str, head: &[&str]) -> HtmlTable {
        let head = head.iter().map(|text| (*text).to_owned()).collect();
        HtmlTable { caption: caption.into(), head, rows: Vec::new() }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn html(&self) -> String {
        let words: Vec<bool> = (0..self.head.len()).map(|at| self.has_words(at)).collect();
        let head = |(text, words): (&String, &bool)| {
            let class = match words {
                true => " class=\"words\"",
                false if has_long_word(text) => " class=\"label\"",
                false => "",
            };
            format!("<th scope=\"col\"{class}>{}</th>", escape(text))
        };
        let head: String = self.head.iter().zip(&words).map(head).collect();
        let rows: String = self.rows.iter().map(|cells| row(cells, &words)).collect();
        let wide = match self.head.len() >= WIDE {
            true => "<span class=\"wider\"> (scrolls sideways)</span>",
            false => "",
        };
        let many = if self.head.len() >= MANY { " many" } else { "" };
        // The box can be scrolled with the keyboard, so it is named and can be focused.
        format!(
            "<p class=\"caption\">{caption}{wide}</p>\
             <div class=\"scroll{many}\" tabindex=\"0\" role=\"region\" aria-label=\"{caption}\">\
             <table>\n<thead><tr>{head}</tr></thead>\n\
             <tbody>\n{rows}</tbody></table></div>\n",
            caption = escape(&self.caption),
        )
    }

    fn has_words(&self, column: usize) -> bool {
        let said = |text: &String| {
            is_long(text)
                && !text.starts_with(|c: char| c.is_ascii_digit() || "-\u{2212}".contains(c))
        };
        column > 0 && self.rows.iter().any(|cells| cells.get(column).is_some_and(said))
    }
}

/// Whether a head is a label of somebody's own, with a word that no narrow column holds.
fn has_long_word(text: &str) -> bool {
    text.split_whitespace().any(|word| word.chars().count() > LONGEST)
}

fn is_long(text: &str) -> bool {
    text.chars().count() > WORDS
}

fn row(cells: &[String], words: &[bool]) -> String {
    let cell = |(at, text): (usize, &String)| match at {
        0 => format!("<th scope=\"row\">{}</th>", escape(text)),
        _ if words.get(at) == Some(&true) => format!("<td class=\"words\">{}</td>", escape(text)),
        _ if is_long(text) => format!("<td class=\"long\">{}</td>", escape(text)),
        _ => format!("<td>{}</td>", escape(text)),
    };
    format!("<tr>{}</tr>\n", cells.iter().enumerate().map(cell).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_shown_and_not_obeyed() {
        let shown = element("p", "<script>alert('x')</script> & \"more\"\u{7}");
        assert_eq!(
            shown,
            "<p>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;more&quot;\u{fffd}</p>\n"
        );
    }

    #[test]
    fn a_command_in_a_sentence_is_one() {
        assert_eq!(
            sentence("li", "`a <b>` shows `more"),
            "<li><code>a &lt;b&gt;</code> shows `more</li>\n"
        );
        assert_eq!(sentence("li", "no command"), "<li>no command</li>\n");
    }

    #[test]
    fn a_column_of_words_stands_left_with_its_head_and_all_its_cells() {
        let mut table = HtmlTable::new("t", &["trial", "condition", "SD (ms)", "used"]);
        let long = ["main: tempo 400 ms, delay 0 ms", "29.8 [27.4, 32.5], held in 92.5 %"];
        table.row(["1", "practice", "25.6", "yes"].map(str::to_owned).into());
        table.row(["2", long[0], long[1], "no"].map(str::to_owned).into());
        let html = table.html();
        for cell in [
            "<th scope=\"col\" class=\"words\">condition<",
            "<td class=\"words\">practice<",
            "<td class=\"words\">main",
            "<th scope=\"col\">SD (ms)<",
            "<td>25.6<",
            "<td class=\"long\">29.8",
        ] {
            assert!(html.contains(cell), "{cell} is not in {html}");
        }
    }
}
