//! What is said of the computer and its settings.

use crate::{Says, Sentences, Surface, row, with};
use chronotap_linux::machine::StepError;
use std::io::ErrorKind;

pub(super) const ROWS: &[Sentences] = &[row::<StepError>()];

impl Says for StepError {
    fn says(&self, _: Surface) -> String {
        match self {
            StepError::Refused { error, .. } => match error.kind() {
                ErrorKind::PermissionDenied => with(self, "run it with sudo"),
                ErrorKind::NotFound => with(self, "this kernel does not have it"),
                _ => with(self, "a container or a locked-down kernel does not allow it"),
            },
            StepError::Kept { .. } => with(self, "the kernel does not offer it here"),
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    let what = || "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor".to_owned();
    let refused = |errno| StepError::Refused {
        what: what(),
        error: std::io::Error::from_raw_os_error(errno),
    };
    let kept = StepError::Kept { what: what(), asked: "performance".into(), got: "none".into() };
    let all = [refused(1), refused(2), refused(30), kept];
    all.into_iter().map(|error| Box::new(error) as _).collect()
}
