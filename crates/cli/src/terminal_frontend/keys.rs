//! [`Keys`]: what is typed at a terminal while a session runs: answers, and the
//! experimenter's wishes between two trials. Waiting for it ends with Ctrl-C.

use chronotap_core::time::{Nanos, wall_clock_now};
use chronotap_linux::clocks::MonotonicClock;
use chronotap_linux::realtime::Interrupt;
use chronotap_session::{FrontendError, Wish};
use rustix::event::{PollFd, PollFlags, poll};
use std::collections::VecDeque;
use std::io::{IsTerminal, stdin, stdout};
use std::os::fd::AsFd;

/// The keys of a terminal, where there is one.
pub(super) struct Keys {
    interrupt: Interrupt,
    attended: bool,
    begun: Vec<u8>, // a line that is not finished
    typed: VecDeque<String>,
    closed: bool,
}

impl Keys {
    /// `wanted` is false where nobody shall be waited for although there is a terminal.
    pub(super) fn new(interrupt: Interrupt, wanted: bool) -> Keys {
        let attended = wanted && stdin().is_terminal() && stdout().is_terminal();
        Keys { interrupt, attended, begun: Vec::new(), typed: VecDeque::new(), closed: false }
    }

    /// Whether somebody sits there.
    pub(super) fn attended(&self) -> bool {
        self.attended && !self.closed
    }

    /// Whether somebody sat there, and the terminal is gone.
    pub(super) fn is_gone(&self) -> bool {
        self.closed
    }

    /// Waits for a line.
    pub(super) fn line(&mut self) -> Result<String, FrontendError> {
        loop {
            if let Some(line) = self.typed.pop_front() {
                return Ok(line);
            }
            if self.interrupt.requested() || self.closed {
                return Err(FrontendError::Interrupted);
            }
            self.look(None);
        }
    }

    /// Waits for so long; what is typed meanwhile is a wish.
    pub(super) fn pause(&mut self, span: Nanos) -> Result<(), FrontendError> {
        let end = MonotonicClock::raw() + span;
        loop {
            let left = end - MonotonicClock::raw();
            if self.interrupt.requested() || self.closed {
                return Err(FrontendError::Interrupted);
            }
            if left <= Nanos::ZERO {
                return Ok(());
            }
            self.look(Some(left));
        }
    }

    /// Whether Enter was pressed since this was last asked.
    pub(super) fn pressed(&mut self) -> bool {
        self.look(Some(Nanos::ZERO));
        // A note that was typed before it waits for the session to take it.
        let enter = self.typed.iter().position(|line| line.trim().is_empty());
        enter.and_then(|place| self.typed.remove(place)).is_some()
    }

    /// Whether something is typed that is more than to go on or a note; what is no command is
    /// told at once. A terminal that is gone wants to stop.
    pub(super) fn has_wish(&mut self) -> bool {
        self.look(Some(Nanos::ZERO));
        let waits = |line: &String| matches!(command(line), Some(Wish::GoOn | Wish::Note { .. }));
        self.closed || !self.typed.iter().all(waits)
    }

    /// A line that is there already.
    pub(super) fn typed(&mut self) -> Option<String> {
        self.look(Some(Nanos::ZERO));
        self.typed.pop_front()
    }

    /// Takes in what is typed; waits for it at most so long, or without end.
    fn look(&mut self, longest: Option<Nanos>) {
        let stdin = stdin();
        let mut waited = vec![PollFd::from_borrowed_fd(self.interrupt.descriptor(), PollFlags::IN)];
        if self.attended() {
            waited.push(PollFd::new(&stdin, PollFlags::IN));
        }
        let longest = longest.map(chronotap_linux::clocks::timespec);
        if poll(&mut waited, longest.as_ref()).is_err() {
            return; // a signal; whoever waits looks again
        }
        let happened = waited.get(1).map_or(PollFlags::empty(), PollFd::revents);
        self.closed |= happened.intersects(PollFlags::HUP | PollFlags::ERR);
        if happened.contains(PollFlags::IN) {
            self.read(stdin.as_fd());
        }
    }

    fn read(&mut self, stdin: impl AsFd) {
        let mut bytes = [0; 256];
        // Nothing is read at Ctrl-D, which ends no session; a terminal that is gone says so by
        // itself.
        if let Ok(count) = rustix::io::read(stdin, &mut bytes) {
            self.begun.extend_from_slice(&bytes[..count]);
        }
        while let Some(end) = self.begun.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.begun.drain(..=end).collect();
            self.typed.push_back(String::from_utf8_lossy(&line).trim().to_owned());
        }
    }
}

/// What a line of the experimenter means; `None` where it means nothing.
pub(super) fn command(line: &str) -> Option<Wish> {
    let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    let reason = || match rest.trim() {
        "" => "no reason given".to_owned(),
        reason => reason.to_owned(),
    };
    match word {
        "" => Some(Wish::GoOn),
        "r" | "repeat" => Some(Wish::Repeat(reason())),
        "s" | "skip" => Some(Wish::Skip(reason())),
        "p" | "pause" => Some(Wish::Pause),
        "q" | "stop" => Some(Wish::Stop),
        "n" | "note" => Some(Wish::Note { at: wall_clock_now(), text: rest.trim().to_owned() }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_a_letter_or_a_word_with_a_reason() {
        assert_eq!(command("r she sneezed"), Some(Wish::Repeat("she sneezed".into())));
        assert_eq!(command("skip"), Some(Wish::Skip("no reason given".into())));
        let Some(Wish::Note { text, .. }) = command("note door open") else { panic!("no note") };
        assert_eq!(text, "door open");
        assert_eq!(command("p"), Some(Wish::Pause));
        assert_eq!((command("q"), command("")), (Some(Wish::Stop), Some(Wish::GoOn)));
        assert_eq!(command("what"), None);
    }
}
