//! Trials that sound on the virtual card: what the data say of each sound, and what is
//! refused. Nothing here asserts how punctual a trial was.

#![allow(clippy::unwrap_used)] // a test that cannot be set up has failed

mod program;

use chronotap_record::TrialType;
use program::{ANY_LATENESS, Place};

const TRIAL: &str = "[pacing.m]\ninterval = \"100 ms\"\nbeats = 8\nstart = \"200 ms\"\n\
     tone = { channel = 10, duration = \"20 ms\" }\n[[when]]\ntime = \"1.2 s\"\nend = true\n";

#[test]
fn each_sound_has_its_frame_and_its_time_at_the_converter() {
    let place = Place::new();
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
fn what_a_card_or_a_sound_cannot_do_is_refused_before_anything_starts() {
    let place = Place::new();
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
