//! [`CirculationTest`]: the two tests, each as the trial it is.
//!
//! The loop is the trial of examples/loop.toml with three additions: the count is
//! set; each tone has another note than the 47 before it, so that a message that
//! comes back can be told from its neighbours; and where the loop falls silent,
//! because a message was lost, it is set going again.

use chronotap_config::trial_files::TrialFile;
use chronotap_core::time::Nanos;
use chronotap_engine::trial::Trial;

/// Notes that circulate, one after the other.
const NOTES: std::ops::Range<u8> = 36..84;

/// A message that is not back after so long is lost.
pub const LOST_AFTER: Nanos = Nanos::from_millis(900);

/// Which test, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CirculationTest {
    /// One note-on and one note-off, 1 ms apart, go round and round (Finney 2001).
    Loop {
        /// Messages that are to come in.
        inputs: u32,
    },
    /// Single messages with random waits between them.
    Single {
        /// Messages that are sent.
        samples: u32,
    },
}

/// The test cannot be made into a trial.
#[derive(Debug, thiserror::Error)]
#[error("a test takes from 2 to 1000000 messages, not {0}")]
pub struct TestError(pub u32);

impl CirculationTest {
    /// The trial.
    ///
    /// # Errors
    /// [`TestError`] where the count is out of range.
    pub fn trial(self) -> Result<Trial, TestError> {
        let messages = self.messages();
        if !(2..=1_000_000).contains(&messages) {
            return Err(TestError(messages));
        }
        let text = self.text();
        TrialFile::parse(&text, "test").map(|file| file.trial).map_err(|_| TestError(messages))
    }

    /// `loop` or `single`.
    pub fn name(self) -> &'static str {
        match self {
            CirculationTest::Loop { .. } => "loop",
            CirculationTest::Single { .. } => "single",
        }
    }

    /// Messages that are to come back.
    pub fn messages(self) -> u32 {
        match self {
            CirculationTest::Loop { inputs } => inputs,
            CirculationTest::Single { samples } => samples,
        }
    }

    /// The trial as a file.
    pub fn text(self) -> String {
        match self {
            CirculationTest::Loop { inputs } => circulating(inputs),
            CirculationTest::Single { samples } => single(samples),
        }
    }
}

/// The loop begins by the first silence, and again by every later one; it ends by
/// its count (the tap after the last, which the trial no longer takes in), by a silence that a new beginning did not break, or by the clock: no
/// driver that is of any use takes 20 ms for a message.
fn circulating(inputs: u32) -> String {
    let notes: Vec<String> = NOTES.map(|note| note.to_string()).collect();
    let (notes, taps) = (notes.join(", "), inputs.div_ceil(2) + 1);
    let longest_ms = 60_000 + 20 * u64::from(inputs);
    format!(
        r#"title = "Loop test"

[feedback.loop]
pitch = {{ sequence = [{notes}] }}

[[when]]
silence = "1 s"
repeat = true
play = {{ note = 30, duration = "1 ms" }}

[[when]]
tap = {taps}
end = true

[[when]]
silence = "4 s"
end = true

[[when]]
time = "{longest_ms} ms"
end = true
"#
    )
}

/// Note-ons at random intervals of 25 to 45 ms, note-offs 12 ms after them: each
/// message is alone on its way, and none keeps step with a frame or a period.
fn single(samples: u32) -> String {
    let tones = samples.div_ceil(2);
    format!(
        r#"title = "Single messages"

[pacing.tones]
interval = "35 ms"
beats = {tones}
jitter = {{ uniform = ["-10 ms", "10 ms"], moves = "interval" }}
notes = [60, 61, 62, 63, 64, 65, 66, 67]
tone = {{ duration = "12 ms" }}

[pacing.wait]
start = {{ after = "tones", delay = "1 s" }}
interval = "1 s"
beats = 1
audible = false

[[when]]
beat.wait = 1
end = true
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tests_are_trials() {
        for test in
            [CirculationTest::Loop { inputs: 10_000 }, CirculationTest::Single { samples: 1_000 }]
        {
            let file = TrialFile::parse(&test.text(), "test");
            assert!(file.is_ok(), "{}", file.unwrap_err());
            assert!(test.trial().is_ok());
        }
        assert!(CirculationTest::Loop { inputs: 0 }.trial().is_err());
    }
}
