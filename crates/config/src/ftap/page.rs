//! [`Page`]: the text of a trial file as it is written, each line with the line of FTAP's
//! file that it comes from.

/// Where the comments behind lines begin, in characters.
const COLUMN: usize = 44;

/// A trial file in the making.
#[derive(Default)]
pub(crate) struct Page {
    text: String,
}

impl Page {
    /// A heading, such as `[pacing.metronome]`, after an empty line.
    pub fn heading(&mut self, heading: &str, comment: &str) {
        self.text.push('\n');
        self.say(heading, comment);
    }

    /// A line and where it comes from; no comment where that is empty.
    pub fn say(&mut self, line: &str, comment: &str) {
        if comment.is_empty() {
            self.text += &format!("{line}\n");
        } else {
            let (line, gap) =
                (format!("{line:COLUMN$}"), if line.len() < COLUMN { "" } else { "  " });
            self.text += &format!("{line}{gap}# {comment}\n");
        }
    }

    /// Comments on lines of their own, under a title; nothing where there are none.
    pub fn comments(&mut self, title: &str, comments: &[String]) {
        if comments.is_empty() {
            return;
        }
        self.text += &format!("#\n# {title}\n");
        comments.iter().for_each(|comment| self.text += &format!("#   {comment}\n"));
    }

    /// The text so far.
    pub fn into_text(self) -> String {
        self.text
    }
}

/// Text as TOML writes it, for text without control characters but ends of lines.
pub(crate) fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{text}\"")
}
