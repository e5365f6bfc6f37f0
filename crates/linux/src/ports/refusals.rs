//! The refusals that several kinds of port share: methods of [`Uses`].

use crate::ports::{OpenPortError, PortName, Uses};

impl Uses<'_> {
    /// The input that a stream of bytes serves, if any.
    ///
    /// # Errors
    /// [`OpenPortError::SecondInput`].
    pub fn at_most_one_input(&self, port: &dyn PortName) -> Result<Option<u16>, OpenPortError> {
        match self.inputs {
            [] => Ok(None),
            [(input, _)] => Ok(Some(*input)),
            [_, (_, second), ..] => Err(OpenPortError::SecondInput {
                port: port.full_name(),
                input: (*second).to_owned(),
            }),
        }
    }

    /// The input that a port serves which can be nothing else.
    ///
    /// # Errors
    /// [`OpenPortError::SecondInput`], [`OpenPortError::InputOnly`].
    pub fn one_input_only(&self, port: &dyn PortName) -> Result<u16, OpenPortError> {
        match self.at_most_one_input(port)? {
            Some(input) if !self.output() => Ok(input),
            _ => Err(OpenPortError::InputOnly { port: port.full_name() }),
        }
    }

    /// Nothing, where the port is needed as an output alone.
    ///
    /// # Errors
    /// [`OpenPortError::OutputOnly`].
    pub fn outputs_only(&self, port: &dyn PortName) -> Result<(), OpenPortError> {
        match self.inputs {
            [] => Ok(()),
            _ => Err(OpenPortError::OutputOnly { port: port.full_name() }),
        }
    }
}
