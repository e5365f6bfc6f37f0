//! What is said of ports and sound cards: names that are not understood, devices that are not there
//! or refuse.

use super::{Says, with};
use chronotap_linux::cards::{CARD_NAMES, CardError, NameError as CardNameError, Offered};
use chronotap_linux::ports::{
    AlsaError, Around, EvdevError, EvdevNameError, JackError, KeepKeysError, KeysError, LineError,
    LineKind, LineNameError, MidiHolder, MusicError, NameError, NoPath, NoStream, OpenError,
    OpenPortError, PeerError, Permission, SequencerError, SpecError, ToneError, ToneNameError,
};
use std::error::Error;

/// The errors that a kind of port keeps in a box.
const BOXED: [fn(&(dyn Error + 'static)) -> Option<String>; 13] = [
    look::<AlsaError>,
    look::<EvdevError>,
    look::<EvdevNameError>,
    look::<JackError>,
    look::<KeysError>,
    look::<MusicError>,
    look::<NameError>,
    look::<LineError>,
    look::<LineNameError>,
    look::<NoPath>,
    look::<OpenError>,
    look::<SequencerError>,
    look::<ToneNameError>,
];

fn look<T: Says>(error: &(dyn Error + 'static)) -> Option<String> {
    error.downcast_ref::<T>().map(Says::says)
}

/// What is said of an error in a box; one without words here states its condition.
pub(super) fn of(error: &(dyn Error + 'static)) -> String {
    let tone = error.downcast_ref::<ToneError>().map(Says::says);
    let found = || BOXED.iter().find_map(|look| look(error));
    tone.or_else(found).unwrap_or_else(|| error.to_string())
}

impl Says for OpenPortError {
    fn says(&self) -> String {
        match self {
            OpenPortError::SecondInput { input, .. } => format!("inputs: {input}: {self}"),
            OpenPortError::InputOnly { .. } => with(self, "bind the output to another port"),
            OpenPortError::OutputOnly { .. } => {
                with(self, "bind the input to another port (`chronotap ports` lists them)")
            }
            OpenPortError::NoFarEnd { .. } => with(self, "name a device (`chronotap ports`)"),
            OpenPortError::Device(error) => of(&**error),
        }
    }
}

impl Says for SpecError {
    fn says(&self) -> String {
        match self {
            SpecError::Unknown { nearest, known, .. } => format!(
                "{self}{} (known: {}; `chronotap run --help` has every form)",
                meant(nearest),
                known.join(", ")
            ),
            SpecError::Wrong(error) => of(&**error),
        }
    }
}

/// The name that was probably meant; nothing where none is near.
fn meant(nearest: &str) -> String {
    if nearest.is_empty() { String::new() } else { format!("; did you mean `{nearest}`?") }
}

impl Says for Permission {
    fn says(&self) -> String {
        match self {
            Permission::Unknown => "ask who runs this machine".into(),
            Permission::Root { usual } => {
                with(self, format!("a udev rule can give it to group {usual}"))
            }
            Permission::Owner { path, .. } => {
                with(self, format!("`sudo chmod g+rw {}`", path.display()))
            }
            Permission::Group(group) => {
                format!("{self}: `sudo usermod -aG {group} $USER`, then log in again")
            }
        }
    }
}

impl Says for OpenError {
    fn says(&self) -> String {
        match self {
            OpenError::Missing { around, .. } => format!(
                "{self}{}; `chronotap ports` lists the devices present",
                seen_around(around)
            ),
            OpenError::Denied { permission, .. } => with(self, permission.says()),
            OpenError::Busy { path } => {
                with(self, format!("close it (`fuser -v {}` names it)", path.display()))
            }
            OpenError::NotAStream { found, .. } => with(
                self,
                format!(
                    "name a character device, a FIFO or a pseudo-terminal{}",
                    if *found == NoStream::File {
                        " (a recorded events file is played by a performer)"
                    } else {
                        ""
                    }
                ),
            ),
            OpenError::OneWay { .. } => {
                with(self, "make two (mkfifo) and name one for input, one for output")
            }
            OpenError::System { .. } => with(self, "is its other end connected?"),
        }
    }
}

fn seen_around(around: &Around) -> String {
    match around {
        Around::Near(path) => format!(" (did you mean raw:{}?)", path.display()),
        Around::Others => String::new(),
        Around::Empty(directory) => format!(" ({} is empty)", directory.display()),
        Around::Nowhere(directory) => format!(" (there is no {})", directory.display()),
    }
}

impl Says for LineNameError {
    fn says(&self) -> String {
        match self {
            LineNameError::NoPath(LineKind::Serial) => format!("{self}, as in serial:/dev/ttyUSB0"),
            LineNameError::NoPath(LineKind::Parallel) => {
                format!("{self}, as in parallel:/dev/parport0")
            }
            LineNameError::NoPath(LineKind::Ttl) => format!("{self}, as in ttl:/dev/ttyS0"),
            LineNameError::NoPath(LineKind::Pps) => format!("{self}, as in pps:/dev/pps0"),
            LineNameError::Option(LineKind::Serial, _) => with(
                self,
                "after the `?` may stand baud=N, rest=BYTE, rest=none, inverted, with `&` between them",
            ),
            LineNameError::Option(LineKind::Parallel, _) => {
                with(self, "after the `?` may stand rest=BYTE, inverted, with `&` between them")
            }
            LineNameError::Option(LineKind::Ttl, _) => {
                with(self, "after the `?` may stand line=LINE, inverted, with `&` between them")
            }
            LineNameError::Option(LineKind::Pps, _) => {
                with(self, "after the `?` may stand inverted")
            }
            LineNameError::Number(LineKind::Ttl, _) => with(self, "line is dcd, cts or dsr"),
            LineNameError::Number(..) => with(self, "rest is 0 to 255, baud is above 0"),
        }
    }
}

impl Says for LineError {
    fn says(&self) -> String {
        match self {
            LineError::Missing { .. } => {
                with(self, "plug it in (`chronotap ports` lists the devices present)")
            }
            LineError::Denied { permission, .. } => with(self, permission.says()),
            LineError::Busy { .. } => {
                with(self, "close that program; a parallel port is freed by `sudo modprobe -r lp`")
            }
            LineError::AnotherKind { kind: LineKind::Serial, .. } => {
                with(self, "name a serial device, as in serial:/dev/ttyUSB0")
            }
            LineError::AnotherKind { kind: LineKind::Parallel, .. } => {
                with(self, "name a device of ppdev, as in parallel:/dev/parport0")
            }
            LineError::AnotherKind { kind: LineKind::Ttl, .. } => {
                with(self, "name a serial port with control lines, as in ttl:/dev/ttyS0")
            }
            LineError::AnotherKind { kind: LineKind::Pps, .. } => with(
                self,
                "name a device that the kernel stamps, as `sudo ldattach PPS /dev/ttyS0` makes: pps:/dev/pps0",
            ),
            LineError::System { .. } => with(self, "unplug the device and plug it in again"),
        }
    }
}

impl Says for NoPath {
    fn says(&self) -> String {
        let NoPath = self;
        format!("{self}, as in raw:/dev/snd/midiC1D0")
    }
}

impl Says for AlsaError {
    fn says(&self) -> String {
        match self {
            AlsaError::Name(error) => error.says(),
            AlsaError::Direction { .. } => with(self, "`chronotap ports` lists what each port has"),
            AlsaError::Denied { permission, .. } => with(self, permission.says()),
            AlsaError::Busy { holder, .. } => with(
                self,
                match holder {
                    MidiHolder::Program { .. } | MidiHolder::Unknown => "close it",
                    MidiHolder::Sequencer => "end it (`aconnect -x` ends all)",
                },
            ),
            AlsaError::System { .. } => with(self, "unplug the device and plug it in again"),
        }
    }
}

impl Says for NameError {
    fn says(&self) -> String {
        match self {
            NameError::NoName => {
                format!("{self}, as in alsa:hw:2,0 (`chronotap ports` lists those present)")
            }
            NameError::NonePresent(_) => {
                with(self, "plug one in, or load its driver (`sudo modprobe snd-usb-audio`)")
            }
            NameError::Unknown { nearest, .. } => {
                with(self, format!("did you mean `{nearest}`? (`chronotap ports` lists all)"))
            }
            NameError::Several { choice, .. } => with(self, format!("name one: {choice}")),
        }
    }
}

impl Says for SequencerError {
    fn says(&self) -> String {
        match self {
            SequencerError::NoSequencer { .. } => {
                with(self, "load it (`sudo modprobe snd-seq`), or use an alsa: port")
            }
            SequencerError::Denied { permission, .. } => with(self, permission.says()),
            SequencerError::Peer(error) => error.says(),
            SequencerError::Connection { .. } => {
                with(self, "is its device in use by another program?")
            }
            SequencerError::System { .. } => with(self, "use an alsa: or raw: port"),
        }
    }
}

impl Says for PeerError {
    fn says(&self) -> String {
        match self {
            PeerError::Unknown { nearest, .. } => {
                format!("{self}{} (`chronotap ports` lists all)", meant(nearest))
            }
            PeerError::Several { .. } => with(self, "name one of them"),
            PeerError::Direction { .. } => {
                with(self, "`chronotap ports` lists what each port can do")
            }
        }
    }
}

impl Says for JackError {
    fn says(&self) -> String {
        match self {
            JackError::NoLibrary { .. } => with(
                self,
                "install it (`sudo apt-get install libjack-jackd2-0` or `pipewire-jack`), or use \
                 an alsa: or seq: port",
            ),
            JackError::NoServer { .. } => {
                with(self, "start one (`jackd -d alsa`), or run this program by `pw-jack`")
            }
            JackError::Unknown { present, .. } => match &present[..] {
                [] => with(self, "present: none"),
                all => with(self, format!("present: {}", all.join(", "))),
            },
            JackError::Refused { .. } => with(self, "is it still running?"),
            JackError::Silent { .. } => with(self, "start it anew (its own log may say why)"),
            JackError::System { .. } => self.to_string(),
        }
    }
}

impl Says for EvdevError {
    fn says(&self) -> String {
        match self {
            EvdevError::Name(error) => error.says(),
            EvdevError::Denied { permission, .. } => with(self, permission.says()),
            EvdevError::Busy { path, .. } => {
                with(self, format!("close it (`fuser -v {}` names it)", path.display()))
            }
            EvdevError::System { .. } => with(self, "is it an event device, and plugged in?"),
        }
    }
}

impl Says for EvdevNameError {
    fn says(&self) -> String {
        match self {
            EvdevNameError::NoName => format!(
                "{self}, as in evdev:/dev/input/event3 (`chronotap ports` lists those present)"
            ),
            EvdevNameError::Option { .. } => with(self, "use keys=KEY:NOTE,... or grab"),
            EvdevNameError::Keys { .. } => with(
                self,
                "write keys=SPACE:60,ENTER:62 (docs/keyboards.md lists the keys; notes are 0 to \
                 127, each once)",
            ),
            EvdevNameError::Missing { nearest, .. } => {
                let hint = match nearest {
                    Some(nearest) => format!(" (did you mean 'evdev:{nearest}'?)"),
                    None => " (no keyboard or response box is present)".into(),
                };
                format!("{self}{hint}; `chronotap ports` lists those present")
            }
            EvdevNameError::Several { choices, .. } => {
                let choices: Vec<String> =
                    choices.iter().map(|choice| format!("'evdev:{choice}'")).collect();
                with(self, format!("say which: {}", choices.join(", ")))
            }
        }
    }
}

impl Says for KeepKeysError {
    fn says(&self) -> String {
        let cure = match self {
            KeepKeysError::OnlyKeyboard { .. } => {
                "plug in another keyboard, or tap on a response box or a pad".into()
            }
            KeepKeysError::NoKeyboard => {
                "plug one in, or tap on a pad or a response box; a container must be given the \
                 computer's /dev/input"
                    .into()
            }
            KeepKeysError::WhichKeyboard { choices } => {
                let choices: Vec<String> =
                    choices.iter().map(|choice| format!("'{choice}'")).collect();
                format!("name the one that is tapped on: {}", choices.join(" or "))
            }
            KeepKeysError::Shared { .. } => {
                "name it once with all its keys, which differ by their notes, or use two devices"
                    .into()
            }
        };
        with(self, cure)
    }
}

impl Says for KeysError {
    fn says(&self) -> String {
        match self {
            KeysError::NoTerminal(_) => with(self, "start the program from one, or bind a device"),
        }
    }
}

impl Says for ToneError {
    fn says(&self) -> String {
        match self {
            ToneError::Card(error) => error.says(),
            ToneError::Sounds(error) => error.to_string(),
            ToneError::NotRunning { .. } => with(self, "choose another card, or leave ltc= out"),
        }
    }
}

impl Says for ToneNameError {
    fn says(&self) -> String {
        match self {
            ToneNameError::Card(error) => format!("`tone:`: {}", error.says()),
            ToneNameError::Option(_) => with(
                self,
                "after the `?` may stand rate=HZ, period=FRAMES, periods=N, sounds=FILE, \
                 codes=CHANNELS, ltc=CHANNEL, fps=RATE, level=SHARE, with `&` between them",
            ),
            ToneNameError::Number(_)
            | ToneNameError::Channels(_)
            | ToneNameError::TimeCode(_)
            | ToneNameError::FrameRate(_)
            | ToneNameError::Level(_) => self.to_string(),
        }
    }
}

impl Says for MusicError {
    fn says(&self) -> String {
        match self {
            MusicError::Sounds(error) => error.to_string(),
            MusicError::NoRoom { .. } => format!(
                "{self}: make room there, or name a folder on another disk, as in TMPDIR=/data \
                 chronotap …"
            ),
            MusicError::Kept { .. } => {
                with(self, "name another folder, as in TMPDIR=/data chronotap …")
            }
        }
    }
}

impl Says for CardError {
    fn says(&self) -> String {
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
            CardError::SilentLoop => with(self, "join it to the monitor ports of its card"),
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
    fn says(&self) -> String {
        let CardNameError { name: _ } = self;
        with(self, format!("known: {}", CARD_NAMES.join(", ")))
    }
}
