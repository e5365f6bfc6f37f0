//! Options that commands with devices have besides: how the real-time thread runs, and what the help says of ports.

pub use chronotap_desk::args::options::*;

use chronotap_core::time::Nanos;
use chronotap_linux::realtime::Request;
use chronotap_rig::runner::real_time::RealTimeSettings;
use clap::Args;

/// How the real-time thread runs.
#[derive(Args, Debug)]
#[command(next_help_heading = "Real time")]
pub struct RealTime {
    /// Limit of the timing verdict, such as "500 us"; a number alone counts us [default: the trial
    /// file's, 1 ms]
    #[arg(long, alias = "limit-us", value_name = "TIME", value_parser = limit)]
    pub limit: Option<Nanos>,
    /// SCHED_FIFO priority to ask for, 1 to 98
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(i32).range(1..=98))]
    pub priority: i32,
    /// Run as an ordinary thread: ask for no real-time rights
    #[arg(long)]
    pub ordinary: bool,
    /// Processor to run on, from 0 [default: any]
    #[arg(long, value_name = "N")]
    pub cpu: Option<usize>,
    /// Sleep right up to each deadline instead of spinning for the last stretch
    #[arg(long)]
    pub no_spin: bool,
    /// Look after the trial at least this often, 100 us to 1 ms, such as "490 us", the pause of
    /// FTAP, so that the times between services are those that FTAP counts; a number alone counts
    /// us [default: when something is due or comes in]
    #[arg(long, value_name = "TIME", value_parser = serve_every)]
    pub serve_every: Option<Nanos>,
}

impl RealTime {
    /// What the real-time thread is to ask for.
    pub fn settings(&self) -> RealTimeSettings {
        let request = if self.ordinary {
            Request { cpu: self.cpu, ..Request::nothing() }
        } else {
            Request { fifo_priority: Some(self.priority), cpu: self.cpu, ..Request::trial() }
        };
        RealTimeSettings { request, spin: !self.no_spin, serve_every: self.serve_every }
    }
}

/// How often the engine is looked after.
fn serve_every(text: &str) -> Result<Nanos, String> {
    bounded(text, US, Nanos::from_micros(100)..=Nanos::from_millis(1))
}

/// What the help says of the names of ports.
pub fn ports() -> String {
    chronotap_linux::ports::PortKinds::standard().help()
}
