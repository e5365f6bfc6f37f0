//! USB sound and MIDI devices: power saving, speed, what lies between.

use super::Topic::Sound as SOUND;
use super::processors::distinct;
use crate::machine::finding::{Check, Judgement};
use crate::machine::step::MachineStep;
use crate::machine::{Facts, UsbDevice};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "usb-power",
        topic: SOUND,
        read: "/sys/bus/usb/devices/*/power/control of sound devices",
        good: "on: the device is never put to sleep",
        source: "https://docs.kernel.org/driver-api/usb/power-management.html",
        judge: |facts| of_sound(facts, power),
    },
    Check {
        name: "usb-connection",
        topic: SOUND,
        read: "/sys/bus/usb/devices/*/speed; hubs and neighbours by the device's place",
        good: "no hub between",
        source: "https://docs.kernel.org/driver-api/usb/index.html",
        judge: |facts| of_sound(facts, connection),
    },
    Check {
        name: "usb-controller",
        topic: SOUND,
        read: "/sys/bus/usb/devices/usb*/product",
        good: "one that does its work itself",
        source: "https://www.raspberrypi.com/documentation/computers/raspberry-pi.html (USB); \
                 https://github.com/raspberrypi/linux/issues/2687",
        judge: |facts| of_sound(facts, controller),
    },
    Check {
        name: "usb-driver",
        topic: SOUND,
        read: "/sys/module/snd_usb_audio/parameters; the kernel's version",
        good: "lowlatency Y, Linux 5.16 or later",
        source: "https://docs.kernel.org/sound/alsa-configuration.html (snd-usb-audio)",
        judge: |facts| of_sound(facts, driver),
    },
];

/// Judges the sound devices, where there are any.
fn of_sound(facts: &Facts, judge: fn(&Facts, &[&UsbDevice]) -> Judgement) -> Judgement {
    let Some(all) = &facts.usb else {
        return match facts.kernel.release {
            None => Judgement::unread(facts, "USB"),
            Some(_) => Judgement::ok("no USB here"),
        };
    };
    let found: Vec<&UsbDevice> = all.iter().filter(|device| device.sound).collect();
    if found.is_empty() {
        Judgement::ok("no USB sound or MIDI device")
    } else {
        judge(facts, &found)
    }
}

fn name(device: &UsbDevice) -> &str {
    device.product.as_deref().unwrap_or(&device.name)
}

fn power(facts: &Facts, devices: &[&UsbDevice]) -> Judgement {
    if devices.iter().any(|device| device.power_control.is_none()) {
        return Judgement::unread(facts, "power/control");
    }
    let sleepy: Vec<_> =
        devices.iter().filter(|device| device.power_control.as_deref() != Some("on")).collect();
    if sleepy.is_empty() {
        return Judgement::ok("stays awake");
    }
    let names: Vec<&str> = sleepy.iter().map(|device| name(device)).collect();
    let step = |device: &&&UsbDevice| {
        let path = format!("/sys/bus/usb/devices/{}/power/control", device.name);
        MachineStep::write(path, device.power_control.as_deref(), "on")
    };
    Judgement::note(
        format!("may be put to sleep: {}", names.join(", ")),
        "the first message after a pause waits until the device is awake",
    )
    .steps(sleepy.iter().map(step).collect())
}

fn connection(facts: &Facts, devices: &[&UsbDevice]) -> Judgement {
    let describe = |device: &&UsbDevice| {
        let others = facts.usb.iter().flatten().filter(|other| other.bus == device.bus).count() - 1;
        let step = match device.speed_mbps.as_deref() {
            Some("1.5" | "12") => "1 ms frames",
            Some("480") => "125 us frames",
            Some(_) => "fast",
            None => "speed not known",
        };
        let hubs =
            if device.hubs == 0 { String::new() } else { format!(", {} hub(s)", device.hubs) };
        format!("{} ({step}{hubs}, {others} beside it)", name(device))
    };
    let found = devices.iter().map(describe).collect::<Vec<_>>().join("; ");
    match devices.iter().any(|device| device.hubs > 0) {
        false => Judgement::ok(found),
        true => {
            Judgement::note(found, "a hub adds delay, and what else hangs on it gets in the way")
                .advice("plug the device into the machine itself")
        }
    }
}

/// That of Raspberry Pis before the 4 leaves work to the processor, the more of it the slower the device.
fn controller(facts: &Facts, devices: &[&UsbDevice]) -> Judgement {
    let names = distinct(devices.iter().filter_map(|device| device.controller.as_deref()));
    if names.is_empty() {
        return Judgement::unread(facts, "the controller");
    }
    match names.iter().any(|name| name.starts_with("DWC OTG")) {
        false => Judgement::ok(names.join(", ")),
        true => Judgement::note(
            names.join(", "),
            "the processor does a part of its work, and all devices and the network share it; \
             MIDI messages were reported lost on it",
        )
        .advice("use a Raspberry Pi 4 or later, or plug nothing in besides the pad"),
    }
}

fn driver(facts: &Facts, _: &[&UsbDevice]) -> Judgement {
    let low = facts.sound.usb_driver.as_ref().and_then(|all| all.get("lowlatency"));
    match (low.map(String::as_str), facts.kernel.number()) {
        (Some("N"), _) => Judgement::note("lowlatency is off", "playback is buffered for longer")
            .cure(
                "echo options snd-usb-audio lowlatency=1 | sudo tee /etc/modprobe.d/chronotap.conf",
                "sudo rm /etc/modprobe.d/chronotap.conf",
            )
            .reboot(),
        (_, Some(version)) if version < (5, 16) => Judgement::note(
            format!("Linux {}.{}", version.0, version.1),
            "the driver's playback has less delay from 5.16 on; MIDI is the same",
        ),
        _ => Judgement::ok("as it should be"),
    }
}
