//! Who sits at the far end of a virtual wire: [`SimulatedParticipant`] hears the pacing and
//! taps to it, [`Script`] plays what a table says, [`Tappers`] puts several of them
//! side by side.
//!
//! All are deterministic and never allocate once constructed, so that the same
//! performer serves in virtual time and inside the real-time thread. The formulas
//! and their sources stand in docs/participants.md.

mod answer;
mod beats;
mod decimal;
mod hand;
mod model;
mod observer;
mod participant;
mod populations;
mod script;
mod spec;
mod tappers;

pub use answer::KeyAnswer;
pub use decimal::{DecimalError, parse as parse_decimal};
pub use model::{Model, PRESETS};
pub use observer::{Observer, StaircaseLevel};
pub use participant::SimulatedParticipant;
pub use populations::{POPULATIONS, ParameterRow, Population, ValueSource, expanded};
pub use script::{Script, ScriptError};
pub use spec::{ParticipantSpecError, assumptions, models, within};
pub use tappers::Tappers;
