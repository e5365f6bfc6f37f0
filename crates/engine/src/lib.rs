#![forbid(unsafe_code)]
//! The pure core of Chronotap: events and `now` in, actions and the next deadline out.
//!
//! [`Engine`] runs a [`trial::Trial`]. It is told what arrived and what time it
//! is, and answers with [`action::Action`]s. It never asks the time, touches a
//! device, allocates after construction, locks, logs or panics. What passes between it and the world
//! is in [`signal`].

pub mod action;
mod acts;
mod agenda;
mod aligned;
mod arrivals;
mod changes;
mod chooser;
mod code_line;
mod controls;
mod end;
mod engine;
mod event;
mod feedback;
pub mod foretold;
mod gradual;
mod instant;
mod late_control;
mod masking;
mod occasions;
mod onsets;
mod outgoing;
mod pacing;
mod partner;
pub mod perturbation;
pub mod random;
mod rules;
mod settings;
pub mod signal;
mod sounding;
mod tones;
pub mod trial;

pub use chooser::LONGEST_SHUFFLE;
pub use engine::Engine;
pub use event::Event;
pub use feedback::LONGEST_SHIFT;
