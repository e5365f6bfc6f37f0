//! [`summarize`]: from recorded entries to the summary of a trial. The statistics
//! themselves are in `chronotap-analysis`.

use crate::record::{CallbackLoad, Entry, HeardAgain};
use chronotap_analysis::observed::{
    Answers, Beat, Gone, InputRole, Observed, ObservedInput, ObservedStream, SystemCounts, Tap,
};
use chronotap_analysis::services::ServiceIntervals;
use chronotap_analysis::sound::SoundCard;
use chronotap_analysis::summary::Summary;
use chronotap_analysis::usable::Revision;
use chronotap_core::midi::{Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind, EventId, Silence, TrialEnding};
use chronotap_engine::trial::{Duration, PatternStep, RuleCondition, Start, Trial};

/// What the runner knows besides the entries.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    /// Lateness of output that is allowed.
    pub limit: Nanos,
    /// Events that found the recorder's queue full.
    pub dropped: u64,
    /// Tones and inputs that found no room, and messages that no port took.
    pub lost: u64,
    /// Tones that a stop of the program had left too late to be sent.
    pub overdue: u64,
    /// Frames of music that had not been read when they were due.
    pub missing: u64,
    /// By how much the computer's wall clock was set since the last trial, or in this one.
    pub wall_clock_set: Nanos,
    /// The constant latency of each output, in the trial's order; none where shorter.
    pub latencies: Vec<Nanos>,
    /// What a full buffer on the way from each input lost, in the trial's order; nothing
    /// where shorter.
    pub overruns: Vec<u64>,
    /// Which input answers which stream.
    pub answers: Answers,
    /// What the sound cards' callbacks amount to.
    pub loads: Vec<CallbackLoad>,
    /// Whether the watchdog acted.
    pub watchdog: bool,
    /// How many times 330 ms nothing came from MIDI devices that had begun with active sensing.
    pub sensing_missed: u64,
    /// What the sound that inputs kept says of their taps.
    pub heard: HeardAgain,
    /// Which doubts are looked for.
    pub revision: Revision,
    /// Time between services, in real time.
    pub services: Option<ServiceIntervals>,
    /// Faults and switches, in real time.
    pub system: Option<SystemCounts>,
}

/// The summary of a trial.
pub fn summarize(title: &str, trial: &Trial, entries: &[Entry], seen: &Circumstances) -> Summary {
    summarize_each(title, trial, entries.iter(), seen)
}

/// The same of entries that are anywhere.
pub fn summarize_each<'e>(
    title: &str,
    trial: &Trial,
    entries: impl Iterator<Item = &'e Entry> + Clone,
    seen: &Circumstances,
) -> Summary {
    let lateness = lateness(entries.clone(), &seen.latencies);
    let mut observing = Observing::of(trial, seen);
    entries.for_each(|entry| observing.add(entry));
    Summary::of(&Observed { title, lateness: &lateness, ..observing.done() })
}

/// What was observed in a trial, for an account of each tap; without title and lateness.
pub fn observed<'a>(trial: &'a Trial, entries: &[Entry], seen: &Circumstances) -> Observed<'a> {
    let mut observing = Observing::of(trial, seen);
    entries.iter().for_each(|entry| observing.add(entry));
    observing.done()
}

/// The same from one entry after another; each correction is in its place.
pub(crate) struct Observing<'a> {
    observed: Observed<'a>,
    heard: HeardAgain,
    end: Option<(TrialEnding, Nanos)>,
    last: Option<Nanos>,
    room: usize, // for taps, beats, and times at which a device was gone
}

impl<'a> Observing<'a> {
    /// Nothing was observed yet.
    pub(crate) fn of(trial: &'a Trial, seen: &Circumstances) -> Observing<'a> {
        let observed = Observed {
            pacing: trial.pacing.iter().map(stream).collect(),
            taps: inputs(trial, seen),
            answers: seen.answers.clone(),
            latencies: latencies(trial, &seen.latencies),
            services: seen.services,
            system: seen.system,
            limit: seen.limit,
            dropped: seen.dropped,
            lost: seen.lost,
            overdue: seen.overdue,
            missing: seen.missing,
            wall_clock_set: seen.wall_clock_set,
            sound_cards: seen.loads.iter().map(|load| sound_card(load, 0)).collect(),
            watchdog: seen.watchdog,
            sensing_missed: seen.sensing_missed,
            revision: seen.revision,
            ..Observed::default()
        };
        let heard = seen.heard.clone();
        Observing { observed, heard, end: None, last: None, room: usize::MAX }
    }

    /// With so much room for taps and beats.
    pub(crate) fn within(self, room: usize) -> Observing<'a> {
        Observing { room: room.saturating_add(1), ..self }
    }

    /// Whether there is anything to be observed in this action, besides when it was.
    pub(crate) fn takes(action: &Action) -> bool {
        let kind = action.kind;
        let altered = is_altered(action);
        let ends = matches!(kind, ActionKind::End(_) | ActionKind::Xrun | ActionKind::Changed(_));
        let arrives = matches!(
            kind,
            ActionKind::Tap(_) | ActionKind::InputClosed(_) | ActionKind::InputReopened(_)
        );
        let held = matches!(kind, ActionKind::Release(_));
        let beats =
            matches!(kind, ActionKind::Pacing(_) | ActionKind::SilentBeat(_, Silence::Inaudible));
        ends || arrives || held || beats || altered
    }

    /// Something was decided at this instant.
    pub(crate) fn lasted_to(&mut self, instant: Option<Nanos>) {
        self.last = self.last.max(instant);
    }

    /// Adds the next entry.
    pub(crate) fn add(&mut self, entry: &Entry) {
        let instant = entry.action.instant;
        self.lasted_to(Some(instant));
        match entry.action.kind {
            ActionKind::End(ending) => self.end = Some((ending, instant)),
            ActionKind::Xrun => self.observed.xruns += 1,
            ActionKind::Changed(change) => self.observed.changes.note(change),
            ActionKind::Overwritten => self.observed.overwritten += 1,
            ActionKind::Pacing(i) if self.has_room() => {
                let back = self.heard.beat(entry.action.id);
                if add_beat(&mut self.observed.pacing, i, entry, back.flatten()) {
                    let [came_back, beats] = &mut self.observed.looped;
                    *beats += u64::from(back.is_some());
                    *came_back += u64::from(back.flatten().is_some());
                }
            }
            ActionKind::SilentBeat(i, Silence::Inaudible)
                if self.is_reference(i) && self.has_room() =>
            {
                add_silent_beat(&mut self.observed.pacing[usize::from(i)], entry);
            }
            ActionKind::Tap(i) | ActionKind::InputClosed(i) | ActionKind::InputReopened(i)
                if self.has_room() =>
            {
                add_arrival(&mut self.observed.taps, i, entry, &self.heard);
            }
            ActionKind::Release(i) => {
                let input = self.observed.taps.get_mut(usize::from(i));
                input.into_iter().for_each(|input| input.releases += 1);
            }
            _ if is_altered(&entry.action) => alter(&mut self.observed.taps, entry.action.cause),
            _ => {}
        }
    }

    /// Whether taps are measured against a stream that is silent.
    fn is_reference(&self, stream: u16) -> bool {
        let stream = usize::from(stream);
        stream < self.observed.pacing.len() && self.observed.answers.silent.contains(&stream)
    }

    /// Whether one more has room; where none has, what there is goes too.
    fn has_room(&mut self) -> bool {
        if self.room == 1 {
            self.observed.pacing.iter_mut().for_each(|stream| stream.beats = Vec::new());
            let inputs = self.observed.taps.iter_mut();
            inputs.for_each(|input| (input.taps, input.gone) = (Vec::new(), Vec::new()));
        }
        self.room = self.room.saturating_sub(1);
        self.room > 0
    }

    /// All that was observed, where it had room.
    pub(crate) fn whole(self) -> Option<Observed<'a>> {
        (self.room > 0).then(|| self.done())
    }

    /// All that was observed.
    pub(crate) fn done(self) -> Observed<'a> {
        let Observing { mut observed, end, last, .. } = self;
        let (ending, length) =
            end.map_or((CUT_SHORT, last.unwrap_or(Nanos::ZERO)), |(e, at)| (ending_word(e), at));
        (observed.ending, observed.length) = (ending, length);
        observed.complete = matches!(end, Some((TrialEnding::Rule | TrialEnding::InputClosed, _)));
        observed.taps.iter_mut().for_each(|input| input.taps.sort_by_key(|tap| tap.onset));
        observed.sound_cards.iter_mut().for_each(|card| card.xruns = observed.xruns);
        observed
    }
}

/// The ending of a trial whose end is not recorded; its length is that of its record.
pub(crate) const CUT_SHORT: &str = "a break-off (its end is not recorded)";

/// Of the xruns those that the events have: the card goes on for a while after the end.
fn sound_card(load: &CallbackLoad, xruns: u64) -> SoundCard {
    SoundCard {
        outputs: load.outputs.clone(),
        callbacks: load.callbacks,
        lost: load.lost,
        period_us: load.period.as_micros_f64(),
        mean_load: load.mean_share(),
        worst_load: load.worst_share(),
        worst_at_s: load.longest_at.as_secs_f64(),
        latest_us: load.latest.as_micros_f64(),
        xruns,
    }
}

/// Why a trial ended, in words.
pub fn ending_word(ending: TrialEnding) -> &'static str {
    match ending {
        TrialEnding::Rule => "its trigger",
        TrialEnding::Interrupted => "interruption",
        TrialEnding::InputClosed => "a closed input",
        TrialEnding::Recorder => "the recorder (it had no room for more events)",
        TrialEnding::TimeLimit => "the time limit",
    }
}

/// Achieved - deadline, less what the output is late by always.
fn lateness<'e>(entries: impl Iterator<Item = &'e Entry>, latencies: &[Nanos]) -> Vec<Nanos> {
    let constant = |output: u16| latencies.get(usize::from(output)).copied();
    let outputs = entries.filter(|entry| entry.action.is_output());
    let late = |entry: &Entry| {
        let constant = constant(entry.action.port).unwrap_or(Nanos::ZERO);
        Some(entry.achieved? - entry.action.deadline - constant)
    };
    outputs.filter_map(late).collect()
}

/// The outputs that have a constant latency, by name.
fn latencies<'a>(trial: &'a Trial, latencies: &[Nanos]) -> Vec<(&'a str, Nanos)> {
    let all = trial.outputs.iter().map(String::as_str).zip(latencies.iter().copied());
    all.filter(|(_, latency)| *latency > Nanos::ZERO).collect()
}

/// Adds a beat that sounded to its stream; a chord is one beat. `back` is when it came back by a loop.
/// Whether it is another beat than the last.
fn add_beat(
    streams: &mut [ObservedStream<'_>],
    stream: u16,
    entry: &Entry,
    back: Option<Nanos>,
) -> bool {
    let action = &entry.action;
    let (Some(at), Some(stream)) = (entry.achieved, streams.get_mut(usize::from(stream))) else {
        return false;
    };
    if action.number == 0 {
        return false; // what a recording has before its first beat
    }
    let (id, number, deadline) = (action.id, action.number, action.deadline);
    // A stream that is started again has the same numbers at other times.
    let last = stream.beats.last();
    let is_another = last.is_none_or(|last| (last.number, last.deadline) != (number, deadline));
    if is_another {
        stream.beats.push(Beat { id, number, deadline, at: back.unwrap_or(at) });
    }
    is_another
}

/// Adds a beat that did not sound to the stream that it belongs to. Its time is the one asked for.
fn add_silent_beat(stream: &mut ObservedStream<'_>, entry: &Entry) {
    let action = &entry.action;
    let (id, number, deadline) = (action.id, action.number, action.deadline);
    stream.beats.push(Beat { id, number, deadline, at: deadline });
}

fn stream(pacing: &chronotap_engine::trial::Pacing) -> ObservedStream<'_> {
    ObservedStream {
        name: &pacing.name,
        pattern: pacing.pattern.iter().map(|step| *step != PatternStep::Rest).collect(),
        adaptive: pacing.adapt.is_some(),
        beats: Vec::new(),
    }
}

/// The inputs, nothing of which came yet.
fn inputs<'a>(trial: &'a Trial, seen: &Circumstances) -> Vec<ObservedInput<'a>> {
    let input = |(place, input): (usize, &'a chronotap_engine::trial::Input)| ObservedInput {
        part: part(trial, place as u16, seen),
        overruns: seen.overruns.get(place).copied().unwrap_or(0),
        sustains: sustains(trial, place as u16),
        afterwards: seen.heard.later().iter().filter(|tap| tap.input == input.name).count() as u64,
        ..ObservedInput::tapped(&input.name, [])
    };
    trial.inputs.iter().enumerate().map(input).collect()
}

/// Whether a tone that is played at an input lasts as long as its key.
fn sustains(trial: &Trial, input: u16) -> bool {
    let heard = |of: Option<u16>| of.is_none_or(|of| of == input);
    let channels = trial.feedback.iter().filter(|channel| heard(channel.from.input));
    channels.into_iter().any(|channel| channel.duration == Duration::AsPlayed)
}

/// Adds a tap, or that a device went or came back.
fn add_arrival(inputs: &mut [ObservedInput<'_>], input: u16, entry: &Entry, heard: &HeardAgain) {
    // A journal of another trial may name any input.
    let Some(input) = inputs.get_mut(usize::from(input)) else { return };
    let at = entry.action.deadline;
    match entry.action.kind {
        ActionKind::Tap(_) => {
            let debounced = entry.action.number == 0;
            let note = key(entry.action.message);
            let id = entry.action.id;
            let (source, refined) = heard.tap(id).unzip();
            let (onset, force) = (refined.flatten().unwrap_or(at), heard.force(id));
            let sound_peak_ppm = heard.peak_ppm(id);
            input.taps.push(Tap {
                id,
                onset,
                debounced,
                note,
                altered: false,
                source,
                sound_peak_ppm,
                force,
            });
        }
        ActionKind::InputClosed(_) => input.gone.push(Gone { from: at, to: None }),
        _ => {
            if let Some(gone) = input.gone.last_mut() {
                gone.to = Some(at);
            }
        }
    }
}

/// Whether it is a feedback tone that a perturbation altered, or took away.
fn is_altered(action: &Action) -> bool {
    let tone = matches!(action.kind, ActionKind::Feedback(_) | ActionKind::Muted(_));
    tone && !action.perturbation.is_none()
}

/// The feedback of this tap was altered. Taps stand in the order of their events until all are there.
fn alter(inputs: &mut [ObservedInput<'_>], tap: EventId) {
    for input in inputs {
        if let Ok(place) = input.taps.binary_search_by_key(&tap, |tap| tap.id) {
            input.taps[place].altered = true;
        }
    }
}

/// The key of a message that presses one.
fn key(message: Option<Message>) -> Option<U7> {
    match message? {
        Message::NoteOn { note, .. } => Some(note),
        _ => None,
    }
}

/// What the trial has an input for. One that is declared under a name of its own is there
/// to be tapped on, even where nothing else in the file speaks of it.
fn part(trial: &Trial, input: u16, seen: &Circumstances) -> InputRole {
    let answers = seen.answers.named.contains(&usize::from(input));
    let heard = |of: Option<u16>| trial.feedback.iter().any(|channel| channel.from.input == of);
    let starts = trial
        .pacing
        .iter()
        .any(|pacing| matches!(pacing.start, Start::Tap { input: of, .. } if of == input));
    let steers = trial
        .pacing
        .iter()
        .any(|p| p.adapt.is_some_and(|adapt| adapt.leaders.place(input).is_some()));
    let awaited = trial.rules.iter().any(|rule| awaits(&rule.when, input));
    let several = trial.inputs.len() > 1;
    if heard(Some(input)) || starts || steers || awaited || answers {
        return InputRole::Own;
    }
    let named = trial.inputs[usize::from(input)].name != "input";
    if heard(None) || named || several { InputRole::Any } else { InputRole::None }
}

/// Whether a rule waits for taps of this input, or for its silence.
fn awaits(condition: &RuleCondition, input: u16) -> bool {
    match condition {
        RuleCondition::Tap { input: of, .. }
        | RuleCondition::TapsAfter { input: of, .. }
        | RuleCondition::Silence { input: of, .. } => *of == input,
        RuleCondition::Note { input: of, .. } => *of == Some(input),
        RuleCondition::All(parts) | RuleCondition::Any(parts) => {
            parts.iter().any(|part| awaits(part, input))
        }
        RuleCondition::Time(_) | RuleCondition::Beat { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{What, settled};
    use chronotap_config::trial_files::TrialFile;

    const PERIOD: Nanos = Nanos(5_333_333); // 256 frames at 48 kHz

    /// Ten beats, each played so long after its deadline as `late` says, on an output
    /// of one period's latency.
    fn played(late: impl Fn(u32) -> Nanos) -> (TrialFile, Vec<Entry>) {
        let text = "[pacing.beats]\ninterval = \"100 ms\"\nbeats = 10\n[[when]]\ntime = \"2 s\"\nend = true\n";
        let file = TrialFile::parse(text, "beats.toml").unwrap();
        let mut engine = chronotap_engine::Engine::new(std::sync::Arc::new(file.trial.clone()), 1);
        let mut entries = Vec::new();
        engine.advance(Nanos::from_secs(3), &mut |action| {
            let late = if action.is_output() { late(action.number) } else { Nanos::ZERO };
            let achieved = Some(action.deadline + late);
            let (what, action) = (What::Happened, *action);
            entries.push(Entry { what, action, achieved, stamp: None, frame: None });
        });
        (file, entries)
    }

    fn judged(file: &TrialFile, entries: &[Entry], latencies: Vec<Nanos>) -> Summary {
        let limit = Nanos::from_millis(1);
        let seen = Circumstances { limit, latencies, ..Circumstances::default() };
        summarize("beats", &file.trial, &settled(entries), &seen)
    }

    #[test]
    fn a_constant_period_is_stated_and_does_not_fail_a_trial() {
        let (file, entries) = played(|n| PERIOD + Nanos(i64::from(n)));
        let summary = judged(&file, &entries, vec![PERIOD]);
        assert!(!summary.verdict.failed(), "{summary}");
        assert!(summary.lateness.as_ref().unwrap().max_us < 1.0);
        assert!(summary.to_string().contains("after a constant 5333.3 us"), "{summary}");
        assert!(judged(&file, &entries, vec![]).verdict.failed(), "without the statement it fails");
    }

    #[test]
    fn beats_that_fall_a_period_late_fail_it() {
        let (file, entries) = played(|n| if n == 7 { PERIOD * 2 } else { PERIOD });
        let summary = judged(&file, &entries, vec![PERIOD]);
        assert!(summary.verdict.failed());
        assert!(
            summary.verdict.reasons[0].contains("the greatest lateness 5333.3 us"),
            "{summary}"
        );
    }

    #[test]
    fn the_last_word_on_a_beat_counts() {
        let (file, mut entries) = played(|_| PERIOD);
        let beat = entries.iter().find(|entry| entry.action.is_output()).unwrap().action;
        let late = beat.deadline + PERIOD * 2;
        entries.push(Entry::correction(beat, Some(late.into())));
        let summary = judged(&file, &entries, vec![PERIOD]);
        assert_eq!(summary.lateness.unwrap().over_limit, 1);
    }

    #[test]
    fn xruns_are_counted_and_doubted() {
        let (file, mut entries) = played(|_| PERIOD);
        let mut xrun = *entries.last().unwrap();
        xrun.action.kind = ActionKind::Xrun;
        entries.insert(0, xrun);
        let summary = judged(&file, &entries, vec![PERIOD]);
        assert!(!summary.verdict.failed() && summary.xruns == 1);
        assert_eq!(summary.verdict.doubts.len(), 1, "{summary}");
    }

    #[test]
    fn times_at_the_ends_of_the_range_which_a_damaged_file_may_name_are_summed_up() {
        for end in [Nanos::MIN, Nanos::MAX] {
            for every in 1..4 {
                let (file, mut entries) = played(|_| PERIOD);
                entries.iter_mut().step_by(every).for_each(|entry| entry.achieved = Some(end));
                assert!(judged(&file, &entries, vec![PERIOD]).verdict.failed(), "{end} {every}");
                for entry in entries.iter_mut().step_by(every) {
                    (entry.action.deadline, entry.action.instant) = (end, -end);
                }
                judged(&file, &entries, vec![PERIOD]);
            }
        }
    }
}
