//! [`explain`]: a trial told before it is run: what will happen when, as far as
//! that can be known, every parameter, and doubts.

use crate::trial_files::build::codes::met_by_taps;
use crate::trial_files::collisions::collisions;
use crate::trial_files::ending::{end, endings};
use crate::trial_files::foresee::{Foreseen, by_taps, foresee, moves, needs_taps, waits};
use crate::trial_files::overlaps::{TAPS_TOLD, overlaps};
use crate::trial_files::reading::say as say_time;
use crate::trial_files::reading::{Node, Parameter, TomlEntry, Value, tree};
use crate::trial_files::{ReproducedStream, TrialFile, say};
use chronotap_core::text::Lines;
use chronotap_core::time::Nanos;
use chronotap_engine::foretold::perturbed_taps;
use chronotap_engine::trial::{
    Change, Do, Feedback, Interval, Number, Occasions, OwnTempo, Ramp, SetFeedback, SetMasking,
    SetPacing, Start, Trial,
};
use serde::Serialize;

/// A trial explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    pub file: String,
    pub title: String,
    pub description: Option<String>,
    /// The publication it follows.
    pub reference: Option<String>,
    /// Its seed; none is drawn when the trial runs.
    pub seed: Option<u64>,
    /// Lateness above which the verdict fails, in nanoseconds.
    pub limit_ns: i64,
    /// Inputs to bind to ports.
    pub inputs: Vec<String>,
    /// Outputs to bind to ports.
    pub outputs: Vec<String>,
    /// Which input is measured against which stream, and why; empty where there is nothing
    /// to decide.
    pub measured: String,
    /// What taps do, one line for each feedback channel.
    pub taps: Vec<String>,
    /// What happens, in order; what cannot be dated comes last.
    pub timeline: Vec<Moment>,
    /// When and how the trial ends.
    pub end: String,
    /// Every parameter as it holds at the start.
    pub parameters: Vec<Parameter>,
    /// Doubts that do not keep it from running.
    pub warnings: Vec<String>,
}

/// Something that will happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Moment {
    /// Nanoseconds since the start of the trial, where it can be known.
    pub at_ns: Option<i64>,
    /// Whether taps or an undrawn seed may move it.
    pub about: bool,
    /// What it waits for.
    pub when: String,
    /// What then happens.
    pub then: Vec<String>,
}

/// Explains a trial without running it on any device.
pub fn explain(file: &TrialFile) -> Explanation {
    explain_with(file, file.seed)
}

/// The same with a seed, so that what is drawn can be told too: beats and taps that are
/// perturbed at random among it.
pub fn explain_with(file: &TrialFile, seed: Option<u64>) -> Explanation {
    let seen = foresee(&file.trial, seed);
    let mut warnings = file.warnings.clone();
    warnings.extend(endless(file));
    warnings.extend(idle(file, &seen));
    warnings.extend(unused(file));
    warnings.extend(silent(file));
    warnings.extend(corrects_nothing(file));
    warnings.extend(too_late(file, &seen));
    warnings.extend(overlaps(&file.trial, seed));
    warnings.extend(collisions(&file.trial, seed));
    warnings.extend(met_by_taps(&file.trial, seed));
    Explanation {
        file: file.name.clone(),
        title: file.title.clone(),
        description: file.description.clone(),
        reference: file.reference.clone(),
        seed,
        limit_ns: file.limit.0,
        inputs: file.trial.inputs.iter().map(|input| input.name.clone()).collect(),
        outputs: file.trial.outputs.clone(),
        measured: file.answers.because.clone(),
        taps: taps(&file.trial, seed),
        timeline: timeline(file, &seen),
        end: end(file, &seen),
        parameters: file.parameters.clone(),
        warnings,
    }
}

/// What each channel does with a tap, and with a seed which taps it perturbs.
fn taps(trial: &Trial, seed: Option<u64>) -> Vec<String> {
    let of = |(index, channel): (usize, &Feedback)| {
        let mut said = say::feedback(channel, trial);
        if let Some(seed) = seed.filter(|_| !channel.perturb.is_empty()) {
            let mut taps: Vec<u32> = perturbed_taps(trial, index, seed, TAPS_TOLD)
                .into_iter()
                .map(|(tap, _)| tap)
                .collect();
            taps.dedup();
            let numbers: Vec<String> = taps.iter().take(20).map(u32::to_string).collect();
            let more = if taps.len() > 20 { ", …" } else { "" };
            if !numbers.is_empty() {
                said.push_str(&format!(
                    "; of the taps it hears, perturbed are {}{more}",
                    numbers.join(", ")
                ));
            }
        }
        said
    };
    trial.feedback.iter().enumerate().map(of).collect()
}

fn timeline(file: &TrialFile, seen: &Foreseen) -> Vec<Moment> {
    let trial = &file.trial;
    let mut moments = Vec::new();
    for (index, pacing) in trial.pacing.iter().enumerate() {
        let about = seen.unsure_streams[index];
        let at = seen.begins[index];
        let when =
            at.map_or_else(|| say::awaited(pacing, trial), |_| format!("{} begins", pacing.name));
        let mut then = vec![format!("beat 1 of {}, {}", pacing.name, spacing(index, trial))];
        let responses = file.answers.responses.iter();
        then.extend(
            responses.filter(|(of, _)| usize::from(*of) == index).map(|(_, r)| response(r)),
        );
        // The start itself is certain where it stands as a time.
        let about = about && !matches!(pacing.start, Start::At(_));
        moments.push(Moment { at_ns: at.map(|at| at.0), about, when, then });
    }
    let told = seen.beats.iter().filter(|beat| !never_comes(beat, trial, seen));
    moments.extend(told.map(|beat| told_beat(*beat, trial, seen)));
    for mask in &trial.masking {
        let rate = format!("{} tones per s", mask.rate.from);
        let silent = if mask.sounding { "" } else { ", silent at first" };
        let then = vec![format!("masking {}, {rate}{silent}", mask.name)];
        let when = format!("{} begins", mask.name);
        moments.push(Moment { at_ns: Some(mask.start.0), about: false, when, then });
    }
    for (index, rule) in trial.rules.iter().enumerate() {
        let at_ns = seen.acts[index].map(|at| at.0);
        let when = say::condition(&rule.when, trial);
        let then = file.said[index].clone();
        moments.push(Moment { at_ns, about: seen.unsure_rules[index], when, then });
    }
    moments.sort_by_key(|moment| moment.at_ns.unwrap_or(i64::MAX));
    moments
}

/// Whether the trial certainly ends before the beat sounds.
fn never_comes(
    (stream, _, at): &(usize, u32, Option<Nanos>),
    trial: &Trial,
    seen: &Foreseen,
) -> bool {
    let certain = !seen.unsure_streams[*stream] && !waits(&trial.pacing[*stream], trial);
    at.is_none() && seen.complete && seen.ends.is_some() && certain
}

/// Changes at listed beats that the trial ends before.
fn too_late(file: &TrialFile, seen: &Foreseen) -> Vec<String> {
    let trial = &file.trial;
    let Some(ends) = seen.ends.filter(|_| endings(trial).all(|index| !seen.unsure_rules[index]))
    else {
        return Vec::new();
    };
    let late = seen.beats.iter().filter(|beat| never_comes(beat, trial, seen));
    let listed = |stream: usize, number: u32| {
        let has = |change: &Change| matches!(&change.at, Occasions::Listed(list) if list.contains(&number));
        trial.pacing[stream].changes.iter().any(has)
    };
    late.filter(|(stream, number, _)| listed(*stream, *number))
        .map(|(stream, number, _)| {
            let name = &trial.pacing[*stream].name;
            let ends = say_time(ends);
            let at = place_of_change(file, name, *number);
            format!(
                "{at}the change at beat {number} of {name} never comes: the trial ends at {ends} first"
            )
        })
        .collect()
}

/// A beat with changes, or the last of a stream.
fn told_beat(
    (stream, number, at): (usize, u32, Option<Nanos>),
    trial: &Trial,
    seen: &Foreseen,
) -> Moment {
    let pacing = &trial.pacing[stream];
    let here = |(index, change): &(usize, &Change)| match &change.at {
        Occasions::Listed(list) => list.contains(&number),
        _ => seen.drawn.contains(&(stream, number, *index)),
    };
    let changes = pacing.changes.iter().enumerate().filter(here);
    let mut then: Vec<String> = changes.map(|(_, change)| say::change(change)).collect();
    if pacing.beats == Some(number) {
        then.push("the last".to_owned());
    }
    let when = format!("beat {number} of {}", pacing.name);
    Moment { at_ns: at.map(|at| at.0), about: seen.unsure_streams[stream], when, then }
}

fn spacing(stream: usize, trial: &Trial) -> String {
    let pacing = &trial.pacing[stream];
    let every = match (pacing.onsets, pacing.interval) {
        _ if is_alone(stream, trial) => "the only one".to_owned(),
        _ if pacing.own_tempo.is_some() => pacing.own_tempo.map_or(String::new(), taken),
        (Some(_), _) if pacing.audio.is_some() => {
            let length = pacing.audio.map_or(String::new(), say_time);
            format!("then the beats of a recording of {length}")
        }
        (Some(_), _) => {
            let again = pacing.repeat.map(|repeat| say::interval(repeat.every));
            let again = again.map_or(String::new(), |every| format!(", again every {every}"));
            format!("then as listed{again}")
        }
        (None, Interval::Exact(exact)) => format!("then every {}", say::interval(exact)),
        (None, _) => "then at a changing interval".to_owned(),
    };
    let adapting = if pacing.adapt.is_some() { ", corrected toward the taps" } else { "" };
    let silent = if pacing.audible { "" } else { ", silent at first" };
    let count = match pacing.beats {
        Some(_) if is_alone(stream, trial) => String::new(),
        Some(1) => ", 1 beat".to_owned(),
        Some(beats) => format!(", {beats} beats"),
        None => String::new(),
    };
    format!("{every}{count}{adapting}{silent}")
}

/// Whether the stream is a single tone, which has no interval, and stays one.
fn is_alone(stream: usize, trial: &Trial) -> bool {
    let pacing = &trial.pacing[stream];
    let grows =
        |act: &Do| matches!(act, Do::Pacing(of, SetPacing::Beats(_)) if usize::from(*of) == stream);
    let single = pacing.beats == Some(1) && pacing.audio.is_none() && pacing.repeat.is_none();
    single && !trial.rules.iter().flat_map(|rule| &rule.then).any(grows)
}

/// When a stream that is listened to is reproduced.
fn response(response: &ReproducedStream) -> String {
    let ReproducedStream { after, within, beats } = *response;
    let rounds = match beats {
        None => String::new(),
        Some(1) => "each beat is ".to_owned(),
        Some(beats) => format!("each {beats} beats are "),
    };
    let from = match after {
        Nanos::ZERO => "from the last beat on".to_owned(),
        after => format!("from {} after the last beat on", say_time(after)),
    };
    let until = within.map_or("until it sounds again".to_owned(), |within| {
        format!("within {} of it", say_time(within))
    });
    format!("{rounds}reproduced {from}, {until}")
}

/// Whose taps give the interval.
fn taken(own: OwnTempo) -> String {
    format!("then at the mean interval of taps {} to {}", own.first, own.last)
}

/// A part or a key, by the names that lead to it; `None` where the file does not write it.
fn written(file: &TrialFile, path: &[&str]) -> Option<TomlEntry> {
    let (last, before) = path.split_last()?;
    let mut table = tree(&file.source).ok()?;
    for name in before {
        table = table.get(name)?.node.table()?.clone();
    }
    table.get(last).cloned()
}

/// The line of a part or a key, as doubts begin; empty where the file has none.
fn place(file: &TrialFile, path: &[&str]) -> String {
    written(file, path).map_or(String::new(), |entry| line(file, entry.at))
}

/// The same of what stands in a list, by what it must be.
fn place_in(file: &TrialFile, path: &[&str], is: impl Fn(usize, &Node) -> bool) -> String {
    match written(file, path).map(|entry| entry.node.value) {
        Some(Value::List(all)) => {
            let found = all.iter().enumerate().find(|(index, node)| is(*index, node));
            found.map_or(String::new(), |(_, node)| line(file, node.at))
        }
        _ => String::new(),
    }
}

fn place_of_rule(file: &TrialFile, rule: usize) -> String {
    place_in(file, &["when"], |index, _| index == rule)
}

/// The change that lists this beat, alone or with others.
fn place_of_change(file: &TrialFile, stream: &str, beat: u32) -> String {
    let is_beat =
        |node: &Node| matches!(node.value, Value::Integer(number) if number == beat.into());
    place_in(file, &["pacing", stream, "change"], |_, change| {
        let at = change.table().and_then(|keys| keys.get("at")).map(|entry| &entry.node);
        at.is_some_and(|at| match &at.value {
            Value::List(beats) => beats.iter().any(is_beat),
            _ => is_beat(at),
        })
    })
}

fn line(file: &TrialFile, at: usize) -> String {
    format!("line {}: ", Lines::new(&file.source).line(at))
}

fn endless(file: &TrialFile) -> Option<String> {
    let trial = &file.trial;
    let ends = trial.rules.iter().any(|rule| rule.then.contains(&Do::End));
    let closes = trial.inputs.iter().any(|input| input.ends_when_closed);
    // A rule that ends it would stand behind the last line.
    let last = file.source.trim_end().lines().count();
    (!ends && !closes)
        .then(|| format!("line {last}: nothing ends this trial; it runs until it is interrupted"))
}

/// Rules that can never act because the trial ends first or their beat never comes.
fn idle(file: &TrialFile, seen: &Foreseen) -> Vec<String> {
    let trial = &file.trial;
    // A tap that starts or moves a stream may bring about what did not come by itself.
    let steered = trial
        .rules
        .iter()
        .any(|t| by_taps(&t.when) && t.then.iter().any(|act| moves(act).is_some()));
    let tapped = trial.pacing.iter().any(|pacing| matches!(pacing.start, Start::Tap { .. }));
    if !seen.complete || steered || tapped {
        return Vec::new();
    }
    let never = |index: &usize| {
        let when = &trial.rules[*index].when;
        seen.acts[*index].is_none() && !needs_taps(when)
    };
    let reason = seen.ends.map_or("what it waits for never comes".to_owned(), |at| {
        format!("the trial ends at {} first", say_time(at))
    });
    (0..trial.rules.len())
        .filter(never)
        .map(|index| {
            let rule = &trial.rules[index];
            let when = say::condition(&rule.when, trial);
            let at = place_of_rule(file, index);
            format!("{at}rule {} ({when}) never acts: {reason}", rule.name)
        })
        .collect()
}

fn unused(file: &TrialFile) -> Vec<String> {
    let trial = &file.trial;
    let used = |index: u16| {
        trial.pacing.iter().any(|p| p.output == index)
            || trial.feedback.iter().any(|f| f.output == index)
            || trial.masking.iter().any(|m| m.output == index)
            || trial.copies.iter().any(|copied| copied.output == index)
            || trial.codes.as_ref().is_some_and(|codes| codes.output == index)
            || trial
                .rules
                .iter()
                .flat_map(|t| &t.then)
                .any(|act| matches!(act, Do::Play(o, _) if *o == index))
    };
    let idle = trial
        .outputs
        .iter()
        .enumerate()
        .filter(|(index, _)| trial.outputs.len() > 1 && !used(*index as u16));
    let at = |name: &str| place(file, &["output", name]);
    idle.map(|(_, name)| format!("{}nothing goes to output {name}", at(name))).collect()
}

/// Channels and masks that are switched off and that no rule switches on.
fn silent(file: &TrialFile) -> Vec<String> {
    let trial = &file.trial;
    let mut warnings = Vec::new();
    for (index, channel) in trial.feedback.iter().enumerate().filter(|(_, f)| !f.sounding) {
        let on = Do::Feedback(index as u16, SetFeedback::Sounding(true));
        if !acts(trial).any(|act| *act == on) {
            let (name, at) = (&channel.name, place(file, &["feedback", &channel.name, "sounding"]));
            warnings.push(format!("{at}feedback {name} never sounds: no rule switches it on"));
        }
    }
    for (index, mask) in trial.masking.iter().enumerate().filter(|(_, m)| !m.sounding) {
        let on = Do::Masking(index as u16, SetMasking::Sounding(true));
        if !acts(trial).any(|act| *act == on) {
            let (name, at) = (&mask.name, place(file, &["masking", &mask.name, "sounding"]));
            warnings.push(format!("{at}masking {name} never sounds: no rule switches it on"));
        }
    }
    warnings
}

/// Bounds of a correction that is 0 and stays so, and an `adapt` that corrects nothing. A correction that is
/// written is meant, 0.0 too: a study may set it.
fn corrects_nothing(file: &TrialFile) -> Vec<String> {
    let streams = file.trial.pacing.iter().enumerate();
    let adapting = streams.filter(|(_, stream)| stream.adapt.is_some());
    adapting.flat_map(|(index, stream)| idle_corrections(file, index, &stream.name)).collect()
}

fn idle_corrections(file: &TrialFile, stream: usize, name: &str) -> Vec<String> {
    let at = |key: &str| place(file, &["pacing", name, "adapt", key]);
    let has = |key: &str| !at(key).is_empty();
    let corrects = |key: &str| has(key) || acts(&file.trial).any(|act| sets(act, stream, key));
    let mut told = Vec::new();
    for (bound, key) in [("at_most", "phase"), ("within", "period")] {
        if has(bound) && !corrects(key) {
            told.push(format!(
                "{}pacing.{name}.adapt: {bound} bounds the correction of the {key}, which is 0; \
                 write {key} beside it",
                at(bound)
            ));
        }
    }
    if told.is_empty() && !["phase", "period", "anticipate"].into_iter().any(corrects) {
        let at = place(file, &["pacing", name, "adapt"]);
        let cure = "phase and period are 0; write phase = 0.25";
        told.push(format!("{at}pacing.{name}.adapt corrects nothing: {cure}"));
    }
    told
}

/// Every action of every rule.
fn acts(trial: &Trial) -> impl Iterator<Item = &Do> {
    trial.rules.iter().flat_map(|rule| &rule.then)
}

/// Whether an action sets this correction of a stream, at once or gradually.
fn sets(act: &Do, stream: usize, key: &str) -> bool {
    let (of, set) = match act {
        Do::Pacing(of, SetPacing::AdaptPhase(_))
        | Do::Ramp(Ramp { of: Number::AdaptPhase(of), .. }) => (of, "phase"),
        Do::Pacing(of, SetPacing::AdaptPeriod(_))
        | Do::Ramp(Ramp { of: Number::AdaptPeriod(of), .. }) => (of, "period"),
        _ => return false,
    };
    usize::from(*of) == stream && set == key
}
