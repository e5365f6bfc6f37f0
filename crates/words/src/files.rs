//! What is said of files, studies, data and sessions: of kinds that know no Linux.

mod alignment;
mod contrast;
mod design;
mod exchange;
mod folders;
pub mod ftap;
mod music;
mod playback;
mod power;
mod record;
mod session;
mod shares;
mod simulation;
mod tables;
mod visit;

pub use exchange::{TABLE_AS_UTF8, WHOLE};
pub use folders::cure;
pub use session::{done_to, ended};
#[cfg(feature = "devices")]
pub(crate) use simulation::{no_wire, not_opened, unheard_loop};
pub use tables::said_aside;

use crate::Sentences;

pub(crate) const ROWS: &[&[Sentences]] = &[
    alignment::ROWS,
    contrast::ROWS,
    design::ROWS,
    exchange::ROWS,
    folders::ROWS,
    ftap::ROWS,
    music::ROWS,
    playback::ROWS,
    power::ROWS,
    record::ROWS,
    session::ROWS,
    shares::ROWS,
    simulation::ROWS,
    tables::ROWS,
    visit::ROWS,
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
        music::examples(),
        playback::examples(),
        power::examples(),
        record::examples(),
        session::examples(),
        shares::examples(),
        tables::examples(),
        visit::examples(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
