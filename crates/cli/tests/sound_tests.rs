//! `chronotap timing dsp`, `fragments` and `roundtrip` from outside: that every figure is
//! explained, that a loop's delay is found, and that there is none where there is no
//! loop. Nothing here asserts how good this machine is.

#![allow(clippy::unwrap_used)] // a test that cannot be set up has failed

mod program;

use chronotap_timing::{Results, term};
use program::{Place, Said};
use std::fs::read_to_string;

fn results(place: &Place, test: &str) -> Results {
    let path = place.path(&format!("timing/here_{test}_run-01.json"));
    Results::parse(&read_to_string(path).unwrap()).unwrap()
}

fn run(place: &Place, test: &str, args: &str) -> Said {
    place.run(&format!("timing {test} --quick --seconds 1 --label here {args}"))
}

#[test]
fn what_cannot_be_done_is_refused_before_anything_starts() {
    let place = Place::new();
    for (args, wanted) in [
        ("timing dsp --plugins ligt", "there are light, heavy, cpu, cache"),
        ("timing dsp --plugins lv2:urn:none", "urn:none"),
        ("timing dsp --periods 4", "a period is 8 to 8192 frames, not 4"),
        ("timing dsp --tracks 4000", "one on each core, not 4000"),
        ("timing fragments --bytes 255", "4 for each frame, not 255"),
        ("timing fragments --cpu 95", "0 to 90 % can be computed, not 95 %"),
        ("timing roundtrip --card jak", "jak"),
        ("timing roundtrip --card virtual --join self", "only a JACK server joins"),
        ("timing roundtrip --join loop", "card, self"),
        ("timing roundtrip --wav missing.wav", "--wav missing.wav"),
        ("timing roundtrip --calibration missing.json", "--calibration missing.json"),
    ] {
        let said = place.run(args);
        assert_eq!(said.code, Some(2), "{args}: {said:?}");
        assert!(said.err.contains(wanted), "{args}: {}", said.err);
    }
}

#[test]
fn every_figure_in_the_results_is_explained_under_notation() {
    let place = Place::new();
    let tests = [
        ("dsp", "--periods 512 --tracks 1 --plugins cpu"),
        ("fragments", "--cpu 10"),
        ("roundtrip", "--card virtual:loop:4096:0.5 --periods 1024"),
    ];
    for (test, args) in tests {
        let said = run(&place, test, args);
        assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
        assert!(said.out.lines().all(|line| line.chars().count() <= 80), "{}", said.out);
        let found = results(&place, test);
        let figures = found.tests[0].series.iter().flat_map(|series| series.figures.keys());
        for name in figures {
            assert!(term(name).is_some(), "{test}: {name} is not explained");
        }
    }
}

#[test]
fn tones_that_were_recorded_tell_their_delay() {
    let place = Place::new();
    let said = place.run("timing roundtrip --tones tones.wav");
    assert_eq!(said.code, Some(0), "{said:?}");
    let again = place.run("timing roundtrip --tones tones.wav");
    assert_eq!(again.code, Some(2), "an existing file is not replaced: {again:?}");
    recorded(&place, 777);
    let said = place.run("timing roundtrip --wav back.wav");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains("channel 2: 777.000 frames, 16.1875 ms"), "{}", said.out);
    assert!(said.out.contains("channel 2 after channel 1: 777.000 frames"), "{}", said.out);
}

/// Two channels of 16 bits: the tones, and the tones so many frames later.
fn recorded(place: &Place, delay: usize) {
    let tones = hound::WavReader::open(place.path("tones.wav")).unwrap();
    let tones: Vec<f32> = tones.into_samples().map(Result::unwrap).collect();
    let spec = hound::WavSpec {
        channels: 2,
        sample_rate: 48_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut back = hound::WavWriter::create(place.path("back.wav"), spec).unwrap();
    for n in 0..tones.len() {
        let late = n.checked_sub(delay).map_or(0.0, |sent| tones[sent]);
        for sample in [tones[n], late] {
            back.write_sample((sample * 20_000.0) as i16).unwrap();
        }
    }
    back.finalize().unwrap();
}

#[test]
fn a_loop_that_is_not_there_is_no_figure_and_a_failed_check() {
    let place = Place::new();
    let said = run(&place, "roundtrip", "--card virtual --periods 512");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.out.contains("no round trip: the level is too low"), "{}", said.out);
    assert!(results(&place, "roundtrip").tests[0].series.is_empty());
}
