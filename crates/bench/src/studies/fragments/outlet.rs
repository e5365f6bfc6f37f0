//! [`Outlet`]: the device that a test of fragments plays on, by the name of its card.

use super::Buffer;
use crate::timing::RealTimer;
use chronotap_linux::cards::{AlsaPlayback, CardError, CardName, Fragments, Playback};

/// A device that is open, and what it is.
pub(super) struct Outlet {
    pub(super) device: Box<dyn Playback + Send>,
    pub(super) card: String,
}

impl Outlet {
    /// Opens an ALSA device as it is asked for, or takes a timer for `virtual`.
    pub(super) fn open(name: &CardName, fragments: Fragments) -> Result<Outlet, CardError> {
        match name.found() {
            name @ CardName::Virtual(None) => Ok(Outlet {
                device: Box::new(Buffer::new(fragments, RealTimer)),
                card: name.to_string(),
            }),
            name => {
                let device = AlsaPlayback::open(&name, fragments)?;
                let card = device.card().to_owned();
                Ok(Outlet { device: Box::new(device), card })
            }
        }
    }
}
