//! [`PortError`]: why a port did not take or give what it should.

/// What can go wrong with a port in mid-trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PortError {
    /// The other end is gone: unplugged, hung up, end of file. The port will not
    /// be read again; take it out of the poll set.
    #[error("the port was closed by its other end")]
    Closed,
    /// The device takes no more bytes at the moment; the message was not sent.
    /// Slower output or a faster device cures it.
    #[error("the device is not taking bytes fast enough; a message was lost")]
    Full,
    /// The tone was due so long ago that it was not sent: the whole program had been stopped.
    /// Nothing cures it afterwards; let the program run.
    #[error("the tone was due too long ago; it was not sent")]
    Overdue,
    /// The system refused; the number is its errno.
    #[error("the system refused the transfer (errno {0})")]
    System(i32),
}
