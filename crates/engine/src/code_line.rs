//! [`CodeLine`]: the line on which codes are told to another recorder: which events have one,
//! what waits, and what stands on the line. One code can stand there at a time, for its width.
//!
//! Real-time contract: what waits has its memory from construction; what finds no room is
//! lost and counted.

use crate::action::{Action, ActionKind, EventId};
use crate::trial::{Coded, Codes, Trial};
use chronotap_core::time::Nanos;
use std::collections::VecDeque;

/// The most codes that may wait; they wait no longer than the delay of the trial's codes.
const MOST_WAITING: usize = 1_024;

/// The line of the codes of a trial.
#[derive(Debug)]
pub(crate) struct CodeLine {
    codes: Option<Codes>,
    waiting: VecDeque<Waiting>, // by deadline, ascending
    pub(crate) standing: Option<Standing>,
    recurring: Option<Recurring>,
    last: Option<(ActionKind, u32, Nanos)>, // what was coded last: the notes of a chord are one event
    singly: usize, // of those that are due at once: still to be sent, each by itself
}

/// A code that is to be sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub(crate) deadline: Nanos,
    pub(crate) place: u16, // in the trial's list
    pub(crate) cause: EventId,
}

/// The code that recurs.
#[derive(Clone, Copy, Debug)]
struct Recurring {
    place: u16,
    next: Nanos,
    interval: Nanos,
    until: Nanos, // the end, once it is known
}

/// The code on the line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) id: EventId,
    pub(crate) until: Nanos,
}

impl CodeLine {
    /// A line at rest. The code of the start is the first that waits.
    pub(crate) fn new(trial: &Trial) -> CodeLine {
        let codes = trial.codes.clone();
        let room = if codes.is_some() { MOST_WAITING } else { 0 };
        let mut waiting = VecDeque::with_capacity(room);
        if let Some(codes) = &codes
            && let Some(place) = codes.place_of(&Coded::Start)
        {
            waiting.push_back(Waiting { deadline: codes.delay, place, cause: 0 });
        }
        let recurring = codes.as_ref().and_then(Recurring::of);
        CodeLine { codes, waiting, standing: None, recurring, last: None, singly: 0 }
    }

    /// When it next changes; [`Nanos::MAX`] where it is at rest and nothing waits.
    pub(crate) fn due(&self) -> Nanos {
        let next = self.waiting.front().map_or(Nanos::MAX, |next| next.deadline);
        let next = self.recurs().map_or(next, |recurs| next.min(recurs));
        self.standing.map_or(next, |standing| next.min(standing.until))
    }

    /// Whether the line is at rest, and stays so.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.waiting.is_empty() && self.standing.is_none() && self.recurs().is_none()
    }

    /// When the code that recurs is sent next, if it is.
    fn recurs(&self) -> Option<Nanos> {
        let next = self.recurring.filter(|recurring| recurring.next <= recurring.until)?.next;
        Some(next.saturating_add(self.codes.as_ref()?.delay))
    }

    pub(crate) fn output(&self) -> u16 {
        self.codes.as_ref().map_or(0, |codes| codes.output)
    }

    pub(crate) fn rests_by(&mut self, now: Nanos) -> Option<Standing> {
        self.standing.take_if(|standing| standing.until <= now)
    }

    /// How many of those that wait are due.
    fn ready(&self, now: Nanos) -> usize {
        self.waiting.iter().take_while(|next| next.deadline <= now).count()
    }
}

impl Recurring {
    fn of(codes: &Codes) -> Option<Recurring> {
        codes.list.iter().zip(0..).find_map(|(code, place)| match code.of {
            Coded::Every { first: next, interval } => {
                Some(Recurring { place, next, interval, until: Nanos::MAX })
            }
            _ => None,
        })
    }
}

impl Codes {
    /// The place of what stands for an event.
    fn place_of(&self, of: &Coded) -> Option<u16> {
        self.list.iter().position(|code| code.of == *of).map(|place| place as u16)
    }

    /// The one code for several at once, if there is one.
    fn together<'w>(&self, all: impl Iterator<Item = &'w Waiting> + Clone) -> Option<u16> {
        let is_of = |parts: &[u16]| {
            all.clone().all(|one| parts.contains(&one.place))
                && parts.iter().all(|part| all.clone().any(|one| one.place == *part))
        };
        let found = |of: &Coded| matches!(of, Coded::Together(parts) if is_of(parts));
        self.list.iter().position(|code| found(&code.of)).map(|place| place as u16)
    }
}

/// What an action may have a code for.
fn coded(action: &Action) -> Option<Coded> {
    Some(match action.kind {
        ActionKind::Pacing(i) if action.number > 0 => Coded::Pacing(i),
        ActionKind::SilentBeat(i, _) => Coded::Silent(i),
        ActionKind::Feedback(i) => Coded::Feedback(i),
        ActionKind::Masking(i) => Coded::Masking(i),
        ActionKind::Tap(i) if action.number > 0 => Coded::Tap(i),
        ActionKind::Rule(i) => Coded::Rule(i),
        ActionKind::End(_) => Coded::End,
        ActionKind::Pacing(_) | ActionKind::Tap(_) => return None, // does not count
        ActionKind::Copy(_)
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
        | ActionKind::Muted(_)
        | ActionKind::Cancelled(_)
        | ActionKind::Code(_)
        | ActionKind::CodeOff
        | ActionKind::Overwritten => return None,
    })
}

impl CodeLine {
    /// An event that was handed on: if it has a code, that waits from now on. False where there is
    /// no room for it.
    pub(crate) fn take(&mut self, event: &Action) -> bool {
        if let (Some(recurring), ActionKind::End(_)) = (&mut self.recurring, event.kind) {
            recurring.until = event.deadline;
        }
        let Some(codes) = &self.codes else { return true };
        let Some(place) = coded(event).and_then(|of| codes.place_of(&of)) else { return true };
        let same = Some((event.kind, event.number, event.deadline));
        if std::mem::replace(&mut self.last, same) == same {
            return true;
        }
        if self.waiting.len() == MOST_WAITING {
            return false;
        }
        let deadline = event.deadline.saturating_add(codes.delay);
        let before = self.waiting.iter().rposition(|other| other.deadline <= deadline);
        let next = Waiting { deadline, place, cause: event.id };
        self.waiting.insert(before.map_or(0, |place| place + 1), next);
        true
    }

    /// The code that recurs waits once it is due: before those of events at its instant, so that
    /// they take the line from it. False where there is no room for it.
    pub(crate) fn recur(&mut self, now: Nanos) -> bool {
        let due = self.recurs().filter(|due| *due <= now);
        let (Some(deadline), Some(recurring)) = (due, &mut self.recurring) else { return true };
        let next = Waiting { deadline, place: recurring.place, cause: 0 };
        recurring.next = recurring.next.saturating_add(recurring.interval);
        if self.waiting.len() == MOST_WAITING {
            return false;
        }
        let before = self.waiting.iter().take_while(|other| other.deadline < deadline).count();
        self.waiting.insert(before, next);
        true
    }

    /// The next code that is due, with where and how long it stands; of several that are due at
    /// once the one code for all of them, if there is one. Where none names them all, each is sent by
    /// itself: a code for some of them would leave the others out.
    pub(crate) fn next(&mut self, now: Nanos) -> Option<(Waiting, u16, Nanos)> {
        let ready = self.ready(now);
        let codes = self.codes.as_ref()?;
        let mut next = *self.waiting.front().filter(|_| ready > 0)?;
        let all = (self.singly == 0).then(|| self.waiting.iter().take(ready));
        if let Some(together) = all.and_then(|all| codes.together(all)) {
            next.place = together;
            self.waiting.drain(..ready);
        } else {
            self.singly = ready - 1;
            self.waiting.pop_front();
        }
        Some((next, codes.list.get(usize::from(next.place))?.value, codes.width))
    }
}
