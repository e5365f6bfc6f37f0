//! [`MidiPort`]: what is known of an ALSA raw MIDI port, and of its card. How it is found out
//! is in `cards.rs`, and by which names ports are told apart in `name.rs`.

use std::fmt;
use std::path::PathBuf;

/// A port of a raw MIDI device: what one cable would be plugged into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MidiPort {
    /// The card that it belongs to.
    pub card: MidiCard,
    /// Which of its ports.
    pub place: PortAddress,
    /// What the driver calls the device.
    pub device_name: String,
    /// What the driver calls the port; empty where it has no name, or where the card
    /// may not be asked.
    pub port_name: String,
    /// Whether it can be read.
    pub input: bool,
    /// Whether it can be written.
    pub output: bool,
}

/// A port of a card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortAddress {
    /// Device of the card, from 0.
    pub device: u32,
    /// Port (subdevice) of the device, from 0.
    pub port: u32,
}

/// A sound card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MidiCard {
    /// Number, as in `hw:2`; follows the order of plugging in.
    pub number: u32,
    /// Id, unique among the cards present.
    pub id: String,
    /// Short name.
    pub name: String,
    /// Kernel driver.
    pub driver: String,
    /// Its USB socket, where it is a USB device.
    pub usb: Option<Usb>,
}

/// Where a USB device is plugged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usb {
    /// Bus and sockets, as in `1-1.2`; the same as long as it stays in its socket.
    pub path: String,
    /// Speed in Mbit/s, as the kernel writes it: 1.5, 12, 480, 5000, …
    pub speed: String,
}

impl MidiPort {
    /// The names that it goes by.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let names = [&self.port_name, &self.device_name, &self.card.name, &self.card.id];
        names.into_iter().map(String::as_str).filter(|name| !name.is_empty())
    }

    /// Whether it is one of several ports that the driver does not tell apart.
    pub fn is_spare(&self) -> bool {
        self.place.port > 0 && self.port_name.is_empty()
    }

    /// Its character device.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(format!("/dev/snd/midiC{}D{}", self.card.number, self.place.device))
    }

    /// The control device of its card.
    pub fn control_path(&self) -> PathBuf {
        control_path(self.card.number)
    }
}

impl fmt::Display for PortAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.port {
            0 => write!(f, "{}", self.device),
            port => write!(f, "{},{port}", self.device),
        }
    }
}

impl Usb {
    /// The speed in the words of the USB standard.
    pub fn speed_in_words(&self) -> String {
        let word = match self.speed.as_str() {
            "1.5" => "low",
            "12" => "full",
            "480" => "high",
            _ => "super",
        };
        format!("USB {word} speed, {} Mbit/s", self.speed)
    }
}

/// The control device of a card.
pub(super) fn control_path(card: u32) -> PathBuf {
    PathBuf::from(format!("/dev/snd/controlC{card}"))
}
