//! Sound cards: what calls a [`Process`](chronotap_audio::Process) once a period.
//!
//! [`Card`] is the one interface. Behind it is a JACK server, an ALSA device, or a timer that
//! takes the place of a card. [`Playback`] is for a player that writes and waits instead. This
//! crate does not know what is played.
//!
//! The modules from the ground up, each using only those before it: `shape`, `wanted`, `name`
//! and `error` are the words that all share; `frames`, `changes`, `watch` and `stage` are what a card's
//! thread does and shows to others; `jack`, `alsa` and `timed` drive the thread; `card` chooses
//! among these three.

mod alsa;
mod calls;
mod card;
mod changes;
mod driver;
mod error;
mod frames;
mod jack;
mod name;
mod playback;
mod request;
mod shape;
mod stage;
mod thread;
mod timed;
mod watch;

pub use self::jack::{
    Called, JackClock, JackXruns, Links, NoJack, Presence, ServerThread, jack_client, jack_shape,
};
pub use alsa::{AlsaPlayback, alsa_devices, alsa_recorders};
pub use calls::Calls;
pub use card::Card;
pub use changes::{KnownCounts, Lone, NoticedChanges, bit};
pub use error::{CardError, DeviceHolder, Offered};
pub use frames::{FrameClock, PeriodStart, Xruns};
pub use name::{CARD_NAMES, CardName, CardNameError, Loop};
pub use playback::{Fragments, Playback, WrittenFrames};
pub(crate) use request::CHANNELS;
pub use request::{CardRequest, PortJoin};
pub use shape::CardShape;
pub use watch::{CardWatch, FrameTime};
