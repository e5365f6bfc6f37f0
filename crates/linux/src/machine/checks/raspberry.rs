//! What is particular to a Raspberry Pi: its supply, its firmware's settings, and the sound that its
//! firmware makes. Its governor, USB and interrupts are judged as on any machine.

use super::Topic::{Processors as PROCESSORS, Sound as SOUND};
use crate::machine::Facts;
use crate::machine::finding::{Check, Judgement};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "raspberry-supply",
        topic: PROCESSORS,
        read: "get_throttled of the Raspberry Pi's firmware",
        good: "0x0",
        source: "https://www.raspberrypi.com/documentation/computers/os.html (vcgencmd)",
        judge: raspberry_supply,
    },
    Check {
        name: "raspberry-config",
        topic: PROCESSORS,
        read: "/boot/firmware/config.txt: frequencies and voltages",
        good: "no overclocking",
        source: "https://www.raspberrypi.com/documentation/computers/config_txt.html (overclocking)",
        judge: config,
    },
    Check {
        name: "raspberry-sound",
        topic: SOUND,
        read: "/proc/asound/cards: the driver bcm2835",
        good: "a card at USB or on the pins",
        source: "https://www.raspberrypi.com/documentation/computers/config_txt.html (onboard \
                 analogue audio)",
        judge: sound,
    },
];

fn raspberry_supply(facts: &Facts) -> Judgement {
    const NOW: u32 = 0xf;
    const WHY: &str = "with low voltage or heat the firmware slows the processor down";
    match facts.power.raspberry_throttled {
        None if facts.kernel.release.is_none() => Judgement::unread(facts, "it"),
        None => Judgement::ok("not a Raspberry Pi, or it does not say"),
        Some(0) => Judgement::ok("voltage and heat were good since the start"),
        Some(flags) if flags & NOW != 0 => Judgement::bad(format!("0x{flags:x}: now"), WHY)
            .advice("use the Raspberry Pi's own power supply, and a fan"),
        Some(flags) => Judgement::note(format!("0x{flags:x}: since the start, not now"), WHY)
            .advice("use the Raspberry Pi's own power supply, and a fan"),
    }
}

fn config(facts: &Facts) -> Judgement {
    let Some(pi) = &facts.raspberry else { return elsewhere(facts, "the model") };
    let Some(settings) = &pi.settings else { return Judgement::unread(facts, "config.txt") };
    let (turbo, other): (Vec<&str>, Vec<&str>) =
        settings.iter().map(String::as_str).partition(|line| line.contains("force_turbo="));
    match (turbo.as_slice(), other.as_slice()) {
        ([], []) => Judgement::ok("nothing about frequencies"),
        (turbo, []) => Judgement::ok(turbo.join(", ")),
        _ => Judgement::note(
            settings.join(", "),
            "in heat or with low voltage the firmware takes overclocking back, in the midst of a \
             trial too",
        )
        .advice("take these lines out of config.txt")
        .reboot(),
    }
}

fn sound(facts: &Facts) -> Judgement {
    if facts.raspberry.is_none() {
        return elsewhere(facts, "the model");
    }
    let cards = facts.sound.cards.iter().flatten();
    let own: Vec<&str> =
        cards.filter(|c| c.name.starts_with("bcm2835")).map(|c| c.id.as_str()).collect();
    if own.is_empty() {
        return Judgement::ok("not made by the firmware");
    }
    Judgement::note(
        format!("the firmware makes that of {}", own.join(", ")),
        "the latency that the card states is without what the firmware adds, and the jack has \
         11 bits, by pulse width",
    )
    .advice(
        "play on a card at USB or on the pins; measure either, with chronotap timing tap-to-sound",
    )
}

/// On other machines.
fn elsewhere(facts: &Facts, what: &str) -> Judgement {
    match facts.kernel.release {
        None => Judgement::unread(facts, what),
        Some(_) => Judgement::ok("not a Raspberry Pi"),
    }
}
