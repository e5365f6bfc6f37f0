//! The ALSA ports as `chronotap ports` lists them. Nothing is opened: a device that
//! is listed must not notice.

use super::cards::midi_ports;
use super::midi_port::MidiPort;
use crate::ports::{Listed, Permission};
use chronotap_engine::signal::Stamp;
use rustix::fs::{Access, access};
use rustix::system::uname;
use std::sync::Arc;

/// The first kernel that stamps raw MIDI input.
const FIRST_WITH_STAMPS: (u32, u32) = (5, 14);

/// Every raw MIDI port present.
pub(super) fn alsa_ports() -> Vec<Listed> {
    let present = midi_ports();
    let release = uname();
    let stamp = stamp_by(&release.release().to_string_lossy());
    let told_apart = present.iter().filter(|port| !port.is_spare());
    told_apart.map(|port| listed(port, &present, stamp)).collect()
}

fn listed(port: &MidiPort, present: &[MidiPort], stamp: Stamp) -> Listed {
    let (path, control) = (port.path(), port.control_path());
    let mut needed = vec![(&control, Access::READ_OK)];
    needed.extend(port.input.then_some((&path, Access::READ_OK)));
    needed.extend(port.output.then_some((&path, Access::WRITE_OK)));
    let refused = needed.into_iter().find(|(path, how)| access(path.as_path(), *how).is_err());
    Listed {
        name: port.unique_name(present),
        description: describe(port),
        input: port.input,
        output: port.output,
        stamp,
        refused: refused.map(|(path, _)| Arc::new(Permission::of(path)) as _),
    }
}

fn describe(port: &MidiPort) -> String {
    let card = &port.card;
    let name = [&port.port_name, &port.device_name, &card.name, &card.id];
    let name = name.into_iter().find(|name| !name.is_empty()).map_or("", String::as_str);
    let usb = card.usb.as_ref().map(|usb| format!(", {} at {}", usb.speed_in_words(), usb.path));
    let of = if name.contains(&card.name) { String::new() } else { format!(" of {}", card.name) };
    format!("{name}{of}, driver {}{}", card.driver, usb.unwrap_or_default())
}

/// What a kernel of this release does, as in `6.1.0-18-amd64`.
fn stamp_by(release: &str) -> Stamp {
    let mut numbers = release.split(['.', '-']).map_while(|part| part.parse::<u32>().ok());
    let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if version >= FIRST_WITH_STAMPS { Stamp::Kernel } else { Stamp::UserSpace }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_since_5_14_stamp_raw_midi() {
        assert_eq!(stamp_by("5.13.19-rt1"), Stamp::UserSpace);
        assert_eq!(stamp_by("5.14.0"), Stamp::Kernel);
        assert_eq!(stamp_by("6.1.0-18-rt-amd64"), Stamp::Kernel);
        assert_eq!(stamp_by("6-rc1"), Stamp::Kernel);
        assert_eq!(stamp_by(""), Stamp::UserSpace);
    }
}
