//! [`trial`]: the trial that answers every tap with a click.

use chronotap_config::trial_files::{Problems, TrialFile};
use chronotap_core::time::Nanos;
use chronotap_engine::trial::Trial;

/// The last click is waited for so long.
pub(super) const AFTER: Nanos = Nanos::from_secs(1);

/// Ends a second after the last tap of the pad, or when it has taken too long. Note 33 of the
/// percussion channel is a click, which is at its peak in its first frame. So many further inputs
/// are recorded, and nothing answers them.
pub fn trial(taps: u32, longest: Nanos, beside: usize) -> Result<Trial, Problems> {
    TrialFile::parse(&text(taps, longest, beside), "test").map(|file| file.trial)
}

fn text(taps: u32, longest: Nanos, beside: usize) -> String {
    let (longest_ms, after_ms) = (longest.0 / 1_000_000, AFTER.0 / 1_000_000);
    let beside: String = (1..=beside).map(|n| format!("[input.beside-{n}]\n")).collect();
    format!(
        r#"title = "Tap to sound"

[input.pad]
{beside}
[feedback.click]
from = {{ input = "pad" }}
channel = 10
pitch = {{ fixed = 33 }}
velocity = {{ fixed = 127 }}
duration = "20 ms"

[pacing.last]
start = {{ tap.pad = {taps}, delay = "{after_ms} ms" }}
interval = "1 s"
beats = 1
audible = false

[[when]]
beat.last = 1
end = true

[[when]]
time = "{longest_ms} ms"
end = true
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_trial() {
        for beside in [0, 2] {
            let made = trial(20, Nanos::from_secs(50), beside);
            assert_eq!(made.map(|trial| trial.inputs.len()).unwrap_or_default(), 1 + beside);
        }
    }
}
