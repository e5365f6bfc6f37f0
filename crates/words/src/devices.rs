//! What is said of devices, of the rig that opens them, and of sessions on it.

mod cards;
mod laboratory;
mod machine;
mod ports;
mod power;
mod runner;
mod session;

pub use session::{done_to, ended};

use crate::Sentences;

pub(crate) const ROWS: &[&[Sentences]] = &[
    cards::ROWS,
    laboratory::ROWS,
    machine::ROWS,
    ports::ROWS,
    power::ROWS,
    runner::ROWS,
    session::ROWS,
];

#[cfg(test)]
pub(crate) fn examples() -> Vec<Box<dyn std::error::Error>> {
    [
        cards::examples(),
        laboratory::examples(),
        machine::examples(),
        ports::examples(),
        power::examples(),
        runner::examples(),
        session::examples(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
