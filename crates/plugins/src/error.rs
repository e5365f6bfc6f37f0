//! [`PluginError`]: why a plugin cannot be used, and what cures it.

/// Why a plugin cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PluginError {
    /// The program was built without LV2. Build it with it.
    #[error(
        "for `lv2:{uri}` a chronotap is needed that was built for LV2: `sudo apt-get install liblilv-dev pkg-config`, then `cargo install --locked --path crates/cli --features lv2`"
    )]
    NotBuilt {
        /// As it was given.
        uri: String,
    },
    /// No URI was given. Give one of those that are installed.
    #[error("lv2: which plugin? {installed}")]
    Unnamed {
        /// All that are installed, one a line, or that there is none.
        installed: String,
    },
    /// No such plugin is installed. Use another, or say by LV2_PATH where it is.
    #[error(
        "there is no LV2 plugin {uri}; {nearest}`--plugins lv2:` lists those that are installed, LV2_PATH says where else they are"
    )]
    Unknown {
        /// As it was given.
        uri: String,
        /// The nearest one that is installed, as a question and a space, or nothing.
        nearest: String,
    },
    /// It needs more of its host than this one has. Use another plugin.
    #[error("{uri} requires of its host what this one has not: {features}; use another plugin")]
    Unsupported {
        /// Which plugin.
        uri: String,
        /// The URIs of what it requires.
        features: String,
    },
    /// It has ports of a kind that is not known here. Use another plugin.
    #[error(
        "{uri} has ports that are neither audio, control values nor sequences of events; use another plugin"
    )]
    Ports {
        /// Which plugin.
        uri: String,
    },
    /// It computes nothing at this period. Another one may be to its liking.
    #[error("{uri} cannot compute {frames} frames at once: {why}; try another --periods")]
    Period {
        /// Which plugin.
        uri: String,
        /// The period that was asked for.
        frames: u32,
        /// In the host's words.
        why: String,
    },
    /// It makes no instance. Its own messages, if any, say why.
    #[error(
        "{uri} makes no instance at {rate_hz} Hz; try another --rate, or see whether it runs in another host"
    )]
    NoInstance {
        /// Which plugin.
        uri: String,
        /// Frames a second.
        rate_hz: u32,
    },
}
