#![forbid(unsafe_code)]
//! The pure core of Chronotap: events and `now` in, actions and the next deadline out.

pub mod action;
pub mod trial;
