//! [`CardThread`]: the thread of a card that no server calls.

use crate::cards::driver::Driver;
use crate::cards::error::CardError;
use crate::realtime::{Request, ask};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;

/// A thread that calls once a period, until it is dropped.
pub(crate) struct CardThread {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl CardThread {
    /// Starts it with the rights asked for, as far as they are granted. `make` makes,
    /// beforehand, what it does until the flag is set.
    pub(crate) fn start<Turns: FnOnce() + Send + 'static>(
        request: &Request,
        make: impl FnOnce(Arc<AtomicBool>) -> Turns,
    ) -> Result<CardThread, CardError> {
        let stop = Arc::new(AtomicBool::new(false));
        let (request, turns) = (request.clone(), make(Arc::clone(&stop)));
        let body = move || {
            let _rights = ask(&request);
            turns();
        };
        let builder = std::thread::Builder::new().name("sound card".into());
        let thread = builder.spawn(body).map_err(CardError::Thread)?;
        Ok(CardThread { stop, thread: Some(thread) })
    }
}

impl Driver for CardThread {}

impl Drop for CardThread {
    /// Waits for the period under way.
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        // A process that panicked has already been reported by the panic's own message.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
