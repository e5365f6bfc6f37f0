//! Trial files as they are meant to be written: the examples, and every key.

use chronotap_config::trial_files::TrialFile;
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::{Exact, Nanos};
use chronotap_engine::trial::*;
use std::path::PathBuf;

const EXAMPLES: [&str; 10] = [
    "synchronization_continuation",
    "delayed_feedback",
    "isolated_perturbation",
    "split_keyboard",
    "altered_pitch",
    "polyrhythm",
    "phase_shift",
    "adaptive_partner",
    "masking",
    "loop",
];

fn example(name: &str) -> TrialFile {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/{name}.toml"));
    TrialFile::read(&path).unwrap_or_else(|problems| panic!("{problems}"))
}

fn parse(text: &str) -> TrialFile {
    TrialFile::parse(text, "t.toml").unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

/// A trial with one stream, one channel and one mask, and these lines after them.
fn with(lines: &str) -> TrialFile {
    parse(&format!(
        "[pacing.p]\ninterval = \"500 ms\"\nadapt = {{ phase = 0.1 }}\n[feedback.f]\n[masking.m]\n{lines}"
    ))
}

fn ms(n: i64) -> Nanos {
    Nanos::from_millis(n)
}

fn u7(n: u8) -> U7 {
    U7::new(n).expect("0 to 127")
}

fn constant(n: f64) -> Varying {
    Varying::constant(n)
}

#[test]
fn every_example_is_a_valid_trial() {
    for name in EXAMPLES {
        let file = example(name);
        assert!(!file.title.is_empty());
        assert_eq!(file.trial.inputs.len(), 1, "{name}");
        assert_eq!(file.limit, ms(1));
        assert!(file.warnings.is_empty(), "{name}: {:?}", file.warnings);
    }
}

#[test]
fn synchronization_and_continuation_is_what_its_text_says() {
    let trial = example("synchronization_continuation").trial;
    let pacing = &trial.pacing[0];
    assert_eq!(pacing.interval, Interval::Exact(Exact::whole(ms(500))));
    assert_eq!(pacing.start, Start::At(Nanos::from_secs(1)));
    assert_eq!(pacing.tone.channel, Channel::new(10).unwrap());
    assert_eq!(pacing.tone.velocity, constant(100.0));
    assert_eq!(pacing.tone.duration, ms(30));
    assert_eq!((pacing.beats, &pacing.pattern[..]), (None, &[PatternStep::Tone][..]));
    assert_eq!(trial.feedback[0].pitch, Pitch::Fixed(u7(64)));
    assert_eq!(trial.feedback[0].duration, Duration::Fixed(ms(100)));
    assert_eq!(trial.feedback[0].delay, Delay::Constant(constant(0.0)));
    assert_eq!(trial.rules[0].when, RuleCondition::Beat { stream: 0, number: 21 });
    assert_eq!(trial.rules[0].then, [Do::Pacing(0, SetPacing::Audible(false))]);
    assert_eq!(trial.rules[1].then, [Do::End]);
    assert_eq!(trial.rules[1].name, "when-2");
    assert_eq!((trial.inputs[0].name.as_str(), trial.outputs[0].as_str()), ("input", "output"));
}

#[test]
fn delayed_feedback_ramps_its_delay_in_nanoseconds() {
    let trial = example("delayed_feedback").trial;
    assert_eq!(trial.pacing[0].interval, Interval::Exact(Exact::whole(ms(600))));
    let ramp = Ramp {
        of: Number::FeedbackDelay(0),
        to: 70e6,
        interval: Exact::ZERO,
        over: Over::Time(Nanos::from_secs(20)),
        exponential: false,
    };
    assert_eq!(trial.rules[0].then, [Do::Ramp(ramp)]);
    assert_eq!(trial.rules[1].when, RuleCondition::Time(Nanos::from_secs(60)));
}

#[test]
fn isolated_perturbations_come_every_eight_to_twelve_taps() {
    let file = example("isolated_perturbation");
    assert_eq!(file.seed, Some(7));
    assert_eq!(file.trial.pacing[0].beats, Some(16));
    let perturb = &file.trial.feedback[0].perturb[0];
    assert_eq!(perturb.at, Occasions::Every { from: 8, to: 12, after: 20 });
    assert_eq!(perturb.delay, Some(Delay::Constant(constant(50e6))));
    assert_eq!(perturb.pitch, None);
}

#[test]
fn the_split_keyboard_filters_by_note() {
    let trial = example("split_keyboard").trial;
    assert_eq!(trial.feedback[0].from.notes, (u7(21), u7(59)));
    assert_eq!(trial.feedback[1].from.notes, (u7(60), u7(108)));
    let spread = Spread::Uniform { low: Nanos::ZERO, high: ms(250) };
    assert_eq!(trial.feedback[1].delay, Delay::Random(spread));
    assert_eq!(trial.feedback[1].channel, Channel::new(2));
    assert_eq!(
        trial.rules[0].when,
        RuleCondition::Silence { input: 0, length: Nanos::from_secs(5) }
    );
}

#[test]
fn altered_pitch_shifts_and_runs_through_a_sequence() {
    let trial = example("altered_pitch").trial;
    assert_eq!(trial.feedback[0].pitch, Pitch::Shift(1));
    let Pitch::Sequence(span) = trial.feedback[1].pitch else { panic!() };
    let notes: Vec<u8> = span.of(&trial.notes).iter().map(|n| n.get()).collect();
    assert_eq!(notes, [60, 62, 64, 65, 67, 65, 64, 62]);
    assert_eq!(trial.feedback[1].delay, Delay::Fraction(constant(0.5)));
    assert!(!trial.feedback[1].sounding);
    assert_eq!(trial.rules[0].when, RuleCondition::Note { input: None, note: u7(36) });
    let [
        Do::Feedback(0, SetFeedback::Sounding(false)),
        Do::Feedback(1, SetFeedback::Sounding(true)),
    ] = trial.rules[0].then[..]
    else {
        panic!("{:?}", trial.rules[0].then)
    };
}

#[test]
fn the_polyrhythm_waits_for_a_beat_of_the_stream_it_names() {
    let trial = example("polyrhythm").trial;
    assert_eq!(trial.rules[0].when, RuleCondition::Beat { stream: 1, number: 41 });
    assert_eq!(trial.pacing[1].tone.note, u7(60));
}

#[test]
fn changes_of_the_perturbed_pacing_stand_at_their_beats() {
    let changes = example("phase_shift").trial.pacing.remove(0).changes;
    assert_eq!(changes[0].at, Occasions::Listed(vec![15]));
    assert_eq!(
        (changes[0].phase_shift, changes[0].onset_shift),
        (Shift::Fixed(ms(50)), Shift::None)
    );
    assert_eq!(
        (changes[1].phase_shift, changes[1].onset_shift),
        (Shift::None, Shift::Fixed(ms(-30)))
    );
    assert_eq!((changes[2].interval, changes[2].over), (Some(Exact::whole(ms(550))), 8));
    assert_eq!((changes[0].interval, changes[0].over), (None, 1));
}

#[test]
fn the_adaptive_partner_follows_the_pad() {
    let trial = example("adaptive_partner").trial;
    let adapt = trial.pacing[0].adapt.unwrap();
    assert_eq!(
        (adapt.leaders, adapt.phase, adapt.period),
        (Leaders::one(0), constant(0.25), constant(0.0))
    );
    assert_eq!(adapt.at_most, ms(150));
    assert_eq!(trial.inputs[0].name, "pad");
    assert_eq!(trial.inputs[0].debounce, ms(80));
    assert_eq!(trial.feedback[0].from.input, Some(0));
}

#[test]
fn masking_has_its_pattern_rate_and_marker() {
    let trial = example("masking").trial;
    let steps: Vec<bool> =
        trial.pacing[0].pattern.iter().map(|s| *s == PatternStep::Tone).collect();
    assert_eq!(steps, [true, true, true, true, false, true, true, false]);
    let noise = &trial.masking[0];
    assert_eq!((noise.rate, noise.irregular, noise.sounding), (constant(20.0), false, false));
    assert_eq!(noise.velocity, Velocity::Random(u7(40), u7(70)));
    assert_eq!(trial.rules[0].then[2], Do::Mark(0));
    assert_eq!(trial.markers, ["delayed feedback begins"]);
}

#[test]
fn the_loop_plays_one_tone_and_ends_after_five_thousand_round_trips() {
    let trial = example("loop").trial;
    let Do::Play(0, tone) = trial.rules[0].then[0] else { panic!() };
    assert_eq!((tone.note, tone.duration), (u7(60), ms(1)));
    assert_eq!(trial.rules[1].when, RuleCondition::Tap { input: 0, number: 5001 });
}

#[test]
fn intervals_are_exact_fractions() {
    let interval = |line: &str| match parse(&format!("[pacing.p]\n{line}")).trial.pacing[0].interval
    {
        Interval::Exact(exact) => exact.as_ratio(),
        _ => panic!(),
    };
    assert_eq!(interval("interval = \"1600 ms / 3\""), (1_600_000_000, 3));
    assert_eq!(interval("tempo = \"140 bpm\""), (3_000_000_000, 7));
    assert_eq!(interval("tempo = \"123.45 bpm\""), (400_000_000_000, 823));
}

#[test]
fn everything_a_stream_may_have_is_read() {
    let trial = parse(
        r#"
        [output.left]
        [output.right]
        [pacing.lead]
        interval = "500 ms"
        beats = 4
        [pacing.p]
        tempo = "120 bpm"
        start = { after = "lead", delay = "250 ms" }
        audible = false
        pattern = "Xx.|x"
        accent = { velocity = 120, note = "C6" }
        notes = [60, ["C4", "E4"]]
        channels = [1, 2]
        output = "right"
        jitter = { normal = "20 ms", at_most = "60 ms", moves = "interval" }
        sinusoid = { amplitude = "30 ms", beats = 12 }
        [[pacing.p.change]]
        every = 8
        interval_step = "-10 ms"
        over = 4
        shape = "exponential"
        [[pacing.p.change]]
        chance = 0.1
        after = 4
        onset_shift = "20 ms"
        [pacing.listed]
        onsets = ["0 s", "600 ms", "1.1 s"]
        "#,
    )
    .trial;
    let p = &trial.pacing[1];
    assert_eq!(p.start, Start::After { stream: 0, delay: ms(250) });
    assert_eq!(
        p.pattern,
        [PatternStep::Accent, PatternStep::Tone, PatternStep::Rest, PatternStep::Tone]
    );
    assert_eq!((p.accent_velocity, p.accent_note), (constant(120.0), Some(u7(84))));
    assert_eq!(p.step_notes[1].of(&trial.notes), [u7(60), u7(64)]);
    assert_eq!((p.step_channels.len(), p.output, p.audible), (2, 1, false));
    let spread = Spread::Normal { mean: Nanos::ZERO, sd: ms(20), low: ms(-60), high: ms(60) };
    assert_eq!(p.jitter, Some(Jitter { spread, accumulates: true }));
    assert_eq!(p.sinusoid, Some(Sinusoid { amplitude: ms(30), beats: 12.0 }));
    assert_eq!(p.changes[0].at, Occasions::Every { from: 8, to: 8, after: 0 });
    assert_eq!((p.changes[0].interval_step, p.changes[0].over), (Shift::Fixed(ms(-10)), 4));
    assert!(p.changes[0].exponential);
    assert_eq!(p.changes[1].at, Occasions::Chance { probability: 0.1, after: 4 });
    let listed = &trial.pacing[2];
    assert_eq!(listed.onsets.unwrap().of(&trial.times), [Nanos::ZERO, ms(600), ms(1100)]);
    assert_eq!(listed.beats, Some(3));
}

#[test]
fn streams_start_at_taps_and_by_rules() {
    let start = |line: &str, rest: &str| {
        parse(&format!(
            "[input.l]\n[input.r]\n[pacing.p]\ninterval = \"1 s\"\nstart = {line}\n{rest}"
        ))
        .trial
        .pacing[0]
            .start
    };
    let tap = Start::Tap { input: 1, number: 3, delay: Delayed::By(ms(20)) };
    assert_eq!(start("{ tap.r = 3, delay = \"20 ms\" }", ""), tap);
    assert_eq!(start("\"when started\"", "[[when]]\nnote = 60\nstart = \"p\""), Start::Rule);
    let one = parse("[pacing.p]\ninterval = \"1 s\"\nstart = \"first tap\"").trial.pacing[0].start;
    assert_eq!(one, Start::Tap { input: 0, number: 1, delay: Delayed::By(Nanos::ZERO) });
}

#[test]
fn every_form_of_feedback_is_read() {
    let channel = |lines: &str| parse(&format!("[feedback.f]\n{lines}")).trial;
    let pitch = |form: &str| channel(&format!("pitch = {form}")).feedback[0].pitch;
    assert_eq!(pitch("{ transpose = -12 }"), Pitch::Transpose(constant(-12.0)));
    assert_eq!(pitch("{ mirror = \"D4\" }"), Pitch::Mirror(u7(62)));
    assert!(matches!(
        pitch("{ random = \"C4..C5\" }"),
        Pitch::Chosen(Choice::Random, Span { len: 13, .. })
    ));
    let trial = channel("pitch = { table = { C4 = \"D4\", 62 = 60 } }");
    assert_eq!(
        (trial.tables[0][60], trial.tables[0][62], trial.tables[0][64]),
        (u7(62), u7(60), u7(64))
    );
    let velocity = |form: &str| channel(&format!("velocity = {form}")).feedback[0].velocity;
    assert_eq!(velocity("{ scale = 0.5 }"), Velocity::Scale(constant(0.5)));
    assert_eq!(velocity("{ random = [1, 9] }"), Velocity::Random(u7(1), u7(9)));
    let delay = |form: &str| channel(&format!("delay = {form}")).feedback[0].delay;
    let normal = Spread::Normal { mean: ms(20), sd: ms(10), low: Nanos::ZERO, high: ms(50) };
    assert_eq!(delay("{ normal = { mean = \"20 ms\", sd = \"10 ms\" } }"), Delay::Random(normal));
    assert!(matches!(delay("{ list = [\"0 ms\", \"5 ms\"] }"), Delay::List(Span { len: 2, .. })));
    let f = &channel("channel = \"as played\"\nfrom = { channel = 3, velocities = \"1..63\" }")
        .feedback[0];
    assert_eq!((f.channel, f.from.channel), (None, Channel::new(3)));
    assert_eq!(f.from.velocities, (u7(1), u7(63)));
}

#[test]
fn several_conditions_together_must_all_hold() {
    let when =
        |lines: &str| with(&format!("[[when]]\n{lines}\nend = true")).trial.rules[0].when.clone();
    let tap = RuleCondition::Tap { input: 0, number: 20 };
    let time = RuleCondition::Time(Nanos::from_secs(10));
    assert_eq!(
        when("tap = 20\ntime = \"10 s\""),
        RuleCondition::All(vec![tap.clone(), time.clone()])
    );
    assert_eq!(
        when("any = [{ tap = 20 }, { time = \"10 s\" }]"),
        RuleCondition::Any(vec![tap.clone(), time.clone()])
    );
    assert_eq!(when("beat.p = 3"), RuleCondition::Beat { stream: 0, number: 3 });
    let both = RuleCondition::All(vec![tap, time]);
    assert_eq!(when("any = [{ tap = 20, time = \"10 s\" }]"), RuleCondition::Any(vec![both]));
}

#[test]
fn every_parameter_that_may_be_set_is_set() {
    let does = |line: &str| with(&format!("[[when]]\ntap = 1\n{line}")).trial.rules[0].then.clone();
    assert_eq!(
        does("set.pacing.p.tempo = \"120 bpm\""),
        [Do::Pacing(0, SetPacing::Interval(Exact::whole(ms(500))))]
    );
    assert_eq!(does("set.pacing.p.beats = \"endless\""), [Do::Pacing(0, SetPacing::Beats(None))]);
    assert_eq!(does("set.pacing.p.jitter = \"none\""), [Do::Pacing(0, SetPacing::Jitter(None))]);
    assert_eq!(
        does("set.pacing.p.tone = { note = 60, velocity = 20 }"),
        [
            Do::Pacing(0, SetPacing::Note(u7(60))),
            Do::Pacing(0, SetPacing::Velocity(constant(20.0)))
        ]
    );
    assert_eq!(
        does("set.pacing.p.adapt.phase = 0.5"),
        [Do::Pacing(0, SetPacing::AdaptPhase(constant(0.5)))]
    );
    assert_eq!(
        does("set.feedback.f.from.notes = \"C4..C5\""),
        [Do::Feedback(0, SetFeedback::Notes(u7(60), u7(72)))]
    );
    assert_eq!(
        does("set.feedback.f.channel = 4"),
        [Do::Feedback(0, SetFeedback::Channel(Channel::new(4)))]
    );
    assert_eq!(
        does("set.masking.m.rate = \"5 per s\""),
        [Do::Masking(0, SetMasking::Rate(constant(5.0)))]
    );
    assert_eq!(
        does("set.input.input.debounce = \"9 ms\"\n[input.input]"),
        [Do::Debounce(0, ms(9))]
    );
    assert_eq!(
        does("stop = [\"p\"]\nend = true\nmark = \"x\""),
        [Do::StopStream(0), Do::Mark(0), Do::End]
    );
}

#[test]
fn every_number_that_may_be_ramped_is_ramped() {
    let ramp = |line: &str| match with(&format!("[[when]]\ntap = 1\n{line}")).trial.rules[0].then[..]
    {
        [.., Do::Ramp(ramp)] => (ramp.of, ramp.to, ramp.over),
        _ => panic!(),
    };
    assert_eq!(
        ramp("ramp.pacing.p.tempo = { to = \"120 bpm\", over = 16 }"),
        (Number::PacingTempo(0), 120.0, Over::Beats(16))
    );
    let over = Over::Time(Nanos::from_secs(2));
    assert_eq!(
        ramp("ramp.pacing.p.tone.velocity = { to = 20, over = \"2 s\" }"),
        (Number::PacingVelocity(0), 20.0, over)
    );
    assert_eq!(
        ramp(
            "set.feedback.f.delay = { fraction = 0.1 }\nramp.feedback.f.delay.fraction = { to = 0.5, over = \"2 s\" }"
        ),
        (Number::FeedbackFraction(0), 0.5, over)
    );
    assert_eq!(
        ramp(
            "ramp.masking.m.rate = { to = \"30 per s\", over = \"2 s\", shape = \"exponential\" }"
        ),
        (Number::MaskingRate(0), 30.0, over)
    );
}

#[test]
fn lists_are_chosen_from_at_random_shuffled_or_once() {
    let text = "[feedback.f]\npitch = { shuffled = [60, 62] }\ndelay = { once = [\"5 ms\", \"9 ms\"] }\n\
                [feedback.g]\npitch = { once = \"C4..D4\" }\ndelay = { random = [\"1 s\"] }\n\
                [[when]]\ntime = \"9 s\"\nend = true\n";
    let file = TrialFile::parse(text, "t.toml").expect("a trial");
    let (f, g) = (&file.trial.feedback[0], &file.trial.feedback[1]);
    let span = |start, len| Span { start, len };
    assert_eq!(f.pitch, Pitch::Chosen(Choice::Shuffled, span(0, 2)));
    assert_eq!(f.delay, Delay::Chosen(Choice::Once, span(0, 2)));
    assert_eq!(g.pitch, Pitch::Chosen(Choice::Once, span(2, 3)));
    assert_eq!(g.delay, Delay::Chosen(Choice::Random, span(2, 1)));
    let told = chronotap_config::trial_files::explain(&file).taps;
    assert!(told[0].contains("sounds 2 notes in shuffled order"), "{told:?}");
    assert!(told[0].contains("after one of 2 delays, drawn once a trial"), "{told:?}");
    assert!(told[1].contains("after one of 1 delays at random"), "{told:?}");
}

#[test]
fn a_list_too_long_to_shuffle_while_a_trial_runs_is_refused() {
    let list = |count: usize| vec!["\"1 ms\""; count].join(", ");
    let text =
        |form: &str, count| format!("[feedback.f]\ndelay = {{ {form} = [{}] }}\n", list(count));
    assert!(TrialFile::parse(&text("shuffled", 1_000), "t.toml").is_ok());
    assert!(TrialFile::parse(&text("random", 1_001), "t.toml").is_ok());
    let refused = TrialFile::parse(&text("shuffled", 1_001), "t.toml").expect_err("too long");
    assert!(refused.to_string().contains("write at most 1000, or random"), "{refused}");
}

#[test]
fn taps_after_a_stream_name_the_stream_and_where_needed_the_input() {
    let finite = "[pacing.p]\ninterval = \"500 ms\"\nbeats = 4\n";
    let end = |line: &str| format!("[[when]]\n{line}\nend = true\n");
    let of =
        |text: &str| TrialFile::parse(text, "t.toml").map(|file| file.trial.rules[0].when.clone());
    let after = |input, number| RuleCondition::TapsAfter { stream: 0, input, number };
    assert_eq!(of(&format!("{finite}{}", end("taps_after = 30"))), Ok(after(0, 30)));
    assert_eq!(of(&format!("{finite}{}", end("taps_after.p = 2"))), Ok(after(0, 2)));
    let hands = "[input.left]\n[input.right]\n";
    let right = "taps_after = { taps = 9, input = \"right\" }";
    assert_eq!(of(&format!("{hands}{finite}{}", end(right))), Ok(after(1, 9)));
    for (text, told) in [
        (format!("{hands}{finite}{}", end("taps_after = 9")), "does not say of which input"),
        (format!("{finite}{}", end("taps_after = 0")), "whole number, 1 to"),
        (format!("{finite}{}", end("taps_after.q = 3")), "there is no pacing stream \"q\""),
        (format!("[feedback.f]\n{}", end("taps_after = 3")), "waits for a pacing stream"),
        (
            format!("[pacing.p]\ninterval = \"1 s\"\n{}", end("taps_after = 3")),
            "counts taps after the end of p, which is endless; give [pacing.p] a number of beats",
        ),
    ] {
        let refused = of(&text).expect_err(&text).to_string();
        assert!(refused.contains(told), "{refused}");
    }
}

#[test]
fn an_interval_may_be_taken_from_taps_that_come_before_the_stream() {
    let text = |lines: &str| format!("[pacing.p]\n{lines}\n[[when]]\ntime = \"9 s\"\nend = true\n");
    let own = "interval = { from_taps = [11, 31] }";
    let start = "start = { tap = 31, delay = \"one interval\" }";
    let file = TrialFile::parse(&text(&format!("{own}\n{start}")), "t.toml").expect("a trial");
    let pacing = &file.trial.pacing[0];
    assert_eq!(pacing.own_tempo, Some(OwnTempo { input: 0, first: 11, last: 31 }));
    assert_eq!(pacing.start, Start::Tap { input: 0, number: 31, delay: Delayed::ByOneInterval });
    let told = chronotap_config::trial_files::explain(&file);
    let begins =
        &told.timeline.iter().find(|moment| moment.at_ns.is_none()).expect("it waits").clone();
    assert_eq!(begins.when, "one interval after tap 31 of input");
    assert_eq!(begins.then, ["beat 1 of p, then at the mean interval of taps 11 to 31"]);
    let interval =
        told.parameters.iter().find(|p| p.path == "pacing.p.interval").expect("it is told");
    assert_eq!(interval.value, "{ from_taps = [11, 31] }");
    for (lines, refusal) in [
        (own.to_owned(), "begins before tap 31, which gives its interval"),
        (
            format!("{own}\nstart = {{ tap = 30 }}"),
            "write start = { tap = 31, delay = \"one interval\" }",
        ),
        (
            format!("interval = {{ from_taps = [31, 11] }}\n{start}"),
            "must name a tap and a later one",
        ),
        (format!("interval = {{ from_taps = [11] }}\n{start}"), "two tap numbers"),
        (format!("interval = {{ from_tap = [11, 31] }}\n{start}"), "did you mean \"from_taps\""),
    ] {
        let refused = TrialFile::parse(&text(&lines), "t.toml").expect_err(&lines).to_string();
        assert!(refused.contains(refusal), "{refused}");
    }
    let started = format!("{}[[when]]\ntap = 2\nstart = \"p\"\n", text(&format!("{own}\n{start}")));
    let refused = TrialFile::parse(&started, "t.toml").expect_err("no rule starts it");
    assert!(refused.to_string().contains("so no rule can start it"), "{refused}");
}
