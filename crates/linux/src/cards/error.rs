//! [`CardError`]: why a sound card could not be used.

use std::fmt;

/// Why a sound card could not be used.
#[derive(Debug, thiserror::Error)]
pub enum CardError {
    /// No library of JACK.
    #[error("jack: the JACK library (libjack.so.0) is not installed")]
    NoLibrary,
    /// No server of JACK answers this user.
    #[error("jack: no JACK server is running for this user")]
    NoServer,
    /// The server of JACK refused. Its own log may say more.
    #[error("jack: the server refused: {0}")]
    Refused(#[from] jack::Error),
    /// The card does not do what was asked.
    #[error("{card}: it does not offer {asked}")]
    NotOffered {
        card: String,
        /// What was asked, in words.
        asked: String,
        /// What there is in its place.
        offered: Offered,
    },
    /// It cannot join its output to its input: only a JACK server does.
    #[error("{0}: only a JACK server joins an output to an input")]
    NoJoin(String),
    /// PipeWire gives silence to a client that is joined to itself.
    #[error(
        "jack: this server is PipeWire, which gives silence to a client that is joined to itself"
    )]
    SilentLoop,
    /// The server's card has no monitor ports.
    #[error("jack: the server's card has no monitor ports")]
    NoMonitor,
    /// No such ALSA device.
    #[error("{card}: there is no such device that plays or records")]
    Missing {
        card: String,
        /// Those that play, each with what it is called.
        present: Vec<String>,
    },
    /// The user may not open it.
    #[error("{card}: permission denied for {}", path.display())]
    Denied {
        card: String,
        /// Its file.
        path: std::path::PathBuf,
    },
    /// Another program has it.
    #[error("{card} is in use: {} has it", held(holder))]
    Busy {
        card: String,
        /// Who has it, where that is told.
        holder: Option<DeviceHolder>,
    },
    /// The device is there and not usable.
    #[error("{card}: {call}: {errno}")]
    System {
        card: String,
        /// The call that failed.
        call: &'static str,
        /// What the system answered.
        errno: rustix::io::Errno,
    },
    /// It begins no period. Its buffer runs empty before it wakes anybody, or its driver
    /// stands still.
    #[error("{0}: it begins no period")]
    Silent(String),
    /// The system is out of threads.
    #[error("cannot start the sound card's thread: {0}")]
    Thread(std::io::Error),
}

/// What there is in the place of what a card does not offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offered {
    /// What the card has, in words.
    Has(String),
    /// A JACK server asks other things of the same card.
    ThroughJack,
    /// An ALSA device takes blocking writes.
    AlsaDevice,
    /// An input or an output.
    OneAtLeast,
    /// A JACK server's rate or period, which it has for all its clients.
    Server {
        /// Whether the server is PipeWire.
        pipewire: bool,
        /// The value that it has.
        has: u32,
    },
}

/// A program that has a device open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceHolder {
    pub pid: u32,
    /// What it is called; empty where that is not told.
    pub name: String,
}

impl fmt::Display for DeviceHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pid {} ({})", self.pid, self.name)
    }
}

fn held(by: &Option<DeviceHolder>) -> String {
    by.as_ref().map_or_else(|| "another program".to_owned(), DeviceHolder::to_string)
}
