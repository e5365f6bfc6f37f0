//! [`Strangers`]: connections that nobody has shown a cookie on. Where there is no room left the
//! oldest of them has to go, so that however many come and say nothing, whoever is let in still is.

use hyper::StatusCode;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot::{Receiver, Sender, channel};

/// Those of one side, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Strangers(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    last: u64,
    all: VecDeque<(u64, Sender<()>)>,
}

impl Strangers {
    /// Somebody comes: a number, and what is told when they have to go.
    pub(super) fn come(&self) -> (u64, Receiver<()>) {
        let (told, has_to_go) = channel();
        let mut inner = self.lock();
        inner.last += 1;
        let number = inner.last;
        inner.all.push_back((number, told));
        (number, has_to_go)
    }

    /// The one who came first has to go, where there is one.
    pub(super) fn dismiss(&self) {
        if let Some((_, told)) = self.lock().all.pop_front() {
            let _ = told.send(()); // who has gone already need not be told
        }
    }

    /// This one is a stranger no more.
    pub(super) fn forget(&self, number: u64) {
        self.lock().all.retain(|(known, _)| *known != number);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an answer was for somebody who is let in: these are what the guard refuses with.
pub(super) fn was_let_in(answer: StatusCode) -> bool {
    let refusals = [
        StatusCode::UNAUTHORIZED,
        StatusCode::FORBIDDEN,
        StatusCode::MISDIRECTED_REQUEST,
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
    ];
    !refusals.contains(&answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_stranger_goes_and_nobody_who_was_let_in() {
        let strangers = Strangers::default();
        let mut all = [strangers.come(), strangers.come(), strangers.come()];
        strangers.forget(all[0].0);
        strangers.dismiss();
        let told = all.each_mut().map(|(_, has_to_go)| has_to_go.try_recv().is_ok());
        assert_eq!(told, [false, true, false]);
        strangers.dismiss();
        strangers.dismiss(); // of nobody
        assert!(all[2].1.try_recv().is_ok());
    }
}
