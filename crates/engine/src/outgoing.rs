//! What leaves the engine: actions on their way to an output, which may have to wait for a slower
//! one ([`Aligned`](crate::aligned::Aligned)), and the codes that stand for them
//! ([`CodeLine`](crate::code_line::CodeLine)).

use crate::action::{Action, ActionKind, EventId};
use crate::code_line::Standing;
use crate::instant::State;
use chronotap_core::time::Nanos;

impl State {
    /// Hands an action on.
    pub(crate) fn hand(&mut self, action: Action, sink: &mut impl FnMut(&Action)) {
        self.pass_on(&action, sink);
        self.lost += u64::from(!self.line.take(&action));
    }

    /// The codes that are due go out, and the line comes to rest where one has stood long enough.
    pub(crate) fn send_codes(&mut self, sink: &mut impl FnMut(&Action)) {
        if let Some(over) = self.line.rests_by(self.now) {
            self.tell_code(over.id, (ActionKind::CodeOff, 0, 0), over.until, sink);
        }
        self.lost += u64::from(!self.line.recur(self.now));
        while let Some((next, value, width)) = self.line.next(self.now) {
            if let Some(cut) = self.line.standing.take() {
                let what = (ActionKind::Overwritten, 0, next.cause);
                self.tell_code(cut.id, what, next.deadline, sink);
            }
            let id = self.new_event();
            let what = (ActionKind::Code(next.place), u32::from(value), next.cause);
            self.tell_code(id, what, next.deadline, sink);
            let until = next.deadline.max(self.now).saturating_add(width);
            self.line.standing = Some(Standing { id, until });
        }
    }

    fn tell_code(
        &mut self,
        id: EventId,
        what: (ActionKind, u32, EventId),
        deadline: Nanos,
        sink: &mut impl FnMut(&Action),
    ) {
        self.tell(id, what, deadline, self.line.output(), None, sink);
    }

    /// Hands to its output what has waited long enough.
    pub(crate) fn send_waiting(&mut self, sink: &mut impl FnMut(&Action)) {
        while let Some(action) = self.aligned.next(self.now) {
            sink(&action);
        }
    }

    /// Hands an action on, or lets it wait.
    pub(crate) fn pass_on(&mut self, action: &Action, sink: &mut impl FnMut(&Action)) {
        if let Some(early) = self.aligned.early(self.now) {
            self.lost += 1;
            sink(&early);
        }
        let silent = self.would_sound(action);
        if let Some(action) = silent.or_else(|| self.aligned.pass(action, self.now)) {
            sink(&action);
        }
    }

    /// What does not sound is told at once, with the time at which it would have sounded: so taps are
    /// as far from a beat that is left out as from one that is heard.
    fn would_sound(&self, action: &Action) -> Option<Action> {
        let output = match action.kind {
            ActionKind::SilentBeat(i, _) => self.streams.get(usize::from(i))?.pacing.output,
            ActionKind::Muted(_) | ActionKind::Cancelled(_) => action.port,
            _ => return None,
        };
        let deadline = action.deadline.saturating_add(self.aligned.wait(output));
        Some(Action { deadline, ..*action })
    }
}
