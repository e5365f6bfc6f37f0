//! What only shows when the whole experiment is read: orders that cannot be, and trial
//! files that do not bear what is set in them.

mod asks;
mod groups;
mod measures;
mod never;
mod orders;
mod passable;
mod shown;
mod stretches;
mod trials;
mod unused;

pub(crate) use asks::asks;
pub(crate) use groups::groups;
pub(crate) use never::never;
pub(crate) use orders::orders;
pub(crate) use shown::shown;
pub(crate) use trials::trials;
pub(crate) use unused::unused;
