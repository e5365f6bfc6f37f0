//! [`Presence`]: whether a callback of ours is under way in one of the server's two threads, and
//! [`Called`]: a client that leaves only when none is.
//!
//! libjack ends a client's threads with `pthread_cancel`, wherever they are (`JackPosixThread` sets
//! the type `PTHREAD_CANCEL_ASYNCHRONOUS`): that of the periods in `jack_deactivate`, once the server
//! has waited some periods in vain, that of the notices in `jack_client_close`. In the midst of a
//! callback the cancellation would unwind through Rust's frames, which ends the process ("exception
//! not rethrown"). So whoever leaves closes first: from then on callbacks do nothing, and those under
//! way are waited for.

use crate::clocks::{MonotonicClock, sleep_until};
use chronotap_core::time::Nanos;
use jack::{AsyncClient, Client, NotificationHandler, ProcessHandler};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const INSIDE: u8 = 1;
const CLOSED: u8 = 2;

/// How long a callback is waited for. One that takes longer never ends.
const PATIENCE: Nanos = Nanos::from_secs(20);

/// How long the thread of the notices may need from its last closed callback back into libjack:
/// some instructions, and the time that it waits for a processor between them.
const WAY_BACK: Nanos = Nanos::from_millis(20);

/// Shared by the callbacks and by whoever leaves the server.
#[derive(Clone, Debug, Default)]
pub struct Presence(Arc<[AtomicU8; 2]>);

/// The server's two threads in a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerThread {
    /// It calls once a period.
    Periods,
    /// It tells what changed.
    Notices,
}

impl Presence {
    /// Nobody is inside, and it is open.
    pub fn new() -> Presence {
        Presence::default()
    }

    /// Does a callback's work in that thread, unless it was closed.
    ///
    /// Real-time contract: two atomic operations besides the work; no lock, allocation or call.
    pub fn during(&self, thread: ServerThread, work: impl FnOnce()) {
        let state = &self.0[thread as usize];
        let before = state.fetch_or(INSIDE, Ordering::Acquire);
        let _inside = Inside(state); // says so too where the work panics
        if before & CLOSED == 0 {
            work();
        }
    }

    /// Lets no further callback work, and waits until none is at work. Blocks, for at most 20 s.
    pub fn close(&self) {
        self.0.iter().for_each(|state| _ = state.fetch_or(CLOSED, Ordering::AcqRel));
        let end = MonotonicClock::raw() + PATIENCE;
        while self.is_inside() && MonotonicClock::raw() < end {
            sleep_until(MonotonicClock::raw() + Nanos::from_millis(1));
        }
    }

    fn is_inside(&self) -> bool {
        self.0.iter().any(|state| state.load(Ordering::Acquire) & INSIDE != 0)
    }
}

struct Inside<'a>(&'a AtomicU8);

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.fetch_and(!INSIDE, Ordering::Release);
    }
}

/// A client that the server calls until it is dropped. Its handlers work within
/// [`Presence::during`] of the presence that is given.
#[derive(Debug)]
pub struct Called<N, P> {
    client: AsyncClient<N, P>,
    presence: Presence,
}

impl<N, P> Called<N, P>
where
    N: 'static + Send + Sync + NotificationHandler,
    P: 'static + Send + ProcessHandler,
{
    /// Lets the server call.
    ///
    /// # Errors
    /// Those of the server, which refused.
    pub fn begin(
        client: Client,
        (notices, cycle): (N, P),
        presence: Presence,
    ) -> Result<Called<N, P>, jack::Error> {
        Ok(Called { client: client.activate_async(notices, cycle)?, presence })
    }
}

impl<N, P> Called<N, P> {
    /// To ask the server.
    pub fn client(&self) -> &Client {
        self.client.as_client()
    }
}

impl<N, P> Drop for Called<N, P> {
    /// Waits for the callbacks under way; then the client leaves. Blocks.
    ///
    /// The server tells a client that it deactivates of every connection that this ends, in the thread
    /// of the notices, and goes on meanwhile. Once it is deactivated nothing more is told, and the
    /// callbacks, closed, take no time: so the thread is back in libjack when it is ended, and the
    /// handlers go only then.
    fn drop(&mut self) {
        self.presence.close();
        // SAFETY: the client is open until `client` is dropped, after this; deactivating once more is allowed.
        unsafe { jack::jack_sys::jack_deactivate(self.client().raw()) };
        sleep_until(MonotonicClock::raw() + WAY_BACK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::sync::mpsc::channel;

    #[test]
    fn who_leaves_waits_for_the_callback_under_way_and_no_other_works() {
        [ServerThread::Periods, ServerThread::Notices].into_iter().for_each(who_leaves_waits_for);
    }

    fn who_leaves_waits_for(server: ServerThread) {
        let presence = Presence::new();
        let (done, callback) = (Arc::new(AtomicBool::new(false)), presence.clone());
        let (begun, wait) = channel();
        let noted = Arc::clone(&done);
        let thread = std::thread::spawn(move || {
            callback.during(server, || {
                begun.send(()).unwrap();
                sleep_until(MonotonicClock::raw() + Nanos::from_millis(50));
                noted.store(true, Ordering::Release);
            });
        });
        wait.recv().unwrap();
        presence.close();
        assert!(done.load(Ordering::Acquire), "it left in the midst of a callback");
        presence.during(server, || panic!("a callback worked after the closing"));
        thread.join().unwrap();
    }
}
