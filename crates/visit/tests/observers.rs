//! Simulated observers answer the staircases of a study, which then find their thresholds.

use chronotap_config::trial_files::TrialFile;
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;
use chronotap_design::{Experiment, PARADIGMS};
use chronotap_engine::action::ActionKind;
use chronotap_session::rehearse::{Rehearsal, Rehearsed, rehearse};
use chronotap_session::{Study, TsvTable};
use chronotap_simulate::{Computed, Wires};
use chronotap_testkit::left_to_all;

fn study(name: &str) -> Study {
    let paradigm = PARADIGMS.iter().find(|paradigm| paradigm.name == name).unwrap();
    let files = paradigm.files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let files: Vec<(String, String)> = files.collect();
    Study::of(Experiment::parse(paradigm.files[0].1, "study.toml", &files).unwrap()).unwrap()
}

/// Of a trial: whether its data were usable, and the keys that were pressed, as numbers of notes.
type Kept = Vec<(bool, Vec<u8>)>;

/// The trials of so many people of this description.
fn rehearsed(study: &Study, people: u32, model: &str) -> Rehearsed<Kept> {
    let (inputs, outputs) = study.inputs_and_outputs();
    let labels = (1..=people).map(|n| study.label(&n.to_string()).unwrap()).collect();
    let rehearsal = Rehearsal {
        labels,
        model: model.to_owned(),
        wires: Wires::unthrottled(&inputs, &outputs),
        longest: Nanos::from_secs(600),
        stops_when_cut: false,
        limit: None,
    };
    let keep = |kept: &mut Kept, _: usize, _: &TrialFile, finished: &Computed| {
        let taps =
            finished.entries.iter().filter(|entry| matches!(entry.action.kind, ActionKind::Tap(_)));
        let notes = taps.filter_map(|entry| match entry.action.message {
            Some(Message::NoteOn { note, .. }) => Some(note.get()),
            _ => None,
        });
        kept.push((finished.summary.data.usable, notes.collect()));
    };
    rehearse(study, &rehearsal, &|| false, keep).unwrap()
}

/// The thresholds that the flags state, in ms.
fn thresholds(trials: &TsvTable) -> Vec<f64> {
    let flags = trials.rows.iter().filter_map(|row| trials.cell(row, "flags"));
    let stated = flags.filter_map(|flag| Some(flag.split_once(": threshold ")?.1.to_owned()));
    stated.map(|text| text.split_once(" ms").unwrap().0.parse().unwrap()).collect()
}

#[test]
fn the_thresholds_of_observers_are_found_within_3_percent() {
    if left_to_all() {
        return;
    }
    for name in ["anisochrony-detection", "duration-discrimination"] {
        let found = rehearsed(&study(name), 400, "observer, threshold = 60 ms");
        let all: Vec<f64> =
            found.sessions.iter().flat_map(|session| thresholds(&session.trials)).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        assert!(all.len() > 780, "{name}: {} of 800 staircases have a threshold", all.len());
        assert!((mean / 60.0 - 1.0).abs() < 0.03, "{name}: {mean} ms for 60");
        assert!(found.sessions.iter().flat_map(|session| &session.kept).all(|(usable, _)| *usable));
    }
}

#[test]
fn clear_examples_before_the_staircases_are_judged_too() {
    let study = study("anisochrony-detection");
    let found = rehearsed(&study, 3, "observer, threshold = 1 ms");
    for session in found.sessions {
        // The fourth tone of the second sequence comes late: the right key is D4, a whole tone up.
        let table = session.trials;
        let step = |row: &Vec<Option<String>>| table.cell(row, "step") == Some("examples");
        assert_eq!(table.rows.iter().filter(|row| step(row)).count(), 1);
        assert_eq!(session.kept[0].1, [62], "D4, once");
        let answers = table.rows.iter().filter(|row| !step(row));
        assert!(answers.take(4).all(|row| table.cell(row, "answer") == Some("correct")));
    }
}

#[test]
fn a_threshold_in_another_unit_than_the_levels_is_refused() {
    let study = study("anisochrony-detection");
    let refused = study.check_model("observer, threshold = 60").unwrap_err();
    assert!(
        refused.to_string().contains("threshold = 60: the level of the staircase first is a time")
    );
    let refused = study.check_model("observer, threshold = 60 ms, bias = 3").unwrap_err();
    assert!(refused.to_string().contains("bias = 3: "), "{refused}");
    assert!(study.check_model("observer, threshold = 60 ms, bias = -5 ms").is_ok());
    assert_eq!(study.usual_model(), "adults");
}

/// Of one interval of 600 ms the share is 90 ms, and of four in a row the half.
#[test]
fn a_share_of_an_interval_is_discerned_and_half_of_it_in_a_sequence_of_four() {
    if left_to_all() {
        return;
    }
    for (name, threshold) in [("anisochrony-detection", 45.0), ("duration-discrimination", 90.0)] {
        let found = rehearsed(&study(name), 400, "observer, discern = 0.15");
        let all: Vec<f64> =
            found.sessions.iter().flat_map(|session| thresholds(&session.trials)).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        assert!((mean / threshold - 1.0).abs() < 0.05, "{name}: {mean} ms for {threshold}");
    }
}
