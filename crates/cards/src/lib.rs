//! Sound cards: what calls a [`Process`](chronotap_audio::Process) once a period.
//!
//! [`Card`] is the one interface; behind it are a JACK server, an ALSA device, or a timer
//! that stands for a card where there is none. [`Playback`] is for a player that writes and
//! waits instead. What is played on them is not known here.
//!
//! From the ground up: `shape`, `wanted`, `name` and `error` are what everybody speaks of;
//! `frames`, `watch` and `stage` are what a card's thread does and lets others see; `jack`,
//! `alsa` and `timed` drive it; `card` chooses among them. A module names only those below.

mod alsa;
mod calls;
mod card;
mod driver;
mod error;
mod frames;
mod jack;
mod name;
mod playback;
mod shape;
mod stage;
mod thread;
mod timed;
mod wanted;
mod watch;

pub use self::jack::{JackClock, JackXruns, NoJack, Presence, jack_client, jack_shape};
pub use alsa::{AlsaPlayback, alsa_devices};
pub use calls::Calls;
pub use card::Card;
pub use error::CardError;
pub use frames::{FrameClock, PeriodStart, Xruns};
pub use name::{CardName, Loop, NameError};
pub use playback::{Fragments, Playback, Written};
pub use shape::Shape;
pub use wanted::{Join, Wanted};
pub use watch::{Place, Watch};

/// Ends a test that allocates where it has promised not to.
#[cfg(test)]
#[global_allocator]
static TRAP: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
