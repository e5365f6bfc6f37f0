//! [`PluginError`]: why a plugin cannot be used.

/// Why a plugin cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PluginError {
    /// The program was built without LV2.
    #[error("for `lv2:{uri}` a program is needed that was built for LV2")]
    NotBuilt {
        /// As it was given.
        uri: String,
    },
    /// No URI was given.
    #[error("lv2: no plugin is named")]
    Unnamed {
        /// The URIs of all that are installed, in order.
        installed: Vec<String>,
    },
    /// No such plugin is installed.
    #[error("there is no LV2 plugin {uri}")]
    Unknown {
        /// As it was given.
        uri: String,
        /// The nearest one that is installed.
        nearest: Option<String>,
    },
    /// It needs more of its host than this one has.
    #[error("{uri} requires of its host what this one has not: {features}")]
    Unsupported {
        /// Which plugin.
        uri: String,
        /// The URIs of what it requires.
        features: String,
    },
    /// It has ports of a kind that is not known here.
    #[error("{uri} has ports that are neither audio, control values nor sequences of events")]
    Ports {
        /// Which plugin.
        uri: String,
    },
    /// It computes nothing at this period.
    #[error("{uri} cannot compute {frames} frames at once: {why}")]
    Period {
        /// Which plugin.
        uri: String,
        /// The period that was asked for.
        frames: u32,
        /// In the host's words.
        why: String,
    },
    /// It makes no instance. Its own messages, if any, say why.
    #[error("{uri} makes no instance at {rate_hz} Hz")]
    NoInstance {
        /// Which plugin.
        uri: String,
        /// Frames a second.
        rate_hz: u32,
    },
}
