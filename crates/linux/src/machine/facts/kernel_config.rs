//! [`KernelConfig`]: the few build options that matter, from /proc/config.gz or
//! /boot. Many systems show neither to an ordinary user, and then all is unknown.

use crate::machine::Root;
use chronotap_machine::facts::KernelConfig;
use flate2::read::GzDecoder;
use std::io::Read;

/// Nothing longer is unpacked; real ones have some 300 KiB.
const LONGEST: u64 = 8 * 1024 * 1024;

pub(super) fn read(root: &Root, release: Option<&str>) -> KernelConfig {
    let packed = root.bytes("/proc/config.gz").and_then(|bytes| unpack(&bytes));
    if let Some(text) = packed {
        return parse(&text, "/proc/config.gz");
    }
    let Some(release) = release else { return KernelConfig::default() };
    let places = [format!("/boot/config-{release}"), format!("/lib/modules/{release}/config")];
    let found = places.iter().find_map(|place| Some((place, root.text(place)?)));
    found.map_or_else(KernelConfig::default, |(place, text)| parse(&text, place))
}

fn parse(text: &str, found_in: &str) -> KernelConfig {
    let value = |name: &str| {
        let mut lines = text.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
    };
    // A configuration that is there and does not name an option has it not set.
    let on = |name: &str| Some(matches!(value(name), Some("y" | "m")));
    KernelConfig {
        found_in: Some(found_in.to_owned()),
        hz: value("CONFIG_HZ").and_then(|hz| hz.parse().ok()),
        high_resolution_timers: on("CONFIG_HIGH_RES_TIMERS"),
        rt_group_scheduling: on("CONFIG_RT_GROUP_SCHED"),
        rt_group_default_disabled: on("CONFIG_RT_GROUP_SCHED_DEFAULT_DISABLED"),
        preempt_dynamic: on("CONFIG_PREEMPT_DYNAMIC"),
        preemption: MODES
            .iter()
            .find(|(name, _)| value(name) == Some("y"))
            .map(|(_, mode)| (*mode).to_owned()),
        no_hz_full: on("CONFIG_NO_HZ_FULL"),
        no_hz: Some(TICKLESS.iter().any(|name| on(name) == Some(true))),
        irq_threading: on("CONFIG_IRQ_FORCED_THREADING"),
        sound_hrtimer: on("CONFIG_SND_HRTIMER"),
    }
}

const TICKLESS: [&str; 4] =
    ["CONFIG_NO_HZ_IDLE", "CONFIG_NO_HZ_FULL", "CONFIG_NO_HZ_COMMON", "CONFIG_NO_HZ"];

// PREEMPT_RT stands first: such a kernel has one of the others set as well.
const MODES: [(&str, &str); 5] = [
    ("CONFIG_PREEMPT_RT", "rt"),
    ("CONFIG_PREEMPT_NONE", "none"),
    ("CONFIG_PREEMPT_VOLUNTARY", "voluntary"),
    ("CONFIG_PREEMPT_LAZY", "lazy"),
    ("CONFIG_PREEMPT", "full"),
];

fn unpack(bytes: &[u8]) -> Option<String> {
    let mut text = String::new();
    GzDecoder::new(bytes).take(LONGEST).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    const TEXT: &str = "CONFIG_HZ_250=y\nCONFIG_HZ=250\n# CONFIG_PREEMPT is not set\n\
                        CONFIG_PREEMPT_VOLUNTARY=y\nCONFIG_SND_HRTIMER=m\n";

    #[test]
    fn a_packed_configuration_is_read_like_a_plain_one() {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(TEXT.as_bytes()).unwrap();
        let text = unpack(&packed.finish().unwrap()).unwrap();
        let config = parse(&text, "x");
        assert_eq!((config.hz, config.preemption.as_deref()), (Some(250), Some("voluntary")));
        assert_eq!(config.sound_hrtimer, Some(true));
        assert_eq!((config.rt_group_scheduling, config.no_hz), (Some(false), Some(false)));
        let idle = parse("CONFIG_NO_HZ_IDLE=y\n", "x");
        assert_eq!((idle.no_hz, idle.no_hz_full), (Some(true), Some(false)));
        assert_eq!(unpack(b"no gzip"), None);
    }

    #[test]
    fn a_kernel_that_shows_no_configuration_is_unknown_and_no_fault() {
        let place = tempfile::tempdir().unwrap();
        let config = read(&Root::at(place.path()), Some("6.1"));
        assert_eq!(config, KernelConfig::default());
    }
}
