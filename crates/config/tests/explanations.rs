//! What is told about a trial before it runs, and the reference of all keys.

use chronotap_config::trial_files::{Explanation, TrialFile, explain, explain_with, reference};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn example(name: &str) -> Explanation {
    let path = root().join(format!("examples/{name}.toml"));
    explain(&TrialFile::read(&path).unwrap_or_else(|problems| panic!("{problems}")))
}

fn explained(text: &str) -> Explanation {
    explain(&TrialFile::parse(text, "t.toml").unwrap_or_else(|problems| panic!("{problems}")))
}

/// Milliseconds and condition of every moment of the timeline.
fn moments(explanation: &Explanation) -> Vec<(Option<i64>, &str)> {
    let ms = |ns: i64| ns / 1_000_000;
    explanation.timeline.iter().map(|m| (m.at_ns.map(ms), m.when.as_str())).collect()
}

fn value<'a>(explanation: &'a Explanation, path: &str) -> (&'a str, Option<usize>) {
    let found = explanation.parameters.iter().find(|parameter| parameter.path == path);
    found.map_or_else(|| panic!("no {path}"), |p| (p.value.as_str(), p.line))
}

const PACING: &str = "[pacing.p]\ninterval = \"500 ms\"\n";

#[test]
fn beats_are_dated_before_the_trial_runs() {
    let told = example("synchronization_continuation");
    let expected = [
        (Some(1_000), "metronome begins"),
        (Some(11_000), "beat 21 of metronome"),
        (Some(26_000), "beat 51 of metronome"),
    ];
    assert_eq!(moments(&told), expected);
    assert_eq!(told.timeline[1].then, ["set pacing.metronome.audible = false"]);
    assert_eq!(told.end, "at 26 s");
    assert!(told.warnings.is_empty());
}

#[test]
fn shifts_and_tempo_steps_move_the_beats_that_are_dated() {
    // 69 intervals of 500 ms; from beat 45 eight of 506.25, 512.5, ... 550 and 17 of 550 ms,
    // which is 225 + 850 ms more; and a phase shift of 50 ms.
    let told = example("phase_shift");
    assert_eq!(told.end, "at 36.625 s");
    let expected = [
        (Some(1_000), "metronome begins"),
        (Some(8_050), "beat 15 of metronome"),
        (Some(15_520), "beat 30 of metronome"),
        (Some(23_050), "beat 45 of metronome"),
        (Some(36_625), "beat 70 of metronome"),
    ];
    assert_eq!(moments(&told), expected);
    assert_eq!(told.timeline[3].then, ["interval to 550 ms over 8 beats"]);
}

#[test]
fn what_taps_decide_is_not_dated() {
    let told = example("loop");
    assert_eq!(moments(&told), [(Some(1_000), "time 1 s"), (None, "tap 5001")]);
    assert_eq!(told.end, "with tap 5001");
    let told = example("adaptive_partner");
    assert!(told.timeline[1].about, "an adaptive stream is dated only about");
    assert!(told.end.starts_with("about 41 s"));
    let told = explained(&format!(
        "{PACING}[[when]]\nany = [{{ tap = 9 }}, {{ time = \"9 s\" }}]\nend = true"
    ));
    assert_eq!(told.end, "at 9 s at the latest; before that with tap 9 or time 9 s");
}

#[test]
fn a_stream_after_another_begins_where_the_other_would_go_on() {
    let told = explained(
        "[pacing.lead]\ninterval = \"500 ms\"\nbeats = 4\n\
         [pacing.p]\ninterval = \"1 s\"\nstart = { after = \"lead\", delay = \"100 ms\" }\n\
         [pacing.q]\ninterval = \"1 s\"\nstart = \"first tap\"\n",
    );
    let expected = [
        (Some(1_000), "lead begins"),
        (Some(2_500), "beat 4 of lead"),
        (Some(3_100), "p begins"),
        (None, "tap 1 of input"),
    ];
    assert_eq!(moments(&told), expected);
}

#[test]
fn jitter_without_a_seed_is_dated_only_about() {
    let trial =
        format!("{PACING}jitter = {{ normal = \"20 ms\" }}\n[[when]]\nbeat = 5\nend = true");
    assert!(explained(&trial).timeline[1].about);
    assert!(!explained(&format!("seed = 3\n{trial}")).timeline[1].about);
}

#[test]
fn a_trial_that_nothing_ends_is_warned_about() {
    let told = explained(PACING);
    assert_eq!(told.warnings, ["line 2: nothing ends this trial; it runs until it is interrupted"]);
    assert_eq!(told.end, "when it is interrupted");
    assert!(explained("[input.i]\nwhen_closed = \"end\"\n[feedback.f]").warnings.is_empty());
}

#[test]
fn an_end_that_waits_for_a_stream_that_a_tap_begins_says_so() {
    let tapped = "[pacing.p]\ninterval = \"500 ms\"\nstart = { tap = 1 }\n";
    let beat = "[[when]]\nbeat = 10\nend = true\n";
    let told = explained(&format!("{tapped}{beat}"));
    assert_eq!(told.end, "with beat 10 of p (p begins with tap 1 of input)");
    let time = "[[when]]\ntime = \"60 s\"\nend = true\n";
    let told = explained(&format!("{tapped}{beat}{time}"));
    let before = "before that with beat 10 of p (p begins with tap 1 of input)";
    assert_eq!(told.end, format!("at 60 s at the latest; {before}"));
    let started = "[pacing.p]\ninterval = \"500 ms\"\nstart = \"trigger\"\n\
                   [[when]]\ntap = 3\nstart.pacing = \"p\"\n";
    if let Ok(file) = TrialFile::parse(&format!("{started}{beat}"), "t.toml") {
        assert_eq!(explain(&file).end, "with beat 10 of p");
    }
}

#[test]
fn an_end_at_the_last_beat_leaves_no_question_and_a_change_behind_it_is_doubted() {
    let ten = "[pacing.p]\ninterval = \"500 ms\"\nbeats = 10\n";
    let end = "[[when]]\nbeat = 10\nend = true\n";
    let told = explained(&format!("{ten}{end}"));
    assert_eq!(moments(&told), [(Some(1_000), "p begins"), (Some(5_500), "beat 10 of p")]);
    assert!(told.warnings.is_empty(), "{:?}", told.warnings);
    let change = "[[pacing.p.change]]\nat = 10\nonset_shift = \"20 ms\"\n";
    let told = explained(&format!("{ten}{change}{end}"));
    let late = "line 4: the change at beat 10 of p never comes: the trial ends at 5.52 s first";
    assert_eq!(told.warnings, [late]);
}

#[test]
fn with_a_seed_what_is_drawn_is_told_where_it_falls() {
    let text = "[pacing.p]\ninterval = \"500 ms\"\n[[pacing.p.change]]\nevery = { from = 3, to = 6 }\n\
                phase_shift = \"50 ms\"\n[feedback.f]\n[[feedback.f.perturb]]\nchance = 0.2\nmute = true\n\
                [[when]]\nbeat = 40\nend = true\n";
    let file = TrialFile::parse(text, "t.toml").unwrap();
    let without = explain(&file);
    assert_eq!(without.timeline.len(), 2, "{:?}", without.timeline);
    let told = explain_with(&file, Some(7));
    let shifts: Vec<_> =
        told.timeline.iter().filter(|m| m.then == ["phase shift of 50 ms"]).collect();
    assert!((6..=13).contains(&shifts.len()), "{:?}", told.timeline);
    // The k-th shift is itself late by all up to it.
    for (k, moment) in (1..).zip(&shifts) {
        let beat: i64 = moment.when.split(' ').nth(1).unwrap().parse().unwrap();
        assert_eq!(moment.at_ns, Some((1_000 + (beat - 1) * 500 + k * 50) * 1_000_000));
        assert!(!moment.about);
    }
    assert!(told.taps[0].contains("of the taps it hears, perturbed are "), "{:?}", told.taps);
}

#[test]
fn a_beat_that_a_change_leaves_out_is_told_at_its_time() {
    let text = format!(
        "{PACING}[[pacing.p.change]]\nat = 4\nmute = true\n[[when]]\nbeat = 9\nend = true\n"
    );
    let told = explained(&text);
    let left_out = told.timeline.iter().find(|moment| moment.then == ["no tone"]).unwrap();
    assert_eq!((left_out.at_ns, left_out.when.as_str()), (Some(2_500_000_000), "beat 4 of p"));
    assert!(told.warnings.is_empty(), "{:?}", told.warnings);
}

#[test]
fn perturbations_that_meet_are_pointed_out() {
    let two = |one: &str, other: &str| {
        explained(&format!(
            "[feedback.f]\n[[feedback.f.perturb]]\n{one}\ndelay = \"50 ms\"\n[[feedback.f.perturb]]\n{other}\n\
             mute = true\n[[when]]\ntap = 50\nend = true\n"
        ))
        .warnings
    };
    let then = "only the first of the file acts there";
    let said = |place: &str| vec![format!("feedback f: perturbations 1 and 2 {place}; {then}")];
    assert_eq!(two("at = [3, 9]", "at = [5, 9]"), said("both fall on tap 9"));
    assert_eq!(two("every = 4", "every = 6"), said("may fall on the same tap"));
    assert!(two("every = 4", "every = 6\napart = 2").is_empty());
    assert!(two("at = 3", "at = 5").is_empty());
}

#[test]
fn rules_that_can_never_act_are_warned_about() {
    let late = "[[when]]\ntime = \"5 s\"\nend = true\n[[when]]\nname = \"late\"\nbeat = 100\nmark = \"x\"\n";
    let told = explained(&format!("{PACING}{late}"));
    let expected = "line 6: rule late (beat 100 of p) never acts: the trial ends at 5 s first";
    assert_eq!(told.warnings, [expected]);
    let steered = "[[when]]\ntap = 1\nset.pacing.p.interval = \"10 ms\"\n";
    assert!(explained(&format!("{PACING}{late}{steered}")).warnings.is_empty());
}

#[test]
fn doubtful_but_possible_trials_are_warned_about() {
    let end = "[[when]]\ntap = 1\nend = true\n";
    let warned = |text: &str| explained(&format!("{text}\n{end}")).warnings.join("\n");
    assert!(warned("[pacing.p]\ninterval = \"20 ms\"\n").contains("ends where the next begins"));
    assert!(warned("[output.a]\n[output.b]\n[feedback.f]").contains("nothing goes to output b"));
    assert!(
        warned("[feedback.f]\n[[when]]\ntap = 3\nrepeat = true\nmark = \"x\"")
            .contains("acts once")
    );
    assert!(warned("[feedback.f]\nsounding = false").contains("feedback f never sounds"));
    assert!(warned("[masking.m]\nsounding = false").contains("masking m never sounds"));
    assert!(warned("[pacing.p]\ninterval = \"1 s\"\naccent = { note = 80 }").contains("no step"));
    let ramp = "[feedback.f]\n[[when]]\ntap = 1\nset.feedback.f.delay = { fraction = 1 }\n\
                [[when]]\ntap = 2\nramp.feedback.f.delay = { to = \"9 ms\", over = \"1 s\" }";
    assert!(warned(ramp).contains("acts only while delay is a constant time"));
}

#[test]
fn what_a_tap_does_is_told_for_each_channel() {
    let told = example("split_keyboard");
    assert_eq!(told.taps.len(), 2);
    let right = "right: a tap from C4 to C8 sounds its own pitch, as loud as played, \
                 after 0 s to 250 ms at random, as long as the key is held, on channel 2";
    assert_eq!(told.taps[1], right);
}

#[test]
fn every_parameter_is_listed_with_its_origin() {
    let told = example("delayed_feedback");
    assert_eq!(value(&told, "pacing.metronome.tempo"), ("100 bpm", Some(4)));
    assert_eq!(value(&told, "pacing.metronome.interval"), ("600 ms", Some(4)));
    assert_eq!(value(&told, "pacing.metronome.start"), ("1 s", None));
    assert_eq!(value(&told, "pacing.metronome.tone.note"), ("76 (E5)", None));
    assert_eq!(value(&told, "feedback.tone.pitch"), ("{ fixed = 72 }", Some(7)));
    assert_eq!(value(&told, "input.input.debounce"), ("0 s", None));
}

#[test]
fn the_page_fits_eighty_columns() {
    for entry in std::fs::read_dir(root().join("examples")).expect("examples") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            let file = TrialFile::read(&path).unwrap_or_else(|problems| panic!("{problems}"));
            let page = explain(&file).render();
            for line in page.lines() {
                assert!(line.chars().count() <= 80, "{}: {line}", path.display());
            }
        }
    }
}

#[test]
fn endless_trials_are_explained_without_end() {
    let text = "[pacing.p]\ninterval = \"1 ms\"\n[pacing.q]\ninterval = \"1 ms\"\nbeats = 1000000000\n\
                [pacing.r]\ninterval = \"1 s\"\nstart = { after = \"q\" }\n[masking.m]\nrate = \"1000 per s\"\n";
    let told = explained(text);
    assert_eq!(told.timeline.len(), 5);
}

#[test]
fn the_reference_in_the_manual_is_as_kept() {
    let text = format!("{}\n", reference().trim_end());
    let manual = root().join("docs/trial-reference.md");
    chronotap_kept::assert_block(manual, "prints this list.\n\n```text\n", &text, "```\n");
    for line in reference().lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn the_trial_in_the_manual_is_valid() {
    let manual = std::fs::read_to_string(root().join("docs/trial-files.md")).expect("the manual");
    let toml = manual.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let file = TrialFile::parse(toml.expect("a trial"), "manual.toml");
    assert!(file.is_ok());
}

const TWO_HANDS: &str = "[input.left]\n[input.right]\n[pacing.three]\ninterval = \"400 ms\"\n\
                         ANSWER[pacing.two]\ninterval = \"600 ms\"\n";

#[test]
fn a_stream_says_which_input_answers_it() {
    let right = TWO_HANDS.replace("ANSWER", "answered_by = \"right\"\n");
    let file = TrialFile::parse(&right, "t.toml").unwrap();
    assert_eq!(file.answers.pairs, [(1, 0), (0, 1), (1, 1)]);
    let told = explain(&file);
    let expected = "right answers three (answered_by); \
                    left and right answer two (guessed: no answered_by says which)";
    assert_eq!(told.measured, expected);
    assert!(told.render().contains("measured     right answers three"), "{}", told.render());
    let both = TWO_HANDS.replace("ANSWER", "answered_by = [\"right\", \"left\"]\n");
    assert_eq!(TrialFile::parse(&both, "t.toml").unwrap().answers.pairs.len(), 4);
    let none = TWO_HANDS.replace("ANSWER", "answered_by = \"none\"\n");
    assert_eq!(TrialFile::parse(&none, "t.toml").unwrap().answers.pairs, [(0, 1), (1, 1)]);
}

#[test]
fn an_input_that_is_not_there_answers_nothing() {
    let wrong = TWO_HANDS.replace("ANSWER", "answered_by = \"rigth\"\n");
    let problems = TrialFile::parse(&wrong, "t.toml").unwrap_err().to_string();
    assert!(problems.contains("t.toml:5") && problems.contains("\"right\""), "{problems}");
}

#[test]
fn who_answers_what_is_guessed_from_names_feedback_and_adaptation() {
    let measured = |text: &str| explained(text).measured;
    let hands = "[input.left]\n[input.right]\n[pacing.left]\ninterval = \"400 ms\"\n\
                 [pacing.two]\ninterval = \"600 ms\"\n";
    let guessed = format!("{hands}[feedback.two]\nfrom = {{ input = \"right\" }}\n");
    let expected = "left answers left (guessed: the same name); \
                    right answers two (guessed: the feedback of the stream's name hears it)";
    assert_eq!(measured(&guessed), expected);
    let adaptive = format!("{hands}adapt = {{ to = \"right\" }}\n");
    assert!(measured(&adaptive).ends_with("right answers two (guessed: the stream adapts to it)"));
    assert_eq!(measured(PACING), "", "one input and one stream: nothing to decide");
}

#[test]
fn changes_that_are_drawn_are_told_with_what_they_may_be() {
    let told = explained(
        "[pacing.p]\ninterval = \"500 ms\"\n[[pacing.p.change]]\nat = 9\nmute = true\n\
         onset_shift = { shuffled = [\"-50 ms\", \"50 ms\"] }\n[[when]]\nbeat = 20\nend = true\n",
    );
    let ninth =
        told.timeline.iter().find(|moment| moment.when == "beat 9 of p").expect("it is told");
    assert_eq!(ninth.then, ["no tone, onset shift of 2 sizes in shuffled order"]);
    assert!(ninth.about, "which of the sizes comes first is not known");
}

#[test]
fn a_single_tone_has_no_interval() {
    let told = explained("[pacing.go]\ninterval = \"400 ms\"\nbeats = 1\n");
    assert_eq!(told.timeline[0].then[0], "beat 1 of go, the only one");
    let more = "[pacing.go]\ninterval = \"400 ms\"\nbeats = 1\n\
                [[when]]\ntap = 1\nset.pacing.go.beats = 5\n";
    assert_eq!(explained(more).timeline[0].then[0], "beat 1 of go, then every 400 ms, 1 beat");
}

#[test]
fn streams_that_cut_each_others_tones_short_are_pointed_out_with_the_cure() {
    let two = |more: &str| {
        let text = format!(
            "[pacing.three]\ninterval = \"400 ms\"\nbeats = 9\n\
             [pacing.two]\ninterval = \"600 ms\"\nbeats = 6\n{more}[[when]]\ntime = \"5 s\"\nend = true\n"
        );
        let mut warnings = explained(&text).warnings;
        warnings.retain(|warning| warning.contains("cuts the tone"));
        warnings
    };
    let doubts = two("");
    let [doubt] = &doubts[..] else { panic!("{doubts:?}") };
    assert!(doubt.starts_with("pacing three and two share note"), "{doubt}");
    assert!(doubt.contains("beat 1 of two at") && doubt.contains("note = "), "{doubt}");
    assert!(two("tone = { note = 72 }\n").is_empty(), "another note");
    assert!(two("tone = { channel = 2 }\n").is_empty(), "another channel");
    assert!(two("start = { after = \"three\", delay = \"1 s\" }\n").is_empty(), "one by one");
}
