//! The ALSA raw MIDI ports present, with the names by which people know them.
//!
//! /sys says which devices there are and where they are plugged in, /proc/asound
//! what their cards are called and which directions they have; both may be read by
//! everybody. Only the names of single ports need the card's control device, which
//! is for members of group audio: without it they are missing and the rest stands.

use super::abi;
use super::midi_port::{MidiCard, MidiPort, PortAddress, Usb, control_path};
use rustix::fs::{Mode, OFlags, open};
use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

/// The ports present, by card, device and port.
pub fn midi_ports() -> Vec<MidiPort> {
    Places::default().midi_ports()
}

/// Where to look.
struct Places {
    sys: PathBuf,
    proc: PathBuf,
    ask_cards: bool,
}

impl Default for Places {
    fn default() -> Places {
        let (sys, proc) = ("/sys/class/sound".into(), "/proc/asound".into());
        Places { sys, proc, ask_cards: true }
    }
}

impl Places {
    fn midi_ports(&self) -> Vec<MidiPort> {
        let entries = read_dir(&self.sys).into_iter().flatten().flatten();
        let mut devices: Vec<(u32, u32)> = entries
            .filter_map(|entry| device_numbers(&entry.file_name().to_string_lossy()))
            .collect();
        devices.sort_unstable();
        let cards = read_to_string(self.proc.join("cards")).unwrap_or_default();
        devices.iter().flat_map(|(card, device)| self.device(*card, *device, &cards)).collect()
    }

    fn device(&self, number: u32, device: u32, cards: &str) -> Vec<MidiPort> {
        let card = self.card(number, cards);
        let proc = self.proc.join(format!("card{number}/midi{device}"));
        let about = read_to_string(proc).unwrap_or_default();
        let device_name = about.lines().next().unwrap_or_default().trim().to_owned();
        let names = |port, stream| {
            if self.ask_cards { port_name(number, device, port, stream) } else { String::new() }
        };
        let port = |(port, input, output)| MidiPort {
            card: card.clone(),
            place: PortAddress { device, port },
            device_name: device_name.clone(),
            port_name: names(port, if input { abi::INPUT } else { abi::OUTPUT }),
            input,
            output,
        };
        directions(&about).into_iter().map(port).collect()
    }

    fn card(&self, number: u32, cards: &str) -> MidiCard {
        let dir = self.sys.join(format!("card{number}"));
        let (id, driver, name) = card_line(number, cards).unwrap_or_default();
        let kernel_driver = std::fs::read_link(dir.join("device/driver")).ok();
        let kernel_driver = kernel_driver.as_deref().and_then(Path::file_name);
        let driver = kernel_driver.map_or(driver, |name| name.to_string_lossy().into_owned());
        MidiCard { number, id, name, driver, usb: usb(&dir) }
    }
}

/// `midiC2D0` is device 0 of card 2.
fn device_numbers(name: &str) -> Option<(u32, u32)> {
    let (card, device) = name.strip_prefix("midiC")?.split_once('D')?;
    Some((card.parse().ok()?, device.parse().ok()?))
}

/// Id, driver and name out of the line ` 2 [Keystation     ]: USB-Audio - Keystation 49`.
fn card_line(number: u32, cards: &str) -> Option<(String, String, String)> {
    cards.lines().find_map(|line| {
        let (head, rest) = line.split_once(" [")?;
        let (id, rest) = rest.split_once("]: ")?;
        let (driver, name) = rest.split_once(" - ")?;
        let named = || (id.trim().into(), driver.trim().into(), name.trim().into());
        (head.trim().parse() == Ok(number)).then(named)
    })
}

/// The ports of a device and their directions, out of the `Input 0` and `Output 0`
/// lines; one port in both directions where nothing is said.
fn directions(about: &str) -> Vec<(u32, bool, bool)> {
    let numbers = |direction: &str| -> Vec<u32> {
        let lines = about.lines().filter_map(|line| line.strip_prefix(direction));
        lines.filter_map(|number| number.trim().parse().ok()).collect()
    };
    let (inputs, outputs) = (numbers("Input "), numbers("Output "));
    let Some(last) = inputs.iter().chain(&outputs).max() else { return vec![(0, true, true)] };
    (0..=*last).map(|port| (port, inputs.contains(&port), outputs.contains(&port))).collect()
}

fn usb(card: &Path) -> Option<Usb> {
    let interface = std::fs::canonicalize(card.join("device")).ok()?;
    let device = interface.parent()?;
    let speed = read_to_string(device.join("speed")).ok()?.trim().to_owned();
    let path = device.file_name()?.to_string_lossy().into_owned();
    Some(Usb { path, speed })
}

fn port_name(card: u32, device: u32, port: u32, stream: i32) -> String {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let Ok(control) = open(control_path(card), flags, Mode::empty()) else {
        return String::new();
    };
    let mut info = abi::RawmidiInfo::asking(device, port, stream);
    match abi::rawmidi_info(&control, &mut info) {
        Ok(()) => abi::text(&info.subname),
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, write};
    use std::os::unix::fs::symlink;

    const CARDS: &str = concat!(
        " 0 [VirMIDI        ]: VirMIDI - VirMIDI\n",
        "                      Virtual MIDI Card 1\n",
        " 2 [X49            ]: USB-Audio - Keystation - X 49\n",
        "                      M-Audio Keystation at usb-dummy_hcd.0-1, high speed\n",
    );
    const PAD: &str = "Keystation\n\nOutput 0\n  Tx bytes     : 0\nInput 0\n  Rx bytes     : 3\n\
        Input 1\n  Rx bytes     : 0\n";

    /// What the kernel shows of a USB keyboard with two inputs and one output.
    fn machine(dir: &Path) -> Places {
        let (sys, proc) = (dir.join("sys"), dir.join("proc"));
        let interface = dir.join("devices/usb1/1-1/1-1.2/1-1.2:1.0");
        create_dir_all(&interface).unwrap();
        create_dir_all(dir.join("drivers/snd-usb-audio")).unwrap();
        create_dir_all(sys.join("card2")).unwrap();
        create_dir_all(sys.join("midiC2D0")).unwrap();
        create_dir_all(proc.join("card2")).unwrap();
        write(interface.join("../speed"), "12\n").unwrap();
        symlink(dir.join("drivers/snd-usb-audio"), interface.join("driver")).unwrap();
        symlink(&interface, sys.join("card2/device")).unwrap();
        write(proc.join("cards"), CARDS).unwrap();
        write(proc.join("card2/midi0"), PAD).unwrap();
        Places { sys, proc, ask_cards: false }
    }

    #[test]
    fn a_usb_keyboard_is_described_as_the_kernel_shows_it() {
        let dir = tempfile::tempdir().unwrap();
        let ports = machine(dir.path()).midi_ports();
        assert_eq!(ports.len(), 2);
        let card = &ports[0].card;
        assert_eq!(
            (card.number, card.id.as_str(), card.name.as_str()),
            (2, "X49", "Keystation - X 49")
        );
        assert_eq!(card.driver, "snd-usb-audio");
        let usb = card.usb.as_ref().unwrap();
        assert_eq!(
            (usb.path.as_str(), usb.speed_in_words().as_str()),
            ("1-1.2", "USB full speed, 12 Mbit/s")
        );
        assert_eq!(
            ports.iter().map(|p| (p.input, p.output)).collect::<Vec<_>>(),
            [(true, true), (true, false)]
        );
        assert_eq!(ports[0].unique_name(&ports), "alsa:hw:X49,0");
        assert_eq!(ports[1].unique_name(&ports), "alsa:hw:X49,0,1");
    }

    #[test]
    fn a_machine_without_sound_has_no_ports() {
        let none = Places { sys: "/nowhere".into(), proc: "/nowhere".into(), ask_cards: false };
        assert_eq!(none.midi_ports(), []);
    }

    #[test]
    fn a_device_of_which_nothing_is_known_has_one_port_in_both_directions() {
        assert_eq!(directions(""), [(0, true, true)]);
        assert_eq!(device_numbers("midiC10D3"), Some((10, 3)));
        assert_eq!(device_numbers("controlC1"), None);
    }
}
