//! [`without_persons`]: a journal without what was asked about the person. The lines stay, so that all
//! tables of trials follow from it as before; the answers are empty, and the chain of checksums is made
//! anew. Checksums of the original go too: whoever knows all but one answer could try them out.

use crate::journal::{OpenJournalError, lines_of};
use chronotap_data::record::journal::Chain;
use serde_json::Value;
use std::path::Path;

/// The whole lines of a journal; answers about the person are taken out unless they are wanted.
///
/// # Errors
/// [`OpenJournalError`] where it is damaged or of a newer version.
pub(super) fn journal(
    path: &Path,
    bytes: Vec<u8>,
    with_persons: bool,
) -> Result<Vec<u8>, OpenJournalError> {
    lines_of(path, Ok(bytes.clone()))?;
    let (mut read, mut written, mut out) = (Chain::default(), Chain::default(), Vec::new());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let Some(body) = read.take(line) else { break }; // torn: it never counted
        let taken = if with_persons { None } else { without(body) };
        let body = taken.as_deref().unwrap_or(body);
        written.put(&mut out, |out| out.extend_from_slice(body));
    }
    Ok(out)
}

/// Whether a journal has what [`journal`] takes out.
///
/// # Errors
/// [`OpenJournalError`] where it is damaged or of a newer version.
pub(super) fn are_in(path: &Path, bytes: Vec<u8>) -> Result<bool, OpenJournalError> {
    let whole = journal(path, bytes, true)?;
    Ok(journal(path, whole.clone(), false)? != whole)
}

/// A line without answers about the person; `None` where it has none.
fn without(body: &[u8]) -> Option<Vec<u8>> {
    let mut line: Value = serde_json::from_slice(body).ok()?;
    let what = line["what"].as_str()?.to_owned();
    let all = line.as_object_mut()?;
    let about_a_person = match what.as_str() {
        "answered" => all.get("asked")? == "participant",
        "began" => all.contains_key("answers"),
        "corrected" | "dropped_out" => true,
        _ => false,
    };
    if !about_a_person {
        return None;
    }
    if what == "answered" {
        all.insert("answer".into(), "".into());
    }
    if what == "corrected" || what == "dropped_out" {
        all.insert("reason".into(), "".into()); // it tells of the person
    }
    all.remove("answers");
    serde_json::to_vec(&line).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::{Asked, Began, Corrected, GivenAnswer, Line, fields};

    fn written(lines: &[Line]) -> Vec<u8> {
        let (mut chain, mut out) = (Chain::default(), Vec::new());
        for line in lines {
            chain.put(&mut out, |out| serde_json::to_writer(out, line).unwrap());
        }
        out
    }

    fn answered(asked: Asked) -> Line {
        let (name, answer) = ("age".to_owned(), "canary".to_owned());
        Line::Answered(GivenAnswer { name, answer, asked, ..GivenAnswer::default() })
    }

    #[test]
    fn nothing_about_the_person_stays_and_all_other_lines_do() {
        let answers = std::collections::BTreeMap::from([("age".to_owned(), "canary".to_owned())]);
        let began = Began { answers: answers.clone(), ..Began::default() };
        let reason = "was canary".to_owned();
        let corrected = Corrected { answers, reason, ..Corrected::default() };
        let lines = [
            Line::Began(Box::new(began)),
            answered(Asked::Participant),
            Line::Corrected(Box::new(corrected)),
            Line::Completed { at: "then".into() },
        ];
        let path = Path::new("j");
        let whole = written(&lines);
        assert_eq!(journal(path, whole.clone(), true).unwrap(), whole);
        let out = journal(path, whole.clone(), false).unwrap();
        assert!(!String::from_utf8(out.clone()).unwrap().contains("canary"));
        assert!(are_in(path, whole.clone()).unwrap() && !are_in(path, out.clone()).unwrap());
        let read = lines_of(path, Ok(out)).unwrap();
        assert_eq!(read.len(), 4);
        assert_eq!(fields(&read).collect::<Vec<_>>(), [("age", "")]);
        assert_eq!(read[3], lines[3]);
    }

    #[test]
    fn answers_about_trials_stay_and_a_torn_line_goes() {
        let whole = written(&[Line::Began(Box::default()), answered(Asked::Run(1))]);
        let torn = [&whole[..], b"{\"what\":\"no"].concat();
        assert_eq!(journal(Path::new("j"), torn, false).unwrap(), whole);
    }
}
