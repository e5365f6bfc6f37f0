//! [`PathStep`]: what takes time on the way from a tap to its sound, by the names in results.

/// What takes time on the way, in its order, and all together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathStep {
    /// From the tap as it is heard to the stamp of its message.
    Pad,
    /// From the stamp to when the program had read the message.
    Kernel,
    /// From there to when the answer was handed to the card's thread.
    Program,
    /// From there to when its first frame is at the converter: what is left of the
    /// constant latency.
    Card,
    /// From there to when it is heard.
    Cable,
    /// From the tap as it is heard, or else the stamp, to the sound as it is heard.
    Total,
}

impl PathStep {
    /// In the order of the way, the total last.
    pub const ALL: [PathStep; 6] = [
        PathStep::Pad,
        PathStep::Kernel,
        PathStep::Program,
        PathStep::Card,
        PathStep::Cable,
        PathStep::Total,
    ];

    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            PathStep::Pad => "pad and interface",
            PathStep::Kernel => "kernel to program",
            PathStep::Program => "program",
            PathStep::Card => "card",
            PathStep::Cable => "converter and cable",
            PathStep::Total => "total",
        }
    }
}
