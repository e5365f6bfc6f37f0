//! What sounded: the pacing and the feedback with their times, from the trial files as they were run.

use super::{Told, distinct, either};
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
        files.pacing.iter().map(|(name, stream)| pacing(name, stream)).collect();
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
    pacing: BTreeMap<String, Values>,
    feedback: BTreeMap<String, Values>,
    masking: BTreeSet<String>,
}

/// The values of each key.
type Values = BTreeMap<String, BTreeSet<String>>;

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
                "pacing" => self.pacing.entry(name).or_default(),
                "feedback" => self.feedback.entry(name).or_default(),
                "masking" => {
                    self.masking.insert(name);
                    continue;
                }
                _ => continue,
            };
            values.entry(key.to_owned()).or_default().insert(parameter.value.clone());
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
    let changed = of.keys().any(|key| key.starts_with("change"));
    let changed = if changed { "; it was changed in the course of a trial" } else { "" };
    let adapts = values(of, "adapt");
    let adapts = match adapts.iter().all(|value| value.starts_with("none")) {
        true => "",
        false => "; it adapted to the taps",
    };
    format!("The pacing {name} had a beat {every}{tone}{silent}{changed}{adapts}.")
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
