//! Inputs that hear taps on a virtual sound card, bound by name, in virtual and in real time.

use chronotap_audio::SoundFile;
use chronotap_config::trial_files::TrialFile;
use chronotap_config::trial_files::performers::Script;
use chronotap_core::time::Nanos;
use chronotap_data::record::Entry;
use chronotap_engine::action::ActionKind;
use chronotap_linux::ports::EarPort;
use chronotap_linux::realtime::{Interrupt, Request};
use chronotap_rig::laboratory::{Bindings, KeepData, PortNames, Rig, RigError, TrialRun};
use chronotap_rig::runner::real_time::RealTimeSettings;
use chronotap_simulate::{Tapper, WireEndpoint};
use chronotap_trial::Ports;
use std::path::Path;

const TRIAL: &str = "[input.left]\n[input.right]\n[feedback.tone]\ndelay = \"20 ms\"\n\
                     [[when]]\ntime = \"700 ms\"\nend = true\n";
/// Onset in ms, and at which input.
const PRESSES: [(i64, u16); 4] = [(150, 0), (251, 1), (407, 0), (560, 1)];

fn bindings(inputs: [&str; 2], output: &str) -> Bindings {
    let named = |(name, port): (&str, &str)| format!("{name}={port}");
    let inputs = [("left", inputs[0]), ("right", inputs[1])].map(named).to_vec();
    let names = PortNames { inputs, outputs: vec![output.into()] };
    Bindings::resolve(&names, &["left", "right"], &["output"], None).unwrap()
}

fn tapper() -> Tapper {
    let mut table = "onset\tduration\tnote\tvelocity\tinput\n".to_owned();
    for (ms, input) in PRESSES {
        let input = ["left", "right"][usize::from(input)];
        table += &format!("{}\t0.03\t60\t100\t{input}\n", ms as f64 / 1e3);
    }
    let names = ["left".to_owned(), "right".to_owned()];
    Tapper::Scripted(Script::parse(&table, "taps", &names).unwrap(), "taps.tsv".into())
}

/// Each tap of a trial on this rig: its stamp and its input.
fn taps(rig: &mut Rig) -> Vec<(Nanos, u16)> {
    let (file, tapper) = (TrialFile::parse(TRIAL, "trial.toml").unwrap(), tapper());
    let (seed, limit, keep) = (1, Some(Nanos::from_secs(60)), KeepData::Nothing);
    let run = TrialRun { file: &file, seed, tapper: &tapper, limit, keep, sinks: &[] };
    let entries = rig.run(&run, |_| {}).unwrap().entries;
    let tap = |entry: &Entry| match entry.action.kind {
        ActionKind::Tap(input) => Some((entry.action.deadline, input)),
        _ => None,
    };
    entries.iter().filter_map(tap).collect()
}

fn in_virtual_time(bindings: Bindings) -> Vec<(Nanos, u16)> {
    taps(&mut Rig::in_virtual_time(bindings, Nanos::from_secs(60)).unwrap())
}

fn assert_as_pressed(taps: &[(Nanos, u16)]) {
    assert_eq!(taps.len(), PRESSES.len(), "{taps:?}");
    for ((at, input), (ms, pressed)) in taps.iter().zip(PRESSES) {
        assert_eq!(*input, pressed, "{taps:?}");
        assert!((*at - Nanos::from_millis(ms)).abs() < Nanos::from_micros(50), "{taps:?}");
    }
}

#[test]
fn ears_of_one_card_hear_what_the_performer_taps_on_each_whatever_the_wire() {
    let ears = ["ear:virtual", "ear:virtual?channel=2"];
    for output in ["wire", "wire:unthrottled"] {
        assert_as_pressed(&in_virtual_time(bindings(ears, output)));
    }
    let one_by_wire = bindings(["wire:unthrottled", "ear:virtual"], "wire:unthrottled");
    assert_as_pressed(&in_virtual_time(one_by_wire));
}

#[test]
fn a_virtual_sensor_feels_what_the_performer_taps_on_it_beside_an_ear_or_alone() {
    for inputs in [["sensor:virtual", "ear:virtual"], ["sensor:virtual", "wire:unthrottled"]] {
        assert_as_pressed(&in_virtual_time(bindings(inputs, "wire:unthrottled")));
    }
}

#[test]
fn real_and_virtual_time_hear_the_same() {
    let ears = ["ear:virtual", "ear:virtual?channel=2&sensor=force&taps=force"];
    let settings = RealTimeSettings { request: Request::nothing(), spin: false, serve_every: None };
    let interrupt = Interrupt::without_signals().unwrap();
    let mut rig = Rig::open(bindings(ears, "wire"), None, &settings, interrupt).unwrap();
    let virtually = in_virtual_time(bindings(ears, "wire"));
    assert_eq!(virtually.len(), PRESSES.len());
    assert_eq!(taps(&mut rig), virtually);
}

/// A trial of 200 ms whose sound is kept: the samples, and the table beside them.
fn kept(rig: &mut Rig, dir: &Path, name: &str) -> (u64, String) {
    let text = "[feedback.tone]\n[[when]]\ntime = \"200 ms\"\nend = true\n";
    let file = TrialFile::parse(text, "trial.toml").unwrap();
    let keep = KeepData::Files(dir, name);
    let finished =
        rig.run(&TrialRun { keep, ..TrialRun::unkept(&file, &Tapper::Nobody) }, |_| {}).unwrap();
    assert_eq!(finished.problem, None);
    let sound = dir.join(format!("sourcedata/{name}_input-input_sound.flac"));
    let table = std::fs::read_to_string(sound.with_extension("tsv")).unwrap();
    let file = std::fs::File::open(&sound).unwrap();
    (SoundFile::open(file).unwrap().form().frames, table)
}

#[test]
fn what_a_card_hears_in_each_trial_is_kept_and_nothing_between_them() {
    let dir = tempfile::tempdir().unwrap();
    let ear = EarPort::open(&"virtual?record=all&period=64".parse().unwrap(), 0).unwrap();
    let mut ports = Ports::new(1, 1);
    ports.add(Box::new(ear), &[0], &[]).unwrap();
    let wire = WireEndpoint::new(1, (false, false), &[], &[0]).make(None);
    ports.add(wire, &[], &[0]).unwrap();
    let settings = RealTimeSettings { request: Request::nothing(), spin: false, serve_every: None };
    let interrupt = Interrupt::without_signals().unwrap();
    let names = (&["input"][..], &["output"][..]);
    let mut rig = Rig::on_ports(ports, names, &settings, interrupt).unwrap();
    let mut last = 0;
    for name in ["a", "b"] {
        let (samples, table) = kept(&mut rig, dir.path(), name);
        // A machine that is busy may miss periods, and end a trial late.
        assert!((64..480_000).contains(&samples), "{samples}");
        let first: Vec<&str> = table.lines().nth(1).unwrap().split('\t').collect();
        let [sample, card_frame, onset] = first[..] else { panic!("{table}") };
        let (card_frame, onset_s): (u64, f64) =
            (card_frame.parse().unwrap(), onset.parse().unwrap());
        assert!(sample == "0" && card_frame > last && (0.0..0.2).contains(&onset_s), "{table}");
        last = card_frame;
    }
}

#[test]
fn a_card_exists_in_real_time_only() {
    let with_a_card = bindings(["ear:virtual", "ear:jack"], "wire");
    let refused = Rig::in_virtual_time(with_a_card, Nanos::from_secs(1)).map(drop).unwrap_err();
    assert!(matches!(&refused, RigError::NeedsRealTime { port } if port == "ear:jack"));
}
