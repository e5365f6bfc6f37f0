//! From the text of an experiment file to an [`Experiment`](crate::Experiment): its keys, how each
//! section is read, what only shows when all are there, and the files beside it.

mod cells;
pub(crate) mod check;
mod choices;
pub(crate) mod files;
pub(crate) mod ftap;
pub(crate) mod keys;
pub(crate) mod read;
