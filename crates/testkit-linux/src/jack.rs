//! [`JackServer`]: a real JACK server with its dummy driver, for tests of what is its client.
//! A machine has one server under the usual name: of the tests of one program the next waits until the
//! last one's has ended.

use chronotap_core::time::Nanos;
use chronotap_linux::clocks::{MonotonicClock, sleep_until};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The rate of every server started here, in Hz.
pub const RATE_HZ: u32 = 48_000;

/// Held by the test whose server runs.
static TURN: Mutex<()> = Mutex::new(());

/// A server that ends when it is dropped. Drop its clients first.
pub struct JackServer {
    jackd: Child,
    _turn: MutexGuard<'static, ()>,
}

impl JackServer {
    /// Starts a server with a period of so many frames, when no other test of this program has one, and
    /// waits until `answers` says that it runs. The error is why the test must be passed over: jackd is not
    /// installed, a server runs already, or none answers within 5 s.
    pub fn start(frames: u32, answers: impl Fn() -> bool) -> Result<JackServer, &'static str> {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner); // a test that failed has ended its own
        if answers() {
            return Err("a JACK server runs already");
        }
        let mut jackd = Command::new("jackd");
        let (rate, frames) = (RATE_HZ.to_string(), frames.to_string());
        jackd.args(["-r", "-d", "dummy", "-r", &rate, "-p", &frames]);
        let jackd = jackd.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let jackd = jackd.map_err(|_| "jackd is not installed")?;
        let server = JackServer { jackd, _turn: turn };
        for _ in 0..50 {
            sleep_until(MonotonicClock::raw() + Nanos::from_millis(100));
            if answers() {
                return Ok(server);
            }
        }
        Err("jackd does not start")
    }
}

impl Drop for JackServer {
    fn drop(&mut self) {
        let _ = self.jackd.kill();
        let _ = self.jackd.wait();
    }
}
