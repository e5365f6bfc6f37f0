//! [`Beside`]: the load of one step of a plan, from before its first test to after its
//! last, and what it did. A load that fails is a note on the tests beside it, since
//! what they measured is then not what the load's name says.

use crate::says::{Says, Terminal};
use crate::screen::remark;
use chronotap_bench::studies::Load;
use chronotap_bench::studies::loads::{LoadLimits, LoadWork, RunningLoad};
use chronotap_core::time::Nanos;

/// No load may go on for longer, in seconds.
const LONGEST_S: i64 = 86_400;
/// What tests may take beyond what they say, in seconds.
const MARGIN_S: i64 = 600;

/// A load under way.
pub struct Beside {
    running: Option<RunningLoad>,
}

impl Beside {
    /// Starts a load for tests that take about so long; the error is a note for them.
    pub fn start(load: Load, planned: Nanos, limits: &LoadLimits) -> Result<Beside, String> {
        if load == Load::None {
            return Ok(Beside { running: None });
        }
        remark(format!("load {load}: {}", load.described(limits.size_mb)));
        let limits = LoadLimits { seconds: seconds(planned), ..limits.clone() };
        let running = RunningLoad::start(load, &limits);
        let running =
            running.map_err(|why| format!("not measured beside it: {}", why.says(Terminal)))?;
        Ok(Beside { running: Some(running) })
    }

    /// Ends it. Gives what it did, or that it was less than asked.
    pub fn end(self) -> Option<String> {
        let running = self.running?;
        let load = running.load();
        Some(match running.end() {
            Err(why) => format!("measured beside less than asked: {}", why.says(Terminal)),
            Ok(work) => {
                let (cpu, elapsed) = (work.cpu_s, work.elapsed_s);
                let disk = ["read_mb", "written_mb", "network_mb"].map(|what| rate(&work, what));
                format!(
                    "beside {load}: its processes used {cpu:.1} s of processor time in \
                     {elapsed:.1} s{}",
                    disk.concat()
                )
            }
        })
    }
}

/// How quickly a disk or a network took part: `; read 120 MB/s`.
fn rate(work: &LoadWork, what: &str) -> String {
    let verb = what.trim_end_matches("_mb");
    match work.done.get(what) {
        Some(mb) if work.elapsed_s > 0.0 => format!("; {verb} {:.0} MB/s", mb / work.elapsed_s),
        _ => String::new(),
    }
}

fn seconds(planned: Nanos) -> u32 {
    let wanted = planned.0 / 1_000_000_000 * 2 + MARGIN_S;
    u32::try_from(wanted.clamp(1, LONGEST_S)).unwrap_or(u32::MAX)
}
