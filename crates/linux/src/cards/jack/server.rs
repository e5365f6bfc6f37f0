//! What every client of a JACK server needs, whether it plays sound or MIDI: a way in, the
//! server's clock, and its xruns.
//!
//! The library is loaded at run time: without it everything else works.

use crate::clocks::MonotonicClock;
use chronotap_core::time::Nanos;
use jack::{Client, ClientOptions, ProcessScope};

/// Why there is no way in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoJack {
    /// The library is not installed.
    Library,
    /// No server answers.
    Server,
}

/// A client of the server that runs, silent about its errors: they are told as
/// [`NoJack`].
///
/// # Errors
/// [`NoJack`]; no server is started.
pub fn jack_client(name: &str) -> Result<Client, NoJack> {
    if jack::jack_sys::library().is_err() {
        return Err(NoJack::Library);
    }
    jack::set_logger(jack::LoggerType::None);
    let opened = Client::new(name, ClientOptions::NO_START_SERVER);
    opened.map(|(client, _)| client).map_err(|_| NoJack::Server)
}

/// Whether the library that was loaded as JACK's is PipeWire's own. It answers the same calls, but
/// gives silence to a client that is joined to itself. The library has no call that tells; what
/// it stands on is among the files that this process has mapped.
pub(crate) fn is_pipewire() -> bool {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    maps.lines().any(|line| line.contains("/libpipewire-"))
}

/// The server's clock as raw CLOCK_MONOTONIC.
#[derive(Clone, Copy, Debug)]
pub struct JackClock {
    offset: Nanos, // raw CLOCK_MONOTONIC minus the server's clock
}

impl JackClock {
    /// From the closest of some looks. Both are the same clock on Linux; then what is
    /// left is less than the server's microsecond.
    pub fn of(client: &Client) -> JackClock {
        let look = |_| {
            let before = MonotonicClock::raw();
            let server = Nanos::from_micros(client.time() as i64);
            let after = MonotonicClock::raw();
            (after - before, before + (after - before) / 2 - server)
        };
        let closest = (0..16).map(look).min_by_key(|(width, _)| *width);
        let offset = closest.map_or(Nanos::ZERO, |(_, offset)| offset);
        let same = offset.abs() < Nanos::from_micros(5);
        JackClock { offset: if same { Nanos::ZERO } else { offset } }
    }

    /// When the period under way began, and the server's number of its first frame. After
    /// an xrun the server's own time lags for seconds; where it is a period or more away
    /// from the clock, the wake-up counts instead.
    ///
    /// Real-time contract: no allocation or lock; no system call but the clock's.
    pub fn began(self, scope: &ProcessScope, period: Nanos) -> (Nanos, u32) {
        let woke = MonotonicClock::raw();
        let Ok(times) = scope.cycle_times() else { return (woke, scope.last_frame_time()) };
        let began = Nanos(times.current_usecs as i64 * 1_000) + self.offset;
        let settled = (woke - began).abs() < period;
        (if settled { began } else { woke }, times.current_frames)
    }
}

/// The xruns that the server tells, each once.
///
/// One xrun callback comes for each client that was late, to every client; those of
/// one cycle come together, and the server tells no second cycle within two periods.
/// So what comes within a period of the last is the same xrun.
#[derive(Clone, Copy, Debug, Default)]
pub struct JackXruns {
    last: Option<Nanos>,
}

impl JackXruns {
    /// None as yet.
    pub fn new() -> JackXruns {
        JackXruns::default()
    }

    /// Whether what is told now is not the last one told again, at a server of that period.
    pub fn is_another(&mut self, now: Nanos, period: Nanos) -> bool {
        let another = self.last.is_none_or(|last| now - last >= period);
        if another {
            self.last = Some(now);
        }
        another
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_xrun_that_several_clients_caused_counts_once() {
        let mut xruns = JackXruns::new();
        let told = [100_000, 100_040, 100_090, 112_000, 112_001, 300_000];
        let period = Nanos::from_millis(5);
        let counted = told.map(|us| xruns.is_another(Nanos::from_micros(us), period));
        assert_eq!(counted, [true, false, false, true, false, true]);
    }
}
