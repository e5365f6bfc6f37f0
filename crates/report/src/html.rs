//! Small pieces of HTML. Everything that comes from outside passes [`escape`] here, so
//! that no label, note or port name can become markup.

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

/// Text as it may stand between tags and in quoted attributes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // HTML has no way to write other control characters.
            c if c.is_control() && c != '\n' && c != '\t' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
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

/// Longer cells are text, not numbers.
const WORDS: usize = 24;
/// From so many columns on a phone has to scroll a table, and is told so.
const WIDE: usize = 4;
/// From so many on paper has to make it small.
const MANY: usize = 8;

/// A table in a box that scrolls by itself. The first cell of a row is its heading.
/// Numbers stand right.
pub struct Table {
    caption: String,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(caption: &str, head: &[&str]) -> Table {
        let head = head.iter().map(|text| (*text).to_owned()).collect();
        Table { caption: caption.into(), head, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// As HTML.
    pub fn html(&self) -> String {
        let head: String = self
            .head
            .iter()
            .map(|text| format!("<th scope=\"col\">{}</th>", escape(text)))
            .collect();
        let rows: String = self.rows.iter().map(|cells| row(cells)).collect();
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
}

fn row(cells: &[String]) -> String {
    let cell = |(at, text): (usize, &String)| match at {
        0 => format!("<th scope=\"row\">{}</th>", escape(text)),
        _ if text.chars().count() > WORDS => format!("<td class=\"words\">{}</td>", escape(text)),
        _ => format!("<td>{}</td>", escape(text)),
    };
    format!("<tr>{}</tr>\n", cells.iter().enumerate().map(cell).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn nothing_escaped_can_open_a_tag_or_end_an_attribute(text in any::<String>()) {
            let escaped = escape(&text);
            let dangerous = escaped.contains(['<', '>', '"', '\'']);
            prop_assert!(!dangerous);
        }
    }
}
