//! What is said of devices, and of the rig that opens them.

mod cards;
mod laboratory;
mod machine;
mod ports;
mod runner;

use crate::Sentences;

pub(crate) const ROWS: &[&[Sentences]] =
    &[cards::ROWS, laboratory::ROWS, machine::ROWS, ports::ROWS, runner::ROWS];

#[cfg(test)]
pub(crate) fn examples() -> Vec<Box<dyn std::error::Error>> {
    [
        cards::examples(),
        laboratory::examples(),
        machine::examples(),
        ports::examples(),
        runner::examples(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
