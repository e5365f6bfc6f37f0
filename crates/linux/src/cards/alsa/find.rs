//! [`CardDevice`]: which device of which ALSA card; those present, and who holds one.

use crate::cards::error::{CardError, DeviceHolder, Offered};
use std::fmt;
use std::fs::{read_link, read_to_string};
use std::path::PathBuf;

/// A device of a card, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CardDevice {
    card: u32,
    device: u32,
}

/// Which way the sound goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// Out.
    Playback,
    /// In.
    Capture,
}

impl CardDevice {
    /// The place of `hw:CARD,DEVICE`; the card may have a number or a name.
    pub(super) fn find(card: &str, device: u32) -> Result<CardDevice, CardError> {
        let number = card.parse().ok().or_else(|| {
            // /proc/asound/NAME is a link to cardN.
            let target = read_link(format!("/proc/asound/{card}")).ok()?;
            target.to_str()?.strip_prefix("card")?.parse().ok()
        });
        let missing = || CardError::Missing {
            card: format!("alsa:hw:{card},{device}"),
            present: present_by_name(),
        };
        Ok(CardDevice { card: number.ok_or_else(missing)?, device })
    }

    /// The same, where the kernel's interface is the one that is written down here.
    pub(super) fn supported(card: &str, device: u32) -> Result<CardDevice, CardError> {
        let place = CardDevice::find(card, device)?;
        if cfg!(not(target_pointer_width = "64")) {
            let (asked, offered) = ("a 32-bit system".into(), Offered::ThroughJack);
            return Err(CardError::NotOffered { card: place.to_string(), asked, offered });
        }
        Ok(place)
    }

    pub(super) fn path(&self, direction: Direction) -> PathBuf {
        let CardDevice { card, device } = self;
        format!("/dev/snd/pcmC{card}D{device}{}", letter(direction)).into()
    }
}

impl fmt::Display for CardDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "alsa:hw:{},{}", self.card, self.device)
    }
}

fn letter(direction: Direction) -> char {
    match direction {
        Direction::Playback => 'p',
        Direction::Capture => 'c',
    }
}

/// The devices that play: card, device, and what they are called.
pub(crate) fn present() -> Vec<(u32, u32, String)> {
    all_that("playback")
}

/// The same of those that record.
pub(super) fn recording() -> Vec<(u32, u32, String)> {
    all_that("capture")
}

fn all_that(direction: &str) -> Vec<(u32, u32, String)> {
    let list = read_to_string("/proc/asound/pcm").unwrap_or_default();
    list.lines().filter_map(|line| device(line, direction)).collect()
}

/// From a line as `00-01: HDMI 0 : HDMI 0 : playback 1`.
fn device(line: &str, direction: &str) -> Option<(u32, u32, String)> {
    let (place, rest) = line.split_once(": ")?;
    let (card, device) = place.split_once('-')?;
    let name = rest.split(" : ").next()?.trim().to_owned();
    let has = rest.split(" : ").any(|part| part.trim_start().starts_with(direction));
    has.then_some((card.parse().ok()?, device.parse().ok()?, name))
}

/// A device with what it is called: `alsa:hw:0,0 (Loopback PCM)`.
pub(super) fn called(place: &CardDevice) -> String {
    let is_it = |(card, device, _): &(u32, u32, String)| {
        CardDevice { card: *card, device: *device } == *place
    };
    present().into_iter().find(is_it).map_or_else(|| place.to_string(), named)
}

fn named((card, device, name): (u32, u32, String)) -> String {
    format!("alsa:hw:{card},{device} ({name})")
}

/// The devices that play, each with what it is called.
pub(super) fn present_by_name() -> Vec<String> {
    present().into_iter().map(named).collect()
}

/// Who holds a device, where the kernel tells.
pub(super) fn holder(place: &CardDevice, direction: Direction) -> Option<DeviceHolder> {
    let CardDevice { card, device } = place;
    let direction = letter(direction);
    let status = format!("/proc/asound/card{card}/pcm{device}{direction}/sub0/status");
    let pid = owner(&read_to_string(status).unwrap_or_default())?;
    let name = read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    Some(DeviceHolder { pid, name: name.trim().to_owned() })
}

/// The line `owner_pid   : 4711`.
fn owner(status: &str) -> Option<u32> {
    let mut lines = status.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(key, _)| key.trim() == "owner_pid")?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_that_play_are_read_from_the_kernel_s_list() {
        let line = "02-00: Loopback PCM : Loopback PCM : playback 8 : capture 8";
        assert_eq!(device(line, "playback"), Some((2, 0, "Loopback PCM".into())));
        assert_eq!(device("00-06: DMIC : DMIC : capture 1", "playback"), None);
    }

    #[test]
    fn the_holder_of_a_device_is_read_from_its_status() {
        let status = "state: RUNNING\nowner_pid   : 4711\ntrigger_time: 1.0\n";
        assert_eq!(owner(status), Some(4_711));
        assert_eq!(owner("closed\n"), None);
    }

    #[test]
    fn a_card_that_is_not_there_is_answered_with_those_that_are() {
        let refused = CardDevice::find("NoSuchCard", 0).unwrap_err();
        let CardError::Missing { card, present } = refused else { panic!("{refused}") };
        assert_eq!((&*card, present), ("alsa:hw:NoSuchCard,0", present_by_name()));
    }
}
