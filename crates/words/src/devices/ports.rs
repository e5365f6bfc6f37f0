//! What is said of ports: names that are not understood, devices that are not there or refuse.

use crate::{Says, Sentences, Surface, of, row, with};
use chronotap_linux::ports::{
    AlsaError, AlsaNameError, AroundPath, EarError, EarNameError, EvdevError, EvdevNameError,
    JackError, KeepKeysError, KeysError, LineError, LineKind, LineNameError, MidiHolder, Misread,
    NoPath, NoStream, OpenError, OpenPortError, Permission, SensorError, SequencerError,
    SequencerNameError, SpecError, ToneError, ToneNameError,
};

pub(super) const ROWS: &[Sentences] = &[
    row::<AlsaError>(),
    row::<EarError>(),
    row::<EarNameError>(),
    row::<EvdevError>(),
    row::<EvdevNameError>(),
    row::<JackError>(),
    row::<KeepKeysError>(),
    row::<KeysError>(),
    row::<LineError>(),
    row::<LineNameError>(),
    row::<Misread>(),
    row::<AlsaNameError>(),
    row::<NoPath>(),
    row::<OpenError>(),
    row::<OpenPortError>(),
    row::<SequencerNameError>(),
    row::<Permission>(),
    row::<SensorError>(),
    row::<SequencerError>(),
    row::<SpecError>(),
    row::<ToneError>(),
    row::<ToneNameError>(),
];

impl Says for OpenPortError {
    fn says(&self, surface: Surface) -> String {
        match self {
            OpenPortError::SecondInput { input, .. } => {
                let named = surface.pick("--in", "input", "inputs:");
                format!("{named} {input}: {self}")
            }
            OpenPortError::InputOnly { .. } => with(self, "bind the output to another port"),
            OpenPortError::OutputOnly { .. } => {
                with(self, "bind the input to another port (`chronotap ports` lists them)")
            }
            OpenPortError::NoFarEnd { .. } => with(self, "name a device (`chronotap ports`)"),
            OpenPortError::Device(error) => of(&**error, surface),
        }
    }
}

impl Says for SpecError {
    fn says(&self, surface: Surface) -> String {
        match self {
            SpecError::Unknown { nearest, known, .. } => format!(
                "{self}{} (known: {}; `chronotap run --help` has every form)",
                meant(nearest),
                known.join(", ")
            ),
            SpecError::Wrong(error) => of(&**error, surface),
        }
    }
}

/// The name that was probably meant; nothing where none is near.
fn meant(nearest: &str) -> String {
    if nearest.is_empty() { String::new() } else { format!("; did you mean `{nearest}`?") }
}

impl Says for Misread {
    fn says(&self, surface: Surface) -> String {
        match self {
            Misread::NoSuchForm => with(self, "use one of them"),
            Misread::Wrong(error) => of(&**error, surface),
        }
    }
}

impl Says for Permission {
    fn says(&self, _: Surface) -> String {
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
    fn says(&self, surface: Surface) -> String {
        match self {
            OpenError::Missing { around, .. } => format!(
                "{self}{}; `chronotap ports` lists the devices present",
                seen_around(around)
            ),
            OpenError::Denied { permission, .. } => with(self, permission.says(surface)),
            OpenError::Busy { path } => {
                with(self, format!("close it (`fuser -v {}` names it)", path.display()))
            }
            OpenError::NotAStream { found, .. } => with(
                self,
                format!(
                    "name a character device, a FIFO or a pseudo-terminal{}",
                    if *found == NoStream::File {
                        surface.in_terminal(
                            " (a recorded events file plays with --performer)",
                            " (a recorded events file is played by a performer)",
                        )
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

fn seen_around(around: &AroundPath) -> String {
    match around {
        AroundPath::Near(path) => format!(" (did you mean raw:{}?)", path.display()),
        AroundPath::Others => String::new(),
        AroundPath::Empty(directory) => format!(" ({} is empty)", directory.display()),
        AroundPath::Nowhere(directory) => format!(" (there is no {})", directory.display()),
    }
}

impl Says for LineNameError {
    fn says(&self, _: Surface) -> String {
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
    fn says(&self, surface: Surface) -> String {
        match self {
            LineError::Missing { .. } => {
                with(self, "plug it in (`chronotap ports` lists the devices present)")
            }
            LineError::Denied { permission, .. } => with(self, permission.says(surface)),
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

impl Says for SensorError {
    fn says(&self, surface: Surface) -> String {
        match self {
            SensorError::Unnamed => format!("{self}, as in sensor:/dev/ttyACM0"),
            SensorError::Option { .. } => {
                with(self, "ask for sketch=teensytap or sketch=tap-arduino, or for nothing")
            }
            SensorError::Mute { .. } => {
                with(self, "put its newest version on the board, or unplug it and plug it in again")
            }
            SensorError::Missing { .. } => {
                with(self, "plug it in (`ls /dev/ttyACM* /dev/ttyUSB*`)")
            }
            SensorError::Denied { permission, .. } => with(self, permission.says(surface)),
            SensorError::Busy { .. } => with(self, "close that program"),
            SensorError::NotALine { .. } => {
                with(self, "name a serial device, as in sensor:/dev/ttyACM0")
            }
            SensorError::Silent { .. }
            | SensorError::Version { .. }
            | SensorError::Board { .. } => {
                with(self, "flash the firmware of this version (docs/force-sensor.md)")
            }
            SensorError::System { .. } => with(self, "unplug the device and plug it in again"),
        }
    }
}

impl Says for NoPath {
    fn says(&self, _: Surface) -> String {
        let NoPath = self;
        format!("{self}, as in raw:/dev/snd/midiC1D0")
    }
}

impl Says for AlsaError {
    fn says(&self, surface: Surface) -> String {
        match self {
            AlsaError::Name(error) => error.says(surface),
            AlsaError::Direction { .. } => with(self, "`chronotap ports` lists what each port has"),
            AlsaError::Denied { permission, .. } => with(self, permission.says(surface)),
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

impl Says for AlsaNameError {
    fn says(&self, _: Surface) -> String {
        match self {
            AlsaNameError::NoName => {
                format!("{self}, as in alsa:hw:2,0 (`chronotap ports` lists those present)")
            }
            AlsaNameError::NonePresent(_) => {
                with(self, "plug one in, or load its driver (`sudo modprobe snd-usb-audio`)")
            }
            AlsaNameError::Unknown { nearest, .. } => {
                with(self, format!("did you mean `{nearest}`? (`chronotap ports` lists all)"))
            }
            AlsaNameError::Several { choice, .. } => with(self, format!("name one: {choice}")),
        }
    }
}

impl Says for SequencerError {
    fn says(&self, surface: Surface) -> String {
        match self {
            SequencerError::NoSequencer { .. } => {
                with(self, "load it (`sudo modprobe snd-seq`), or use an alsa: port")
            }
            SequencerError::Denied { permission, .. } => with(self, permission.says(surface)),
            SequencerError::Peer(error) => error.says(surface),
            SequencerError::Connection { .. } => {
                with(self, "is its device in use by another program?")
            }
            SequencerError::System { .. } => with(self, "use an alsa: or raw: port"),
        }
    }
}

impl Says for SequencerNameError {
    fn says(&self, _: Surface) -> String {
        match self {
            SequencerNameError::Unknown { nearest, .. } => {
                format!("{self}{} (`chronotap ports` lists all)", meant(nearest))
            }
            SequencerNameError::Several { .. } => with(self, "name one of them"),
            SequencerNameError::Direction { .. } => {
                with(self, "`chronotap ports` lists what each port can do")
            }
        }
    }
}

impl Says for JackError {
    fn says(&self, _: Surface) -> String {
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
    fn says(&self, surface: Surface) -> String {
        match self {
            EvdevError::Name(error) => error.says(surface),
            EvdevError::Denied { permission, .. } => with(self, permission.says(surface)),
            EvdevError::Busy { path, .. } => {
                with(self, format!("close it (`fuser -v {}` names it)", path.display()))
            }
            EvdevError::System { .. } => with(self, "is it an event device, and plugged in?"),
        }
    }
}

impl Says for EvdevNameError {
    fn says(&self, surface: Surface) -> String {
        match self {
            EvdevNameError::NoName => format!(
                "{self}, as in evdev:/dev/input/event3 (`chronotap ports` lists those present)"
            ),
            EvdevNameError::Option { .. } => {
                let grab = surface.in_python(" or grab", ", grab or grab=trials");
                with(self, format!("use keys=KEY:NOTE,...{grab}"))
            }
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
    fn says(&self, surface: Surface) -> String {
        let cure: String = match self {
            KeepKeysError::OnlyKeyboard { .. } => {
                let grab = surface.in_python("", "write `grab=trials`, ");
                format!("{grab}plug in another keyboard, or tap on a response box or a pad")
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
    fn says(&self, _: Surface) -> String {
        match self {
            KeysError::NoTerminal(_) => with(self, "start the program from one, or bind a device"),
        }
    }
}

impl Says for ToneError {
    fn says(&self, surface: Surface) -> String {
        match self {
            ToneError::Card(error) => error.says(surface),
            ToneError::Sounds(error) => of(error, surface),
            ToneError::NotRunning { .. } => with(self, "choose another card, or leave ltc= out"),
        }
    }
}

impl Says for EarError {
    fn says(&self, surface: Surface) -> String {
        match self {
            EarError::Card(error) => error.says(surface),
            EarError::Wake(_) => with(self, "close what has many files open"),
        }
    }
}

impl Says for EarNameError {
    fn says(&self, surface: Surface) -> String {
        match self {
            EarNameError::Card(error) => format!("`ear:`: {}", error.says(surface)),
            EarNameError::Loop(_) => with(self, "name ear:virtual, on which a performer taps"),
            EarNameError::Option(_) => with(
                self,
                "after the `?` may stand channel=N, sensor=WORD, threshold=DB, release=SHARE, gap=MS, \
                 polarity=WORD, hum=HZ, rate=HZ, period=FRAMES, periods=N, record=WORD, taps=SHAPE, with `&` \
                 between them",
            ),
            EarNameError::Value { .. } => self.to_string(),
        }
    }
}

impl Says for ToneNameError {
    fn says(&self, surface: Surface) -> String {
        match self {
            ToneNameError::Card(error) => format!("`tone:`: {}", error.says(surface)),
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

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    use rustix::io::Errno;
    let text = || "Pad".to_owned();
    let path = || std::path::PathBuf::from("/dev/snd/midiC1D0");
    let alsa = || "Pad".parse().expect("any text is a name");
    let peer = || "Pad".parse().expect("any text is a name");
    let jack = || "Pad".parse().expect("any text is a name");
    let evdev = || "Pad".parse().expect("a name");
    let group = || Permission::Group("audio".into());
    let uses = [
        OpenPortError::SecondInput { port: "raw:/x".into(), input: "right".into() },
        OpenPortError::InputOnly { port: "keys:".into() },
        OpenPortError::OutputOnly { port: "tone:".into() },
        OpenPortError::NoFarEnd { port: "wire".into() },
    ];
    let unknown = |nearest: &str| SpecError::Unknown {
        name: "asla:Pad".into(),
        nearest: nearest.to_owned(),
        known: vec!["wire", "alsa:NAME"],
    };
    let permissions = [
        Permission::Unknown,
        Permission::Root { usual: "audio" },
        Permission::Owner { path: path(), mode: 0o600 },
        group(),
    ];
    let missing = |around| OpenError::Missing { path: path(), around };
    let no_stream = |found| OpenError::NotAStream { path: path(), found };
    let raw = [
        missing(AroundPath::Near("/dev/snd/midiC2D0".into())),
        missing(AroundPath::Others),
        missing(AroundPath::Empty("/dev/snd".into())),
        missing(AroundPath::Nowhere("/dev/snd".into())),
        OpenError::Denied { path: path(), permission: group() },
        OpenError::Busy { path: path() },
        no_stream(NoStream::File),
        no_stream(NoStream::Directory),
        no_stream(NoStream::Socket),
        no_stream(NoStream::Blocks),
        OpenError::OneWay { path: path() },
        OpenError::System { path: path(), call: "open", errno: Errno::IO },
    ];
    let busy = |holder| AlsaError::Busy { name: alsa(), holder };
    let alsas = [
        AlsaError::Name(AlsaNameError::NoName),
        AlsaError::Name(AlsaNameError::NonePresent(alsa())),
        AlsaError::Name(AlsaNameError::Unknown { name: alsa(), nearest: "alsa:Pads".into() }),
        AlsaError::Name(AlsaNameError::Several {
            name: alsa(),
            count: 2,
            choice: "alsa:usb:1-1.2,0, alsa:usb:1-1.3,0".into(),
        }),
        AlsaError::Direction { name: alsa(), missing: "input" },
        AlsaError::Denied { name: alsa(), path: path(), permission: group() },
        busy(MidiHolder::Program { pid: 4_711, name: "amidi".into() }),
        busy(MidiHolder::Sequencer),
        busy(MidiHolder::Unknown),
        AlsaError::System { name: alsa(), call: "open", errno: Errno::IO },
    ];
    let not_there =
        |nearest: &str| SequencerNameError::Unknown { name: peer(), nearest: nearest.into() };
    let sequencers = [
        SequencerError::NoSequencer { name: peer() },
        SequencerError::Denied { name: peer(), permission: group() },
        SequencerError::Peer(not_there("seq:Pad:0")),
        SequencerError::Peer(not_there("")),
        SequencerError::Peer(SequencerNameError::Several {
            name: peer(),
            choice: vec!["seq:Pad:0".into(), "seq:Pad:1".into()],
        }),
        SequencerError::Peer(SequencerNameError::Direction {
            name: peer(),
            cannot: "sends nothing",
        }),
        SequencerError::Connection { name: peer(), errno: Errno::BUSY },
        SequencerError::System { name: peer(), call: "open", errno: Errno::IO },
    ];
    let absent = |present| JackError::Unknown { name: jack(), does: "sends", present };
    let jacks = [
        JackError::NoLibrary { name: jack() },
        JackError::NoServer { name: jack() },
        absent(Vec::new()),
        absent(vec!["system:midi_capture_1".into()]),
        JackError::Silent { name: jack() },
        JackError::System { name: jack(), errno: Errno::MFILE },
    ];
    let nobody = |nearest| EvdevNameError::Missing { name: text(), nearest };
    let evdevs = [
        EvdevError::Name(EvdevNameError::NoName),
        EvdevError::Name(EvdevNameError::Option { name: text(), option: "note=3".into() }),
        EvdevError::Name(EvdevNameError::Keys { name: text(), part: "SPAC:60".into() }),
        EvdevError::Name(nobody(Some("Pads".into()))),
        EvdevError::Name(nobody(None)),
        EvdevError::Name(EvdevNameError::Several {
            name: text(),
            choices: vec!["Pad@usb-1".into(), "Pad@usb-2".into()],
        }),
        EvdevError::Denied { name: evdev(), path: path(), permission: group() },
        EvdevError::Busy { name: evdev(), path: path() },
        EvdevError::System { name: evdev(), call: "open", errno: Errno::NODEV },
    ];
    let keepers = [
        KeepKeysError::OnlyKeyboard { ports: vec!["evdev:Desk".into()] },
        KeepKeysError::NoKeyboard,
        KeepKeysError::WhichKeyboard { choices: vec!["evdev:Desk".into(), "evdev:Booth".into()] },
        KeepKeysError::Shared { ports: vec!["evdev:A".into(), "evdev:B".into()] },
    ];
    let tones = [
        ToneNameError::Card(chronotap_linux::cards::CardNameError { name: "jak".into() }),
        ToneNameError::Option("loud=1".into()),
        ToneNameError::Number("period=0".into()),
        ToneNameError::Channels("codes=0".into()),
        ToneNameError::TimeCode("ltc=0".into()),
        ToneNameError::FrameRate("fps=60".into()),
        ToneNameError::Level("level=2".into()),
    ];
    let mut all: Vec<Box<dyn std::error::Error>> = Vec::new();
    all.extend(uses.map(|error| Box::new(error) as _));
    all.extend([unknown("alsa:Pad"), unknown("")].map(|error| Box::new(error) as _));
    all.extend(permissions.map(|error| Box::new(error) as _));
    all.extend(raw.map(|error| Box::new(error) as _));
    all.extend(alsas.map(|error| Box::new(error) as _));
    all.extend(sequencers.map(|error| Box::new(error) as _));
    all.extend(jacks.map(|error| Box::new(error) as _));
    all.extend(evdevs.map(|error| Box::new(error) as _));
    all.extend(keepers.map(|error| Box::new(error) as _));
    all.extend(tones.map(|error| Box::new(error) as _));
    all.push(Box::new(Misread::NoSuchForm));
    all.extend(lines().map(|error| Box::new(error) as _));
    all.extend(line_names().map(|error| Box::new(error) as _));
    all.extend(sensors().map(|error| Box::new(error) as _));
    all.push(Box::new(NoPath));
    all.push(Box::new(KeysError::NoTerminal(Errno::NOTTY)));
    all.push(Box::new(EarError::Card(chronotap_linux::cards::CardError::NoServer)));
    all.push(Box::new(EarError::Wake(std::io::Error::other("too many open files"))));
    let ears = [
        EarNameError::Card(chronotap_linux::cards::CardNameError { name: "jak".into() }),
        EarNameError::Loop("virtual:loop:480:1".into()),
        EarNameError::Option("chanel=2".into()),
        EarNameError::Value { option: "channel=0".into(), needs: "a channel from 1 to 32".into() },
    ];
    all.extend(ears.map(|error| Box::new(error) as _));
    all.push(Box::new(ToneError::Card(chronotap_linux::cards::CardError::NoServer)));
    all.push(Box::new(ToneError::NotRunning { card: "ALSA hw:0,0".into() }));
    all
}

#[cfg(test)]
fn lines() -> [LineError; 7] {
    use chronotap_linux::ports::LineCall;
    let port = || "serial:/dev/ttyUSB0".to_owned();
    let permission = Permission::Group("dialout".into());
    [
        LineError::Missing { port: port() },
        LineError::Denied { port: port(), permission },
        LineError::Busy { port: "parallel:/dev/parport0".into() },
        LineError::AnotherKind { port: "serial:/dev/null".into(), kind: LineKind::Serial },
        LineError::AnotherKind { port: "ttl:/dev/null".into(), kind: LineKind::Ttl },
        LineError::AnotherKind { port: "pps:/dev/null".into(), kind: LineKind::Pps },
        LineError::System { port: port(), call: LineCall::Write, errno: rustix::io::Errno::IO },
    ]
}

#[cfg(test)]
fn sensors() -> [SensorError; 11] {
    let port = || "sensor:/dev/ttyACM0".to_owned();
    let permission = Permission::Group("dialout".into());
    [
        SensorError::Unnamed,
        SensorError::Option { asked: "sketch=mine".into() },
        SensorError::Mute {
            port: "sensor:/dev/ttyACM0?sketch=teensytap".into(),
            sketch: "TeensyTap",
        },
        SensorError::Missing { port: port() },
        SensorError::Denied { port: port(), permission },
        SensorError::Busy { port: port() },
        SensorError::NotALine { port: "sensor:/dev/null".into() },
        SensorError::Silent { port: port(), waited: chronotap_core::time::Nanos::from_secs(4) },
        SensorError::Version { port: port(), version: 2 },
        SensorError::Board { port: port(), board: 9 },
        SensorError::System { port: port(), call: "read", errno: rustix::io::Errno::IO },
    ]
}

#[cfg(test)]
fn line_names() -> [LineNameError; 10] {
    let (serial, parallel, ttl) = (LineKind::Serial, LineKind::Parallel, LineKind::Ttl);
    [
        LineNameError::NoPath(serial),
        LineNameError::NoPath(parallel),
        LineNameError::Option(serial, "bauds=3".into()),
        LineNameError::Option(parallel, "baud=3".into()),
        LineNameError::Number(serial, "rest=256".into()),
        LineNameError::NoPath(ttl),
        LineNameError::Option(ttl, "rest=1".into()),
        LineNameError::Number(ttl, "line=rts".into()),
        LineNameError::NoPath(LineKind::Pps),
        LineNameError::Option(LineKind::Pps, "line=cts".into()),
    ]
}
