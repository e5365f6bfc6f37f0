//! What the receiver says of a stream: a line, which is the stream's place, a word, and what belongs to it.

use chronotap_data::record::text::{parse_text, put_text};

/// What is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// No stream is so; these there are.
    Absent(Vec<String>),
    /// Several are so; these are their sources.
    Several(Vec<String>),
    /// It is there, and does not answer.
    Silent,
    /// It is read from now on; what it says of itself, as JSON.
    Found(String),
    /// Its source does not send any more.
    Gone,
    /// It does again.
    Back,
    /// The end: so many samples were not taken in time.
    Dropped(u64),
    /// A sample, as the row of the table.
    Row(String),
}

impl Said {
    pub fn line(&self, place: usize) -> String {
        let all = |word: &'static str, texts: &[String]| {
            (word, texts.iter().map(|text| cell(text)).collect::<Vec<_>>().join("\t"))
        };
        let (word, rest) = match self {
            Said::Absent(names) => all("absent", names),
            Said::Several(sources) => all("several", sources),
            Said::Silent => ("silent", String::new()),
            Said::Found(about) => ("found", cell(about)),
            Said::Gone => ("gone", String::new()),
            Said::Back => ("back", String::new()),
            Said::Dropped(count) => ("dropped", count.to_string()),
            Said::Row(row) => ("row", row.clone()),
        };
        format!("{place}\t{word}\t{rest}\n")
    }

    /// The place and what is said; `None` where the line is none of these.
    pub fn read(line: &str) -> Option<(usize, Said)> {
        let mut parts = line.splitn(3, '\t');
        let (place, word, rest) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
        let texts = || {
            rest.split('\t')
                .filter(|text| !text.is_empty())
                .map(parse_text)
                .collect::<Option<Vec<_>>>()
        };
        let said = match word {
            "absent" => Said::Absent(texts()?),
            "several" => Said::Several(texts()?),
            "silent" => Said::Silent,
            "found" => Said::Found(parse_text(rest)?),
            "gone" => Said::Gone,
            "back" => Said::Back,
            "dropped" => Said::Dropped(rest.parse().ok()?),
            "row" => Said::Row(rest.to_owned()),
            _ => return None,
        };
        Some((place, said))
    }
}

fn cell(text: &str) -> String {
    let mut bytes = Vec::new();
    put_text(&mut bytes, text);
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_what_is_read() {
        let names = vec!["a\tb".to_owned(), String::new(), "n/a".to_owned()];
        let row = Said::Row("1\t2\tn/a\tn/a\t3\tgo".to_owned());
        let all = [
            Said::Absent(names.clone()),
            Said::Several(names),
            Said::Absent(Vec::new()),
            Said::Silent,
            Said::Gone,
            Said::Back,
            row,
        ];
        for said in all.into_iter().chain([Said::Found("{\n}".to_owned()), Said::Dropped(7)]) {
            let line = said.line(3);
            assert_eq!(line.matches('\n').count(), 1, "{line}");
            assert_eq!(Said::read(line.trim_end_matches('\n')), Some((3, said)));
        }
        assert_eq!(Said::read("GET / HTTP/1.1"), None);
    }
}
