//! [`SoundSystem`]: cards, who uses them, which servers run, which timer the sequencer has.

use super::processes::processes;
use crate::machine::Root;
use chronotap_machine::facts::{CardFacts, Holder, OpenStream, SoundSystem};

const CARDS: &str = "/proc/asound";

/// Programs that own sound cards for others.
const SERVERS: [&str; 8] = [
    "pipewire",
    "pipewire-pulse",
    "wireplumber",
    "pipewire-media-",
    "jackd",
    "jackdbus",
    "pulseaudio",
    "a2jmidid",
];

pub(super) fn read(root: &Root) -> SoundSystem {
    let all = processes(root);
    let names = all.as_ref().map(|all| all.iter().map(|p| p.name.as_str()).collect::<Vec<_>>());
    SoundSystem {
        cards: root.text(&format!("{CARDS}/cards")).map(|text| cards(&text)),
        streams: streams(root),
        holders: all.as_ref().map(|all| {
            let held = |p| held_by(root, p);
            all.iter().map(|p| (p.pid, p.name.as_str())).flat_map(held).collect()
        }),
        servers: names.map(servers),
        timers: root
            .text(&format!("{CARDS}/timers"))
            .map(|text| text.lines().map(|line| line.trim().to_owned()).collect()),
        usb_driver: root.lines("/sys/module/snd_usb_audio/parameters"),
    }
}

/// Two lines a card; the first is ` 0 [PCH            ]: HDA-Intel - HDA Intel PCH`.
fn cards(text: &str) -> Vec<CardFacts> {
    let card = |line: &str| {
        let (number, rest) = line.split_once('[')?;
        let (id, name) = rest.split_once("]:")?;
        let number = number.trim().parse().ok()?;
        Some(CardFacts { number, id: id.trim().to_owned(), name: name.trim().to_owned() })
    };
    text.lines().filter_map(card).collect()
}

fn streams(root: &Root) -> Option<Vec<OpenStream>> {
    let mut found = Vec::new();
    for (_, card) in root.numbered(CARDS, "card")? {
        let all = root.names(&format!("{CARDS}/{card}")).unwrap_or_default();
        for pcm in all.iter().filter(|name| name.starts_with("pcm")) {
            let place = format!("{card}/{pcm}");
            let subs = root.numbered(&format!("{CARDS}/{place}"), "sub").unwrap_or_default();
            found
                .extend(subs.iter().filter_map(|(_, sub)| stream(root, &format!("{place}/{sub}"))));
        }
    }
    Some(found)
}

/// A closed one says `closed` and nothing else.
fn stream(root: &Root, name: &str) -> Option<OpenStream> {
    let status = root.text(&format!("{CARDS}/{name}/status"))?;
    let parameters = root.text(&format!("{CARDS}/{name}/hw_params")).unwrap_or_default();
    let number = |label| field(&parameters, label)?.split(' ').next()?.parse().ok();
    Some(OpenStream {
        state: field(&status, "state")?,
        owner_pid: field(&status, "owner_pid").and_then(|pid| pid.parse().ok()),
        rate_hz: number("rate"),
        period_frames: number("period_size"),
        buffer_frames: number("buffer_size"),
        name: name.to_owned(),
    })
}

/// Lines are `label   : value`.
fn field(text: &str, label: &str) -> Option<String> {
    let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
    pairs.find(|(found, _)| found.trim() == label).map(|(_, value)| value.trim().to_owned())
}

fn held_by(root: &Root, (pid, program): (u32, &str)) -> Vec<Holder> {
    let place = format!("/proc/{pid}/fd");
    let links = root.names(&place).unwrap_or_default().into_iter();
    let targets = links.filter_map(|fd| root.link(&format!("{place}/{fd}")));
    let mut held: Vec<Holder> = targets
        .filter(|target| target.starts_with("/dev/snd/"))
        .map(|device| Holder { device, pid, program: program.to_owned() })
        .collect();
    held.sort();
    held.dedup();
    held
}

fn servers(names: Vec<&str>) -> Vec<String> {
    let mut found: Vec<String> =
        names.into_iter().filter(|name| SERVERS.contains(name)).map(str::to_owned).collect();
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_read_from_the_first_of_their_lines() {
        let text = " 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n      HDA Intel PCH at 0xf7\n \
                    1 [Pad            ]: USB-Audio - Drum Pad\n      Maker Drum Pad at usb-1\n";
        let found = cards(text);
        assert_eq!(found.len(), 2);
        assert_eq!((found[1].number, found[1].id.as_str()), (1, "Pad"));
        assert!(cards("--- no soundcards ---\n").is_empty());
    }
}
