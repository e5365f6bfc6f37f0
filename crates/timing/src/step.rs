//! [`Step`]: what takes time on the way from a tap to its sound, by the names in results.

/// What takes time on the way, in its order, and all together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
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

impl Step {
    /// In the order of the way, the total last.
    pub const ALL: [Step; 6] =
        [Step::Pad, Step::Kernel, Step::Program, Step::Card, Step::Cable, Step::Total];

    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Step::Pad => "pad and interface",
            Step::Kernel => "kernel to program",
            Step::Program => "program",
            Step::Card => "card",
            Step::Cable => "converter and cable",
            Step::Total => "total",
        }
    }
}
