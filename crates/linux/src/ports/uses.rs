//! [`Uses`]: which inputs and outputs of a trial a port is opened for, and why it could not be
//! ([`OpenPortError`]). What only one kind can say stands in that kind's own errors.

use std::error::Error;

/// The inputs and outputs of a trial that one port serves.
#[derive(Clone, Copy, Debug)]
pub struct Uses<'a> {
    /// Index and name of each input.
    pub inputs: &'a [(u16, &'a str)],
    /// Index and name of each output.
    pub outputs: &'a [(u16, &'a str)],
}

/// Why a port could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenPortError {
    /// Several inputs of the trial are bound to one stream of bytes, in which nothing tells
    /// them apart.
    #[error("{port} is already bound; one byte stream serves one input")]
    SecondInput {
        port: String,
        /// The trial's second input on it.
        input: String,
    },
    /// An output is bound to a port that only takes taps.
    #[error("{port} is an input only")]
    InputOnly { port: String },
    /// An input is bound to a port that only sounds.
    #[error("{port} is an output")]
    OutputOnly { port: String },
    /// A virtual wire has no far end of its own: whoever knows who taps there makes it.
    #[error("{port}: nothing is at the far end of a virtual wire")]
    NoFarEnd {
        /// The wire.
        port: String,
    },
    /// The device refuses; the kind's own error says why.
    #[error(transparent)]
    Device(Box<dyn Error + Send + Sync>),
}

impl OpenPortError {
    /// The error of a kind's own.
    pub fn device(error: impl Error + Send + Sync + 'static) -> OpenPortError {
        OpenPortError::Device(Box::new(error))
    }
}

impl Uses<'_> {
    /// Whether the port is needed as an output.
    pub fn output(&self) -> bool {
        !self.outputs.is_empty()
    }
}
