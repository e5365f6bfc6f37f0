//! Taps that are heard on a virtual sound card: a performer's presses sound as a sensor sees them, and
//! the trial gets what the detector finds.

use chronotap_analysis::observed::OnsetSource;
use chronotap_audio::SoundFile;
use chronotap_audio::sensor::{Listening, TAP_SHAPES, sensor_named};
use chronotap_audio::wav::head_without_lengths;
use chronotap_config::trial_files::TrialFile;
use chronotap_config::trial_files::performers::Script;
use chronotap_core::time::Nanos;
use chronotap_data::record::{
    Entry, Footer, Header, HeardAgain, LiveTaps, Names, Recording, RunnerMode, TrialText,
    TrialType, difference, hear_again, kept_sound_of, matching_rule, read_events, rows, summarize,
    write_events, write_events_heard,
};
use chronotap_engine::action::ActionKind;
use chronotap_engine::signal::SoundKept;
use chronotap_simulate::{
    KeepData, Tapper, TrialRun, VirtualEar, VirtualRig, VirtualTrials, Wired, Wires, prove, replay,
};
use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

/// When the taps of the script begin, in ms; the second is much softer than the others.
const PRESSES_MS: [i64; 4] = [1_000, 1_503, 1_997, 2_741];
/// A period of 256 frames at 48 kHz.
const PERIOD: Nanos = Nanos(5_333_334);

fn wired(name: &str, port: &str, ear: Option<VirtualEar>) -> Wired {
    Wired {
        name: name.into(),
        port: port.into(),
        looped: false,
        throttled: false,
        ear,
        felt: false,
    }
}

fn ear(word: &str) -> VirtualEar {
    let taps = TAP_SHAPES.iter().find(|shape| shape.word == word).unwrap();
    let listening = Listening::to(sensor_named(taps.sensor).unwrap(), 0.03);
    let (channel, looped, kept) = (1, None, SoundKept::Nothing);
    VirtualEar { channel, looped, kept, listening, taps, rate_hz: 48_000, period_frames: 256 }
}

fn trial(delay: &str) -> TrialFile {
    let text = format!(
        "[feedback.tone]\ndelay = \"{delay}\"\nduration = \"50 ms\"\n\
         [[when]]\ntime = \"4 s\"\nend = true\n"
    );
    TrialFile::parse(&text, "trial.toml").unwrap()
}

/// The wires of the trial's input and output, at which this ear hears.
fn wires(file: &TrialFile, ear: VirtualEar) -> Wires {
    Wires {
        inputs: vec![wired(&file.trial.inputs[0].name, "ear:virtual", Some(ear))],
        outputs: vec![wired(&file.trial.outputs[0], "wire:unthrottled", None)],
    }
}

/// Who taps at these times, in seconds, each with its velocity.
fn tapper(file: &TrialFile, presses: impl Iterator<Item = (f64, u8)>) -> Tapper {
    let mut table = "onset\tduration\tnote\tvelocity\n".to_owned();
    presses.for_each(|(s, velocity)| table += &format!("{s:.6}\t0.05\t60\t{velocity}\n"));
    let script = Script::parse(&table, "taps", &[file.trial.inputs[0].name.clone()]).unwrap();
    Tapper::Scripted(script, "taps.tsv".into())
}

/// Every event of the trial, whose taps are the script's.
fn heard(file: &TrialFile, taps: &str) -> Vec<Entry> {
    let mut rig = VirtualRig::new(&wires(file, ear(taps)), Nanos::from_secs(10)).unwrap();
    let presses = PRESSES_MS.iter().zip([100, 25, 100, 127]);
    let tapper = tapper(file, presses.map(|(ms, velocity)| (*ms as f64 / 1e3, velocity)));
    rig.run((file, 1, &tapper), None).unwrap().entries
}

/// When the taps of a trial begin whose sound is kept: some 500 ms apart, between frames.
fn onsets() -> Vec<f64> {
    (1..=40).map(|n| f64::from(n) * 0.497_013 + f64::from(n * n % 7) * 0.011_307).collect()
}

/// A trial whose sound is kept in this folder, read back.
fn kept(dir: &Path, taps: &str, kept: SoundKept) -> Recording {
    let text = "[pacing.metronome]\ninterval = \"500 ms\"\n\
                [feedback.tone]\ndelay = \"20 ms\"\n[[when]]\ntime = \"21 s\"\nend = true\n";
    let file = TrialFile::parse(text, "trial.toml").unwrap();
    let wires = wires(&file, VirtualEar { kept, ..ear(taps) });
    let mut trials = VirtualTrials::new(&wires, Nanos::from_secs(60), Arc::default()).unwrap();
    let velocities = [100, 40, 127, 25, 80].into_iter().cycle();
    let tapper = tapper(&file, onsets().into_iter().zip(velocities));
    let keep = KeepData::Files(dir, "heard");
    let run = TrialRun { file: &file, seed: 1, tapper: &tapper, limit: None, keep, sinks: &[] };
    let finished = trials.run(&run).unwrap();
    read_events(&finished.saved.unwrap().unwrap().tsv).unwrap()
}

/// Mean and standard deviation of how late these are, in ms.
fn lateness(found: &[Nanos]) -> [f64; 2] {
    let late = |(at, due): (&Nanos, f64)| at.as_millis_f64() - due * 1e3;
    let late: Vec<f64> = found.iter().zip(onsets()).map(late).collect();
    let mean = late.iter().sum::<f64>() / late.len() as f64;
    let squares: f64 = late.iter().map(|late| (late - mean).powi(2)).sum();
    [mean, (squares / (late.len() - 1) as f64).sqrt()]
}

fn taps(recording: &Recording) -> impl Iterator<Item = &chronotap_data::record::Row> {
    recording.rows.iter().filter(|row| row.trial_type == TrialType::Tap)
}

fn of(entries: &[Entry], wanted: impl Fn(&ActionKind) -> bool) -> Vec<&Entry> {
    entries.iter().filter(|entry| wanted(&entry.action.kind)).collect()
}

#[test]
fn each_tap_is_stamped_by_its_onset_and_feedback_follows_by_its_delay_to_the_nanosecond() {
    // In us; of a slow rise the table in docs/sound-card-taps.md says -0.37 ms on average, SD 0.29 ms.
    for (taps, error) in [("click", 50), ("ring", 50), ("force", 1_000), ("thump", 500)] {
        let entries = heard(&trial("20 ms"), taps);
        let presses = of(&entries, |kind| matches!(kind, ActionKind::Tap(_)));
        let tones = of(&entries, |kind| matches!(kind, ActionKind::Feedback(_)));
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
    let tones = of(&entries, |kind| matches!(kind, ActionKind::Feedback(_)));
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
        mode: RunnerMode::VirtualTime,
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

#[test]
fn the_onset_by_the_kept_sound_is_the_generators_and_the_live_one_decided_feedback() {
    // A flank of 4 ms that begins as a sine, and one of 8 ms that begins as a raised cosine: of that the
    // mean is told late by a sixth of the rise.
    for (shape, most) in
        [("click", 0.2), ("ring", 0.2), ("force", 0.2), ("thump", 0.2), ("soft", 1.5)]
    {
        let dir = tempfile::tempdir().unwrap();
        let recording = kept(dir.path(), shape, SoundKept::Taps);
        let live: Vec<Nanos> = taps(&recording).map(|tap| tap.achieved.unwrap()).collect();
        let refined: Vec<Nanos> = taps(&recording).filter_map(|tap| tap.refined).collect();
        assert_eq!((live.len(), refined.len()), (onsets().len(), onsets().len()), "{shape}");
        assert!(taps(&recording).all(|tap| tap.onset_source == Some(OnsetSource::Refined)));
        let ([mean, sd], [_, live_sd]) = (lateness(&refined), lateness(&live));
        assert!(mean.abs() <= most && sd <= 0.5, "{shape}: {mean} {sd}");
        assert!(sd <= live_sd + 0.001, "{shape}: {sd} {live_sd}");
        let feedback = recording.rows.iter().filter(|row| row.trial_type == TrialType::Feedback);
        let due = live.iter().map(|at| *at + Nanos::from_millis(20));
        assert!(feedback.map(|row| row.deadline.unwrap()).eq(due), "{shape}");
    }
}

#[test]
fn statistics_take_the_refined_onset_and_a_replay_the_live_one() {
    let dir = tempfile::tempdir().unwrap();
    let recording = kept(dir.path(), "force", SoundKept::All);
    let file = recording.trial_file().unwrap();
    let observed = recording.observed(&file).unwrap();
    let taken = observed.taps[0].taps.iter().map(|tap| tap.onset);
    assert!(taken.eq(taps(&recording).map(|tap| tap.refined.unwrap())));
    let beats = |tap: &chronotap_data::record::Row| {
        let (_, beat, asynchrony) = tap.fate.as_ref()?.matched()?;
        let beat = observed.pacing[0].beats.iter().find(|one| one.number == beat)?.at;
        Some((tap.refined?, beat + asynchrony))
    };
    let matched: Vec<_> = taps(&recording).filter_map(beats).collect();
    assert!(matched.len() > 30 && matched.iter().all(|(refined, by)| refined == by));
    assert!(taps(&recording).any(|tap| tap.refined != tap.achieved));
    let proof = prove(&recording).unwrap();
    assert!(proof.holds(), "{:?}", proof.faults());
}

/// How many frames of 48 kHz each tap comes before its beat, of 31, half a second apart from 1 s on.
fn early() -> impl Iterator<Item = i64> {
    (1..=31).map(|n| 960 + n * 37 % 480)
}

/// A trial whose output is looped to the card on which its taps are heard, read back.
fn looped(dir: &Path) -> Recording {
    let at = |(beat, early): (i64, i64)| ((beat + 1) * 24_000 - early) as f64 / 48e3;
    paced(dir, Some(2), (1..).zip(early()).map(at))
}

/// A trial with a metronome, beats half a second apart from 1 s on, and taps that are heard at these times in seconds.
fn paced(dir: &Path, looped: Option<u8>, taps: impl Iterator<Item = f64>) -> Recording {
    let text = "[pacing.metronome]\ninterval = \"500 ms\"\n\
                [[when]]\ntime = \"16.2 s\"\nend = true\n";
    let file = TrialFile::parse(text, "trial.toml").unwrap();
    let kept = SoundKept::Taps;
    let wires = wires(&file, VirtualEar { kept, looped, ..ear("ring") });
    let mut trials = VirtualTrials::new(&wires, Nanos::from_secs(60), Arc::default()).unwrap();
    let mut table = "onset\tduration\tnote\tvelocity\n".to_owned();
    taps.for_each(|s| table += &format!("{s:.9}\t0.05\t60\t100\n"));
    let script = Script::parse(&table, "taps", &[file.trial.inputs[0].name.clone()]).unwrap();
    let tapper = Tapper::Scripted(script, "taps.tsv".into());
    let run = TrialRun { keep: KeepData::Files(dir, "heard"), ..TrialRun::unkept(&file, &tapper) };
    read_events(&trials.run(&run).unwrap().saved.unwrap().unwrap().tsv).unwrap()
}

/// The asynchronies of the matched taps, in frames of 48 kHz.
fn in_frames<'r>(rows: impl Iterator<Item = &'r chronotap_data::record::Row>) -> Vec<f64> {
    let asynchrony =
        |row: &chronotap_data::record::Row| row.fate.as_ref()?.matched().map(|of| of.2);
    rows.filter_map(asynchrony).map(|by| by.0 as f64 * 48e3 / 1e9).collect()
}

#[test]
fn where_the_output_is_looped_asynchronies_are_frames_of_one_clock_and_the_verdict_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let recording = looped(dir.path());
    let found = in_frames(taps(&recording));
    assert_eq!(found.len(), 31);
    for (frames, early) in found.iter().zip(early()) {
        assert!((frames + early as f64).abs() <= 1.0, "{frames} {early}");
    }
    assert_eq!(recording.footer.summary["one_clock"], true);
    let beats = recording.rows.iter().filter(|row| row.trial_type == TrialType::Pacing);
    assert!(beats.clone().all(|beat| beat.onset_source == Some(OnsetSource::Refined)));
    let proof = prove(&recording).unwrap();
    assert!(proof.holds(), "{:?}", proof.faults());
    assert_eq!(again(dir.path(), &recording), HeardAgain::of_rows(&recording.rows), "the same");
    // The times of all periods but the first and last are off by up to 1.5 ms: frames are what counts.
    for (input, by) in [("input", 1e-3), ("input loop", -1e-3)] {
        wander(&kept_sound_of((dir.path(), "heard"), input).with_extension("tsv"), by);
    }
    let heard = again(dir.path(), &recording);
    let (entries, header) = (recording.entries().unwrap(), (&recording.header, &heard));
    let footer = Footer::default();
    let saved = write_events_heard(dir.path(), "again", header, &entries, &footer, false).unwrap();
    let wandered = in_frames(taps(&read_events(&saved.tsv).unwrap()));
    assert_eq!(wandered.len(), 31);
    for (frames, early) in wandered.iter().zip(early()) {
        assert!((frames + early as f64).abs() <= 1.0, "{frames} {early}");
    }
}

/// Moves the times in the table beside kept sound, but for the first and the last.
fn wander(path: &Path, step: f64) {
    let table = fs::read_to_string(path).unwrap();
    let count = table.lines().count();
    let moved = |(n, line): (usize, &str)| {
        let (before, onset) = line.rsplit_once('\t').unwrap();
        let inside = (2..count - 1).contains(&n);
        let by = if inside { ((n % 4) as f64 - 1.5) * step } else { 0.0 };
        match onset.parse::<f64>() {
            Ok(s) => format!("{before}\t{:.6}\n", s + by),
            Err(_) => format!("{line}\n"),
        }
    };
    let all: String = table.lines().enumerate().map(moved).collect();
    fs::write(path, all).unwrap();
}

#[test]
fn a_loop_that_brings_back_not_every_beat_is_a_doubt_and_no_clock_is_claimed() {
    let dir = tempfile::tempdir().unwrap();
    let recording = looped(dir.path());
    let path = kept_sound_of((dir.path(), "heard"), "input loop");
    // Of each beat 50 ms are kept: the second stretch is that of the second beat.
    altered(&path, |samples| samples[2_400..4_800].fill(0.0));
    let said = |heard: HeardAgain| {
        let file = recording.trial_file().unwrap();
        let seen = chronotap_data::record::Circumstances { heard, ..Default::default() };
        let entries = recording.entries().unwrap();
        summarize(&file.title, &file.trial, &entries, &seen)
    };
    let summary = said(again(dir.path(), &recording));
    assert_eq!(summary.one_clock, Some(false));
    let doubts = summary.data.doubts.join("; ");
    assert!(doubts.contains("1 of 31 beats did not come back"), "{doubts}");
    fs::remove_file(path).unwrap();
    let summary = said(again(dir.path(), &recording));
    let doubts = summary.data.doubts.join("; ");
    assert!(doubts.contains("none of the 31 beats came back"), "{doubts}");
    assert!(summary.to_string().contains("Clock: not one of taps and beats"));
}

/// A trial in which two hands tap by turns on two inputs that keep their sound, and the right one's sensor
/// feels so many of the left one's taps 0.7 ms later, with this velocity; read back.
fn by_turns(dir: &Path, felt: usize, velocity: u8) -> Recording {
    let text = "[input.left]\n[input.right]\n[[when]]\ntime = \"21 s\"\nend = true\n";
    let file = TrialFile::parse(text, "trial.toml").unwrap();
    let names = ["left", "right"];
    let kept = VirtualEar { kept: SoundKept::Taps, ..ear("ring") };
    let inputs = names.map(|name| wired(name, "ear:virtual", Some(kept))).to_vec();
    let outputs = vec![wired(&file.trial.outputs[0], "wire:unthrottled", None)];
    let at = |n: u32, after: f64| f64::from(n) * 0.5 + after;
    let left = (1..=40).map(|n| (at(n, 0.0), 110, "left"));
    let own = (1..=40).map(|n| (at(n, 0.25), 110, "right"));
    let through = (1..=40).map(|n| (at(n, 0.000_7), velocity, "right")).take(felt);
    let mut presses: Vec<_> = left.chain(own).chain(through).collect();
    presses.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut table = "onset\tduration\tnote\tvelocity\tinput\n".to_owned();
    presses.iter().for_each(|(s, v, input)| table += &format!("{s:.6}\t0.02\t60\t{v}\t{input}\n"));
    let script = Script::parse(&table, "taps", &names.map(str::to_owned)).unwrap();
    let tapper = Tapper::Scripted(script, "taps.tsv".into());
    let wires = Wires { inputs, outputs };
    let mut trials = VirtualTrials::new(&wires, Nanos::from_secs(60), Arc::default()).unwrap();
    let keep = KeepData::Files(dir, "turns");
    let finished = trials.run(&TrialRun { keep, ..TrialRun::unkept(&file, &tapper) }).unwrap();
    read_events(&finished.saved.unwrap().unwrap().tsv).unwrap()
}

#[test]
fn hard_taps_that_another_sensor_hears_weaker_are_a_doubt() {
    let doubts = |felt, velocity| {
        let dir = tempfile::tempdir().unwrap();
        let recording = by_turns(dir.path(), felt, velocity);
        assert_eq!(taps(&recording).count(), 80 + felt);
        assert!(taps(&recording).all(|tap| tap.sound_peak_ppm.is_some()));
        let proof = prove(&recording).unwrap();
        assert!(proof.holds(), "{:?}", proof.faults());
        recording.footer.summary["data"]["doubts"].to_string()
    };
    let heard = "12 taps of input \\\"right\\\" came 0.7 ms after one of input \\\"left\\\"";
    let told = doubts(12, 25);
    assert!(told.contains(heard), "{told}");
    for (felt, velocity) in [(0, 25), (9, 25), (12, 100)] {
        let told = doubts(felt, velocity);
        assert!(!told.contains("0.7 ms after"), "{felt} {velocity}: {told}");
    }
}

#[test]
fn tones_of_the_metronome_that_the_sensor_hears_are_a_doubt() {
    let doubts = |heard: u32| {
        let dir = tempfile::tempdir().unwrap();
        let late = |beat: u32| if beat <= heard { 3.2 } else { f64::from(beat * 7 % 41) - 55.0 };
        let recording = paced(
            dir.path(),
            None,
            (1..=30).map(|beat| f64::from(beat + 1) * 0.5 + late(beat) / 1e3),
        );
        recording.footer.summary["data"]["doubts"].to_string()
    };
    let told = doubts(12);
    assert!(told.contains("12 taps of input \\\"input\\\" came "), "{told}");
    assert!(told.contains("ms after a beat of \\\"metronome\\\""), "{told}");
    assert!(!doubts(9).contains("after a beat of") && !doubts(0).contains("after a beat of"));
}

/// Puts other samples into a trial's sound: as a WAV file, which is told from FLAC by its first bytes.
fn altered(path: &Path, alter: impl Fn(&mut [f32])) {
    let mut samples = Vec::new();
    let sound = SoundFile::open(BufReader::new(fs::File::open(path).unwrap())).unwrap();
    let rate_hz = sound.form().rate_hz;
    let mut taken = |frames: &[[f32; 2]]| {
        samples.extend(frames.iter().map(|[sample, _]| *sample));
        Ok(())
    };
    sound.each(&mut taken).unwrap();
    alter(&mut samples);
    let mut bytes = head_without_lengths(rate_hz, 24);
    let of = |sample: &f32| ((sample * 8_388_607.0) as i32).to_le_bytes();
    bytes.extend(samples.iter().flat_map(|sample| of(sample)[..3].to_vec()));
    fs::write(path, bytes).unwrap();
}

/// What the sound of a trial says, after it was altered.
fn again(dir: &Path, recording: &Recording) -> HeardAgain {
    let live = LiveTaps::of(recording.entries().unwrap().iter());
    hear_again(&recording.header, (dir, "heard"), &live).unwrap()
}

#[test]
fn a_tap_that_only_one_of_trial_and_sound_has_is_told_and_no_replay_takes_it() {
    let dir = tempfile::tempdir().unwrap();
    let recording = kept(dir.path(), "ring", SoundKept::All);
    assert_eq!(again(dir.path(), &recording), HeardAgain::of_rows(&recording.rows), "the same");
    let sound = kept_sound_of((dir.path(), "heard"), &recording.header.names.inputs[0]);
    let first = (onsets()[0] * 48e3) as usize;
    altered(&sound, |samples| {
        samples[first - 480..first + 4_800].fill(0.0);
        TAP_SHAPES[1].add(samples, 3.25 * 48e3 + 0.4, 0.5, 48_000);
    });
    let heard = again(dir.path(), &recording);
    let events: Vec<u64> = taps(&recording).map(|tap| tap.event_id).collect();
    let missing = heard.tap(events[0]);
    assert_eq!(missing, Some((OnsetSource::Unconfirmed, None)));
    let [later] = heard.later() else { panic!("{heard:?}") };
    assert!((later.at - Nanos::from_micros(3_250_008)).abs() < Nanos::from_micros(30), "{later:?}");
    let entries = recording.entries().unwrap();
    let file = recording.trial_file().unwrap();
    let answers = chronotap_data::record::answers(&file);
    let seen = chronotap_data::record::Circumstances {
        heard: heard.clone(),
        limit: file.limit,
        answers,
        ..Default::default()
    };
    let summary = summarize(&file.title, &file.trial, &entries, &seen);
    assert_eq!(summary.data.doubts.len(), 2, "{:?}", summary.data);
    let footer = Footer { summary: serde_json::to_value(&summary).unwrap(), ..Footer::default() };
    let header = (&recording.header, &heard);
    let saved = write_events_heard(dir.path(), "again", header, &entries, &footer, false).unwrap();
    let read = read_events(&saved.tsv).unwrap();
    assert_eq!(read.rows.len(), recording.rows.len() + 1);
    assert_eq!(HeardAgain::of_rows(&read.rows), heard);
    assert_eq!(taps(&read).count(), onsets().len(), "it is no tap of the trial");
    let proof = prove(&read).unwrap();
    assert!(proof.holds(), "{:?}", proof.faults());
}

#[test]
fn where_the_sound_is_gone_or_has_a_gap_the_live_onset_stays() {
    let dir = tempfile::tempdir().unwrap();
    let recording = kept(dir.path(), "ring", SoundKept::Taps);
    let sound = kept_sound_of((dir.path(), "heard"), &recording.header.names.inputs[0]);
    // The first line of the table: its stretch now begins with the second tap.
    let table = fs::read_to_string(sound.with_extension("tsv")).unwrap();
    let without: Vec<&str> =
        table.lines().enumerate().filter(|(n, _)| *n != 1).map(|(_, l)| l).collect();
    fs::write(sound.with_extension("tsv"), without.join("\n")).unwrap();
    let sources =
        |heard: &HeardAgain| heard.taps().map(|(_, source, _)| source).collect::<Vec<_>>();
    let found = sources(&again(dir.path(), &recording));
    assert_eq!(found[0], OnsetSource::Live);
    assert!(found[1..].iter().all(|source| *source == OnsetSource::Refined), "{found:?}");
    fs::remove_file(sound).unwrap();
    let found = sources(&again(dir.path(), &recording));
    assert!(found.iter().all(|source| *source == OnsetSource::Live), "{found:?}");
}
