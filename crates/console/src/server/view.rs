//! What of a session's lines a page may see: the experimenter all, texts made ready to be
//! shown; the participant only what is meant for them, and never a verdict or a number.

use super::markdown::html;
use crate::scene::{ExpectedAnswer, Phase, Scene};
use crate::shown::{Shown, ShownLine};
use chronotap_design::Words;
use chronotap_linux::clocks::{MonotonicClock, utc};
use serde::Serialize;
use serde_json::{Value, json};

/// The line for the experimenter's page.
pub(crate) fn experimenter(line: ShownLine) -> Option<String> {
    let text = match &line.shown {
        Shown::Scene(scene) => text_for_experimenter(scene),
        _ => None,
    };
    let mut value = serde_json::to_value(&line.shown).ok()?;
    if let Some(scene) = value.as_object_mut() {
        scene.remove("words"); // they are the participant's
        scene.remove("study"); // and this is for pictures
    }
    if let Shown::Scene(scene) = &line.shown {
        value["says"] = Value::String(said(scene));
    }
    if let Some(text) = text {
        value["phase"]["html"] = Value::String(text);
        if let Some(phase) = value["phase"].as_object_mut() {
            phase.remove("markdown"); // it may name the condition
            phase.remove("blinded");
        }
    }
    Some(value.to_string())
}

/// The text that the participant sees, without levels that the experimenter must not know.
fn text_for_experimenter(scene: &Scene) -> Option<String> {
    match &scene.phase {
        Phase::Text { blinded: Some(text), .. } => Some(html(text)),
        _ => text_of(scene),
    }
}

/// What the participant's page says where it shows no text of the study: words that the study may
/// say in its own language. Empty while there is nothing but the cross.
fn said(scene: &Scene) -> String {
    let says = Shows::of(scene);
    let names: &[&str] = match (says.is, says.on.as_deref()) {
        ("wait", _) => &["wait"],
        ("rest", _) => &["rest", "rest_how"],
        ("over", _) => &["thank_you", "over"],
        ("press", Some("experimenter")) => &["wait_for_experimenter"],
        ("press", Some("tap")) => &["press_a_pad"],
        ("press", _) => &["press_the_button"],
        _ => &[],
    };
    let words = names.iter().map(|name| scene.words.get(name).trim_end_matches('.'));
    words
        .filter(|words| !words.is_empty())
        .map(|words| format!("{words}."))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The line for the participant's page; `None` where it is not for them.
pub(crate) fn participant(line: ShownLine) -> Option<String> {
    let Shown::Scene(scene) = line.shown else { return None };
    serde_json::to_string(&Shows::of(&scene)).ok()
}

fn text_of(scene: &Scene) -> Option<String> {
    match &scene.phase {
        Phase::Text { markdown, .. } => Some(html(markdown)),
        Phase::Question { text, .. } => Some(html(text)),
        _ => None,
    }
}

/// What the participant's page shows.
#[derive(Debug, PartialEq, Serialize)]
struct Shows<'a> {
    turn: u64,
    /// "wait", "text", "question", "press", "rest", "tap" or "over".
    is: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    html: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<ExpectedAnswer>,
    /// What goes on: "tap", "key" or "experimenter".
    #[serde(skip_serializing_if = "Option::is_none")]
    on: Option<String>,
    /// Whether there is a pad to press: nobody sits at those of a simulated participant.
    pads: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// Whether the keyboard is kept while a trial runs, so that the way out is to be told before.
    keyboard: bool,
    /// In which words.
    words: &'a Words,
}

impl Shows<'_> {
    fn of(scene: &Scene) -> Shows<'_> {
        let mut shows = Shows {
            turn: scene.turn,
            is: "wait",
            html: None,
            answer: None,
            on: None,
            pads: !scene.simulated,
            seconds: None,
            keyboard: !scene.keyboard.is_empty(),
            words: &scene.words,
        };
        shows.is = match &scene.phase {
            Phase::Text { waits, .. } => {
                shows.html = text_of(scene);
                shows.on = waits.then(|| "experimenter".to_owned());
                "text"
            }
            Phase::Question { experimenter: false, answer, .. } => {
                (shows.html, shows.answer) = (text_of(scene), Some(answer.clone()));
                "question"
            }
            Phase::Waiting { on } => {
                shows.on = Some(on.clone());
                "press"
            }
            Phase::Rest { seconds, until_utc_ms } => {
                let left = (until_utc_ms - utc(MonotonicClock::raw()).as_millis_f64()) / 1e3;
                shows.seconds = Some(left.clamp(0.0, *seconds));
                "rest"
            }
            // Nobody is to tap before the word to go on.
            Phase::Gap if scene.waits => "wait",
            Phase::Gap | Phase::Trial => "tap",
            Phase::Ended { .. } | Phase::Failed { .. } => "over",
            Phase::Opening
            | Phase::Question { experimenter: true, .. }
            | Phase::Check { .. }
            | Phase::Held { .. }
            | Phase::Doubt { .. }
            | Phase::Practice { .. }
            | Phase::Choose => "wait",
        };
        shows
    }
}

/// How a session stands, for the list of those under way.
pub(super) fn listed(number: u32, scene: &Scene) -> Value {
    json!({
        "number": number,
        "title": scene.title,
        "participant": scene.participant,
        "session": scene.session,
        "done": scene.done,
        "planned": scene.planned,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shown::TrialShown;
    use chronotap_design::question::TextForm;

    fn scene(phase: Phase) -> ShownLine {
        let condition = vec![("delay".to_owned(), "70 ms".to_owned())];
        let scene = Scene { phase, condition, title: "The study".into(), ..Scene::default() };
        ShownLine { id: 1, shown: Shown::Scene(Box::new(scene)) }
    }

    fn tapping(blinded: Option<&str>) -> Phase {
        Phase::Text { markdown: "*Tap.*".into(), blinded: blinded.map(Into::into), waits: false }
    }

    #[test]
    fn nobody_is_asked_for_the_pad_of_a_simulated_participant() {
        let pads = |simulated| {
            let text = Phase::Text { markdown: "Tap.".into(), blinded: None, waits: false };
            let scene = Scene { phase: text, simulated, ..Scene::default() };
            let line = ShownLine { id: 1, shown: Shown::Scene(Box::new(scene)) };
            let shown: Value = serde_json::from_str(&participant(line).unwrap()).unwrap();
            shown["pads"].as_bool().unwrap()
        };
        assert_eq!((pads(true), pads(false)), (false, true));
    }

    #[test]
    fn who_is_blind_sees_names_where_the_participant_reads_levels() {
        let line = || scene(tapping(Some("Tap {tempo}.")));
        let blind = experimenter(line()).unwrap();
        assert!(blind.contains("Tap {tempo}.") && !blind.contains("Tap.*"), "{blind}");
        assert!(!blind.contains("<em>"), "{blind}");
        assert!(participant(line()).unwrap().contains("<em>Tap.</em>"));
        assert!(experimenter(scene(tapping(None))).unwrap().contains("<em>Tap.</em>"));
    }

    #[test]
    fn a_participant_sees_texts_and_questions_and_neither_conditions_nor_verdicts() {
        let shown = participant(scene(tapping(None))).unwrap();
        assert!(shown.contains("<em>Tap.</em>") && !shown.contains("70 ms"), "{shown}");
        let trial = TrialShown { timing_passed: false, ..TrialShown::default() };
        assert_eq!(participant(ShownLine { id: 2, shown: Shown::Trial(trial) }), None);
        let asked = |experimenter| Phase::Question {
            experimenter,
            name: "own.tempo".into(),
            text: "Which *value*?".into(),
            answer: ExpectedAnswer::from(&TextForm.into()),
        };
        assert!(participant(scene(asked(false))).unwrap().contains("value"));
        assert!(!participant(scene(asked(true))).unwrap().contains("value"));
        let failed = participant(scene(Phase::Failed { error: "disk full".into() })).unwrap();
        assert!(!failed.contains("disk"), "{failed}");
    }

    #[test]
    fn the_words_of_the_study_are_the_participants_alone() {
        let line = || scene(Phase::Gap);
        let shown: Value = serde_json::from_str(&participant(line()).unwrap()).unwrap();
        assert_eq!(shown["words"]["language"], "en");
        assert_eq!(shown["words"]["texts"]["go_on"], "Go on");
        assert!(!experimenter(line()).unwrap().contains("go_on"));
    }

    #[test]
    fn what_the_participants_page_says_is_told_in_the_words_that_stand_there() {
        let says = |phase| {
            let told = experimenter(scene(phase)).unwrap();
            serde_json::from_str::<Value>(&told).unwrap()["says"].as_str().unwrap().to_owned()
        };
        assert_eq!(says(Phase::Opening), "Please wait a moment.");
        assert_eq!(says(Phase::Waiting { on: "key".into() }), "Press the button to go on.");
        assert_eq!(
            says(Phase::Rest { seconds: 5.0, until_utc_ms: 0.0 }),
            "A rest. Lean back. It goes on by itself or when you are asked to."
        );
        assert_eq!(says(Phase::Trial), "", "nothing but the cross");
    }

    #[test]
    fn the_screen_stays_calm_from_the_pause_before_a_trial_to_its_end() {
        for phase in [Phase::Gap, Phase::Trial] {
            assert!(participant(scene(phase)).unwrap().contains(r#""is":"tap""#));
        }
    }
}
