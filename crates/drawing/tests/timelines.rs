//! The timeline of a trial: each thing lies where its time is, every kind of rule is told, and texts keep apart.

use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::record::{Circumstances, Entry, observed};
use chronotap_drawing::{WIDE, timeline};
use chronotap_simulate::{MemoryPort, virtual_time};
use chronotap_trial::Ports;

/// A metronome at 500 ms from 1 s on, with these further lines.
fn trial(more: &str) -> TrialFile {
    let text = format!(
        "title = \"A & B\"\n[pacing.metronome]\ninterval = \"500 ms\"\ntone = {{ note = 76, duration = \"30 ms\" }}\n{more}"
    );
    TrialFile::parse(&text, "t.toml").unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// Nobody taps.
fn entries(file: &TrialFile, until_s: i64) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut ports = Ports::new(1, 1);
    ports.add(Box::new(MemoryPort::new()), &[0], &[0]).unwrap();
    virtual_time::run(file.engine(1), ports, Nanos::from_secs(until_s), &mut |it| entries.push(it));
    entries
}

fn drawn(file: &TrialFile, until_s: i64) -> String {
    drawn_in(WIDE, file, until_s)
}

fn drawn_in(width: f64, file: &TrialFile, until_s: i64) -> String {
    let entries = entries(file, until_s);
    let seen = observed(&file.trial, &entries, &Circumstances::default());
    timeline(file, &entries, &seen, "Nobody taps.", width)
}

/// The places of all beats that sound, from left to right.
fn beats(svg: &str) -> Vec<f64> {
    let discs = svg.split("<circle class='mark' cx='").skip(1);
    discs.map(|rest| rest.split('\'').next().unwrap().parse().unwrap()).collect()
}

/// All texts with their places: x, y, how they are anchored.
fn texts(svg: &str) -> Vec<(f64, f64, String, String)> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    let number = |node: roxmltree::Node<'_, '_>, name: &str| -> f64 {
        node.attribute(name).unwrap().parse().unwrap()
    };
    texts
        .map(|node| {
            let anchor = node.attribute("text-anchor").unwrap_or("start").to_owned();
            (number(node, "x"), number(node, "y"), anchor, node.text().unwrap_or("").to_owned())
        })
        .collect()
}

#[test]
fn beats_lie_at_their_times() {
    let svg = drawn(&trial("[[when]]\nbeat = 9\nend = true\n"), 60);
    // A row of 5 s from 132 to 944; beats at 1 s, 1.5 s, …; the ninth ends the trial and does not sound.
    let expected = (0..8).map(|beat| 132.0 + (1.0 + 0.5 * f64::from(beat)) / 5.0 * 812.0);
    // The last disc is that of the key.
    let found = beats(&svg);
    assert_eq!(found.len(), 9, "{svg}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 0.06, "{found} is not {expected}");
    }
}

#[test]
fn every_kind_of_rule_is_drawn_and_told() {
    let rules = "[feedback.tone]\npitch = { fixed = \"E4\" }\nduration = \"100 ms\"\n\
        [[when]]\ntime = \"2 s\"\nmark = \"here\"\n\
        [[when]]\nbeat = 5\nset.pacing.metronome.audible = false\n\
        [[when]]\nsilence = \"3.2 s\"\nplay = { note = \"C4\", duration = \"50 ms\" }\n\
        [[when]]\nbeat = 9\nramp.feedback.tone.delay = { to = \"200 ms\", over = \"1 s\" }\n\
        [[when]]\ntap = 40\nset.feedback.tone.delay = \"9 ms\"\n\
        [[when]]\nnote = \"C2\"\nset.feedback.tone.delay = \"8 ms\"\n\
        [[when]]\ntime = \"7 s\"\nend = true\n";
    let svg = drawn(&trial(rules), 60);
    let texts: Vec<String> = texts(&svg).into_iter().map(|(.., text)| text).collect();
    for told in [
        "1. At 2 s: mark \"here\"",
        "2. At 3 s, beat 5 of metronome: set pacing.metronome.audible = false",
        "3. At 3.2 s, no tap for 3.2 s: ",
        "4. At 5 s, beat 9 of metronome: ",
        "5. Not in this rehearsal, tap 40: ",
        "6. Not in this rehearsal, a tap on C2: ",
        "7. At 7 s: end the trial",
        "silent beat",
        "gradual change",
        "tones of rules",
        "7, end",
    ] {
        assert!(texts.iter().any(|text| text.starts_with(told)), "{told} is not in {texts:#?}");
    }
    assert!(svg.contains("<title>The timeline of A &amp; B</title><desc>The trial ends at 7 s."));
}

#[test]
fn no_text_lies_over_another_or_beyond_the_edge() {
    let mut rules = String::new();
    for beat in 2..30 {
        rules += &format!("[[when]]\nbeat = {beat}\nmark = \"number {beat}\"\n");
    }
    rules += "[[when]]\nbeat = 30\nend = true\n";
    for width in [WIDE, 720.0, 480.0, 300.0] {
        assert_apart(&texts(&drawn_in(width, &trial(&rules), 60)), width);
    }
}

fn assert_apart(texts: &[(f64, f64, String, String)], whole: f64) {
    let boxes = texts.iter().map(|(x, y, anchor, text)| {
        let width = text.chars().count() as f64 * 6.5;
        let from = match &anchor[..] {
            "middle" => x - width / 2.0,
            "end" => x - width,
            _ => *x,
        };
        (from, from + width, y - 10.0, y + 3.0, text)
    });
    let boxes: Vec<_> = boxes.collect();
    for (at, one) in boxes.iter().enumerate() {
        assert!(one.0 >= 0.0 && one.1 <= whole, "{one:?} in {whole}");
        for other in &boxes[..at] {
            let apart =
                one.1 <= other.0 || other.1 <= one.0 || one.3 <= other.2 || other.3 <= one.2;
            assert!(apart, "{one:?} lies over {other:?} in {whole}");
        }
    }
}

#[test]
fn of_a_long_trial_the_rows_are_drawn_in_which_a_rule_acts() {
    let rules =
        "[[when]]\ntime = \"5 min\"\nmark = \"half\"\n[[when]]\ntime = \"10 min\"\nend = true\n";
    let svg = drawn(&trial(rules), 3600);
    let left_out = svg.matches("nothing is drawn: no rule acts there").count();
    assert_eq!(left_out, 2, "{svg}");
    assert!(svg.contains("1. At 300 s: mark") && svg.len() < 60_000, "{}", svg.len());
}

#[test]
fn the_same_trial_gives_the_same_picture() {
    let file = trial("[[when]]\nbeat = 9\nend = true\n");
    assert_eq!(drawn(&file, 60), drawn(&file, 60));
}
