//! What is said of the timing tests.

mod studies;
mod timing;

use crate::Sentences;

pub(crate) const ROWS: &[&[Sentences]] = &[studies::ROWS, timing::ROWS];

#[cfg(test)]
pub(crate) fn examples() -> Vec<Box<dyn std::error::Error>> {
    [studies::examples(), timing::examples()].into_iter().flatten().collect()
}
