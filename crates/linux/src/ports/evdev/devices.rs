//! The event devices that are present, as the system's tables under /sys describe
//! them: nothing is opened, so no rights are needed to list them.

use crate::ports::{Listed, Permission};
use chronotap_engine::signal::Stamp;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An event device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Device {
    /// Its node, as in /dev/input/event3.
    pub(crate) path: PathBuf,
    /// What the device calls itself.
    pub(crate) name: String,
    /// The socket that it is plugged into.
    pub(crate) phys: String,
    /// Its serial number; most have none.
    pub(crate) uniq: String,
    /// Whether one could write on it: it has the keys of a keyboard, not those of a box.
    pub(crate) is_keyboard: bool,
}

impl Device {
    /// The shortest name that means this device and no other of those present.
    pub(crate) fn unique_name(&self, present: &[Device]) -> String {
        let alone = |same: &dyn Fn(&Device) -> bool| present.iter().filter(|d| same(d)).count() < 2;
        if alone(&|other| other.name == self.name) {
            return self.name.clone();
        }
        let Device { name, phys, uniq, path, .. } = self;
        let same = |other: &Device| other.name == *name && other.uniq == *uniq;
        match (uniq.is_empty(), phys.is_empty()) {
            (false, _) if alone(&same) => format!("{name}@{uniq}"),
            (_, false) => format!("{name}@{phys}"),
            _ => path.display().to_string(),
        }
    }

    /// Whether this text means it: its node, name, socket, serial number, or its
    /// name with one of the latter after an `@`.
    pub(crate) fn is_called(&self, text: &str) -> bool {
        let Device { path, name, phys, uniq, .. } = self;
        let marks = [phys, uniq];
        let marks = || marks.iter().filter(|mark| !mark.is_empty());
        Path::new(text) == path
            || text == name
            || marks().any(|mark| text == *mark || text == format!("{name}@{mark}"))
    }
}

/// The devices with keys or buttons, by the number of their node.
pub(crate) fn devices() -> Vec<Device> {
    devices_in(Path::new("/sys/class/input"), Path::new("/dev/input"))
}

fn devices_in(table: &Path, nodes: &Path) -> Vec<Device> {
    let entries = std::fs::read_dir(table).into_iter().flatten().flatten();
    let mut numbers: Vec<u32> = entries
        .filter_map(|entry| entry.file_name().to_str()?.strip_prefix("event")?.parse().ok())
        .collect();
    numbers.sort_unstable();
    let device = |number: u32| {
        let at = table.join(format!("event{number}/device"));
        let text = |name: &str| {
            std::fs::read_to_string(at.join(name)).unwrap_or_default().trim().to_owned()
        };
        let keys = text("capabilities/key");
        let has_keys = keys.contains(|digit| !matches!(digit, '0' | ' '));
        let is_keyboard = is_keyboard(&keys);
        let (name, phys, uniq) = (text("name"), text("phys"), text("uniq"));
        let path = nodes.join(format!("event{number}"));
        has_keys.then_some(Device { path, name, phys, uniq, is_keyboard })
    };
    numbers.into_iter().filter_map(device).collect()
}

/// Whether these are the keys of a keyboard, as udev tells one: Escape, digits, the upper row of
/// letters and what is between them, codes 1 to 31. The words of the table are hexadecimal, the
/// one with the lowest codes last.
fn is_keyboard(keys: &str) -> bool {
    let last = keys.split_whitespace().last().unwrap_or_default();
    u64::from_str_radix(last, 16).is_ok_and(|codes| codes & WRITTEN_ON == WRITTEN_ON)
}

const WRITTEN_ON: u64 = 0xffff_fffe;

/// The event devices as ports.
pub(super) fn evdev_ports() -> Vec<Listed> {
    use rustix::fs::{Access, access};
    let present = devices();
    let listed = |device: &Device| {
        let readable = access(&device.path, Access::READ_OK).is_ok();
        let at =
            if device.phys.is_empty() { String::new() } else { format!(" at {}", device.phys) };
        Listed {
            name: format!("evdev:{}", device.unique_name(&present)),
            description: format!("keys or buttons, {}{at}", device.path.display()),
            input: true,
            output: false,
            stamp: Stamp::Kernel,
            refused: (!readable).then(|| Arc::new(Permission::of(&device.path)) as _),
        }
    };
    present.iter().map(listed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, write};

    fn table(devices: &[(&str, &str, &str, &str)]) -> Vec<Device> {
        let directory = tempfile::tempdir().unwrap();
        for (i, (name, phys, uniq, keys)) in devices.iter().enumerate() {
            let at = directory.path().join(format!("event{i}/device"));
            create_dir_all(at.join("capabilities")).unwrap();
            for (file, text) in
                [("name", name), ("phys", phys), ("uniq", uniq), ("capabilities/key", keys)]
            {
                write(at.join(file), format!("{text}\n")).unwrap();
            }
        }
        devices_in(directory.path(), Path::new("/dev/input"))
    }

    #[test]
    fn a_keyboard_is_told_from_boxes_and_buttons_by_its_keys() {
        let present = table(&[
            (
                "AT Keyboard",
                "isa",
                "",
                "402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe",
            ),
            ("Power Button", "acpi", "", "10000000000000 0"),
            ("Response box", "usb-1", "", "200000000000000"),
            ("Mouse", "usb-2", "", "1f0000 0 0 0 0"),
        ]);
        let keyboards: Vec<bool> = present.iter().map(|device| device.is_keyboard).collect();
        assert_eq!(keyboards, [true, false, false, false]);
    }

    #[test]
    fn equal_devices_are_told_apart_by_serial_number_or_socket() {
        let present = table(&[
            ("Lid Switch", "", "", "0"),
            ("Box", "usb-1/input0", "", "1000 0 0 0 0"),
            ("Box", "usb-2/input0", "", "1000 0 0 0 0"),
            ("Pad", "usb-3/input0", "A1", "1"),
            ("Pad", "usb-4/input0", "A2", "1"),
            ("Keyboard", "isa/input0", "", "fffe"),
        ]);
        let names: Vec<String> = present.iter().map(|d| d.unique_name(&present)).collect();
        assert_eq!(names, ["Box@usb-1/input0", "Box@usb-2/input0", "Pad@A1", "Pad@A2", "Keyboard"]);
        for (i, name) in names.iter().enumerate() {
            let meant: Vec<usize> =
                (0..present.len()).filter(|i| present[*i].is_called(name)).collect();
            assert_eq!(meant, [i]);
        }
        assert!(present[0].is_called("usb-1/input0") && present[2].is_called("/dev/input/event3"));
    }
}
