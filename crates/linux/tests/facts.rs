//! What is read of machines that were written down, and of this one.

use crate::common::Machine;
use chronotap_linux::machine::{BelowRoot, Facts, Limit, Root};

#[test]
fn a_stock_laptop_is_read_as_what_it_is() {
    let facts = Machine::named("laptop").facts();
    assert_eq!(facts.kernel.number(), Some((6, 8)));
    assert_eq!(facts.kernel.preemption.compiled.as_deref(), Some("PREEMPT_DYNAMIC"));
    assert_eq!(facts.kernel.preemption.active.as_deref(), Some("voluntary"));
    assert_eq!(facts.kernel.preemption.realtime, Some(false));
    assert_eq!((facts.kernel.config.hz, facts.clock.source.as_deref()), (Some(1000), Some("tsc")));
    assert_eq!(facts.kernel.lockdown.as_deref(), Some("integrity"));
    assert_eq!(facts.noise.huge_pages.as_deref(), Some("always"));
    assert_eq!(facts.host.hypervisor, Some(false));
    assert!(!facts.is_guest());
    assert_eq!(facts.memory.swaps.unwrap().len(), 1);
    assert_eq!(facts.memory.disks.unwrap().len(), 1);
}

#[test]
fn the_processors_of_a_laptop_are_told_apart() {
    let processors = Machine::named("laptop").facts().processors;
    assert_eq!(processors.count(), Some(8));
    assert_eq!(processors.frequency.unwrap()[1].governor.as_deref(), Some("powersave"));
    let states = processors.idle_states.unwrap();
    let deepest = states.iter().find(|state| state.name == "C10").unwrap();
    assert_eq!((deepest.latency_us, deepest.cpus, deepest.disabled), (Some(890), 2, 1));
    assert_eq!((processors.turbo, processors.smt.active), (Some(true), Some(true)));
    assert_eq!(processors.isolated.as_deref(), Some(""));
    assert_eq!(processors.nohz_full, None);
}

#[test]
fn the_rights_of_an_ordinary_user_are_read() {
    let rights = Machine::named("laptop").facts().rights;
    assert_eq!(rights.limits.rtprio, Some(Limit::At(0)));
    assert_eq!(rights.limits.rttime_us, Some(Limit::Unlimited));
    assert_eq!(rights.groups.unwrap(), ["ana", "sudo"]);
    assert_eq!(rights.sound_groups.unwrap().get("audio"), Some(&true));
    let file = &rights.limit_files.as_ref().unwrap()[0];
    assert_eq!(file.path, "/etc/security/limits.d/audio.conf.disabled");
    assert_eq!(file.grants_to, ["@audio"]);
    assert_eq!((rights.rtkit, rights.root, rights.fifo), (Some(true), Some(false), None));
}

#[test]
fn sound_and_usb_of_a_laptop_are_read() {
    let facts = Machine::named("laptop").facts();
    let pad = &facts.usb.as_ref().unwrap()[0];
    assert_eq!((pad.sound, pad.midi, pad.hubs, pad.bus), (true, true, 0, Some(1)));
    let mouse = &facts.usb.as_ref().unwrap()[1];
    assert_eq!((mouse.sound, mouse.hubs), (false, 1));
    let stream = &facts.sound.streams.as_ref().unwrap()[0];
    assert_eq!((stream.state.as_str(), stream.owner_pid), ("RUNNING", Some(2301)));
    assert_eq!((stream.rate_hz, stream.period_frames), (Some(48_000), Some(1_024)));
    assert_eq!(facts.sound.holders.as_ref().unwrap()[0].program, "pipewire");
    assert_eq!(facts.sound.servers.as_ref().unwrap(), &["pipewire", "wireplumber"]);
    assert_eq!(facts.sound.has_hrtimer(), Some(false));
    assert_eq!(facts.power.core_throttles, Some(5));
    assert_eq!(facts.power.package_throttles, Some(5));
}

#[test]
fn where_there_is_nothing_to_read_everything_is_unknown() {
    let nowhere = tempfile::tempdir().unwrap();
    assert_eq!(Facts::read(&Root::at(nowhere.path())), Facts::default());
}

#[test]
fn facts_come_back_from_json_and_unknown_is_null() {
    let facts = Machine::named("laptop").facts();
    let json = serde_json::to_value(&facts).unwrap();
    assert!(json["processors"]["nohz_full"].is_null());
    assert_eq!(json["rights"]["limits"]["memlock_bytes"]["at"], 8_388_608);
    assert_eq!(serde_json::from_value::<Facts>(json).unwrap(), facts);
}

#[test]
fn files_of_an_older_version_read_with_the_new_fields_unknown() {
    let old = r#"{ "kernel": { "release": "6.1.0" }, "gone": 1 }"#;
    let facts: Facts = serde_json::from_str(old).unwrap();
    assert_eq!(facts.kernel.release.as_deref(), Some("6.1.0"));
    assert_eq!(facts.clock, Facts::default().clock);
}

#[test]
fn this_machine_can_be_read() {
    let facts = Facts::read(&Root::system());
    assert!(facts.kernel.release.is_some() && facts.kernel.architecture.is_some());
    assert!(facts.clock.timer_resolution_ns.is_some_and(|ns| ns >= 1));
    assert!(facts.rights.fifo.is_some() && facts.rights.limits.rtprio.is_some());
}

/// In a root without /sys, as a bare chroot is, their number is unknown, never a guess.
#[test]
fn the_processors_of_this_machine_are_counted_where_the_kernel_lists_them() {
    let root = Root::system();
    let count = Facts::read(&root).processors.count();
    if root.resolve("/sys/devices/system/cpu/online").exists() {
        assert!(count.is_some_and(|count| count >= 1), "{count:?}");
    } else {
        assert_eq!(count, None);
    }
}
