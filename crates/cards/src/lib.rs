//! Sound cards: what calls a [`Process`](chronotap_audio::Process) once a period.
//!
//! [`Card`] is the one interface; behind it are a JACK server, an ALSA device, or a timer
//! that stands for a card where there is none. [`Playback`] is for a player that writes and
//! waits instead. What is played on them is not known here.

mod alsa;
mod calls;
mod card;
mod error;
mod frames;
mod jack;
mod name;
mod playback;
mod stage;
mod thread;
mod timed;
mod watch;

pub use self::jack::{JackClock, JackXruns, NoJack, jack_client, jack_shape};
pub use alsa::{AlsaPlayback, alsa_devices};
pub use calls::Calls;
pub use card::{Card, Join, Shape, Wanted};
pub use error::CardError;
pub use frames::{FrameClock, PeriodStart, Xruns};
pub use name::{CardName, Loop, NameError};
pub use playback::{Fragments, Playback, Written};
pub use stage::Callback;
pub use watch::{Place, Watch};

/// Ends a test that allocates where it has promised not to.
#[cfg(test)]
#[global_allocator]
static TRAP: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;
