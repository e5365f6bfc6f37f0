//! What kinds of events mean, as tags of HED (Hierarchical Event Descriptors), so that recordings of other
//! laboratories can be searched for the same. Only tags that the standard schema of [`VERSION`] has.
//!
//! A code is told apart from what it stands for: the tone is what was heard, its code what a recorder was told. So
//! who looks for tones finds each of them once. Tools join the tags of events at one instant and refuse what
//! stands there twice; so the tags of each event are a group with its number, `ID/12`.

use crate::record::{Header, Names, words};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The version of the standard schema whose tags these are.
pub const VERSION: &str = "8.3.0";

/// The tags of each kind of event.
const TAGS: [(&str, &str); 15] = [
    ("pacing", "Sensory-event, (Experimental-stimulus, (Auditory-presentation, Tone))"),
    ("silent", "Sensory-event, (Experimental-stimulus, (Auditory-presentation, Silent))"),
    (
        "tap",
        "Agent-action, Participant-response, ((Human-agent, Experiment-participant), (Press, Push-button))",
    ),
    ("release", "Agent-action, ((Human-agent, Experiment-participant), (Release, Push-button))"),
    ("feedback", "Sensory-event, (Feedback, (Auditory-presentation, Tone))"),
    ("masking", "Sensory-event, (Distractor, (Auditory-presentation, Tone))"),
    ("copy", "Sensory-event, (Label/Copy, (Auditory-presentation, Tone))"),
    ("trigger", "Experiment-control, Label/Rule"),
    ("marker", "Experiment-control, Label/Marker"),
    ("control", "Experiment-control, Label/Controller"),
    ("sysex", "Experiment-control, Label/System-exclusive"),
    ("code", "Experiment-control, Label/Code-to-recorder"),
    ("muted", "Sensory-event, (Feedback, (Auditory-presentation, Silent))"),
    ("cancelled", "Experiment-control, Label/Cancelled-tone"),
    ("end", "Experiment-structure, (Experimental-trial/Trial, Label/End)"),
];

/// What tags trials give to their events themselves.
#[derive(Debug, Default)]
pub(crate) struct Own<'a> {
    tags: BTreeMap<&'a str, &'a str>, // by kind, or by kind and name: `pacing.metronome`
    names: BTreeMap<String, String>,  // every name, with what tells it
}

impl<'a> Own<'a> {
    /// Those on which trials agree. Where they do not, the usual ones hold.
    pub(crate) fn of(headers: impl Iterator<Item = &'a Header> + Clone) -> Own<'a> {
        let mut tags = BTreeMap::new();
        for (key, own) in headers.clone().flat_map(|header| &header.hed) {
            let agreed = headers.clone().all(|other| other.hed.get(key) == Some(own));
            tags.extend(agreed.then_some((key.as_str(), own.as_str())));
        }
        let is_named = tags.keys().any(|key| key.contains('.'));
        let all = headers.filter(|_| is_named).flat_map(|header| all_names(&header.names));
        let labelled = all.map(|name| {
            let label = label(&name);
            (name, label)
        });
        let mut names: BTreeMap<String, String> = labelled.collect();
        let named = tags.iter().filter_map(|(key, own)| Some((key.split_once('.')?.1, *own)));
        names.extend(named.map(|(name, own)| (name.to_owned(), own.to_owned())));
        Own { tags, names }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// The tags of a kind as a group, with those of the name where names of this kind have some.
    fn group(&self, kind: &str, usual: &str) -> String {
        let tags = self.tags.get(kind).unwrap_or(&usual);
        let of_kind = |key: &&str| key.split_once('.').is_some_and(|(of, _)| of == kind);
        let name = if self.tags.keys().any(of_kind) { "{name}, " } else { "" };
        format!("({tags}, {name}{{event_id}})")
    }
}

/// Every name that a row may have.
fn all_names(names: &Names) -> impl Iterator<Item = String> {
    let Names { inputs, outputs, pacing, feedback, masking, markers, codes, triggers } = names;
    let lists = [inputs, outputs, pacing, feedback, masking, markers, codes];
    let rules = triggers.iter().map(|rule| rule.name.clone());
    let told = [words::CLOSED, words::REOPENED];
    let told =
        told.into_iter().flat_map(|what| inputs.iter().map(move |input| format!("{what}{input}")));
    let always = words::endings().chain([words::XRUN]).chain(words::changes()).map(str::to_owned);
    lists.into_iter().flatten().cloned().chain(rules).chain(told).chain(always)
}

/// The tag of a name that has none of its own: tools ask for one of each.
fn label(name: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    format!("Label/{}", name.chars().map(fit).collect::<String>())
}

/// Adds the tags to the descriptions of columns: those of kinds and names, and the number of the event that they
/// refer to.
pub(crate) fn add(columns: &mut Map<String, Value>, own: &Own<'_>) {
    let kinds =
        TAGS.iter().map(|(kind, usual)| ((*kind).to_owned(), json!(own.group(kind, usual))));
    columns["trial_type"]["HED"] = Value::Object(kinds.collect());
    columns["event_id"]["HED"] = json!("ID/#");
    if !own.names.is_empty() {
        columns["name"]["HED"] = json!(own.names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::TrialType;

    #[test]
    fn every_kind_has_tags_in_a_group_of_its_own() {
        let kinds = TrialType::WORDS.map(|(_, word)| word);
        assert_eq!(TAGS.map(|(kind, _)| kind), kinds);
        let mut columns =
            Map::from_iter(["trial_type", "event_id"].map(|name| (name.into(), json!({}))));
        add(&mut columns, &Own::default());
        let rule = "(Experiment-control, Label/Rule, {event_id})";
        assert_eq!(columns["trial_type"]["HED"]["trigger"], rule);
        assert_eq!(columns["event_id"]["HED"], "ID/#");
    }

    fn described(headers: &[Header]) -> Map<String, Value> {
        let names = ["trial_type", "event_id", "name"].map(|name| (name.into(), json!({})));
        let mut columns = Map::from_iter(names);
        add(&mut columns, &Own::of(headers.iter()));
        columns
    }

    fn header(hed: &[(&str, &str)]) -> Header {
        let words = |all: &[&str]| all.iter().map(|word| (*word).to_owned()).collect();
        let names = Names {
            inputs: words(&["pad"]),
            pacing: words(&["standard", "deviant"]),
            codes: words(&["pacing.deviant"]),
            ..Names::default()
        };
        let hed = hed.iter().map(|(key, tags)| ((*key).to_owned(), (*tags).to_owned()));
        Header { names, hed: hed.collect(), ..Header::default() }
    }

    #[test]
    fn tags_of_a_kind_replace_the_usual_ones_and_tags_of_a_name_are_added_to_them() {
        let own = header(&[("tap", "Agent-action, Press"), ("pacing.deviant", "Label/Odd")]);
        let columns = described(&[own]);
        let kinds = &columns["trial_type"]["HED"];
        assert_eq!(kinds["tap"], "(Agent-action, Press, {event_id})");
        let beat = "Sensory-event, (Experimental-stimulus, (Auditory-presentation, Tone))";
        assert_eq!(kinds["pacing"], format!("({beat}, {{name}}, {{event_id}})"));
        assert_eq!(kinds["trigger"], "(Experiment-control, Label/Rule, {event_id})");
        for (name, tag) in [
            ("deviant", "Label/Odd"),
            ("standard", "Label/standard"),
            ("pad", "Label/pad"),
            ("pacing.deviant", "Label/pacing-deviant"),
            ("trigger", "Label/trigger"), // the end, where a rule brings it
            ("time limit", "Label/time-limit"),
            ("xrun", "Label/xrun"),
            ("input closed: pad", "Label/input-closed--pad"),
        ] {
            assert_eq!(columns["name"]["HED"][name], tag, "{name}");
        }
    }

    #[test]
    fn where_trials_do_not_agree_the_usual_tags_hold() {
        let (one, other) = (header(&[("tap", "Press")]), header(&[("tap", "Release")]));
        assert!(Own::of([&one, &other].into_iter()).is_empty());
        let agreed = described(&[header(&[("end", "Red")]), header(&[("end", "Red")])]);
        assert_eq!(agreed["trial_type"]["HED"]["end"], "(Red, {event_id})");
        assert!(agreed["name"].get("HED").is_none());
    }
}
