//! Trials that sound on the virtual card: what the data say of each sound, and what is
//! refused. Nothing here asserts how punctual a trial was.

use chronotap_core::time::Nanos;
use chronotap_data::record::TrialType;
use chronotap_testkit_cli::program::{ANY_LATENESS, Workspace, names_in, start, wait_until};
use chronotap_testkit_linux::terminal::terminal;
use flate2::read::GzDecoder;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chronotap");

const TRIAL: &str = "[pacing.m]\ninterval = \"100 ms\"\nbeats = 8\nstart = \"200 ms\"\n\
     tone = { channel = 10, duration = \"20 ms\" }\n[[when]]\ntime = \"1.2 s\"\nend = true\n";

#[test]
fn each_sound_has_its_frame_and_its_time_at_the_converter() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL);
    place.file("kit.toml", "[channel.10]\nsound = \"click\"\n");
    let port = "tone:virtual?period=64&sounds=kit.toml";
    let said = place.run(&format!("run t.toml --in wire --out {port} {ANY_LATENESS}"));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("at the converter 3.17 ms late,"), "{}", said.out);
    let recording = place.recording("t");
    let beats = recording.rows.iter().filter(|row| row.trial_type == TrialType::Pacing);
    let beats: Vec<_> = beats.collect();
    assert_eq!(beats.len(), 8);
    for pair in beats.windows(2) {
        // A frame is 20.833 us: what the frames say and what the times say must agree.
        let frames = pair[1].frame.unwrap() - pair[0].frame.unwrap();
        let apart = (pair[1].onset - pair[0].onset).0;
        assert!((frames as i64 * 1_000_000_000 / 48_000 - apart).abs() <= 20_834, "{frames}");
    }
    let audio = recording.header.ports.iter().find_map(|bound| bound.audio.clone()).unwrap();
    assert_eq!((audio.period_frames, audio.rate_hz, audio.latency_ns), (64, 48_000, 3_166_666));
    assert!(audio.card.unwrap().contains("virtual"));
    assert!(audio.sounds.unwrap().contains("click"));
    place.replays("t");
}

#[test]
fn a_byte_for_another_recorder_waits_until_its_tone_is_at_the_converter() {
    let place = Workspace::of(PROGRAM);
    let codes = "[output.sound]\n[output.eeg]\n[codes]\noutput = \"eeg\"\npacing.m = 7\n\
                 with_tones_of = \"sound\"\n";
    place.file("t.toml", format!("{codes}{TRIAL}"));
    let (_far, path) = terminal();
    let outputs = format!("--out sound=tone:virtual?period=64 --out eeg=serial:{}", path.display());
    let said = place.run(&format!("run t.toml --in wire {outputs} {ANY_LATENESS}"));
    assert_eq!(said.code, Some(0), "{said:?}");
    let recording = place.recording("t");
    let deadlines = |of: TrialType| -> Vec<Nanos> {
        let rows = recording.rows.iter().filter(|row| row.trial_type == of);
        rows.filter_map(|row| row.deadline).collect()
    };
    let (beats, codes) = (deadlines(TrialType::Pacing), deadlines(TrialType::Code));
    assert_eq!((beats.len(), codes.len()), (8, 8));
    let waited = beats.iter().zip(&codes).map(|(beat, code)| *code - *beat);
    assert!(waited.into_iter().all(|waited| waited == Nanos(3_166_666)), "{codes:?}");
    place.replays("t");
}

const ALIGNED: &str = "align_outputs = true\n[output.sound]\n[output.box]\n[output.eeg]\n\
     [codes]\noutput = \"eeg\"\npacing.m = 7\n";

/// The trial, its beats at the card and at the box.
fn at_both(top: &str) -> String {
    format!("{top}{TRIAL}").replace("[pacing.m]\n", "[pacing.m]\noutput = [\"sound\", \"box\"]\n")
}

#[test]
fn outputs_that_are_aligned_wait_for_the_sound_card_to_the_nanosecond() {
    let place = Workspace::of(PROGRAM);
    place.file(
        "t.toml",
        at_both(ALIGNED).replace("[output.box]", "[output.box]\nlatency = \"0.7 ms\""),
    );
    let outputs = "--out sound=tone:virtual?period=64 --out box=wire --out eeg=wire";
    let said = place.run(&format!("run t.toml --in wire {outputs} {ANY_LATENESS}"));
    assert_eq!(said.code, Some(0), "{said:?}");
    let recording = place.recording("t");
    let deadlines = |of: TrialType| -> Vec<i64> {
        let rows = recording.rows.iter().filter(|row| row.trial_type == of);
        rows.filter_map(|row| Some(row.deadline?.0)).collect()
    };
    // 8 beats from 200 ms on, every 100 ms. The card takes 3,166,666 ns, what is behind the box 700 us.
    let later =
        |by: i64| (0..8).map(|beat| 200_000_000 + beat * 100_000_000 + by).collect::<Vec<_>>();
    assert_eq!(deadlines(TrialType::Pacing), later(0));
    assert_eq!(deadlines(TrialType::Copy), later(2_466_666));
    assert_eq!(deadlines(TrialType::Code), later(3_166_666));
    let outputs = recording.header.ports.iter().filter(|port| port.direction == "out");
    let waits: Vec<_> = outputs.map(|port| (port.name.as_str(), port.waits_ns)).collect();
    assert_eq!(waits, [("sound", Some(0)), ("box", Some(2_466_666)), ("eeg", Some(3_166_666))]);
    place.replays("t");
}

#[test]
fn an_output_of_unknown_latency_is_not_taken_for_one_without() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", at_both(ALIGNED));
    let (_far, path) = terminal();
    let run = |r#box: &str| {
        let outputs =
            format!("--out sound=tone:virtual?period=64 --out eeg=wire --out box={}", r#box);
        place.run(&format!("run t.toml --in wire {outputs} {ANY_LATENESS}"))
    };
    let said = run(&format!("raw:{}", path.display()));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("t.toml:1: output `box`: raw:/"), "{}", said.err);
    assert!(
        said.err.contains("write latency = \"0 ms\", or what you measured, in [output.box]"),
        "{}",
        said.err
    );
    assert!(!place.path("data").exists());
    assert_eq!(run("wire").code, Some(0));
}

#[test]
fn a_simulated_trial_aligns_by_what_its_file_states() {
    let place = Workspace::of(PROGRAM);
    let stated = ALIGNED.replace("[output.sound]", "[output.sound]\nlatency = \"5.25 ms\"");
    place.file("t.toml", at_both(&stated));
    let said = place.run("simulate t.toml --data data --seed 1");
    assert_eq!(said.code, Some(0), "{said:?}");
    let recording = place.recording("t");
    let of = |kind: TrialType| recording.rows.iter().find(|row| row.trial_type == kind).unwrap();
    let deadline = |kind| of(kind).deadline.unwrap().0;
    assert_eq!(deadline(TrialType::Pacing), 200_000_000);
    assert_eq!((deadline(TrialType::Copy), deadline(TrialType::Code)), (205_250_000, 205_250_000));
    place.replays("t");
}

#[test]
fn a_code_on_a_channel_of_the_card_has_the_frame_of_its_tone() {
    let place = Workspace::of(PROGRAM);
    let codes = "[output.sound]\n[output.eeg]\n[codes]\noutput = \"eeg\"\npacing.m = 200\n";
    place.file("t.toml", format!("{codes}{TRIAL}"));
    let card = "tone:virtual?period=64&codes=3-10";
    let ports = format!("--in wire --out sound={card} --out eeg={card}");
    let said = place.run(&format!("run t.toml {ports} {ANY_LATENESS}"));
    assert_eq!(said.code, Some(0), "{said:?}");
    let recording = place.recording("t");
    let frames = |of: TrialType| -> Vec<u64> {
        let rows = recording.rows.iter().filter(|row| row.trial_type == of);
        rows.filter_map(|row| row.frame).collect()
    };
    assert_eq!(frames(TrialType::Pacing), frames(TrialType::Code));
    assert_eq!(frames(TrialType::Code).len(), 8);
    place.replays("t");
    let narrow = "tone:virtual?codes=3-9"; // 200 needs eight
    let ports = format!("--in wire --out sound={narrow} --out eeg={narrow}");
    let said = place.run(&format!("run t.toml {ports}"));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("the code 200 of pacing.m has more bits"), "{}", said.err);
}

/// The rows of a compressed table, below its header.
fn rows_of(path: &std::path::Path) -> Vec<Vec<i64>> {
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("card\tframe\tframes\tdue_ns\tbegan_ns\tended_ns"));
    lines.map(|line| line.split('\t').map(|cell| cell.parse().unwrap()).collect()).collect()
}

#[test]
fn every_callback_is_kept_with_its_frame_its_beginning_and_its_end() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL);
    let said =
        place.run(&format!("run t.toml --in wire --out tone:virtual?period=64 {ANY_LATENESS}"));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("  sound card           load mean "), "{}", said.out);
    assert!(said.out.contains("data/t_run-01_callbacks.tsv.gz\n"), "{}", said.out);
    let rows = rows_of(&place.path("data/t_run-01_callbacks.tsv.gz"));
    let json = std::fs::read_to_string(place.path("data/t_run-01_callbacks.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let about = &json["Chronotap"]["cards"][0];
    assert_eq!((&about["callbacks"], &about["lost"]), (&rows.len().into(), &0.into()));
    assert_eq!(
        (&about["period_frames"], &json["Chronotap"]["complete"]),
        (&64.into(), &true.into())
    );
    // From before the trial's start, time 0, to after its end, without a gap but for xruns.
    assert!(rows[0][3] < 0 && rows.last().unwrap()[3] >= 1_200_000_000);
    let trial: Vec<_> = rows.iter().filter(|row| row[3] >= 0).collect();
    let gaps = trial.windows(2).filter(|two| two[1][1] != two[0][1] + 64).count();
    assert!(gaps as u64 <= about["xruns"].as_u64().unwrap(), "{gaps} gaps, {about}");
    let exact = |row: &&Vec<i64>| (row[1] - rows[0][1]) * 1_000_000_000 / 48_000 + rows[0][3];
    assert!(trial.iter().all(|row| (exact(row) - row[3]).abs() <= 1 && row[0] == 1));
    assert!(rows.iter().all(|row| row[3] <= row[4] && row[4] <= row[5]));
    let summary = &place.recording("t").footer.summary["sound_cards"][0];
    assert_eq!(summary["callbacks"], trial.len());
    // The card goes on for a while after the end.
    assert!(summary["xruns"].as_u64().unwrap() <= about["xruns"].as_u64().unwrap());
    // The first sound's frame, as the events file has it, lies in one of the periods.
    let first = place.recording("t").rows.iter().find_map(|row| row.frame).unwrap() as i64;
    assert!(trial.iter().any(|row| (row[1]..row[1] + 64).contains(&first)) || gaps > 0);
}

#[test]
fn a_trial_that_was_killed_leaves_the_callbacks_up_to_then() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL.replace("1.2 s", "600 s"));
    let ports = "run t.toml --in wire --out tone:virtual --quiet";
    let running = start(place.chronotap(ports.split(' ')));
    let log = place.path("data/t_run-01.callbacks");
    wait_until("callbacks are on the disk", || {
        std::fs::metadata(&log).is_ok_and(|log| log.len() > 4_000)
    });
    running.signal(Signal::KILL);
    assert_eq!(running.wait().signal, Some(9));
    let said = place.run("recover data/t_run-01.journal");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("t_run-01_callbacks.tsv.gz"), "{}", said.out);
    let names = names_in(&place.path("data"));
    let ends = ["callbacks.json", "callbacks.tsv.gz", "events.json", "events.tsv"];
    assert_eq!(names, ends.map(|end| format!("t_run-01_{end}")));
    assert!(rows_of(&place.path("data/t_run-01_callbacks.tsv.gz")).len() > 80);
    let json = std::fs::read_to_string(place.path("data/t_run-01_callbacks.json")).unwrap();
    assert!(json.contains("\"complete\": false"), "{json}");
}

#[test]
fn what_a_card_or_a_sound_cannot_do_is_refused_before_anything_starts() {
    let place = Workspace::of(PROGRAM);
    place.file("t.toml", TRIAL);
    for (ports, why) in [
        ("--in tone:virtual --out wire", "tone:virtual is an output"),
        ("--in wire --out tone:virtual?period=4", "8 to 8192"),
        ("--in wire --out tone:virtual?priod=64", "period=FRAMES"),
        ("--in wire --out tone:virtaul", "known: virtual"),
        ("--in wire --out tone:virtual?sounds=none.toml", "none.toml: cannot read it"),
        ("--in wire --out tone:alsa:hw:97,0", "there is no such device"),
    ] {
        let said = place.run(&format!("run t.toml {ports}"));
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains(why), "{}", said.err);
        assert!(!place.path("data").exists());
    }
}

#[test]
fn a_measured_level_becomes_a_calibration_that_a_file_of_sounds_understands() {
    let place = Workspace::of(PROGRAM);
    let said = place.run("level --level=-20 --measured 74.5");
    assert_eq!(
        (said.code, said.out.as_str()),
        (Some(0), "[calibration]\nfull_scale = \"94.5 dB SPL\"\n")
    );
    place.file("s.toml", said.out + "[channel.10]\nlevel = \"70 dB SPL\"\nsound = \"click\"\n");
    place.file("t.toml", TRIAL);
    let said = place.run("render t.toml -o t.wav --sounds s.toml");
    assert_eq!(said.code, Some(0), "{said:?}");
    let mut wav = hound::WavReader::open(place.path("t.wav")).unwrap();
    let peak = wav.samples::<f32>().map(|s| s.unwrap().abs()).fold(0.0, f32::max);
    // The trial's notes have velocity 100 of 127: 40 log10 of it.
    let level = 20.0 * peak.log10() - 40.0 * (100.0_f32 / 127.0).log10();
    assert!((level - (70.0 - 94.5)).abs() < 0.05, "{level} dB");
    let left = place.run("level --ear left --measured 80");
    assert_eq!(left.out, "[calibration]\nleft = \"100.0 dB SPL\"\n");
    assert!(left.err.contains("`right = …`"), "{left:?}");
}

#[test]
fn a_steady_sound_ends_by_itself_and_by_ctrl_c() {
    let place = Workspace::of(PROGRAM);
    let said = place.run("level --out tone:virtual --ear left --seconds 1");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.starts_with("1000 Hz at -20 dB full scale in the left ear, 1 s, on virtual"));
    assert!(said.out.contains("chronotap level --level=-20 --ear left --measured SPL"));
    let mut command = place.chronotap(["level", "--out", "tone:virtual", "--seconds=3600"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "Ctrl-C ends it."));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    for (args, why) in [
        ("level --out wire", "it is no sound card"),
        ("level --out tone:virtual --level=3", "-120 to 0 dB full scale"),
        ("level --measured 300", "20 to 180"),
        ("level --out tone:virtual?sounds=s.toml", "leave out sounds="),
    ] {
        let said = place.run(args);
        assert!(said.code == Some(2) && said.err.contains(why), "{said:?}");
    }
}

#[test]
fn music_sounds_beat_by_beat_on_the_card_and_its_beats_have_their_frames() {
    let place = Workspace::of(PROGRAM);
    let mut wav = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0".to_vec();
    wav.extend_from_slice(&[0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0]); // 8 kHz, 8 bits
    wav.extend_from_slice(b"data");
    wav.extend_from_slice(&8_000_u32.to_le_bytes());
    wav.extend((0..8_000).map(|i| if i % 16 < 8 { 100 } else { 156 }));
    place.file("song.wav", wav);
    place.file("song.tsv", "0.2\n0.4\n0.7\n");
    place.file(
        "t.toml",
        "[pacing.m]\naudio = \"song.wav\"\nbeats_from = \"song.tsv\"\nstart = \"200 ms\"\n\
         [[when]]\ntime = \"1.2 s\"\nend = true\n",
    );
    let said =
        place.run(&format!("run t.toml --in wire --out tone:virtual?period=64 {ANY_LATENESS}"));
    assert_eq!(said.code, Some(0), "{said:?}");
    let recording = place.recording("t");
    let rows = recording.rows.iter().filter(|row| row.trial_type == TrialType::Pacing);
    let rows: Vec<_> = rows.collect();
    let numbers: Vec<_> = rows.iter().map(|row| row.number).collect();
    assert_eq!(numbers, [None, Some(1), Some(2), Some(3)]);
    let deadlines: Vec<i64> = rows.iter().map(|row| row.deadline.unwrap().0).collect();
    assert_eq!(deadlines, [200, 400, 600, 900].map(|ms| ms * 1_000_000));
    assert!(rows.iter().all(|row| row.frame.is_some()), "each has the frame at which it sounds");
    place.replays("t");
}
