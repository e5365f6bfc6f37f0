//! What is said of sound cards.

use crate::{Says, Sentences, Surface, row, with};
use chronotap_linux::cards::{CARD_NAMES, CardError, CardNameError, Offered};

pub(super) const ROWS: &[Sentences] = &[row::<CardError>(), row::<CardNameError>()];

impl Says for CardError {
    fn says(&self, surface: Surface) -> String {
        match self {
            CardError::NoLibrary => with(
                self,
                "install it (`sudo apt-get install libjack-jackd2-0` or `pipewire-jack`), or use \
                 the card `virtual`",
            ),
            CardError::NoServer => {
                with(self, "start one (`jackd -d alsa`), or run this program by `pw-jack`")
            }
            CardError::Refused(_) => with(self, "is it still running?"),
            CardError::NotOffered { offered, .. } => with(self, instead(offered)),
            CardError::NoJoin(_) => with(
                self,
                "for a card use a cable, for a virtual one the name `virtual:loop:FRAMES:GAIN`",
            ),
            CardError::SilentLoop => with(
                self,
                surface.in_terminal(
                    "use `--join monitor`, which goes by the monitor ports of its card",
                    "join it to the monitor ports of its card",
                ),
            ),
            CardError::NoMonitor => {
                with(self, "PipeWire's cards have some, jackd's with `-m` (`jackd -d alsa -m`)")
            }
            CardError::Missing { present, .. } => match &present[..] {
                [] => with(self, "there is none"),
                all => with(self, format!("present: {}", all.join(", "))),
            },
            CardError::Denied { .. } => with(
                self,
                "members of the group `audio` may open it: `sudo usermod -aG audio $USER`, then \
                 log in again",
            ),
            CardError::Busy { .. } => {
                with(self, "close it; where it is a sound server, use `jack` (`pw-jack`)")
            }
            CardError::System { .. } => {
                with(self, "unplug it and plug it in again, or see `dmesg`")
            }
            CardError::Silent(_) => {
                with(self, "ask for a longer one, or start it anew (its log may say why)")
            }
            CardError::Thread(_) => with(self, "end other programs, or raise `ulimit -u`"),
        }
    }
}

fn instead(offered: &Offered) -> String {
    match offered {
        Offered::Has(has) => has.clone(),
        Offered::ThroughJack => "use it through JACK (tone:jack)".into(),
        Offered::AlsaDevice => "alsa:hw:CARD,DEVICE does".into(),
        Offered::OneAtLeast => "ask for one at least".into(),
        Offered::Server { pipewire: true, has } => format!(
            "PipeWire runs with {has}; `pw-metadata -n settings 0 clock.force-quantum FRAMES` and \
             `clock.force-rate RATE` set both"
        ),
        Offered::Server { pipewire: false, has } => {
            format!("the server runs with {has}; `jackd -r RATE -p FRAMES` sets both")
        }
    }
}

impl Says for CardNameError {
    fn says(&self, _: Surface) -> String {
        let CardNameError { name: _ } = self;
        with(self, format!("known: {}", CARD_NAMES.join(", ")))
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    let card = || "alsa:hw:0,0".to_owned();
    let not_offered = |asked: &str, offered| CardError::NotOffered {
        card: card(),
        asked: asked.to_owned(),
        offered,
    };
    let missing = |present| CardError::Missing { card: card(), present };
    let holder = chronotap_linux::cards::DeviceHolder { pid: 4_711, name: "pipewire".into() };
    let all = [
        CardError::NoLibrary,
        CardError::NoServer,
        not_offered("7 Hz", Offered::Has("it has 8000 to 192000 Hz".into())),
        not_offered("a 32-bit system", Offered::ThroughJack),
        not_offered("blocking writes", Offered::AlsaDevice),
        not_offered("neither inputs nor outputs", Offered::OneAtLeast),
        not_offered("64 frames a period", Offered::Server { pipewire: true, has: 256 }),
        not_offered("64 frames a period", Offered::Server { pipewire: false, has: 256 }),
        CardError::NoJoin(card()),
        CardError::SilentLoop,
        CardError::NoMonitor,
        missing(Vec::new()),
        missing(vec!["alsa:hw:0,0 (Loopback PCM)".into()]),
        CardError::Denied { card: card(), path: "/dev/snd/pcmC0D0p".into() },
        CardError::Busy { card: card(), holder: Some(holder) },
        CardError::Busy { card: card(), holder: None },
        CardError::System { card: card(), call: "PREPARE", errno: rustix::io::Errno::IO },
        CardError::Silent(card()),
        CardError::Thread(std::io::Error::from_raw_os_error(11)),
    ];
    let mut all: Vec<Box<dyn std::error::Error>> =
        all.into_iter().map(|error| Box::new(error) as _).collect();
    all.push(Box::new(CardNameError { name: "jak".into() }));
    all
}
