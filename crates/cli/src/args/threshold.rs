//! The arguments of `chronotap threshold`.

use clap::Args;
use std::path::PathBuf;

/// Find the threshold of a sensor on a sound card by test taps.
///
/// Listens to the sensor at rest, to soft taps, to hard taps and, if --out names a port, to tones at
/// which nobody taps; the level of the signal is shown meanwhile. Prints the port with the
/// threshold that lies between what is quiet and the softest tap. If you give --name, that is
/// written into the machine file. The exit status is 1 if none fits, if a tap reached full scale, or if the
/// microphone hears the tones as loud as taps. See docs/sound-card-taps.md. At ear:virtual a
/// simulated hand taps.
#[derive(Args, Debug)]
pub struct ThresholdArgs {
    /// The channel of a sound card, such as "ear:alsa:hw:1,0?channel=2" or "ear:jack?sensor=air"
    #[arg(value_name = "PORT")]
    pub port: String,
    /// Play tones at this port as well, and listen whether they are heard as taps
    #[arg(long = "out", value_name = "PORT")]
    pub output: Option<String>,
    /// Write the port with its threshold into the machine file, as the input of this name
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The machine file [default: ~/.config/chronotap/machine.toml]
    #[arg(long, value_name = "FILE", requires = "name")]
    pub machine: Option<PathBuf>,
    /// How many soft taps, and how many hard ones, 3 to 50
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(3..=50))]
    pub taps: u8,
}
