//! [`Happened`]: from the entries of a trial to what lies on the lanes of its picture. Times are seconds since the
//! trial's start.

use super::seconds;
use chronotap_analysis::matching::Grid;
use chronotap_analysis::observed::{Observed, StreamResponse};
use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_data::record::{Entry, What};
use chronotap_engine::action::{Action, ActionKind, EventId, Silence, TrialEnding};
use chronotap_engine::trial::{Do, Number, Over, Ramp, Trial};
use std::collections::{BTreeMap, BTreeSet};

/// What happened in a trial, as it is drawn.
pub(super) struct Happened {
    pub lanes: Vec<Lane>,
    pub fired: Vec<Fired>,
    pub end: f64,
    /// Whether it was still going on there, and no rule had ended it.
    pub is_cut: bool,
}

/// A line of the picture: a stream, an input, a channel.
pub(super) struct Lane {
    pub name: String,
    pub of: Of,
    /// In the order of time.
    pub marks: Vec<(f64, Mark)>,
    /// Where something holds: from, to.
    pub stretches: Vec<(f64, f64, Holds)>,
    /// Of an input, the windows of the beats that its taps answer: a row for each stream.
    pub windows: Vec<Vec<(f64, f64)>>,
}

/// What a lane is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Of {
    Pacing(u16),
    Input(u16),
    Feedback(u16),
    Masking(u16),
    /// Tones that rules play.
    Rules,
    Codes,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mark {
    /// A beat that sounds.
    Beat,
    /// One that a change moved, or whose interval it changed.
    ChangedBeat,
    /// A beat that is counted and not heard.
    SilentBeat,
    Tap,
    /// A key press too soon after another, which is none.
    Bounce,
    /// A tone until then; of feedback, from the tap of an input at that time.
    Tone {
        until: f64,
        tap: Option<(u16, f64)>,
    },
    /// The tone of a tap that a perturbation takes away.
    NoTone,
    MaskingTone,
    Code,
}

impl Mark {
    pub const ALL: [Mark; 9] = [
        Mark::Beat,
        Mark::ChangedBeat,
        Mark::SilentBeat,
        Mark::Tap,
        Mark::Bounce,
        Mark::Tone { until: 0.0, tap: None },
        Mark::NoTone,
        Mark::MaskingTone,
        Mark::Code,
    ];

    /// As the key has it.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Beat => "beat",
            Mark::ChangedBeat => "changed beat",
            Mark::SilentBeat => "silent beat",
            Mark::Tap => "tap",
            Mark::Bounce => "bounce (no tap)",
            Mark::Tone { .. } => "tone, with a line from its tap",
            Mark::NoTone => "tone taken away",
            Mark::MaskingTone => "masking tone",
            Mark::Code => "code",
        }
    }
}

/// What holds on a lane for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// The stream is not audible.
    Silence,
    /// A number changes gradually.
    Ramp,
}

/// A rule that acted.
pub(super) struct Fired {
    /// Its place in the file, from 0.
    pub rule: usize,
    pub at: f64,
}

impl Happened {
    pub fn of(file: &TrialFile, entries: &[Entry], observed: &Observed<'_>) -> Happened {
        let ending = entries.iter().rev().find_map(|entry| match entry.action.kind {
            ActionKind::End(why) => Some((why, at(entry))),
            _ => None,
        });
        let last = entries.iter().map(at).fold(0.0, f64::max);
        let end = ending.map_or(last, |(_, at)| at).max(0.001);
        let is_cut = ending.is_none_or(|(why, _)| why != TrialEnding::Rule);
        let mut seen = Happened { lanes: lanes(&file.trial), fired: Vec::new(), end, is_cut };
        seen.take(entries);
        seen.silences();
        seen.ramps(&file.trial);
        seen.windows(observed);
        seen.lanes.retain(|lane| !lane.marks.is_empty() || lane.of < Of::Rules);
        seen
    }

    fn take(&mut self, entries: &[Entry]) {
        let tap = |entry: &Entry| match entry.action.kind {
            ActionKind::Tap(input) => Some((entry.action.id, (input, at(entry)))),
            _ => None,
        };
        let taps: BTreeMap<EventId, (u16, f64)> = begun(entries).filter_map(tap).collect();
        let off = |e: &&Entry| e.action.kind == ActionKind::ToneOff;
        let offs: BTreeMap<EventId, f64> =
            entries.iter().filter(off).map(|e| (e.action.id, at(e))).collect();
        let mut beats = BTreeSet::new();
        let mut acted = BTreeSet::new();
        let end = self.end;
        for entry in begun(entries).filter(|entry| at(entry) <= end) {
            let (action, at) = (&entry.action, at(entry));
            if let ActionKind::Rule(rule) = action.kind
                && acted.insert((rule, action.deadline))
            {
                self.fired.push(Fired { rule: rule.into(), at });
            }
            let Some((of, mark)) = marked(action, at, &taps, &offs, end) else { continue };
            let is_chord = matches!(of, Of::Pacing(_)) && !beats.insert((of, action.deadline));
            if let Some(lane) = self.lane(of).filter(|_| !is_chord) {
                lane.marks.push((at, mark));
            }
        }
        for lane in &mut self.lanes {
            lane.marks.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        }
        self.fired.sort_by(|one, other| one.at.total_cmp(&other.at));
    }

    fn lane(&mut self, of: Of) -> Option<&mut Lane> {
        self.lanes.iter_mut().find(|lane| lane.of == of)
    }

    /// From the first beat that is not heard to the next that is.
    fn silences(&mut self) {
        let end = self.end;
        for lane in &mut self.lanes {
            let silent = |mark: Mark| mark == Mark::SilentBeat;
            let mut from = None;
            for (at, mark) in &lane.marks {
                match (from, silent(*mark)) {
                    (None, true) => from = Some(*at),
                    (Some(since), false) => {
                        lane.stretches.push((since, *at, Holds::Silence));
                        from = None;
                    }
                    (None, false) | (Some(_), true) => {}
                }
            }
            lane.stretches.extend(from.map(|since| (since, end, Holds::Silence)));
            // One beat is told by its mark alone.
            lane.stretches.retain(|(since, until, _)| {
                lane.marks.iter().filter(|(at, _)| (*since..*until).contains(at)).count() > 1
            });
        }
    }

    fn ramps(&mut self, trial: &Trial) {
        let mut found = Vec::new();
        for Fired { rule, at } in &self.fired {
            let then = trial.rules.get(*rule).map_or(&[][..], |rule| &rule.then);
            for act in then {
                if let Do::Ramp(ramp) = act {
                    found.push((of_number(ramp.of), *at, self.ramp_ends(ramp, *at)));
                }
            }
        }
        for (of, from, to) in found {
            if let Some(lane) = self.lane(of) {
                lane.stretches.push((from, to, Holds::Ramp));
            }
        }
    }

    fn ramp_ends(&self, ramp: &Ramp, from: f64) -> f64 {
        let ends = match ramp.over {
            Over::Time(over) => from + seconds(over),
            Over::Beats(beats) => {
                let lane = self.lanes.iter().find(|lane| lane.of == of_number(ramp.of));
                let later = lane.into_iter().flat_map(|lane| &lane.marks).map(|(at, _)| *at);
                later.filter(|at| *at >= from).nth(beats as usize).unwrap_or(self.end)
            }
        };
        ends.min(self.end)
    }

    /// When a tap answers a beat, or is part of a response.
    fn windows(&mut self, observed: &Observed<'_>) {
        let end = self.end;
        for lane in &mut self.lanes {
            let Of::Input(input) = lane.of else { continue };
            for (stream, pacing) in observed.pacing.iter().enumerate() {
                if !observed.answers.has(input.into(), stream) || pacing.beats.is_empty() {
                    continue;
                }
                let windows = match observed.answers.response(stream) {
                    Some(response) => {
                        let beats: Vec<Nanos> = pacing.beats.iter().map(|beat| beat.at).collect();
                        responses(&beats, response, end)
                    }
                    None => {
                        let grid = Grid::new(pacing, observed.answers.window(stream));
                        let both = |(from, to): &(Nanos, Nanos)| (seconds(*from), seconds(*to));
                        grid.windows().iter().map(both).collect()
                    }
                };
                lane.windows.push(windows);
            }
        }
    }
}

/// After the last beat of each round until the stream sounds again.
fn responses(beats: &[Nanos], response: &StreamResponse, end: f64) -> Vec<(f64, f64)> {
    let round = response.beats.map_or(beats.len(), |beats| beats as usize).max(1);
    let window = |(at, last): (usize, &Nanos)| {
        let next = beats.get((at + 1) * round).map_or(end, |next| seconds(*next));
        let until = response.within.map_or(next, |within| seconds(*last + within).min(next));
        (seconds(*last + response.after), until)
    };
    beats.chunks(round).filter_map(|round| round.last()).enumerate().map(window).collect()
}

/// Everything that has a place of its own: no ends of tones, no corrections.
fn begun(entries: &[Entry]) -> impl Iterator<Item = &Entry> {
    entries.iter().filter(|e| e.what == What::Happened && !e.action.kind.is_end_of_another())
}

fn at(entry: &Entry) -> f64 {
    seconds(entry.achieved.unwrap_or(entry.action.deadline))
}

/// All lanes that a trial may fill: streams, then each input with the channels that hear it, masking, rules, codes.
fn lanes(trial: &Trial) -> Vec<Lane> {
    let lane = |name: &str, of| Lane {
        name: name.to_owned(),
        of,
        marks: Vec::new(),
        stretches: Vec::new(),
        windows: Vec::new(),
    };
    let mut lanes = Vec::new();
    lanes.extend((0..).zip(&trial.pacing).map(|(at, it)| lane(&it.name, Of::Pacing(at))));
    for (input, it) in (0..).zip(&trial.inputs) {
        lanes.push(lane(&it.name, Of::Input(input)));
        let heard = (0..).zip(&trial.feedback);
        let heard = heard.filter(|(_, channel)| channel.from.input.unwrap_or(0) == input);
        lanes.extend(heard.map(|(at, channel)| lane(&channel.name, Of::Feedback(at))));
    }
    lanes.extend((0..).zip(&trial.masking).map(|(at, it)| lane(&it.name, Of::Masking(at))));
    lanes.push(lane("tones of rules", Of::Rules));
    lanes.push(lane("codes", Of::Codes));
    lanes
}

/// The mark of an action, and its lane.
fn marked(
    action: &Action,
    at: f64,
    taps: &BTreeMap<EventId, (u16, f64)>,
    offs: &BTreeMap<EventId, f64>,
    end: f64,
) -> Option<(Of, Mark)> {
    let until = offs.get(&action.id).copied().unwrap_or(end).clamp(at, end.max(at));
    let tone = |tap| Mark::Tone { until, tap };
    Some(match action.kind {
        ActionKind::Pacing(stream) => {
            let mark = if action.perturbation.is_none() { Mark::Beat } else { Mark::ChangedBeat };
            (Of::Pacing(stream), mark)
        }
        ActionKind::SilentBeat(stream, Silence::Rest | Silence::Inaudible | Silence::Muted) => {
            (Of::Pacing(stream), Mark::SilentBeat)
        }
        ActionKind::Feedback(channel) => {
            (Of::Feedback(channel), tone(taps.get(&action.cause).copied()))
        }
        ActionKind::Muted(channel) => (Of::Feedback(channel), Mark::NoTone),
        ActionKind::Masking(stream) => (Of::Masking(stream), Mark::MaskingTone),
        ActionKind::Rule(_) if action.message.is_some() => (Of::Rules, tone(None)),
        ActionKind::Tap(input) if action.number == 0 => (Of::Input(input), Mark::Bounce),
        ActionKind::Tap(input) => (Of::Input(input), Mark::Tap),
        ActionKind::Code(_) => (Of::Codes, Mark::Code),
        ActionKind::Rule(_)
        | ActionKind::Copy(_)
        | ActionKind::ToneOff
        | ActionKind::Release(_)
        | ActionKind::ControlIn(_)
        | ActionKind::ControlOut(_)
        | ActionKind::Sysex(_)
        | ActionKind::Marker(_)
        | ActionKind::InputClosed(_)
        | ActionKind::InputReopened(_)
        | ActionKind::Xrun
        | ActionKind::Changed(_)
        | ActionKind::Cancelled(_)
        | ActionKind::CodeOff
        | ActionKind::Overwritten
        | ActionKind::End(_) => return None,
    })
}

/// The lane of a number that changes gradually.
fn of_number(number: Number) -> Of {
    match number {
        Number::PacingInterval(of)
        | Number::PacingTempo(of)
        | Number::PacingVelocity(of)
        | Number::AccentVelocity(of)
        | Number::AdaptPhase(of)
        | Number::AdaptPeriod(of) => Of::Pacing(of),
        Number::FeedbackDelay(of)
        | Number::FeedbackFraction(of)
        | Number::FeedbackVelocity(of)
        | Number::FeedbackScale(of)
        | Number::FeedbackTranspose(of) => Of::Feedback(of),
        Number::MaskingRate(of) => Of::Masking(of),
    }
}
