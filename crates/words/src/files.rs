//! What is said of files, studies and data: of kinds that know no Linux.

mod alignment;
mod contrast;
mod design;
mod exchange;
mod folders;
pub mod ftap;
mod playback;
mod record;
mod shares;
mod simulation;
mod tables;

pub use exchange::WHOLE;
pub use folders::cure;
#[cfg(feature = "devices")]
pub(crate) use record::unsaved;
pub use tables::said_aside;

use crate::Sentences;

pub(crate) const ROWS: &[&[Sentences]] = &[
    alignment::ROWS,
    contrast::ROWS,
    design::ROWS,
    exchange::ROWS,
    folders::ROWS,
    ftap::ROWS,
    playback::ROWS,
    record::ROWS,
    shares::ROWS,
    simulation::ROWS,
    tables::ROWS,
];

#[cfg(test)]
pub(crate) fn examples() -> Vec<Box<dyn std::error::Error>> {
    [
        alignment::examples(),
        contrast::examples(),
        design::examples(),
        exchange::examples(),
        folders::examples(),
        ftap::examples(),
        playback::examples(),
        record::examples(),
        shares::examples(),
        tables::examples(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
