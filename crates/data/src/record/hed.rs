//! What kinds of events mean, as tags of HED (Hierarchical Event Descriptors), so that recordings of other
//! laboratories can be searched for the same. Only tags that the standard schema of [`VERSION`] has.
//!
//! A code is told apart from what it stands for: the tone is what was heard, its code what a recorder was told. So
//! who looks for tones finds each of them once. Tools join the tags of events at one instant and refuse what
//! stands there twice; so the tags of each event are a group with its number, `ID/12`.

use serde_json::{Map, Value, json};

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

/// Adds the tags to the descriptions of columns: those of kinds, and the number of the event that they refer to.
pub(crate) fn add(columns: &mut Map<String, Value>) {
    let group = |tags: &str| json!(format!("({tags}, {{event_id}})"));
    let kinds: Map<String, Value> =
        TAGS.iter().map(|(kind, tags)| ((*kind).to_owned(), group(tags))).collect();
    columns["trial_type"]["HED"] = Value::Object(kinds);
    columns["event_id"]["HED"] = json!("ID/#");
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
        add(&mut columns);
        let rule = "(Experiment-control, Label/Rule, {event_id})";
        assert_eq!(columns["trial_type"]["HED"]["trigger"], rule);
        assert_eq!(columns["event_id"]["HED"], "ID/#");
    }
}
