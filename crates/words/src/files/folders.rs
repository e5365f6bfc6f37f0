//! What is said of files and folders that the system refuses.

use crate::{AGAIN, Says, Sentences, Surface, row, with};
use chronotap_core::files::{OtherFolder, Refusal};

pub(super) const ROWS: &[Sentences] = &[row::<OtherFolder>()];

impl Says for OtherFolder {
    fn says(&self, surface: Surface) -> String {
        with(self, format!("put the folder itself back, {}", AGAIN.on(surface)))
    }
}

/// What to do about a file that is refused.
pub fn cure(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Full => "free space",
        Refusal::ReadOnly => "mount the disk for writing",
        Refusal::Gone => "put the folder back",
        Refusal::Forbidden => "correct the rights of the folder",
        Refusal::Held => "close it in the program that has it open",
        Refusal::Broken => "see that the disk is connected and sound",
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    vec![Box::new(OtherFolder { path: "data".into() })]
}
