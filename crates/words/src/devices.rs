//! What is said of devices, of the rig that opens them, and of sessions on it.

mod cards;
mod laboratory;
mod machine;
mod ports;
mod runner;
mod visit;

use crate::Sentences;

pub(crate) const ROWS: &[&[Sentences]] =
    &[cards::ROWS, laboratory::ROWS, machine::ROWS, ports::ROWS, runner::ROWS, visit::ROWS];

#[cfg(test)]
pub(crate) fn examples() -> Vec<Box<dyn std::error::Error>> {
    [
        cards::examples(),
        laboratory::examples(),
        machine::examples(),
        ports::examples(),
        runner::examples(),
        visit::examples(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
