//! Taps that are heard on a virtual sound card: a performer's presses sound as a sensor sees them, and
//! the trial gets what the detector finds.

use chronotap_audio::sensor::{Listening, TAP_SHAPES, sensor_named};
use chronotap_config::trial_files::TrialFile;
use chronotap_config::trial_files::performers::Script;
use chronotap_core::time::Nanos;
use chronotap_data::record::{
    Entry, Footer, Header, Mode, Names, TrialText, difference, matching_rule, read_events, rows,
    write_events,
};
use chronotap_engine::action::Kind;
use chronotap_simulate::{Tapper, VirtualEar, VirtualRig, Wired, Wires, replay};

/// When the taps of the script begin, in ms; the second is much softer than the others.
const PRESSES_MS: [i64; 4] = [1_000, 1_503, 1_997, 2_741];
/// A period of 256 frames at 48 kHz.
const PERIOD: Nanos = Nanos(5_333_334);

fn wired(name: &str, port: &str, ear: Option<VirtualEar>) -> Wired {
    Wired { name: name.into(), port: port.into(), looped: false, throttled: false, ear }
}

fn ear(word: &str) -> VirtualEar {
    let taps = TAP_SHAPES.iter().find(|shape| shape.word == word).unwrap();
    let listening = Listening::to(sensor_named(taps.sensor).unwrap(), 0.03);
    VirtualEar { listening, taps, rate_hz: 48_000, period_frames: 256 }
}

fn trial(delay: &str) -> TrialFile {
    let text = format!(
        "[feedback.tone]\ndelay = \"{delay}\"\nduration = \"50 ms\"\n\
         [[when]]\ntime = \"4 s\"\nend = true\n"
    );
    TrialFile::parse(&text, "trial.toml").unwrap()
}

/// Every event of the trial, whose taps are the script's.
fn heard(file: &TrialFile, taps: &str) -> Vec<Entry> {
    let mut table = "onset\tduration\tnote\tvelocity\n".to_owned();
    for (press, velocity) in PRESSES_MS.iter().zip([100, 25, 100, 127]) {
        table += &format!("{}\t0.05\t60\t{velocity}\n", *press as f64 / 1e3);
    }
    let inputs = [file.trial.inputs[0].name.clone()];
    let script = Script::parse(&table, "taps", &inputs).unwrap();
    let wires = Wires {
        inputs: vec![wired(&inputs[0], "ear:virtual", Some(ear(taps)))],
        outputs: vec![wired(&file.trial.outputs[0], "wire:unthrottled", None)],
    };
    let mut rig = VirtualRig::new(&wires, Nanos::from_secs(10)).unwrap();
    let tapper = Tapper::Scripted(script, "taps.tsv".into());
    rig.run((file, 1, &tapper), None).unwrap().entries
}

fn of(entries: &[Entry], wanted: impl Fn(&Kind) -> bool) -> Vec<&Entry> {
    entries.iter().filter(|entry| wanted(&entry.action.kind)).collect()
}

#[test]
fn each_tap_is_stamped_by_its_onset_and_feedback_follows_by_its_delay_to_the_nanosecond() {
    // In us; of a slow rise the table in docs/sound-card-taps.md says -0.37 ms on average, SD 0.29 ms.
    for (taps, error) in [("click", 50), ("ring", 50), ("force", 1_000), ("thump", 500)] {
        let entries = heard(&trial("20 ms"), taps);
        let presses = of(&entries, |kind| matches!(kind, Kind::Tap(_)));
        let tones = of(&entries, |kind| matches!(kind, Kind::Feedback(_)));
        assert_eq!((presses.len(), tones.len()), (4, 4), "{taps}");
        for ((tap, tone), ms) in presses.iter().zip(tones).zip(PRESSES_MS) {
            let onset = tap.action.deadline;
            let off = (onset - Nanos::from_millis(ms)).abs();
            assert!(off < Nanos::from_micros(error), "{taps}: {off}");
            assert_eq!(tone.achieved, Some(onset + Nanos::from_millis(20)), "{taps}");
        }
    }
}

#[test]
fn feedback_at_once_comes_at_most_a_period_and_a_millisecond_after_the_onset() {
    let entries = heard(&trial("0 ms"), "ring");
    let tones = of(&entries, |kind| matches!(kind, Kind::Feedback(_)));
    assert_eq!(tones.len(), 4);
    for (tone, ms) in tones.iter().zip(PRESSES_MS) {
        let late = tone.achieved.unwrap() - Nanos::from_millis(ms);
        assert!(late > Nanos::ZERO && late < PERIOD + Nanos::from_millis(1), "{late}");
    }
}

#[test]
fn a_recorded_trial_of_heard_taps_replays_from_its_stamps() {
    let file = trial("20 ms");
    let entries = heard(&file, "ring");
    let header = Header {
        trial_file: TrialText { name: "trial.toml".into(), text: file.source.clone() },
        seed: 1,
        mode: Mode::VirtualTime,
        names: Names::of(&file.trial, &file.rule_details()),
        matching: matching_rule(&file),
        ..Header::default()
    };
    let dir = tempfile::tempdir().unwrap();
    let footer = Footer::default();
    let saved = write_events(dir.path(), "heard", &header, &entries, &footer, false).unwrap();
    let recording = read_events(&saved.tsv).unwrap();
    let again = replay::run(file.engine(1), &recording);
    let differs = difference(&recording.rows, &rows(&header.names, &again));
    assert!(differs.is_none(), "the replay differs: {}", differs.unwrap());
}
