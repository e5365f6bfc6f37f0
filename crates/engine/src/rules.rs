//! [`RuleStates`]: which rules wait, and for what. It tells the engine at which
//! instants something could fire, so that an instant that concerns no rule
//! costs one look-up.

use crate::trial::{Rule, RuleCondition, Trial};
use chronotap_core::midi::U7;
use chronotap_core::time::Nanos;

/// What conditions are judged by.
pub trait RuleFacts {
    /// The instant.
    fn now(&self) -> Nanos;
    /// Beats of a stream that have come: those of its longest run, where it was started again.
    fn beat(&self, stream: u16) -> u32;
    /// Accepted taps of an input.
    fn taps(&self, input: u16) -> u32;
    /// Accepted taps of an input since a stream ended; the most after any of its ends.
    fn taps_after(&self, stream: u16, input: u16) -> u32;
    /// Time since the last accepted tap of an input, or since the start.
    fn silence(&self, input: u16) -> Nanos;
    /// Whether the tap of this very moment is on this key.
    fn note(&self, input: Option<u16>, note: U7) -> bool;
}

/// The state of all rules.
#[derive(Clone, Debug)]
pub struct RuleStates {
    fired: Vec<bool>, // or, for a rule that repeats: whether its condition holds
    times: Vec<Nanos>,
    next_time: usize,
    beats: Vec<Vec<u32>>,
    taps: Vec<Vec<u32>>,
    every_tap: Vec<bool>, // by input: any of its taps may be one that is waited for
    notes: [bool; 128],
    silences: Vec<Vec<Nanos>>,
    repeating: bool, // some rule repeats, so that the end of a silence matters too
    alert: bool,
}

impl RuleStates {
    /// All rules wait.
    pub fn new(trial: &Trial) -> RuleStates {
        let mut watch = RuleStates {
            fired: vec![false; trial.rules.len()],
            times: Vec::new(),
            next_time: 0,
            beats: vec![Vec::new(); trial.pacing.len()],
            taps: vec![Vec::new(); trial.inputs.len()],
            every_tap: vec![false; trial.inputs.len()],
            notes: [false; 128],
            silences: vec![Vec::new(); trial.inputs.len()],
            repeating: trial.rules.iter().any(|rule| rule.repeats),
            alert: false,
        };
        trial.rules.iter().for_each(|rule| watch.add(&rule.when));
        watch.times.sort_unstable();
        watch.beats.iter_mut().chain(&mut watch.taps).for_each(|list| list.sort_unstable());
        watch.silences.iter_mut().for_each(|list| list.sort_unstable());
        watch
    }

    fn add(&mut self, condition: &RuleCondition) {
        match condition {
            RuleCondition::Time(at) => self.times.push(*at),
            RuleCondition::Beat { stream, number } => {
                self.beats[usize::from(*stream)].push(*number)
            }
            RuleCondition::Tap { input, number } => self.taps[usize::from(*input)].push(*number),
            RuleCondition::TapsAfter { input, .. } => self.every_tap[usize::from(*input)] = true,
            RuleCondition::Note { note, .. } => self.notes[note.index()] = true,
            RuleCondition::Silence { input, length } => {
                self.silences[usize::from(*input)].push(*length);
            }
            RuleCondition::All(parts) | RuleCondition::Any(parts) => {
                parts.iter().for_each(|p| self.add(p))
            }
        }
    }

    /// The next time that a rule waits for.
    pub fn next_time(&self) -> Nanos {
        self.times.get(self.next_time).copied().unwrap_or(Nanos::MAX)
    }

    /// When the next silence is reached, by an input's last tap (or the start),
    /// among those not reached by `judged` already.
    pub fn next_silence(&self, input: usize, since: Nanos, judged: Nanos) -> Nanos {
        let ends = self.silences[input].iter().map(|&length| since.saturating_add(length));
        ends.into_iter().find(|&end| end > judged).unwrap_or(Nanos::MAX)
    }

    /// Time has come to `now`.
    pub fn time(&mut self, now: Nanos) {
        while self.next_time() <= now {
            self.next_time += 1;
            self.alert = true;
        }
    }

    /// Something may have happened that a rule waits for.
    pub fn alert(&mut self) {
        self.alert = true;
    }

    /// A beat has come.
    pub fn beat(&mut self, stream: usize, number: u32) {
        self.alert |= self.beats[stream].binary_search(&number).is_ok();
    }

    /// A tap was accepted.
    pub fn tap(&mut self, input: usize, number: u32, note: U7) {
        self.alert |= self.notes[note.index()]
            || self.every_tap[input]
            || self.taps[input].binary_search(&number).is_ok()
            || (self.repeating && !self.silences[input].is_empty());
    }

    /// Whether something happened that a rule waits for; asked once.
    pub fn take_alert(&mut self) -> bool {
        std::mem::take(&mut self.alert)
    }

    /// The first rule from `from` on, in file order, that is to act now.
    pub fn next_to_act(
        &mut self,
        from: usize,
        rules: &[Rule],
        facts: &impl RuleFacts,
    ) -> Option<usize> {
        (from..rules.len()).find(|&i| {
            if self.fired[i] && !rules[i].repeats {
                return false;
            }
            let holds = rules[i].when.holds(facts);
            let acts = holds && !self.fired[i];
            // What holds only by the tap of this moment will not hold after it.
            let lasts = || rules[i].when.holds(&Lasting(facts));
            self.fired[i] = holds && (!rules[i].repeats || lasts());
            acts
        })
    }
}

impl RuleCondition {
    /// Whether the condition holds.
    pub fn holds(&self, facts: &impl RuleFacts) -> bool {
        match self {
            RuleCondition::Time(at) => facts.now() >= *at,
            RuleCondition::Beat { stream, number } => facts.beat(*stream) >= *number,
            RuleCondition::Tap { input, number } => facts.taps(*input) >= *number,
            RuleCondition::TapsAfter { stream, input, number } => {
                facts.taps_after(*stream, *input) >= *number
            }
            RuleCondition::Note { input, note } => facts.note(*input, *note),
            RuleCondition::Silence { input, length } => facts.silence(*input) >= *length,
            RuleCondition::All(parts) => parts.iter().all(|part| part.holds(facts)),
            RuleCondition::Any(parts) => parts.iter().any(|part| part.holds(facts)),
        }
    }
}

/// What holds beyond the moment: everything but the key of its tap.
struct Lasting<'a, F>(&'a F);

impl<F: RuleFacts> RuleFacts for Lasting<'_, F> {
    fn now(&self) -> Nanos {
        self.0.now()
    }

    fn beat(&self, stream: u16) -> u32 {
        self.0.beat(stream)
    }

    fn taps(&self, input: u16) -> u32 {
        self.0.taps(input)
    }

    fn taps_after(&self, stream: u16, input: u16) -> u32 {
        self.0.taps_after(stream, input)
    }

    fn silence(&self, input: u16) -> Nanos {
        self.0.silence(input)
    }

    fn note(&self, _: Option<u16>, _: U7) -> bool {
        false
    }
}
