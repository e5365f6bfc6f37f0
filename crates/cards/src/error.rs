//! [`CardError`]: why a sound card could not be used, and what cures it.

/// Why a sound card could not be used.
#[derive(Debug, thiserror::Error)]
pub enum CardError {
    /// No library of JACK. Install it, or use another card.
    #[error(
        "jack: the JACK library (libjack.so.0) is not installed; install it (`sudo apt-get install libjack-jackd2-0` or `pipewire-jack`), or use the card `virtual`"
    )]
    NoLibrary,
    /// No server of JACK answers. Start one as the same user.
    #[error(
        "jack: no JACK server is running for this user; start one (`jackd -d alsa`), or run this program by `pw-jack`"
    )]
    NoServer,
    /// The server of JACK refused. Its own log may say more.
    #[error("jack: the server refused: {0}; is it still running?")]
    Refused(#[from] jack::Error),
    /// The card does not do what was asked. Ask for what it offers.
    #[error("{card}: it does not offer {asked}; {offered}")]
    NotOffered {
        /// Which card.
        card: String,
        /// What was asked, in words.
        asked: String,
        /// What it offers, in words.
        offered: String,
    },
    /// It cannot join its output to its input. Use a cable, or a JACK server.
    #[error(
        "{0}: only a JACK server joins an output to an input; for a card use a cable, for a virtual one the name `virtual:loop:FRAMES:GAIN`"
    )]
    NoJoin(String),
    /// PipeWire gives silence to a client that is joined to itself. Join by the monitor ports.
    #[error(
        "jack: this server is PipeWire, which gives silence to a client that is joined to itself; use `--join monitor`, which goes by the monitor ports of its card"
    )]
    SilentLoop,
    /// The server's card has no monitor ports. Start a server that has.
    #[error(
        "jack: the server's card has no monitor ports; PipeWire's cards have some, jackd's with `-m` (`jackd -d alsa -m`)"
    )]
    NoMonitor,
    /// No such ALSA device. Use one of those named.
    #[error("{card}: there is no such device that plays or records; {present}")]
    Missing {
        /// Which device.
        card: String,
        /// Those that play, in words.
        present: String,
    },
    /// The user may not open it. Join the group that may.
    #[error(
        "{card}: permission denied for {}; members of the group `audio` may open it: `sudo usermod -aG audio $USER`, then log in again",
        path.display()
    )]
    Denied {
        /// Which device.
        card: String,
        /// Its file.
        path: std::path::PathBuf,
    },
    /// Another program has it. Close that program, or go through its sound server.
    #[error("{card} is in use: {holder}; where it is a sound server, use `jack` (`pw-jack`)")]
    Busy {
        /// Which device.
        card: String,
        /// Who has it, in words.
        holder: String,
    },
    /// The device is there and not usable.
    #[error("{card}: {call}: {errno}; unplug it and plug it in again, or see `dmesg`")]
    System {
        /// Which device.
        card: String,
        /// The call that failed.
        call: &'static str,
        /// What the system answered.
        errno: rustix::io::Errno,
    },
    /// It begins no period. Its buffer runs empty before it wakes anybody, or its driver
    /// stands still.
    #[error(
        "{0}: it begins no period; ask for a longer one, or start it anew (its log may say why)"
    )]
    Silent(String),
    /// The system is out of threads. Ending other programs cures it.
    #[error("cannot start the sound card's thread: {0}; end other programs, or raise `ulimit -u`")]
    Thread(std::io::Error),
}
