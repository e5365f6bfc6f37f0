//! (opened next)
pub mod performers;
