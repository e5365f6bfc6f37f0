//! From tap to sound on ways whose every step was chosen: computed, sounded in virtual
//! time, and on a virtual card in real time, where only counts and sums are asserted.

use crate::common::found;
use chronotap_audio::tone::{Cue, Generator, Kit, Recordings, Score};
use chronotap_audio::{Period, Process};
use chronotap_bench::timing::tap_to_sound::{
    AnsweredTap, Channels, HeardOnsets, Latencies, OnsetFrame, PathStep, Seen, TapChain, TapCounts,
    TapToSoundDoubt, TapToSoundRun, Undistanced, Witness, distances, judged, measure, pair, trial,
};
use chronotap_bench::timing::{
    Length, Probe, Quantity, TapToSoundTest, TestProgress, TestRefusal, TestRun,
};
use chronotap_config::sounds::{cue, frame_of};
use chronotap_config::trial_files::performers::Script;
use chronotap_core::time::Nanos;
use chronotap_data::record::Entry;
use chronotap_engine::Engine;
use chronotap_engine::action::Action;
use chronotap_engine::signal::{Arrival, Description, Played, Port, PortError, Readiness, Written};
use chronotap_linux::cards::{CardName, CardShape, Loop};
use chronotap_linux::ports::ToneName;
use chronotap_linux::realtime::Interrupt;
use chronotap_simulate::virtual_time;
use chronotap_simulate::{FarEnd, Wire};
use chronotap_trial::Ports;
use proptest::prelude::*;
use std::sync::{Arc, Mutex};

const RATE_HZ: u32 = 48_000;
const PERIOD: u32 = 256;

fn length(frames: f64) -> Nanos {
    Nanos::round_from_f64(frames * 1e9 / f64::from(RATE_HZ))
}

fn latencies() -> Latencies {
    let period = length(f64::from(PERIOD));
    Latencies { rate_hz: RATE_HZ, playback: length(f64::from(2 * PERIOD)), capture: period }
}

/// Steps that were chosen: pad, kernel and program in nanoseconds, the waiting in the card
/// and the cable in frames.
#[derive(Clone, Debug)]
struct Way {
    tap_frame: f64,
    pad: i64,
    kernel: i64,
    program: i64,
    cable_frames: f64,
    card_frames: u64,
}

fn way() -> impl Strategy<Value = Way> {
    (
        1e4..1e7f64,
        -2_000_000..30_000_000i64,
        0..2_000_000i64,
        0..2_000_000i64,
        0.0..5_000.0f64,
        3_000..9_000u64,
    )
        .prop_map(|(tap_frame, pad, kernel, program, cable_frames, card_frames)| Way {
            tap_frame,
            pad,
            kernel,
            program,
            cable_frames,
            card_frames,
        })
}

/// The chain of a way, on a card whose frame 0 was due at a second.
fn chain(way: &Way) -> TapChain {
    let card = latencies();
    let due = |frame: f64| Nanos::from_secs(1) + length(frame);
    let stamp = due(way.tap_frame) - card.capture + Nanos(way.pad);
    let read = stamp + Nanos(way.kernel);
    let handed = read + Nanos(way.program);
    let frame = way.tap_frame as u64 + way.card_frames;
    let said = due(frame as f64) + card.playback;
    let tapped = AnsweredTap { stamp, read, handed, frame, said };
    let heard = frame as f64
        + way.cable_frames
        + (card.playback + card.capture).as_secs_f64() * f64::from(RATE_HZ);
    TapChain::of(&tapped, OnsetFrame { frame: heard, due: due(heard) }, Some(way.tap_frame), &card)
}

proptest! {
    #[test]
    fn the_steps_of_a_tap_add_up_to_its_total(way in way()) {
        let chain = chain(&way);
        let steps: Nanos = PathStep::ALL[..5].iter().filter_map(|step| chain.step(*step)).sum();
        prop_assert_eq!(Some(steps), chain.step(PathStep::Total));
    }

    #[test]
    fn without_the_tap_s_sound_they_add_up_to_the_total_from_the_stamp(way in way()) {
        let chain = TapChain { tap_heard: None, ..chain(&way) };
        prop_assert_eq!(chain.step(PathStep::Pad), None);
        let steps: Nanos = PathStep::ALL[1..5].iter().filter_map(|step| chain.step(*step)).sum();
        prop_assert_eq!(Some(steps), chain.step(PathStep::Total));
    }

    #[test]
    fn each_step_that_was_put_in_comes_out(way in way()) {
        let chain = chain(&way);
        let near = |step, expected: Nanos| {
            (chain.step(step).unwrap() - expected).abs() <= Nanos(4)
        };
        prop_assert!(near(PathStep::Pad, Nanos(way.pad)), "{chain:?}");
        prop_assert_eq!(chain.step(PathStep::Kernel), Some(Nanos(way.kernel)));
        prop_assert_eq!(chain.step(PathStep::Program), Some(Nanos(way.program)));
        prop_assert!(near(PathStep::Cable, length(way.cable_frames)), "{chain:?}");
        let frames = way.tap_frame.floor() - way.tap_frame + way.card_frames as f64;
        let card = latencies();
        let both = card.playback + card.capture;
        prop_assert!(near(PathStep::Total, length(frames + way.cable_frames) + both));
        prop_assert!(chain.disagreement.abs() <= Nanos(4));
    }
}

/// An output that sounds in virtual time: each answer is placed at the frame nearest to
/// its deadline and a constant, frame 0 being at the converter at the trial's start and
/// the card's latency.
struct CuePort {
    cues: Arc<Mutex<Vec<Cue>>>,
}

const CONSTANT: Nanos = Nanos::from_millis(20);

impl Port for CuePort {
    fn readiness(&self) -> Readiness<'_> {
        Readiness::Never
    }

    fn read(&mut self, _: Nanos, _: &mut dyn FnMut(Arrival)) -> Result<(), PortError> {
        Ok(())
    }

    fn write(&mut self, action: &Action, _: Nanos) -> Result<Written, PortError> {
        let playback = latencies().playback;
        let frame = frame_of(action.deadline + CONSTANT - playback, RATE_HZ);
        self.cues.lock().unwrap().extend(cue(
            action,
            frame,
            &Kit::default(),
            &Recordings::default(),
        ));
        let at = length(frame as f64) + playback;
        Ok(Written::At(Played { at, frame: Some(frame) }))
    }
}

/// What the port sounded, and what the trial and the witnesses know.
struct Ran {
    cues: Vec<Cue>,
    entries: Vec<Entry>,
    seen: Vec<Seen>,
    ended: Nanos,
}

/// A trial in virtual time with taps that a script plays.
fn ran(taps: u32) -> Ran {
    let script: String = (0..taps)
        .map(|n| format!("{}.{:03}\t0.1\t60\t90\n", 1 + n / 2, 137 * n % 89 + 500 * (n % 2)))
        .collect();
    let script = format!("onset\tduration\tnote\tvelocity\n{script}");
    let script = Script::parse(&script, "taps", &["input".to_owned()]).unwrap();
    let (wire, mut reads) =
        Witness::of(Box::new(Wire::new(None, FarEnd::Performer(Box::new(script)))));
    let cues = Arc::new(Mutex::new(Vec::new()));
    let (tone, mut writes) = Witness::of(Box::new(CuePort { cues: Arc::clone(&cues) }));
    let mut rig = Ports::new(1, 1);
    rig.add(Box::new(wire), &[0], &[]).unwrap();
    rig.add(Box::new(tone), &[], &[0]).unwrap();
    let longest = Nanos::from_secs(600);
    let engine = Engine::new(Arc::new(trial(taps, longest, 0).unwrap()), 1);
    let mut entries = Vec::new();
    let outcome = virtual_time::run(engine, rig, longest, &mut |entry| entries.push(entry));
    let seen: Vec<Seen> = Witness::taken(&mut reads).chain(Witness::taken(&mut writes)).collect();
    let cues = cues.lock().unwrap().clone();
    Ran { cues, entries, seen, ended: outcome.ended }
}

/// The same with its cues and its taps' stamps, nothing being heard as yet.
fn virtual_trial(taps: u32) -> (Vec<Cue>, TapToSoundRun, Vec<Nanos>) {
    let ran = ran(taps);
    let mut measured = TapToSoundRun { latency: CONSTANT, ..TapToSoundRun::default() };
    measured.gather(&ran.entries, &ran.seen, ran.ended, taps);
    let stamps = measured.tapped.iter().map(|tapped| tapped.stamp).collect();
    (ran.cues, measured, stamps)
}

/// What a cable and a microphone bring back, heard a period at a time.
fn hear(cues: Vec<Cue>, cable_frames: u64, taps: &[f64], gain: f32) -> HeardOnsets {
    let last = cues.iter().map(|cue| cue.frame).max().unwrap_or(0) + 24_000;
    let delayed = cues.into_iter().map(|cue| Cue { frame: cue.frame + cable_frames, ..cue });
    let mut score = Score::new(Generator::new(RATE_HZ, Vec::new()), delayed.collect());
    let channels = Channels { sound: 0, tap: Some(1) };
    let at = Arc::new(Mutex::new(Nanos::ZERO));
    let due = Arc::clone(&at);
    let (mut ear, mut hearing) =
        pair(channels, RATE_HZ, None, Box::new(move || *due.lock().unwrap()));
    for frame in (0..last).step_by(PERIOD as usize) {
        let (mut left, mut right) = ([0.0; PERIOD as usize], [0.0; PERIOD as usize]);
        let outputs = &mut [&mut left[..], &mut right[..]];
        score.process(&mut Period { frame, rate_hz: RATE_HZ, inputs: &[], outputs });
        let sound = left.map(|sample| sample * gain + 0.05);
        let thump: Vec<f32> = (frame..frame + u64::from(PERIOD))
            .map(|n| taps.iter().map(|tap| thump(n as f64 - tap)).sum::<f32>())
            .collect();
        *at.lock().unwrap() = length(frame as f64);
        let inputs: [&[f32]; 2] = [&sound, &thump];
        ear.process(&mut Period { frame, rate_hz: RATE_HZ, inputs: &inputs, outputs: &mut [] });
        hearing.listen();
    }
    hearing.listen().clone()
}

/// A stroke on a pad: 200 Hz that begins at its peak and rings for tens of milliseconds.
fn thump(frames: f64) -> f32 {
    if frames < 0.0 {
        return 0.0;
    }
    let seconds = frames / f64::from(RATE_HZ);
    (0.4 * (-seconds / 0.01).exp() * (std::f64::consts::TAU * 200.0 * seconds).cos()) as f32
}

#[test]
fn in_virtual_time_every_step_is_found_to_the_frame() {
    let pad_frames = 211.0;
    for (cable_frames, gain) in [(768, 1.0), (1_111, -0.3), (9_000, 0.05)] {
        let (cues, mut measured, stamps) = virtual_trial(40);
        assert_eq!(stamps.len(), 40);
        let card = latencies();
        let frames = |time: Nanos| time.as_secs_f64() * f64::from(RATE_HZ);
        let taps: Vec<f64> = stamps
            .iter()
            .map(|stamp| (frames(*stamp + card.capture) - pad_frames).round())
            .collect();
        measured.heard = hear(cues, cable_frames, &taps, gain);
        let (chains, counts) = measured.chains(true, card);
        assert_eq!((counts.whole, counts.unasked), (40, 0), "{counts:?}");
        assert_eq!(judged(&counts, &measured.heard), Ok(()));
        let own = (card.playback + card.capture).as_secs_f64() * f64::from(RATE_HZ);
        for (chain, tapped) in chains.iter().zip(&measured.tapped) {
            let cable = frames(chain.step(PathStep::Cable).unwrap());
            assert!((cable - (cable_frames as f64 - own)).abs() < 0.01, "{cable}");
            let pad = frames(chain.step(PathStep::Pad).unwrap());
            assert!((pad - pad_frames).abs() <= 0.51, "{pad}");
            assert_eq!(chain.step(PathStep::Kernel), Some(Nanos::ZERO));
            assert_eq!(chain.step(PathStep::Program), Some(Nanos::ZERO));
            let constant = chain.played - tapped.stamp - CONSTANT;
            assert!(constant.abs() <= Nanos(10_418), "{constant:?}");
            let steps: Nanos = PathStep::ALL[..5].iter().filter_map(|step| chain.step(*step)).sum();
            assert_eq!(Some(steps), chain.step(PathStep::Total));
        }
    }
}

#[test]
fn taps_beside_an_xrun_or_missing_frames_are_left_out() {
    let (cues, mut measured, stamps) = virtual_trial(40);
    measured.heard = hear(cues, 768, &[], 1.0);
    let (_, whole) = measured.chains(false, latencies());
    assert_eq!(whole.whole, 40);
    measured.xruns = vec![stamps[3] + Nanos::from_millis(5)];
    measured.heard.gaps = vec![measured.tapped[7].frame];
    let (chains, counts) = measured.chains(false, latencies());
    assert_eq!((chains.len(), counts.broken), (38, 2), "{counts:?}");
    assert!(chains.iter().all(|chain| chain.stamp != stamps[3] && chain.stamp != stamps[7]));
}

#[test]
fn a_trial_that_is_interrupted_has_no_tap_whose_sound_was_on_its_way() {
    let ran = ran(40);
    let (_, _, stamps) = virtual_trial(40);
    let mut measured =
        TapToSoundRun { heard: hear(ran.cues, 768, &[], 1.0), ..TapToSoundRun::default() };
    measured.gather(&ran.entries, &ran.seen, stamps[20] + Nanos::from_millis(100), 40);
    let (chains, counts) = measured.chains(false, latencies());
    assert_eq!((chains.len(), counts.taps, counts.unasked), (20, 20, 0), "{counts:?}");
}

/// A late machine ends the trial after a tap more than was asked for.
#[test]
fn no_tap_counts_beyond_those_that_were_asked_for() {
    let ran = ran(40);
    let mut measured =
        TapToSoundRun { heard: hear(ran.cues, 768, &[], 1.0), ..TapToSoundRun::default() };
    measured.gather(&ran.entries, &ran.seen, ran.ended, 39);
    let (chains, counts) = measured.chains(false, latencies());
    assert_eq!((chains.len(), counts.taps, counts.unasked), (39, 39, 0), "{counts:?}");
}

/// Why there is no figure of a run in which this came of 40 taps.
fn doubt(counts: TapCounts) -> TapToSoundDoubt {
    let (cues, mut measured, _) = virtual_trial(5);
    measured.heard = hear(cues, 768, &[], 1.0);
    judged(&counts, &measured.heard).unwrap_err()
}

#[test]
fn no_figure_is_given_where_taps_and_sounds_do_not_come_out_even() {
    let fine = || TapCounts { taps: 40, whole: 40, peaks: vec![0.2; 40], ..TapCounts::default() };
    let cases = [
        (TapCounts::default(), TapToSoundDoubt::NoTaps),
        (TapCounts { clipped: 5, ..fine() }, TapToSoundDoubt::Clipped(5, 40)),
        (TapCounts { broken: 5, ..fine() }, TapToSoundDoubt::Broken(5, 40)),
        (TapCounts { doubled: 5, ..fine() }, TapToSoundDoubt::Doubled(5, 40)),
        (TapCounts { unasked: 5, ..fine() }, TapToSoundDoubt::Unasked(5, 40)),
        (TapCounts { lost: 5, ..fine() }, TapToSoundDoubt::Lost(5, 40)),
        (TapCounts { taps: 4, whole: 4, ..fine() }, TapToSoundDoubt::Few(4)),
    ];
    for (counts, wanted) in cases {
        assert_eq!(doubt(counts), wanted);
    }
    let silent = doubt(TapCounts { silent: 40, ..fine() });
    let TapToSoundDoubt::Silent { silent: 40, taps: 40, threshold_db } = silent else {
        panic!("{silent}")
    };
    assert_eq!(threshold_db.round(), -60.0);
    let unheard = doubt(TapCounts { unheard: 5, ..fine() });
    assert!(matches!(unheard, TapToSoundDoubt::Unheard { unheard: 5, taps: 40, .. }), "{unheard}");
    let quiet = doubt(TapCounts { peaks: vec![0.001_5; 40], ..fine() });
    assert!(matches!(quiet, TapToSoundDoubt::Quiet(db) if db.round() == 4.0), "{quiet}");
    let (cues, mut measured, _) = virtual_trial(5);
    measured.heard = hear(cues, 768, &[], 1.0);
    assert_eq!(judged(&TapCounts { silent: 4, ..fine() }, &measured.heard), Ok(()));
    assert_eq!(judged(&TapCounts::default(), &measured.heard), Err(TapToSoundDoubt::NoTaps));
}

#[test]
fn the_card_s_thread_does_not_allocate_and_a_period_without_room_is_dropped_whole() {
    let channels = Channels { sound: 1, tap: Some(0) };
    let (mut ear, mut hearing) = pair(channels, RATE_HZ, None, Box::new(|| Nanos::ZERO));
    let input = [0.0f32; 100];
    let mut play = |n: u64| {
        let inputs: [&[f32]; 2] = [&input, &input];
        let frame = n * 100;
        ear.process(&mut Period { frame, rate_hz: RATE_HZ, inputs: &inputs, outputs: &mut [] });
    };
    assert_no_alloc::assert_no_alloc(|| (0..3_000).for_each(&mut play));
    let heard = hearing.listen().clone();
    assert_eq!((heard.dropped_frames, heard.gaps), (300_000 - 262_100, vec![]));
    play(3_000);
    assert_eq!(hearing.listen().gaps, [300_000]);
}

#[test]
fn a_witness_sees_without_allocating_and_changes_nothing() {
    let (wire, mut seen) = Witness::of(Box::new(Wire::new(None, FarEnd::Silence)));
    let mut wire = wire;
    let mut arrived = 0;
    assert_no_alloc::assert_no_alloc(|| {
        wire.start(Nanos::ZERO);
        (0..1_000).for_each(|n| {
            let _ = wire.read(Nanos(n), &mut |_| arrived += 1);
            wire.server().into_iter().for_each(|server| server.reports(&mut |_| {}));
        });
    });
    assert_eq!((arrived, Witness::taken(&mut seen).count()), (0, 0));
    assert!(matches!(wire.readiness(), Readiness::Never));
    assert_eq!((wire.describe(), wire.counts().sent), (Description::default(), 0));
}

/// Six taps on the virtual wire, and a virtual card whose cable takes this long.
fn looped(delay_frames: u32) -> TapToSoundTest {
    let card = CardName::Virtual(Some(Loop { delay_frames, gain: -0.5 }));
    let open = || -> Result<Box<dyn Port>, TestRefusal> {
        let taps: String =
            (0..6).map(|n| format!("{}.{}\t0.1\t60\t90\n", 1 + n / 2, 5 * (n % 2))).collect();
        let taps = format!("onset\tduration\tnote\tvelocity\n{taps}");
        let script = Script::parse(&taps, "taps", &["input".to_owned()])?;
        Ok(Box::new(Wire::new(None, FarEnd::Performer(Box::new(script)))))
    };
    TapToSoundTest {
        input: "wire".into(),
        open: Arc::new(open),
        card: ToneName { card, period_frames: Some(512), ..ToneName::default() },
        channels: Channels::default(),
        taps: Some(6),
        longest: Some(Nanos::from_secs(20)),
        threshold: None,
        calibration: None,
        scripted: None,
        beside: Vec::new(),
    }
}

#[test]
fn on_a_looped_card_the_cable_is_found_to_the_frame_and_every_tap_is_accounted_for() {
    let mut tell = |_: &TestProgress| {};
    let interrupt = Interrupt::without_signals().unwrap();
    let mut course = TestRun::new(Length::Quick, interrupt, &mut tell);
    let measured = measure(&looped(4_096), &mut course).unwrap();
    let card = Latencies::of(&measured.shape);
    let (chains, counts) = measured.chains(false, card);
    assert_eq!(measured.tapped.len() + measured.lost, 6);
    let TapCounts { lost, broken, silent, unheard, doubled, clipped, .. } = counts;
    assert_eq!(counts.whole + lost + broken + silent + unheard + doubled + clipped, 6);
    for chain in &chains {
        let cable = chain.step(PathStep::Cable).unwrap() - length(4_096.0 - 2.0 * 512.0);
        assert!(cable.abs() <= Nanos(200), "{cable:?} beyond the cable: {chain:?}");
        let steps: Nanos = PathStep::ALL[1..5].iter().filter_map(|step| chain.step(*step)).sum();
        assert_eq!(Some(steps), chain.step(PathStep::Total));
        assert!(chain.stamp <= chain.read && chain.read <= chain.handed);
    }
}

#[test]
fn a_card_without_a_cable_has_no_figure_and_says_what_to_do() {
    let card = ToneName { card: CardName::Virtual(None), ..ToneName::default() };
    let test = TapToSoundTest { card, ..looped(4_096) };
    assert!(test.available().is_ok());
    let found = found(&test);
    assert!(found.series.iter().all(|series| series.quantity == Quantity::TapToSound));
    assert!(found.series.is_empty());
    assert!(found.notes.iter().any(|note| note.contains("no figure: ")), "{:?}", found.notes);
}

#[test]
fn a_recording_tells_how_far_each_sound_is_from_its_tap() {
    let mut channels = [vec![0.0f32; 480_000], vec![0.01f32; 480_000]];
    for n in 0..15 {
        let (tap, sound) = (24_000 + n * 30_000, 24_000 + n * 30_000 + 700 + n);
        channels[0][tap..tap + 40].fill(-0.3);
        channels[1][sound..sound + 40].fill(0.3);
    }
    let found = distances(&channels[0], &channels[1], RATE_HZ, None).unwrap();
    assert_eq!((found.taps, found.sounds, found.unanswered), (15, 15, 0));
    for (n, frames) in found.frames.iter().enumerate() {
        assert!((frames - (700 + n) as f64).abs() < 1e-3, "{frames}");
    }
    let silent = distances(&channels[0], &vec![0.0; 480_000], RATE_HZ, None).unwrap_err();
    assert_eq!(silent, Undistanced::Silent(2));
    let same = distances(&channels[0], &channels[0], RATE_HZ, None).unwrap();
    assert_eq!(same.frames, [0.0; 15]);
    channels[1][100_000..100_040].fill(0.3);
    channels[1][190_000..190_040].fill(0.3);
    let noisy = distances(&channels[0], &channels[1], RATE_HZ, None).unwrap_err();
    assert_eq!(noisy, Undistanced::Unanswered { unanswered: 2, taps: 15, sounds: 17 });
}

#[test]
fn a_shape_tells_both_latencies() {
    let shape = CardShape {
        rate_hz: RATE_HZ,
        period_frames: 256,
        playback_latency_frames: 512,
        capture_latency_frames: 256,
        ..CardShape::default()
    };
    assert_eq!(Latencies::of(&shape), latencies());
}
