//! What sounded: the pacing and the feedback with their times, from the trial files as they were run.

use super::{Told, distinct, either};
use crate::trials::words::counted;
use chronotap_config::trial_files::TrialFile;
use std::collections::{BTreeMap, BTreeSet};

/// Most values of a time that are told one by one.
const VALUES: usize = 8;

pub(super) fn sentences(told: &Told<'_>) -> Vec<String> {
    let texts: BTreeSet<&(String, String)> = told
        .main()
        .map(|(_, course)| &course.evidence.file)
        .filter(|file| !file.1.is_empty())
        .collect();
    let mut files = Files::default();
    let unread = texts.iter().filter(|(name, text)| !files.takes(name, text)).count();
    if texts.is_empty() || unread == texts.len() {
        return vec!["What sounded is not known from these data.".into()];
    }
    let mut said: Vec<String> =
        files.pacing.iter().flat_map(|(name, stream)| stream.said(name)).collect();
    if said.is_empty() {
        said.push("Nothing paced the taps.".into());
    }
    said.extend(files.feedback.iter().map(|(name, channel)| feedback(name, channel)));
    if files.feedback.is_empty() {
        said.push("Taps caused no sound of the program.".into());
    }
    said.extend(
        files.masking.iter().map(|name| format!("A masking sound ({name}) could be heard.")),
    );
    if unread > 0 {
        said.push(format!("Of {} of {} trial files this is not known.", unread, texts.len()));
    }
    said
}

/// What the trial files say, all together.
#[derive(Default)]
struct Files {
    pacing: BTreeMap<String, Stream>,
    feedback: BTreeMap<String, Values>,
    masking: BTreeSet<String>,
}

/// The values of each key.
type Values = BTreeMap<String, BTreeSet<String>>;

/// A pacing stream of the trial files that have it.
#[derive(Default)]
struct Stream {
    values: Values,
    files: usize,
    /// What changes in the course of a trial, and in how many of these files.
    changes: Vec<(String, usize)>,
}

impl Stream {
    fn changes(&mut self, all: Vec<String>) {
        self.files += 1;
        for change in all {
            match self.changes.iter_mut().find(|(other, _)| *other == change) {
                Some((_, files)) => *files += 1,
                None => self.changes.push((change, 1)),
            }
        }
    }

    fn said(&self, name: &str) -> Vec<String> {
        let mut said = vec![pacing(name, &self.values)];
        let in_all = self.changes.iter().filter(|(_, files)| *files >= self.files);
        let mut changes: Vec<String> = in_all.map(|(change, _)| change.clone()).collect();
        changes.extend(self.in_some());
        if !changes.is_empty() {
            said.push(format!("In the course of a trial: {}.", changes.join("; ")));
        }
        said
    }

    /// What changes in some trials alone. Of changes that differ in their numbers, as the levels of a factor make
    /// them, the first is told, and how many there are besides.
    fn in_some(&self) -> Vec<String> {
        let mut kinds: Vec<(String, Vec<&str>)> = Vec::new();
        for (change, _) in self.changes.iter().filter(|(_, files)| *files < self.files) {
            let (change, kind) = (change.as_str(), kind(change));
            match kinds.iter_mut().find(|(other, _)| *other == kind) {
                Some((_, all)) => all.push(change),
                None => kinds.push((kind, vec![change])),
            }
        }
        let told = |(_, all): &(String, Vec<&str>)| match &all[..] {
            [one] => format!("in some trials {one}"),
            [first, more @ ..] => format!(
                "in some trials {first}, beside {} with other beats or sizes",
                counted(more.len(), "such change")
            ),
            [] => String::new(),
        };
        kinds.iter().map(told).collect()
    }
}

/// A change without its numbers and what stands in brackets.
fn kind(change: &str) -> String {
    let outside = change.split('(').map(|part| part.split_once(')').map_or(part, |(_, rest)| rest));
    outside.flat_map(str::chars).filter(|c| !c.is_ascii_digit() && *c != '.').collect()
}

impl Files {
    /// Whether the text of a trial file could be read.
    fn takes(&mut self, name: &str, text: &str) -> bool {
        let Ok(file) = TrialFile::parse(text, name) else { return false };
        for parameter in &file.parameters {
            let mut parts = parameter.path.splitn(3, '.');
            let (Some(table), Some(name), Some(key)) = (parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            let name = name.to_owned();
            let values = match table {
                "pacing" => &mut self.pacing.entry(name).or_default().values,
                "feedback" => self.feedback.entry(name).or_default(),
                "masking" => {
                    self.masking.insert(name);
                    continue;
                }
                _ => continue,
            };
            values.entry(key.to_owned()).or_default().insert(parameter.value.clone());
        }
        for (stream, pacing) in file.trial.pacing.iter().enumerate() {
            self.pacing.entry(pacing.name.clone()).or_default().changes(file.changes_of(stream));
        }
        true
    }
}

/// The values of a key, where any trial file gives one.
fn values(of: &Values, key: &str) -> Vec<String> {
    distinct(of.get(key).into_iter().flatten().filter(|value| *value != "none").cloned())
}

/// `0 ms, 10 ms or 20 ms`; of many, from the least to the greatest.
fn values_in_words(values: &[String]) -> String {
    match values {
        [first, .., last] if values.len() > VALUES => {
            format!("{first} to {last} ({} values)", values.len())
        }
        some => either(some, "or"),
    }
}

/// Values of which one is true, or all.
fn only(of: &Values, key: &str, word: &str) -> bool {
    of.get(key).is_some_and(|values| values.iter().all(|value| value == word))
}

fn pacing(name: &str, of: &Values) -> String {
    let every = match &values(of, "interval")[..] {
        [] => "at the times that the trial file lists".to_owned(),
        some => format!("every {}", values_in_words(some)),
    };
    let tone = match &values(of, "tone.duration")[..] {
        [] => String::new(),
        some => format!(", each tone {} long", values_in_words(some)),
    };
    let silent = if only(of, "audible", "false") { ", silent at first" } else { "" };
    let adapts = values(of, "adapt");
    let adapts = match adapts.iter().all(|value| value.starts_with("none")) {
        true => "",
        false => "; it adapted to the taps",
    };
    format!("The pacing {name} had a beat {every}{tone}{silent}{adapts}.")
}

fn feedback(name: &str, of: &Values) -> String {
    let sounding = of.get("sounding").map_or(0, BTreeSet::len);
    if only(of, "sounding", "false") {
        return format!("The feedback {name} was silent at first.");
    }
    let some = if sounding > 1 { ", in some trials" } else { "" };
    let when = match &values(of, "delay")[..] {
        [] => "at once".to_owned(),
        [one] if one.starts_with("0 ") || one == "0" => "at once".to_owned(),
        some => format!("{} after it", values_in_words(some)),
    };
    let long = match &values(of, "duration")[..] {
        [] => String::new(),
        some => format!(", {} long", values_in_words(some)),
    };
    format!("Each tap caused a tone (feedback {name}{some}) {when}{long}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only that something changed was told, and not that the tempo did.
    #[test]
    fn what_changes_in_the_pacing_is_told_with_its_beat_and_its_size() {
        let change = "[[pacing.m.change]]\nat = 16\ninterval = ";
        let text = |to: &str| {
            format!(
                "[pacing.m]\ninterval = \"500 ms\"\n{change}\"{to} ms\"\n[[when]]\nbeat = 21\n\
                 set.pacing.m.audible = false\n[[when]]\nbeat = 60\nend = true\n"
            )
        };
        let mut files = Files::default();
        assert!(files.takes("a", &text("540")) && files.takes("b", &text("475")));
        assert_eq!(
            files.pacing["m"].said("m")[1],
            "In the course of a trial: with beat 21 of m it fell silent; in some trials at beat 16 the \
             interval went to 540 ms (8 % longer), beside 1 such change with other beats or sizes."
        );
    }
}
