//! [`meetings`]: codes that come while another one still stands, as far as it is known beforehand.
//! [`meetings_by_taps`]: those that taps bring about whenever they come, such as the code of a tap and
//! that of a rule which the tap fires. Two codes that only happen to be near are none of these.

use crate::trial_files::foresee::{unhindered, without_masking};
use chronotap_core::midi::{Channel, Message, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind, EventId};
use chronotap_engine::trial::{Coded, RuleCondition, Trial};
use chronotap_engine::{Engine, Event};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// So many instants of a trial are looked at.
const STEPS_MAX: u32 = 20_000;
/// So many where somebody taps, for each way of tapping.
const STEPS_TAPPED: u32 = 8_000;
/// So many ways of tapping are tried.
const WAYS_MAX: usize = 12;
/// So far ahead.
const HORIZON: Nanos = Nanos(3_600 * 1_000_000_000);
/// The first tap, and the time from one to the next: no time that a trial file states falls on one.
const FIRST_TAP: Nanos = Nanos(437_000_013);
const EVERY: Nanos = Nanos(617_000_031);

/// A code that cuts another one short, or codes of one instant: places in the trial's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Met {
    /// In the order in which they were sent; one code together stands for its events.
    pub codes: Vec<u16>,
    /// When the last came.
    pub at: Nanos,
    /// How long after the one before.
    pub apart: Nanos,
}

/// Codes that meet if nobody taps: of each set at one instant where it first comes, and of each two
/// where they are nearest.
pub(crate) fn meetings(trial: &Trial, seed: Option<u64>) -> Vec<Met> {
    let mut seen = Seen::of(trial, Which::Any);
    let mut engine = Engine::new(Arc::new(unhindered(trial)), seed.unwrap_or(1));
    for _ in 0..STEPS_MAX {
        let Some(next) = engine.next_deadline().filter(|at| *at <= HORIZON) else { break };
        engine.advance(next, &mut |action| seen.take(action));
    }
    seen.met()
}

/// Codes that meet by taps, or by a want of them, wherever these come.
pub(crate) fn meetings_by_taps(trial: &Trial, seed: Option<u64>) -> Vec<Met> {
    if trial.codes.is_none() {
        return Vec::new();
    }
    let copy = Arc::new(without_masking(trial));
    let ways = ways(trial);
    let known = meetings(trial, seed);
    let mut found = Seen::of(trial, Which::OneCause);
    rehearse(&copy, seed, &[], &mut found);
    found.which = Which::OneCauseOrInstant;
    let each = ways.iter().map(std::slice::from_ref);
    for way in each.chain([&ways[..]]) {
        found.begin();
        rehearse(&copy, seed, way, &mut found);
    }
    let mut met = found.met();
    met.retain(|met| known.iter().all(|known| known.codes != met.codes));
    met
}

/// A way of tapping: channel, key and velocity.
type Way = (Channel, U7, U7);

/// One for each channel of feedback and each key that a rule waits for, and an ordinary one.
fn ways(trial: &Trial) -> Vec<Way> {
    let usual = (Channel::ONE, U7::clamped(60), U7::clamped(90));
    let within = |(low, high): (U7, U7), usual: U7| usual.max(low).min(high);
    let heard = trial.feedback.iter().map(|f| {
        let from = &f.from;
        (
            from.channel.unwrap_or(usual.0),
            within(from.notes, usual.1),
            within(from.velocities, usual.2),
        )
    });
    let mut keys = Vec::new();
    trial.rules.iter().for_each(|rule| keys_of(&rule.when, &mut keys));
    let mut ways = vec![usual];
    for way in heard.chain(keys.into_iter().map(|key| (usual.0, key, usual.2))) {
        if !ways.contains(&way) && ways.len() < WAYS_MAX {
            ways.push(way);
        }
    }
    ways
}

fn keys_of(condition: &RuleCondition, keys: &mut Vec<U7>) {
    match condition {
        RuleCondition::Note { note, .. } => keys.push(*note),
        RuleCondition::All(parts) | RuleCondition::Any(parts) => {
            parts.iter().for_each(|part| keys_of(part, keys));
        }
        _ => {}
    }
}

/// Somebody taps on each input in turn, in each of these ways; nobody where there is none.
fn rehearse(trial: &Arc<Trial>, seed: Option<u64>, ways: &[Way], seen: &mut Seen<'_>) {
    let mut engine = Engine::new(Arc::clone(trial), seed.unwrap_or(1));
    let slowest = trial.inputs.iter().map(|input| input.debounce).max().unwrap_or_default();
    let (inputs, apart) = (trial.inputs.len().max(1), EVERY.saturating_add(slowest));
    let mut tap = FIRST_TAP;
    let mut number = 0;
    for _ in 0..STEPS_TAPPED {
        let next = engine.next_deadline().filter(|at| *at <= HORIZON);
        if engine.is_over() && next.is_none() {
            return;
        }
        if ways.is_empty() || next.is_some_and(|next| next < tap) || engine.is_over() {
            let Some(next) = next else { return };
            engine.advance(next, &mut |action| seen.take(action));
            continue;
        }
        let (channel, note, velocity) = ways[number / inputs % ways.len()];
        let message = Some(Message::NoteOn { channel, note, velocity });
        engine.input(Event { input: (number % inputs) as u16, stamp: tap, message });
        engine.advance(tap, &mut |action| seen.take(action));
        (tap, number) = (tap.saturating_add(apart), number + 1);
    }
}

/// Which of the codes that meet are told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Any,
    /// Those of events that one event brought about.
    OneCause,
    /// These, and those of one instant.
    OneCauseOrInstant,
}

/// A code that was sent.
#[derive(Clone, Copy)]
struct Sent {
    place: u16,
    at: Nanos,
    root: EventId, // what brought its event about in the end; 0 for none
}

struct Seen<'t> {
    trial: &'t Trial,
    which: Which,
    causes: HashMap<EventId, EventId>,
    instant: Vec<Sent>,   // the codes of the last instant at which any came
    last: Option<Sent>,   // the last code
    before: Option<Sent>, // the same where the next one cuts it short
    together: BTreeMap<Vec<u16>, Met>,
    cut: BTreeMap<(u16, u16), Met>,
}

impl<'t> Seen<'t> {
    fn of(trial: &'t Trial, which: Which) -> Seen<'t> {
        let (together, cut) = (BTreeMap::new(), BTreeMap::new());
        let causes = HashMap::new();
        Seen { trial, which, causes, instant: Vec::new(), last: None, before: None, together, cut }
    }

    /// Another rehearsal begins.
    fn begin(&mut self) {
        self.settle();
        self.causes.clear();
        (self.last, self.before) = (None, None);
    }

    fn take(&mut self, action: &Action) {
        if !action.kind.is_end_of_another() {
            self.causes.insert(action.id, action.cause);
        }
        match action.kind {
            ActionKind::Overwritten => self.before = self.last,
            ActionKind::Code(place) => self.send(place, action),
            _ => {}
        }
    }

    fn send(&mut self, place: u16, action: &Action) {
        let sent = Sent { place, at: action.instant, root: self.root(action.cause) };
        if let Some(before) = self.before.take().filter(|before| before.at < sent.at) {
            self.cut_short(before, sent);
        }
        if self.instant.first().is_some_and(|first| first.at != sent.at) {
            self.settle();
        }
        self.instant.push(sent);
        self.last = Some(sent);
    }

    /// The event behind all that led to this one.
    fn root(&self, event: EventId) -> EventId {
        let mut event = event;
        while let Some(cause) = self.causes.get(&event).filter(|cause| **cause > 0) {
            event = *cause;
        }
        event
    }

    fn cut_short(&mut self, first: Sent, second: Sent) {
        let one_cause = first.root > 0 && first.root == second.root;
        if self.which != Which::Any && !one_cause {
            return;
        }
        let codes = vec![first.place, second.place];
        let met = Met { codes, at: second.at, apart: second.at - first.at };
        let kept = self.cut.entry((first.place, second.place)).or_insert_with(|| met.clone());
        if met.apart < kept.apart {
            *kept = met;
        }
    }

    /// The instant is over: whether several events had a code there.
    fn settle(&mut self) {
        let all = std::mem::take(&mut self.instant);
        let Some(first) = all.first() else { return };
        let one_cause = first.root > 0 && all.iter().all(|sent| sent.root == first.root);
        if self.which == Which::OneCause && !one_cause {
            return;
        }
        let mut codes = Vec::new();
        for place in all.iter().flat_map(|sent| self.events(sent.place)) {
            if !codes.contains(&place) {
                codes.push(place);
            }
        }
        let several = all.len() > 1 && codes.len() > 1;
        if several {
            let met = Met { codes: codes.clone(), at: first.at, apart: Nanos::ZERO };
            codes.sort_unstable();
            self.together.entry(codes).or_insert(met);
        }
    }

    /// The codes of the events that a code stands for.
    fn events(&self, place: u16) -> Vec<u16> {
        let list = self.trial.codes.as_ref().map_or(&[][..], |codes| &codes.list);
        match list.get(usize::from(place)).map(|code| &code.of) {
            Some(Coded::Together(parts)) => parts.clone(),
            _ => vec![place],
        }
    }

    fn met(mut self) -> Vec<Met> {
        self.settle();
        self.together.into_values().chain(self.cut.into_values()).collect()
    }
}
