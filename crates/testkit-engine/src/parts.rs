//! Trials put together in Rust, without a trial file, for tests and benchmarks of the engine:
//! parts with plain values, a trial that uses every part at once, and taps to run it with.

use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::{Exact, Nanos};
use chronotap_engine::action::Action;
use chronotap_engine::trial::*;
use chronotap_engine::{Engine, Event};
use std::sync::Arc;

/// A note number, 0 to 127.
pub fn note(n: u8) -> U7 {
    U7::new(n).expect("a note")
}

/// Milliseconds.
pub fn ms(ms: i64) -> Nanos {
    Nanos::from_millis(ms)
}

/// A tone of 30 ms at velocity 100 on channel 1.
pub fn tone(n: u8) -> Tone {
    Tone {
        channel: Channel::ONE,
        note: note(n),
        velocity: Varying::constant(100.0),
        duration: ms(30),
    }
}

/// A stream that beats from 1 s on, as long as the trial lasts.
pub fn pacing(name: &str, interval: Exact) -> Pacing {
    Pacing {
        name: name.into(),
        output: 0,
        audible: true,
        start: Start::At(Nanos::from_secs(1)),
        interval: Interval::Exact(interval),
        own_tempo: None,
        beats: None,
        pattern: vec![PatternStep::Tone],
        tone: tone(76),
        accent_velocity: Varying::constant(127.0),
        accent_note: None,
        step_notes: vec![],
        step_channels: vec![],
        changes: vec![],
        jitter: None,
        sinusoid: None,
        onsets: None,
        repeat: None,
        audio: None,
        adapt: None,
    }
}

/// A channel that answers every tap at once, as it was played.
pub fn feedback(name: &str) -> Feedback {
    Feedback {
        name: name.into(),
        output: 0,
        channel: Some(Channel::ONE),
        sounding: true,
        from: Filter::ANY,
        pitch: Pitch::AsPlayed,
        velocity: Velocity::AsPlayed,
        delay: Delay::Constant(Varying::constant(0.0)),
        duration: Duration::AsPlayed,
        controllers: Controllers::AtOnce,
        perturb: vec![],
    }
}

/// A trial of these parts, with one input and one output.
pub fn trial(pacing: Vec<Pacing>, feedback: Vec<Feedback>, rules: Vec<Rule>) -> Trial {
    Trial {
        inputs: vec![Input {
            name: "input".into(),
            debounce: ms(40),
            ends_when_closed: false,
            records_sysex: false,
        }],
        outputs: vec!["output".into()],
        pacing,
        feedback,
        rules,
        ..Trial::default()
    }
}

/// A rule that acts once.
pub fn when(condition: RuleCondition, then: Vec<Do>) -> Rule {
    Rule { name: "when".into(), when: condition, then, repeats: false }
}

/// Every kind of stream, channel, draw, ramp and rule at once.
pub fn busy() -> Trial {
    let streams = vec![changing(), partner()];
    let mut trial = trial(streams, busy_channels(), busy_rules());
    trial.notes = vec![note(70), note(72), note(74)];
    trial.times = vec![ms(5), ms(50)];
    trial.markers = vec!["a marker".into()];
    trial.masking = vec![noise()];
    trial.outputs.push("recorder".into());
    let of = [Coded::Start, Coded::Pacing(1), Coded::Tap(0), Coded::Feedback(1), Coded::Rule(0)];
    let recurring = Coded::Every { first: ms(250), interval: ms(700) };
    let more = [Coded::Together(vec![1, 2]), Coded::End, recurring];
    trial.codes = Some(codes(of.into_iter().chain(more)));
    trial
}

/// Codes of 5 ms on the second output, from 1 up, each named as its event is in Rust.
pub fn codes(of: impl IntoIterator<Item = Coded>) -> Codes {
    let code = |(value, of): (u16, Coded)| Code { name: format!("{of:?}"), value, of };
    let list = (1..).zip(of).map(code).collect();
    Codes { output: 1, width: ms(5), delay: Nanos::ZERO, with_tones_of: None, list }
}

/// A stream with jitter, drawn changes, and a tempo taken from taps.
fn changing() -> Pacing {
    let mut stream = pacing("jittery", Exact::ratio(1_600_000_000, 3).expect("a third"));
    let spread = Spread::Normal { mean: ms(0), sd: ms(10), low: ms(-30), high: ms(30) };
    stream.jitter = Some(Jitter { spread, accumulates: false });
    let size = Shift::Chosen(Choice::Shuffled, Span { start: 0, len: 2 });
    stream.changes = vec![Change {
        at: Occasions::Chance { probability: 0.3, after: 2 },
        apart: 3,
        mute: true,
        phase_shift: size,
        onset_shift: size,
        interval: None,
        interval_step: size,
        over: 2,
        exponential: false,
    }];
    stream.own_tempo = Some(OwnTempo { input: 0, first: 3, last: 9 });
    stream
}

/// A stream that adapts to taps.
fn partner() -> Pacing {
    let mut stream = pacing("partner", Exact::whole(ms(500)));
    stream.adapt = Some(Adapt {
        leaders: Leaders::one(0),
        anticipate: 0.0,
        extrapolate: 1.0,
        phase: Varying::constant(0.25),
        period: Varying::constant(0.1),
        at_most: ms(150),
        shortest: ms(300),
        longest: ms(900),
    });
    stream
}

/// Channels with random delays and perturbations, with shifted and with chosen pitches.
fn busy_channels() -> Vec<Feedback> {
    let mut late = feedback("late");
    late.delay = Delay::Random(Spread::Uniform { low: ms(0), high: ms(250) });
    late.perturb = vec![Perturb {
        at: Occasions::Every { from: 2, to: 5, after: 3 },
        apart: 2,
        mute: true,
        pitch: None,
        velocity: None,
        delay: None,
        duration: None,
    }];
    let mut shifted = feedback("shifted");
    shifted.pitch = Pitch::Shift(1);
    let mut chosen = feedback("chosen");
    chosen.pitch = Pitch::Chosen(Choice::Shuffled, Span { start: 0, len: 3 });
    chosen.delay = Delay::Chosen(Choice::Once, Span { start: 0, len: 2 });
    vec![late, shifted, chosen]
}

/// Rules by taps, notes, silence and time, that ramp, play, switch, mark and end.
fn busy_rules() -> Vec<Rule> {
    let ramp = Ramp {
        of: Number::PacingInterval(1),
        to: 400e6,
        interval: ms(400).into(),
        over: Over::Time(ms(3_000)),
        exponential: true,
    };
    let any = RuleCondition::Any(vec![
        RuleCondition::Note { input: None, note: note(62) },
        RuleCondition::Silence { input: 0, length: ms(1_500) },
        RuleCondition::TapsAfter { stream: 0, input: 0, number: 3 },
    ]);
    let tap = RuleCondition::Tap { input: 0, number: 5 };
    vec![
        when(tap, vec![Do::Ramp(ramp), Do::Play(0, tone(90))]),
        when(any, vec![Do::Feedback(1, SetFeedback::Sounding(false)), Do::Mark(0)]),
        when(RuleCondition::Time(ms(12_000)), vec![Do::End]),
    ]
}

/// A masking stream.
fn noise() -> Masking {
    Masking {
        name: "noise".into(),
        output: 0,
        sounding: true,
        start: ms(0),
        rate: Varying::constant(20.0),
        irregular: true,
        channel: Channel::new(3).expect("channel 3"),
        notes: (note(48), note(84)),
        velocity: Velocity::Random(note(40), note(70)),
        duration: ms(80),
    }
}

/// A press or release of a key, at a time in microseconds.
pub fn key(us: i64, n: u8, down: bool) -> Event {
    let (channel, velocity) = (Channel::ONE, note(80));
    let message = if down {
        Message::NoteOn { channel, note: note(n), velocity }
    } else {
        Message::NoteOff { channel, note: note(n), velocity }
    };
    Event { input: 0, stamp: Nanos::from_micros(us), message: Some(message) }
}

/// Runs a trial, calling `advance` at every time of `wakes` besides the deadlines.
pub fn run(trial: Trial, events: &[Event], wakes: &[Nanos], until: Nanos) -> Vec<Action> {
    let mut engine = Engine::new(Arc::new(trial), 7);
    let mut actions = Vec::new();
    let mut times: Vec<Nanos> =
        events.iter().map(|e| e.stamp).chain(wakes.iter().copied()).collect();
    times.sort_unstable();
    times.push(until);
    for now in times {
        events.iter().filter(|e| e.stamp == now).for_each(|e| engine.input(*e));
        engine.advance(now, &mut |action| actions.push(*action));
    }
    actions
}
