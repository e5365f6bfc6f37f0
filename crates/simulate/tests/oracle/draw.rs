//! Trials drawn at random, with the taps of a performer. What the manual leaves open is not drawn:
//! shifts so large that beats would change places, and taps of a key that is still down.

use crate::oracle::exact::{Chance, Exact};
use crate::oracle::model::*;

const STREAMS: [&str; 3] = ["one", "two", "three"];
const CHANNELS: [&str; 3] = ["near", "far", "other"];
const MS: i64 = 1_000_000;

/// The trial of a seed.
pub fn model(seed: u64) -> Model {
    let chance = &mut Chance::new(seed);
    let mut model = Model { outputs: chance.one(&[0, 2]), ..Model::default() };
    let names: &[&'static str] = if chance.percent(40) { &["left", "right"] } else { &["pad"] };
    model.inputs = names.iter().map(|name| input(chance, name)).collect();
    let streams = chance.within(0, 3) as usize;
    for place in 0..streams {
        let stream = stream(chance, &model, place);
        model.pacing.push(stream);
    }
    for name in CHANNELS.iter().take(chance.within(0, 3) as usize) {
        let channel = channel(chance, &model, name);
        model.feedback.push(channel);
    }
    if chance.percent(30) {
        model.masking.push(masking(chance));
    }
    let length = chance.within(60, 160) * 50 * MS;
    model.taps = taps(chance, &model, length);
    let rules = chance.within(0, 6);
    let started = |s: &Pacing| matches!(s.start, Start::WhenStarted);
    let starts: Vec<usize> =
        (0..model.pacing.len()).filter(|i| started(&model.pacing[*i])).collect();
    model.when = (0..rules).map(|k| rule(chance, &model, length, k)).collect();
    let drawn = model.pacing.iter().any(Pacing::is_moved_by_chance);
    if drawn {
        // A beat that never sounds tells nobody where chance had put it.
        let begins = |act: &Act| matches!(act, Act::Start(_) | Act::Stop(_));
        model.when.iter_mut().for_each(|when| when.acts.retain(|act| !begins(act)));
        model.when.retain(|when| !when.acts.is_empty());
    }
    let ramped: Vec<usize> =
        model.when.iter().flat_map(|w| &w.acts).filter_map(Act::ramps).collect();
    let anew = |act: &Act| matches!(act, Act::Start(s) if ramped.contains(s));
    model.when.iter_mut().for_each(|when| when.acts.retain(|act| !anew(act)));
    model.when.retain(|when| !when.acts.is_empty());
    let rules = model.when.len() as i64;
    let end = When {
        all: vec![Condition::Time(length)],
        any: vec![],
        repeat: false,
        acts: vec![Act::End],
    };
    let place = chance.within(0, rules) as usize;
    model.when.insert(place, end);
    for stream in starts {
        let at = Condition::Time(chance.within(0, 30) * 50 * MS);
        let place = chance.within(0, model.when.len() as i64) as usize;
        let start =
            When { all: vec![at], any: vec![], repeat: false, acts: vec![Act::Start(stream)] };
        model.when.insert(place, start);
    }
    if !drawn && chance.percent(20) {
        let all = vec![any_condition(chance, &model, length, false)];
        model.when.push(When {
            all,
            any: vec![],
            repeat: false,
            acts: vec![Act::Mark("over".into()), Act::End],
        });
    }
    model
}

fn input(chance: &mut Chance, name: &'static str) -> Input {
    Input { name, debounce: chance.one(&[0, 0, 0, 60 * MS, 120 * MS]) }
}

fn interval(chance: &mut Chance) -> Exact {
    let any = chance.within(350_000_000, 700_000_000);
    let thirds = Exact::new(1_600_000_000, 3);
    let of: [Exact; 6] = [400, 500, 600, 300, 450, 0].map(|ms| Exact::from(ms * MS));
    let odd = chance.one(&[
        thirds,
        Exact::from(any),
        Exact::new(i128::from(any), 7) + Exact::from(250 * MS),
    ]);
    let plain = chance.one(&of[..5]);
    if chance.percent(60) { plain } else { odd }
}

fn tempo(chance: &mut Chance) -> Exact {
    chance.one(&[Exact::from(140), Exact::from(120), Exact::from(150), Exact::new(1000, 7)])
}

fn stream(chance: &mut Chance, model: &Model, place: usize) -> Pacing {
    let input = chance.within(0, model.inputs.len() as i64 - 1) as usize;
    let pace = match chance.within(1, 100) {
        1..=50 => Pace::Interval(interval(chance)),
        51..=70 => Pace::Tempo(tempo(chance)),
        71..=90 => {
            let mut at = chance.one(&[0, 100 * MS]);
            let onsets = (0..chance.within(2, 6)).map(|_| {
                let here = at;
                at += chance.within(4, 16) * 50 * MS;
                here
            });
            let onsets: Vec<i64> = onsets.collect();
            let every = Exact::from(at + 300 * MS)
                + Exact::new(i128::from(chance.within(0, 2)) * 1_000_000, 3);
            let repeat = chance.percent(50).then(|| (every, chance.within(1, 4) as u32));
            Pace::Onsets(onsets, repeat)
        }
        _ => {
            let first = chance.within(1, 3) as u32;
            Pace::FromTaps(first, first + chance.within(1, 3) as u32, input)
        }
    };
    let start = start(chance, model, &pace, input);
    let finite = chance.percent(35).then(|| chance.within(1, 8) as u32);
    let listed = matches!(pace, Pace::Onsets(..));
    let steady = matches!(pace, Pace::Interval(_) | Pace::Tempo(_));
    let adapt = (steady && chance.percent(30)).then(|| adapt(chance, model));
    let jitter = (adapt.is_none() && chance.percent(12))
        .then(|| (-chance.within(0, 40) * MS, chance.within(0, 40) * MS));
    let sinusoid =
        (steady && adapt.is_none() && chance.percent(12)).then(|| chance.within(1, 40) * MS);
    let calm = adapt.is_some() || listed || !steady || sinusoid.is_some();
    let own = matches!(pace, Pace::FromTaps(..));
    let changes = if jitter.is_some() || own { Vec::new() } else { changes(chance, listed, calm) };
    let finite = finite.filter(|beats| Pacing::listed(&pace).is_none_or(|listed| *beats <= listed));
    let heard = if let Pace::Onsets(_, repeat) = &pace { repeat.is_none() } else { false };
    let heard = heard && finite.is_none_or(|beats| beats > 1);
    let response = (heard && place == 0 && chance.percent(40))
        .then(|| (chance.within(0, 5) * 20 * MS + 1, chance.within(6, 30) * 50 * MS + 7));
    let pattern = chance.one(&["x", "x", "x", "Xx", "Xx.", "xX.x", "x."]);
    let pattern = if response.is_some() { "x" } else { pattern }.to_owned();
    Pacing {
        name: STREAMS[place],
        pace,
        start,
        audible: chance.percent(85),
        beats: finite,
        pattern,
        tone: tone(chance),
        accent: (
            chance.within(101, 127) as u8,
            chance.percent(30).then(|| chance.within(80, 90) as u8),
        ),
        notes: if chance.percent(30) { notes(chance) } else { Vec::new() },
        channels: if chance.percent(20) { vec![1, 3, 9] } else { Vec::new() },
        output: chance.within(0, 1) as usize * usize::from(model.outputs > 0),
        sinusoid,
        jitter,
        adapt,
        changes,
        response,
    }
}

fn start(chance: &mut Chance, model: &Model, pace: &Pace, input: usize) -> Start {
    if let Pace::FromTaps(_, last, input) = *pace {
        return match chance.within(1, 2) {
            1 => Start::OneIntervalAfter { input, tap: last },
            _ => Start::Tap {
                input,
                tap: last + chance.within(0, 1) as u32,
                delay: chance.within(0, 2) * 50 * MS,
            },
        };
    }
    let finite = |s: &Pacing| s.beats.is_some() && s.adapt.is_none() && s.jitter.is_none();
    let leaders: Vec<usize> =
        (0..model.pacing.len()).filter(|i| finite(&model.pacing[*i])).collect();
    match chance.within(1, 100) {
        1..=15 => Start::Tap {
            input,
            tap: chance.within(1, 3) as u32,
            delay: chance.one(&[0, 0, 50 * MS, 123_456_789]),
        },
        16..=25 => Start::WhenStarted,
        26..=50 if !leaders.is_empty() => {
            Start::After { stream: chance.one(&leaders), delay: chance.one(&[0, 250 * MS]) }
        }
        _ => Start::At(chance.one(&[0, 500 * MS, 1_000 * MS, 1_000 * MS, 1_200 * MS])),
    }
}

fn tone(chance: &mut Chance) -> Tone {
    Tone {
        channel: chance.one(&[1, 1, 2]),
        note: chance.one(&[76, 60, 64]),
        velocity: chance.within(1, 127) as u8,
        duration: chance.one(&[30 * MS, 10 * MS, 200 * MS, 650 * MS]),
    }
}

fn notes(chance: &mut Chance) -> Vec<Vec<u8>> {
    chance.one(&[
        vec![vec![60], vec![62, 65], vec![64]],
        vec![vec![60, 64, 67]],
        vec![vec![72], vec![76]],
    ])
}

fn hundredths(chance: &mut Chance, low: i64, high: i64) -> Exact {
    Exact::new(i128::from(chance.within(low, high)), 100)
}

fn adapt(chance: &mut Chance, model: &Model) -> Adapt {
    let both = model.inputs.len() == 2 && chance.percent(50);
    let to = if both {
        vec![0, 1]
    } else {
        vec![chance.within(0, model.inputs.len() as i64 - 1) as usize]
    };
    let weights = to.iter().map(|_| chance.within(1, 3)).collect();
    let anticipates = !both && chance.percent(40);
    Adapt {
        to,
        weights,
        phase: hundredths(chance, -10, 60),
        period: if chance.percent(60) { Exact::ZERO } else { hundredths(chance, 0, 30) },
        at_most: chance.percent(40).then(|| chance.within(5, 60) * MS),
        within: chance.percent(40).then_some((280 * MS, 720 * MS)),
        anticipate: if anticipates { hundredths(chance, 0, 100) } else { Exact::ZERO },
        extrapolate: hundredths(chance, 0, 100),
    }
}

fn occasion(chance: &mut Chance) -> Occasion {
    match chance.within(1, 10) {
        1..=6 => {
            let mut beats: Vec<u32> =
                (0..chance.within(1, 4)).map(|_| chance.within(2, 12) as u32).collect();
            beats.sort_unstable();
            beats.dedup();
            Occasion::At(beats)
        }
        7..=9 => Occasion::Every(chance.within(1, 5) as u32),
        _ => Occasion::Percent(chance.one(&[0, 100])),
    }
}

fn size(chance: &mut Chance, fixed: bool) -> Size {
    let mut one = || chance.one(&[-30, -10, 0, 10, 20, 30]) * MS + chance.within(0, 1);
    let list = vec![one(), one(), one()];
    match chance.within(1, 6) {
        1 if !fixed => Size::Random(list),
        2 if !fixed => Size::Shuffled(list),
        3 if !fixed => Size::Once(list),
        _ => Size::Fixed(list[0]),
    }
}

/// Up to three changes of a stream. Where chance decides, one alone decides each kind.
fn changes(chance: &mut Chance, listed: bool, calm: bool) -> Vec<Change> {
    let mut drawn = [false; 3];
    let many = chance.one(&[0, 0, 0, 1, 1, 2, 3, 3]);
    let mut all: Vec<Change> = Vec::new();
    for _ in 0..many {
        let mut one = |chance: &mut Chance, kind: usize, share: i64| {
            let size = chance.percent(share).then(|| size(chance, drawn[kind]));
            drawn[kind] |= !matches!(size, None | Some(Size::Fixed(_)));
            size
        };
        let phase = one(chance, 0, 40);
        let onset = one(chance, 1, 40);
        let step = if listed { None } else { one(chance, 2, 50) };
        let random = matches!(step, Some(Size::Random(_) | Size::Shuffled(_) | Size::Once(_)));
        let interval =
            (!listed && !calm && step.is_none() && chance.percent(30)).then(|| interval(chance));
        let over = if calm || random || (step.is_none() && interval.is_none()) {
            1
        } else {
            chance.one(&[1, 1, 3, 4])
        };
        let mute = chance.percent(15)
            || (phase.is_none() && onset.is_none() && step.is_none() && interval.is_none());
        let when = occasion(chance);
        let apart = if matches!(when, Occasion::Every(_)) && all.iter().all(|c| c.apart == 0) {
            chance.one(&[0, 0, 2, 3])
        } else {
            0
        };
        all.push(Change {
            when,
            after: chance.within(0, 4) as u32,
            apart,
            mute,
            phase,
            onset,
            interval,
            step,
            over,
        });
    }
    all.iter_mut().for_each(|c| {
        if matches!(c.when, Occasion::At(_)) {
            c.after = 0
        }
    });
    // An interval that is shortened again and again would come to nothing.
    let again = |c: &Change| !matches!(c.when, Occasion::At(_));
    all.iter_mut().filter(|c| again(c)).for_each(|c| c.step.iter_mut().for_each(Size::lengthen));
    // What comes at every beat leaves no room for what keeps apart.
    if all.iter().any(|c| matches!(c.when, Occasion::Percent(_))) {
        all.iter_mut().for_each(|c| c.apart = 0);
    }
    // Two random steps of one beat cannot be told apart by their sum, nor one from an interval.
    let random =
        |c: &Change| matches!(c.step, Some(Size::Random(_) | Size::Shuffled(_) | Size::Once(_)));
    if all.iter().any(random) {
        all.iter_mut().filter(|c| !random(c)).for_each(|c| (c.step, c.interval) = (None, None));
        all.iter_mut().for_each(|c| {
            c.over = 1;
            c.mute |= c.phase.is_none() && c.onset.is_none() && c.step.is_none();
        });
    }
    all
}

fn channel(chance: &mut Chance, model: &Model, name: &'static str) -> Feedback {
    let from = From {
        input: (model.inputs.len() == 2 && chance.percent(40))
            .then(|| chance.within(0, 1) as usize),
        channel: chance.percent(10).then_some(1),
        notes: chance.percent(25).then_some((60, 64)),
        velocities: chance.percent(15).then_some((40, 100)),
    };
    let delay = delay(chance);
    Feedback {
        name,
        from,
        output: chance.within(0, 1) as usize * usize::from(model.outputs > 0),
        channel: chance.one(&[Some(1), Some(2), None]),
        sounding: chance.percent(85),
        pitch: pitch(chance),
        velocity: velocity(chance),
        delay,
        duration: chance.one(&[None, Some(50 * MS), Some(300 * MS)]),
        perturb: perturbations(chance),
    }
}

fn delay(chance: &mut Chance) -> Delay {
    let list = vec![0, 50 * MS, 150 * MS];
    match chance.within(1, 10) {
        1..=4 => Delay::Fixed(chance.one(&[0, 50 * MS, 200 * MS, 12_345_678])),
        5 => Delay::List(list),
        6 => Delay::Fraction(chance.within(0, 120)),
        7 => Delay::Uniform(0, 200 * MS),
        8 => Delay::Random(list),
        9 => Delay::Shuffled(list),
        _ => Delay::Once(list),
    }
}

fn pitch(chance: &mut Chance) -> Pitch {
    let list = vec![60, 64, 67];
    match chance.within(1, 14) {
        1..=5 => Pitch::AsPlayed,
        6 => Pitch::Fixed(64),
        7 => Pitch::Transpose(chance.within(-70, 70)),
        8 => Pitch::Mirror(62),
        9 => Pitch::Table(vec![(60, 62), (62, 60)]),
        10 => Pitch::Sequence(list),
        11 => Pitch::Shift(chance.within(1, 3) as usize),
        12 => Pitch::Random(list),
        13 => Pitch::Shuffled(list),
        _ => Pitch::Once(list),
    }
}

fn velocity(chance: &mut Chance) -> Velocity {
    chance.one(&[
        Velocity::AsPlayed,
        Velocity::AsPlayed,
        Velocity::Fixed(90),
        Velocity::Scale(150),
        Velocity::Scale(33),
        Velocity::Random(40, 70),
    ])
}

fn perturbations(chance: &mut Chance) -> Vec<Perturb> {
    let many = chance.one(&[0, 0, 1, 2, 3]);
    let mut all: Vec<Perturb> = Vec::new();
    for _ in 0..many {
        let when = occasion(chance);
        let after = if matches!(when, Occasion::At(_)) { 0 } else { chance.within(0, 4) as u32 };
        let apart = if matches!(when, Occasion::Every(_)) && all.iter().all(|p| p.apart == 0) {
            chance.one(&[0, 0, 2, 3])
        } else {
            0
        };
        let mute = chance.percent(20);
        let altered = |share: i64, chance: &mut Chance| !mute && chance.percent(share);
        let list = vec![10 * MS, 20 * MS, 30 * MS, 40 * MS];
        let delay = altered(70, chance).then(|| {
            chance.one(&[
                Delay::Fixed(50 * MS),
                Delay::List(list.clone()),
                Delay::Fraction(50),
                Delay::Random(list),
            ])
        });
        let pitch = altered(40, chance).then(|| {
            chance.one(&[
                Pitch::Transpose(1),
                Pitch::Sequence(vec![70, 71, 72]),
                Pitch::Shift(1),
                Pitch::Fixed(50),
            ])
        });
        let velocity =
            altered(30, chance).then(|| chance.one(&[Velocity::Fixed(1), Velocity::Scale(50)]));
        let bare = !mute && delay.is_none() && pitch.is_none() && velocity.is_none();
        let duration = (bare || altered(30, chance)).then_some(20 * MS);
        all.push(Perturb { when, after, apart, mute, delay, pitch, velocity, duration });
    }
    if all.iter().any(|p| matches!(p.when, Occasion::Percent(_))) {
        all.iter_mut().for_each(|p| p.apart = 0);
    }
    all
}

fn masking(chance: &mut Chance) -> Masking {
    Masking {
        name: "noise",
        rate: chance.one(&[60, 140, 600]),
        start: chance.one(&[0, 1_000 * MS]),
        notes: chance.one(&[(60, 60), (40, 80)]),
        velocity: chance.one(&[Velocity::Fixed(50), Velocity::Random(40, 70)]),
        duration: chance.one(&[50 * MS, 20 * MS, 700 * MS]),
        channel: 1,
        sounding: chance.percent(80),
        output: 0,
    }
}

/// Taps of each input: near a pace, on round times or beside them; a key comes up before it goes
/// down again.
fn taps(chance: &mut Chance, model: &Model, length: i64) -> Vec<Press> {
    let mut all = Vec::new();
    for input in 0..model.inputs.len() {
        let pace = chance.one(&[400, 500, 600, 250]);
        let mut at = chance.within(0, 30) * 50 * MS;
        let mut free = [0; 128];
        while at < length + 300 * MS {
            let note = chance.one(&[60, 60, 62, 64, 65]);
            let hold = chance.one(&[80, 20, 100, 300, 0]) * MS + chance.within(0, 1);
            if at > free[note as usize] {
                free[note as usize] = at + hold;
                let channel = chance.one(&[1, 1, 1, 2]);
                all.push(Press {
                    at,
                    hold,
                    note,
                    velocity: chance.within(1, 127) as u8,
                    channel,
                    input,
                });
            }
            let round = pace + chance.within(-3, 3) * 50;
            let odd = chance.within(-60 * MS, 60 * MS);
            at += round * MS + if chance.percent(50) { 0 } else { odd };
            if chance.percent(10) {
                at += chance.one(&[-round * MS + 30 * MS, 1_000 * MS]);
            }
        }
    }
    all.sort_by_key(|tap| tap.at);
    all
}

fn any_condition(chance: &mut Chance, model: &Model, length: i64, repeat: bool) -> Condition {
    let input = chance.within(0, model.inputs.len() as i64 - 1) as usize;
    let stream = chance.within(0, (model.pacing.len() as i64 - 1).max(0)) as usize;
    let many = model.pacing.len();
    let finite = model.pacing.get(stream).is_some_and(|s| {
        let once = !matches!(s.pace, Pace::Onsets(..));
        once && s.beats.is_some() && s.jitter.is_none()
    });
    match chance.within(1, 100) {
        1..=25 if !repeat => Condition::Time(chance.within(0, length / (50 * MS)) * 50 * MS),
        26..=55 if many > 0 => {
            let last = model.pacing[stream].beats_at_most().unwrap_or(9).min(9);
            Condition::Beat(stream, chance.within(1, last.into()) as u32)
        }
        56..=65 if finite && !repeat => {
            Condition::TapsAfter(stream, chance.within(1, 4) as u32, input)
        }
        66..=75 => Condition::Note(chance.one(&[None, Some(input)]), chance.one(&[60, 62, 64])),
        76..=85 => Condition::Silence(input, chance.one(&[300, 700, 1_000]) * MS),
        _ => Condition::Tap(input, chance.within(1, 9) as u32),
    }
}

fn rule(chance: &mut Chance, model: &Model, length: i64, place: i64) -> When {
    let repeat = chance.percent(25);
    let condition = |chance: &mut Chance| any_condition(chance, model, length, repeat);
    let all = if chance.percent(20) {
        vec![condition(chance), condition(chance)]
    } else {
        vec![condition(chance)]
    };
    let any =
        if chance.percent(15) { vec![condition(chance), condition(chance)] } else { Vec::new() };
    let mut acts: Vec<Act> = Vec::new();
    for _ in 0..chance.within(1, 2) {
        if let Some(act) = act(chance, model, repeat) {
            let same = |a: &Act| std::mem::discriminant(a) == std::mem::discriminant(&act);
            if !acts.iter().any(same) {
                acts.push(act);
            }
        }
    }
    if acts.is_empty() || chance.percent(30) {
        acts.push(Act::Mark(format!("rule {place}")));
    }
    When { all, any, repeat, acts }
}

fn act(chance: &mut Chance, model: &Model, repeat: bool) -> Option<Act> {
    let of = |chance: &mut Chance, many: usize| {
        (many > 0).then(|| chance.within(0, many as i64 - 1) as usize)
    };
    match chance.within(1, 10) {
        1..=5 => {
            let stream = of(chance, model.pacing.len())?;
            pacing_act(chance, model, stream, repeat)
        }
        6..=8 => {
            let channel = of(chance, model.feedback.len())?;
            feedback_act(chance, model, channel)
        }
        9 => {
            let masking = of(chance, model.masking.len())?;
            Some(chance.one(&[
                Act::MaskingSounding(masking, false),
                Act::MaskingSounding(masking, true),
                Act::MaskingNote(masking, 72),
            ]))
        }
        _ => {
            let played = tone(chance);
            let output = chance.within(0, 1) as usize * usize::from(model.outputs > 0);
            let input = chance.within(0, model.inputs.len() as i64 - 1) as usize;
            Some(chance.one(&[Act::Play(played, output), Act::Debounce(input, 100 * MS)]))
        }
    }
}

fn pacing_act(chance: &mut Chance, model: &Model, s: usize, repeat: bool) -> Option<Act> {
    let of = &model.pacing[s];
    let steady = matches!(of.pace, Pace::Interval(_) | Pace::Tempo(_));
    let leads = |p: &Pacing| matches!(p.start, Start::After { stream, .. } if stream == s);
    let led = matches!(of.start, Start::After { .. }) || model.pacing.iter().any(leads);
    let own = matches!(of.pace, Pace::FromTaps(..));
    let free = !led && !own && of.response.is_none();
    let steps = of.changes.iter().any(|c| c.interval.is_some() || c.step.is_some());
    let begun = matches!(of.start, Start::At(_));
    let plain = begun && steady && !steps && of.sinusoid.is_none() && of.adapt.is_none();
    match chance.within(1, 12) {
        1 | 2 => Some(Act::Audible(s, chance.percent(50))),
        3 | 4 if steady && !steps => {
            let set = [Act::Interval(s, interval(chance)), Act::Tempo(s, tempo(chance))];
            Some(chance.one(&set))
        }
        5 if plain && free => {
            let over = chance.one(&[
                Over::Beats(1),
                Over::Beats(4),
                Over::Time(1_000 * MS),
                Over::Time(1_700 * MS),
            ]);
            let ramp = [
                Act::RampInterval(s, interval(chance), over),
                Act::RampTempo(s, tempo(chance), over),
            ];
            Some(chance.one(&ramp))
        }
        6 => Some(chance.one(&[Act::ToneNote(s, 70), Act::ToneVelocity(s, 33)])),
        7 => Some(chance.one(&[Act::AccentVelocity(s, 111), Act::AccentNote(s, 99)])),
        8 if of.adapt.is_some() => Some(Act::Phase(s, hundredths(chance, 0, 50))),
        9 | 10 if free && !repeat => Some(Act::Start(s)),
        11 if free => Some(Act::Stop(s)),
        _ => None,
    }
}

fn feedback_act(chance: &mut Chance, model: &Model, c: usize) -> Option<Act> {
    let fixed = matches!(model.feedback[c].delay, Delay::Fixed(_));
    match chance.within(1, 9) {
        1 | 2 => Some(Act::Sounding(c, chance.percent(50))),
        3 | 4 => Some(Act::Delay(
            c,
            chance.one(&[Delay::Fixed(100 * MS), Delay::List(vec![5 * MS, 6 * MS, 7 * MS])]),
        )),
        5 if fixed => Some(Act::RampDelay(c, 170 * MS, chance.one(&[1_000 * MS, 1_500 * MS]))),
        6 => Some(Act::Pitch(
            c,
            chance.one(&[Pitch::Fixed(50), Pitch::Sequence(vec![40, 41]), Pitch::Shift(2)]),
        )),
        7 => Some(Act::Velocity(c, Velocity::Fixed(20))),
        8 => Some(Act::Duration(c, chance.one(&[None, Some(30 * MS)]))),
        9 => Some(chance.one(&[
            Act::Channel(c, Some(5)),
            Act::Channel(c, None),
            Act::From(c, 60, 62),
        ])),
        _ => None,
    }
}
