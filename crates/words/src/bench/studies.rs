//! What is said of the timing tests of the literature, of the loads beside them, and of what they
//! measure with: devices, timers and plugins.

use crate::{Says, Sentences, Surface, of, row, with};
use chronotap_bench::studies::dsp::{
    CardWithoutPriority, DspRefusal, Plugin, PluginError, UnequalTracks, UnknownPlugin,
};
use chronotap_bench::studies::fragments::FragmentsRefusal;
use chronotap_bench::studies::loads::{LoadError, LoadRefusal, UnknownLoad};
use chronotap_bench::studies::periodic::{DeviceError, PeriodicError, SourceError};
use chronotap_bench::studies::{Load, ServoRate, StrangePause};
use rustix::io::Errno;

pub(super) const ROWS: &[Sentences] = &[
    row::<CardWithoutPriority>(),
    row::<UnequalTracks>(),
    row::<DeviceError>(),
    row::<DspRefusal>(),
    row::<FragmentsRefusal>(),
    row::<LoadError>(),
    row::<LoadRefusal>(),
    row::<PeriodicError>(),
    row::<PluginError>(),
    row::<ServoRate>(),
    row::<SourceError>(),
    row::<StrangePause>(),
    row::<UnknownLoad>(),
    row::<UnknownPlugin>(),
];

impl Says for ServoRate {
    fn says(&self, _: Surface) -> String {
        let ServoRate(_) = self;
        self.to_string()
    }
}

impl Says for LoadRefusal {
    fn says(&self, surface: Surface) -> String {
        match self {
            LoadRefusal::NoDisplay => with(self, "start it in a graphical session, or set DISPLAY"),
            LoadRefusal::NotInstalled { package, .. } => {
                with(self, format!("sudo apt install {package}"))
            }
            LoadRefusal::Directory { .. } => with(self, "give a directory on a disk with --dir"),
            LoadRefusal::NoRoom { fits_mb, .. } => {
                let smaller = match fits_mb {
                    0 => String::new(),
                    fits => format!("--size {fits}, or "),
                };
                format!("{self}: give {smaller}--dir with a directory on a larger disk")
            }
            LoadRefusal::Ordinary { .. } => self.to_string(),
            LoadRefusal::Processor { .. } => with(self, "`nproc` says how many there are"),
            LoadRefusal::Card(error) => of(error, surface),
            LoadRefusal::Begin { .. } => with(self, "try another --dir"),
        }
    }
}

impl Says for LoadError {
    fn says(&self, surface: Surface) -> String {
        match self {
            LoadError::Unavailable { load, why } => format!("load {load}: {}", why.says(surface)),
            LoadError::Start { .. } | LoadError::Ended { .. } => self.to_string(),
        }
    }
}

impl Says for UnknownLoad {
    fn says(&self, _: Surface) -> String {
        let UnknownLoad { name: _ } = self;
        with(self, format!("the loads are: {}", Load::ALL.map(Load::name).join(", ")))
    }
}

impl Says for UnknownPlugin {
    fn says(&self, _: Surface) -> String {
        let UnknownPlugin { name: _ } = self;
        let all = Plugin::ALL.map(|plugin| plugin.to_string()).join(", ");
        with(self, format!("there are {all}, and lv2:URI"))
    }
}

impl Says for DspRefusal {
    fn says(&self, surface: Surface) -> String {
        match self {
            DspRefusal::Period(_)
            | DspRefusal::Tracks(_)
            | DspRefusal::Rate(_)
            | DspRefusal::Searches(_) => self.to_string(),
            DspRefusal::Plugin(error) => error.says(surface),
            DspRefusal::Card(error) => of(error, surface),
        }
    }
}

impl Says for CardWithoutPriority {
    fn says(&self, _: Surface) -> String {
        let CardWithoutPriority = self;
        with(self, "`chronotap doctor` says how to allow it")
    }
}

impl Says for UnequalTracks {
    fn says(&self, _: Surface) -> String {
        let UnequalTracks = self;
        with(self, "`chronotap doctor` says how to allow it; --cores names the processors")
    }
}

impl Says for PluginError {
    fn says(&self, _: Surface) -> String {
        match self {
            PluginError::NotBuilt { uri } => format!(
                "for `lv2:{uri}` a chronotap is needed that was built for LV2: `sudo apt-get \
                 install liblilv-dev pkg-config`, then `cargo install --locked --path crates/cli \
                 --features lv2`"
            ),
            PluginError::Unnamed { installed } => match &installed[..] {
                [] => {
                    "lv2: which plugin? none is installed (Debian: `apt-cache search lv2`)".into()
                }
                all => format!("lv2: which plugin? installed are\n  lv2:{}", all.join("\n  lv2:")),
            },
            PluginError::Unknown { nearest, .. } => {
                let meant = nearest.as_ref().map(|uri| format!("did you mean {uri}? "));
                with(
                    self,
                    format!(
                        "{}`--plugins lv2:` lists those that are installed, LV2_PATH says where \
                         else they are",
                        meant.unwrap_or_default()
                    ),
                )
            }
            PluginError::Unsupported { .. } | PluginError::Ports { .. } => {
                with(self, "use another plugin")
            }
            PluginError::Period { .. } => with(self, "try another --periods"),
            PluginError::NoInstance { .. } => {
                with(self, "try another --rate, or see whether it runs in another host")
            }
        }
    }
}

impl Says for FragmentsRefusal {
    fn says(&self, _: Surface) -> String {
        match self {
            FragmentsRefusal::Fragments(_)
            | FragmentsRefusal::Bytes(_)
            | FragmentsRefusal::Computing(_)
            | FragmentsRefusal::Rate(_) => self.to_string(),
            FragmentsRefusal::Silent => with(self, "choose a file that has some"),
        }
    }
}

impl Says for StrangePause {
    fn says(&self, _: Surface) -> String {
        let StrangePause(_) = self;
        with(self, "choose others")
    }
}

impl Says for PeriodicError {
    fn says(&self, surface: Surface) -> String {
        match self {
            PeriodicError::NoneUsable(all) => {
                all.iter().map(|error| error.says(surface)).collect::<Vec<_>>().join("; ")
            }
            PeriodicError::Source(error) => error.says(surface),
            PeriodicError::Thread(error) => error.says(surface),
            PeriodicError::Rate(_)
            | PeriodicError::NoSource
            | PeriodicError::NoThread
            | PeriodicError::Wait { .. }
            | PeriodicError::Overhead(_) => self.to_string(),
        }
    }
}

impl Says for SourceError {
    fn says(&self, surface: Surface) -> String {
        match self {
            SourceError::NoRtc => format!(
                "{self} (`modprobe rtc_cmos` where the machine has such a clock); timerfd at the \
                 same rates stands in for it"
            ),
            SourceError::NoHpet => {
                format!("{self}: no such timer, or a kernel without CONFIG_HPET")
            }
            SourceError::Device(error) => error.says(surface),
        }
    }
}

impl Says for DeviceError {
    fn says(&self, _: Surface) -> String {
        match self {
            DeviceError::Refused { path, call, errno, rate_hz, limit, greatest_limit } => {
                let (path, rate, opening) = (path.display(), rate_hz, *call == "open");
                let cure = match *errno {
                    Errno::NOENT | Errno::NODEV | Errno::NXIO => {
                        "this machine or its kernel has none to give".into()
                    }
                    Errno::ACCESS | Errno::PERM if opening => {
                        format!("only root may: sudo chmod a+r {path}, or a udev rule")
                    }
                    Errno::BUSY if opening => format!("another program has it: sudo fuser {path}"),
                    Errno::ACCESS | Errno::PERM if rate > greatest_limit => {
                        format!("{rate} Hz is for root alone; {limit} goes up to {greatest_limit}")
                    }
                    Errno::ACCESS | Errno::PERM => format!(
                        "{rate} Hz is above what is free to all: echo {rate} | sudo tee {limit}"
                    ),
                    Errno::IO => "this timer has no interrupt of its own to give; others do, see \
                                  `chronotap timing periodic`"
                        .into(),
                    Errno::NOTTY | Errno::INVAL => {
                        format!("the device gives no interrupts at {rate} Hz")
                    }
                    _ => "see dmesg".into(),
                };
                with(self, cure)
            }
            DeviceError::Silent { .. } => with(self, "see dmesg"),
            DeviceError::Timer { .. } => with(self, "end other programs, or raise `ulimit -n`"),
        }
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Box<dyn std::error::Error>> {
    let io = || std::io::Error::from_raw_os_error(13);
    let dir = || std::path::PathBuf::from("/var/tmp");
    let uri = || "urn:plugin".to_owned();
    let full = |fits_mb| LoadRefusal::NoRoom {
        dir: dir(),
        load: Load::SenonerCopy,
        free_mb: 500,
        wanted_mb: 700,
        reserve_mb: 200,
        fits_mb,
    };
    let refused = |call, errno, rate_hz| DeviceError::Refused {
        path: "/dev/rtc0".into(),
        call,
        errno,
        rate_hz,
        limit: "/sys/limit",
        greatest_limit: 4095,
    };
    let loads = [
        LoadRefusal::NoDisplay,
        LoadRefusal::NotInstalled { tool: "x11perf", package: "x11-apps" },
        LoadRefusal::Directory { dir: dir(), errno: Errno::NOENT },
        full(150),
        full(0),
        LoadRefusal::Ordinary { what: "scheduling", errno: Errno::PERM },
        LoadRefusal::Processor { cpu: 9, error: Some(Errno::INVAL) },
        LoadRefusal::Processor { cpu: 9_999, error: None },
        LoadRefusal::Card(chronotap_linux::cards::CardError::Silent("jack".into())),
        LoadRefusal::Begin { load: Load::SenonerRead, dir: dir(), error: io() },
    ];
    let program = "/usr/bin/chronotap".to_owned();
    let ended = [
        LoadError::Unavailable { load: Load::SenonerX11, why: LoadRefusal::NoDisplay },
        LoadError::Start { load: Load::Vignati, program, source: io() },
        LoadError::Ended { load: Load::Arithmetic, why: "it said nothing".into() },
    ];
    let plugins = [
        PluginError::NotBuilt { uri: uri() },
        PluginError::Unnamed { installed: Vec::new() },
        PluginError::Unnamed { installed: vec![uri()] },
        PluginError::Unknown { uri: uri(), nearest: None },
        PluginError::Unknown { uri: uri(), nearest: Some("urn:plugins".into()) },
        PluginError::Unsupported { uri: uri(), features: "urn:worker".into() },
        PluginError::Ports { uri: uri() },
        PluginError::Period { uri: uri(), frames: 7, why: "too few".into() },
        PluginError::NoInstance { uri: uri(), rate_hz: 1 },
    ];
    let sounds = [
        DspRefusal::Period(4),
        DspRefusal::Tracks(65),
        DspRefusal::Rate(1),
        DspRefusal::Searches(0),
        DspRefusal::Plugin(PluginError::Ports { uri: uri() }),
    ];
    let fragments = [
        FragmentsRefusal::Fragments(1),
        FragmentsRefusal::Bytes(257),
        FragmentsRefusal::Computing(95),
        FragmentsRefusal::Rate(1),
        FragmentsRefusal::Silent,
    ];
    let periodic = [
        PeriodicError::Rate(10_000),
        PeriodicError::NoSource,
        PeriodicError::NoneUsable(vec![SourceError::NoRtc, SourceError::NoHpet]),
        PeriodicError::NoThread,
        PeriodicError::Wait {
            source_of_beats: chronotap_bench::studies::periodic::InterruptSource::Timerfd,
            rate_hz: 64,
            error: io(),
        },
        PeriodicError::Overhead(io()),
    ];
    let devices = [
        refused("open", Errno::NOENT, 64),
        refused("open", Errno::ACCESS, 64),
        refused("open", Errno::BUSY, 64),
        refused("RTC_IRQP_SET", Errno::ACCESS, 8192),
        refused("RTC_IRQP_SET", Errno::ACCESS, 1024),
        refused("HPET_IE_ON", Errno::IO, 64),
        refused("RTC_PIE_ON", Errno::NOTTY, 64),
        refused("RTC_PIE_ON", Errno::NOMEM, 64),
        DeviceError::Silent { path: "/dev/hpet".into(), rate_hz: 64 },
        DeviceError::Timer {
            interval: chronotap_core::time::Nanos::from_millis(1),
            errno: Errno::MFILE,
        },
    ];
    let mut all: Vec<Box<dyn std::error::Error>> = Vec::new();
    all.extend(loads.map(|error| Box::new(error) as _));
    all.extend(ended.map(|error| Box::new(error) as _));
    all.extend(plugins.map(|error| Box::new(error) as _));
    all.extend(sounds.map(|error| Box::new(error) as _));
    all.extend(fragments.map(|error| Box::new(error) as _));
    all.extend(periodic.map(|error| Box::new(error) as _));
    all.extend(devices.map(|error| Box::new(SourceError::Device(error)) as _));
    all.push(Box::new(UnknownLoad { name: "arithmetics".into() }));
    all.push(Box::new(UnknownPlugin { name: "lite".into() }));
    all.push(Box::new(CardWithoutPriority));
    all.push(Box::new(UnequalTracks));
    all.push(Box::new(ServoRate(9_000)));
    all.push(Box::new(StrangePause(chronotap_core::time::Nanos(500))));
    all
}
