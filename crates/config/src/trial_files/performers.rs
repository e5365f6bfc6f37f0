//! Who sits at the far end of a virtual wire: [`Participant`] hears the pacing and
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

pub use answer::Answer;
pub use decimal::{DecimalError, parse as parse_decimal};
pub use model::{Model, PRESETS};
pub use observer::{Level, Observer};
pub use participant::Participant;
pub use populations::{POPULATIONS, Population, Row, Source, expanded};
pub use script::{Script, ScriptError};
pub use spec::{SpecError, assumptions, models, within};
pub use tappers::Tappers;
