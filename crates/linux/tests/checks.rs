//! What the checks find on machines that were written down, and what they advise.

use crate::common::Machine;
use chronotap_linux::machine::{
    Facts, Finding, FindingStatus, FindingTally, SerialAdapter, checks, examine, nearest, report,
};
use std::collections::BTreeSet;

const MACHINES: [&str; 5] = ["laptop", "workstation", "raspberry", "virtual_machine", "container"];

fn found(facts: &Facts, name: &str) -> Finding {
    let all = examine(facts);
    all.into_iter().find(|finding| finding.name == name).unwrap_or_else(|| panic!("no {name}"))
}

fn on(machine: &str, name: &str) -> Finding {
    found(&Machine::named(machine).facts(), name)
}

fn with(status: FindingStatus, machine: &str) -> BTreeSet<&'static str> {
    let findings = examine(&Machine::named(machine).facts());
    findings.iter().filter(|f| f.status == status).map(|f| f.name).collect()
}

#[test]
fn nothing_is_known_of_a_machine_that_cannot_be_read() {
    let findings = examine(&Facts::default());
    for finding in &findings {
        assert_eq!(finding.status, FindingStatus::Unknown, "{finding:?}");
    }
    assert_eq!(FindingTally::of(&findings).unknown, findings.len());
}

#[test]
fn every_finding_says_what_and_every_complaint_says_why() {
    for machine in MACHINES {
        for finding in examine(&Machine::named(machine).facts()) {
            assert!(!finding.found.is_empty(), "{machine}: {finding:?}");
            assert_eq!(
                finding.status == FindingStatus::Ok,
                finding.why.is_empty(),
                "{machine}: {finding:?}"
            );
            assert!(finding.undo.is_none() || finding.cure.is_some(), "{machine}: {finding:?}");
            assert!(!finding.fixable || finding.cure.is_some(), "{machine}: {finding:?}");
        }
    }
}

#[test]
fn names_are_stable_words_and_unlike_each_other() {
    let names: Vec<&str> = checks().map(|check| check.name).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    for name in names {
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{name}");
    }
}

#[test]
fn no_advice_weakens_the_machine() {
    for machine in MACHINES {
        for finding in examine(&Machine::named(machine).facts()) {
            let said = format!("{:?} {:?}", finding.cure, finding.advice);
            for word in
                ["mitigations=off", "sched_rt_runtime_us=-1", "chmod 777", "nosmap", "tsc=reliable"]
            {
                assert!(!said.contains(word), "{machine}: {said}");
            }
        }
    }
}

#[test]
fn a_workstation_set_up_for_sound_has_nothing_bad() {
    assert_eq!(with(FindingStatus::Bad, "workstation"), BTreeSet::new());
    assert_eq!(with(FindingStatus::Note, "workstation"), BTreeSet::from(["isolation"]));
    // What only root sees, what is watched live, and what the firmware hides.
    let unknown = BTreeSet::from(["system-management", "busy-programs"]);
    assert_eq!(with(FindingStatus::Unknown, "workstation"), unknown);
    let irqs = on("workstation", "threaded-interrupts");
    assert!(irqs.found.contains("irq/17-snd_ice1712 at 90"), "{irqs:?}");
}

#[test]
fn a_stock_laptop_lacks_rights_and_is_on_battery() {
    let bad = BTreeSet::from(["realtime-priority", "memory-lock", "mains-power"]);
    assert_eq!(with(FindingStatus::Bad, "laptop"), bad);
}

#[test]
fn a_limits_file_that_jack_left_disabled_is_enabled() {
    let finding = on("laptop", "realtime-priority");
    let (from, to) =
        ("/etc/security/limits.d/audio.conf.disabled", "/etc/security/limits.d/audio.conf");
    assert_eq!(finding.cure.unwrap(), format!("sudo mv {from} {to}"));
    assert_eq!(finding.undo.unwrap(), format!("sudo mv {to} {from}"));
    assert!(finding.advice.unwrap().contains("log out"));
}

#[test]
fn membership_that_is_newer_than_the_session_needs_a_login_only() {
    let finding = on("laptop", "sound-group");
    assert_eq!((finding.status, finding.cure), (FindingStatus::Note, None));
    assert!(finding.advice.unwrap().contains("log out and in"));
}

#[test]
fn shared_cores_are_told_by_the_number_in_the_file_and_not_by_its_presence() {
    assert_eq!(on("laptop", "smt").status, FindingStatus::Note); // active reads 1
    assert_eq!(on("workstation", "smt").status, FindingStatus::Ok); // active reads 0
    assert_eq!(on("container", "smt").status, FindingStatus::Unknown); // not there
}

#[test]
fn a_missing_kernel_configuration_is_unknown_and_spoils_nothing_else() {
    let mut facts = Machine::named("laptop").facts();
    facts.kernel.config = Default::default();
    assert_eq!(found(&facts, "tick-rate").status, FindingStatus::Unknown);
    assert_eq!(found(&facts, "realtime-group").status, FindingStatus::Unknown);
    assert_eq!(found(&facts, "clock-source").status, FindingStatus::Ok);
}

#[test]
fn the_governor_is_changed_everywhere_by_one_command_and_back_by_another() {
    let finding = on("laptop", "governor");
    let files = "/sys/devices/system/cpu/cpufreq/policy*/scaling_governor";
    assert_eq!(finding.cure.unwrap(), format!("echo performance | sudo tee {files}"));
    assert_eq!(finding.undo.unwrap(), format!("echo powersave | sudo tee {files}"));
    assert!(finding.fixable && !finding.reboot);
    // powersave is the lowest frequency here, and a free choice of the hardware there
    assert_eq!(on("raspberry", "governor").status, FindingStatus::Bad);
    assert_eq!(finding.status, FindingStatus::Note);
}

#[test]
fn governors_that_differ_are_each_put_back() {
    let mut facts = Machine::named("laptop").facts();
    facts.processors.frequency.as_mut().unwrap()[1].governor = Some("schedutil".into());
    let undo = found(&facts, "governor").undo.unwrap();
    let file = |n| format!("/sys/devices/system/cpu/cpufreq/policy{n}/scaling_governor");
    assert!(undo.contains(&format!("echo powersave | sudo tee {}", file(0))), "{undo}");
    assert!(undo.contains(&format!("echo schedutil | sudo tee {}", file(1))), "{undo}");
}

#[test]
fn deep_idle_states_are_no_fault_where_a_trial_can_hold_them_off() {
    let mut facts = Machine::named("laptop").facts();
    assert_eq!(found(&facts, "idle-states").status, FindingStatus::Ok);
    for file in facts.devices.files.as_mut().unwrap() {
        file.writable = false;
    }
    let finding = found(&facts, "idle-states");
    assert_eq!(finding.status, FindingStatus::Bad);
    assert!(finding.found.contains("C10, 890 us"), "{finding:?}");
    assert!(finding.cure.unwrap().contains("/etc/udev/rules.d/"));
    // nor where every processor has a limit of its own
    let limits = facts.processors.wakeup_limits_us.as_mut().unwrap();
    limits.values_mut().for_each(|limit| *limit = "n/a".into());
    assert_eq!(found(&facts, "idle-states").status, FindingStatus::Ok);
    facts.processors.wakeup_limits_us.as_mut().unwrap().insert(0, "0".into()); // no limit
    assert_eq!(found(&facts, "idle-states").status, FindingStatus::Bad);
}

#[test]
fn a_kernel_parameter_is_added_in_the_way_of_the_boot_loader() {
    let finding = on("laptop", "preemption");
    assert!(finding.reboot && finding.status == FindingStatus::Note, "{finding:?}");
    assert!(finding.cure.unwrap().contains("/etc/default/grub.d/chronotap-preempt.cfg"));
    assert_eq!(
        finding.undo.unwrap(),
        "sudo rm /etc/default/grub.d/chronotap-preempt.cfg && sudo update-grub"
    );
    let pi = on("raspberry", "threaded-interrupts");
    assert_eq!(pi.cure.unwrap(), "sudo sed -i '1s/$/ threadirqs/' /boot/firmware/cmdline.txt");
}

#[test]
fn a_mode_that_can_be_switched_at_once_is() {
    let machine = Machine::named("laptop");
    machine.write("/sys/kernel/debug/sched/preempt", "none (voluntary) full lazy");
    let finding = found(&machine.facts(), "preemption");
    assert!(finding.fixable && !finding.reboot, "{finding:?}");
    assert_eq!(finding.undo.unwrap(), "echo voluntary | sudo tee /sys/kernel/debug/sched/preempt");
}

#[test]
fn a_guest_is_told_what_cannot_be_judged_in_it() {
    assert_eq!(on("virtual_machine", "virtual-machine").status, FindingStatus::Note);
    let governor = on("virtual_machine", "governor");
    assert_eq!(governor.status, FindingStatus::Unknown);
    assert!(governor.why.contains("only the host knows"), "{governor:?}");
    let idle = on("container", "idle-states");
    assert!(idle.why.contains("look on the host"), "{idle:?}");
    let swappiness = on("container", "swappiness");
    assert!(swappiness.advice.unwrap().contains("then on the host"));
    let rights = on("container", "realtime-priority");
    assert!(rights.advice.unwrap().contains("--cap-add sys_nice"));
}

#[test]
fn the_host_that_takes_time_and_the_slow_clock_are_bad() {
    assert_eq!(on("virtual_machine", "steal").status, FindingStatus::Bad);
    let clock = on("virtual_machine", "clock-source");
    assert_eq!(clock.status, FindingStatus::Bad);
    assert!(!clock.fixable && clock.cure.unwrap().contains("echo tsc"));
    assert_eq!(on("virtual_machine", "load").status, FindingStatus::Bad);
    assert_eq!(on("virtual_machine", "realtime-time-limit").status, FindingStatus::Note);
}

#[test]
fn root_in_a_group_without_real_time_time_is_told_so() {
    let finding = on("virtual_machine", "realtime-group");
    assert_eq!(finding.status, FindingStatus::Bad);
    assert!(finding.cure.unwrap().contains("/service/cpu.rt_runtime_us"));
    assert_eq!(on("laptop", "realtime-group").status, FindingStatus::Ok);
}

#[test]
fn throttling_is_judged_by_what_the_kernel_makes_of_it() {
    let mut facts = Machine::named("laptop").facts();
    facts.scheduling.rt_runtime_us = Some(-1);
    let off = found(&facts, "realtime-throttling");
    assert_eq!(off.status, FindingStatus::Note);
    assert_eq!(off.cure.unwrap(), "sudo sysctl -w kernel.sched_rt_runtime_us=950000");
    facts.scheduling.rt_runtime_us = Some(0);
    assert_eq!(found(&facts, "realtime-throttling").status, FindingStatus::Bad);
    assert!(on("workstation", "realtime-throttling").found.contains("not enforced"));
    assert!(on("workstation", "fair-server").found.starts_with("50 of 1000 ms"));
}

#[test]
fn usb_devices_are_kept_awake_and_hubs_are_named() {
    let power = on("laptop", "usb-power");
    assert_eq!(power.cure.unwrap(), "echo on | sudo tee /sys/bus/usb/devices/1-2/power/control");
    assert_eq!(power.undo.unwrap(), "echo auto | sudo tee /sys/bus/usb/devices/1-2/power/control");
    let hub = on("raspberry", "usb-connection");
    assert!(hub.status == FindingStatus::Note && hub.found.contains("1 hub"), "{hub:?}");
    assert_eq!(on("workstation", "usb-power").found, "no USB sound or MIDI device");
}

#[test]
fn a_serial_adapter_that_collects_bytes_is_cured() {
    let adapter =
        |name: &str, ms: &str| SerialAdapter { name: name.into(), latency_timer: Some(ms.into()) };
    let mut facts = Machine::named("workstation").facts();
    facts.serial = Some(vec![adapter("ttyUSB0", "16"), adapter("ttyUSB1", "1")]);
    let serial = found(&facts, "serial-latency");
    assert_eq!((serial.status, &*serial.found), (FindingStatus::Note, "ttyUSB0 16 ms"));
    let cure = "echo 1 | sudo tee /sys/bus/usb-serial/devices/ttyUSB0/latency_timer";
    assert_eq!(serial.cure.as_deref(), Some(cure));
    assert_eq!(on("laptop", "serial-latency").found, "no serial line at USB");
}

#[test]
fn a_card_in_use_and_a_shared_line_are_named() {
    assert!(on("laptop", "sound-owner").found.contains("pipewire"));
    assert!(on("laptop", "interrupt-sharing").found.contains("i801_smbus, snd_hda_intel:card0"));
    assert!(on("laptop", "sequencer-timer").fixable);
    let mut facts = Machine::named("workstation").facts();
    facts.interrupts.lines.as_mut().unwrap()[0].served_by = Some("3".into());
    let placed = found(&facts, "interrupt-placement");
    assert_eq!(placed.cure.unwrap(), "echo 0 | sudo tee /proc/irq/17/smp_affinity_list");
}

#[test]
fn mitigations_are_reported_and_never_held_against_a_machine() {
    assert_eq!(on("raspberry", "mitigations").status, FindingStatus::Ok);
    let mut facts = Machine::named("laptop").facts();
    facts.kernel.command_line = Some("quiet mitigations=off".into());
    assert_eq!(found(&facts, "mitigations").status, FindingStatus::Note);
}

#[test]
fn a_raspberry_that_had_too_little_voltage_says_so() {
    let finding = on("raspberry", "raspberry-supply");
    assert!(
        finding.status == FindingStatus::Note && finding.found.contains("0x50000"),
        "{finding:?}"
    );
    let mut facts = Machine::named("raspberry").facts();
    facts.power.raspberry_throttled = Some(0x5_0005);
    assert_eq!(found(&facts, "raspberry-supply").status, FindingStatus::Bad);
}

#[test]
fn an_overclocked_raspberry_is_told_by_its_lines_with_the_filter_above_them() {
    let finding = on("raspberry", "raspberry-config");
    assert_eq!((finding.status, finding.reboot), (FindingStatus::Note, true));
    assert_eq!(finding.found, "[pi4] arm_freq=2000, over_voltage=4");
    let mut facts = Machine::named("raspberry").facts();
    let settings = &mut facts.raspberry.as_mut().unwrap().settings;
    *settings = Some(vec!["force_turbo=1".into()]);
    let turbo = found(&facts, "raspberry-config");
    assert_eq!((turbo.status, &*turbo.found), (FindingStatus::Ok, "force_turbo=1"));
    facts.raspberry.as_mut().unwrap().settings = None;
    assert_eq!(found(&facts, "raspberry-config").status, FindingStatus::Unknown);
    assert_eq!(on("laptop", "raspberry-config").found, "not a Raspberry Pi");
}

#[test]
fn sound_that_the_firmware_of_a_raspberry_makes_is_told_from_a_card() {
    let finding = on("raspberry", "raspberry-sound");
    assert_eq!(finding.status, FindingStatus::Note);
    assert!(finding.found.ends_with("of Headphones"), "{finding:?}");
    let mut facts = Machine::named("raspberry").facts();
    facts.sound.cards.as_mut().unwrap().remove(0);
    assert_eq!(found(&facts, "raspberry-sound").status, FindingStatus::Ok);
}

#[test]
fn the_controller_of_older_raspberries_is_told_where_a_pad_hangs_on_it() {
    assert_eq!(on("raspberry", "usb-controller").found, "xHCI Host Controller");
    let mut facts = Machine::named("raspberry").facts();
    facts.usb.as_mut().unwrap()[0].controller = Some("DWC OTG Controller".into());
    assert_eq!(found(&facts, "usb-controller").status, FindingStatus::Note);
    facts.usb.as_mut().unwrap()[0].sound = false;
    assert_eq!(found(&facts, "usb-controller").status, FindingStatus::Ok);
}

#[test]
fn a_report_is_80_columns_wide_and_closes_with_the_count() {
    for machine in MACHINES {
        let findings = examine(&Machine::named(machine).facts());
        let text = report(&findings);
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{machine}: {line}");
        }
        assert_eq!(text.lines().last().unwrap(), FindingTally::of(&findings).to_string());
    }
}

#[test]
fn a_misspelt_name_has_a_nearest_one() {
    assert_eq!(nearest("governer"), Some("governor"));
    assert_eq!(nearest("nmi_watchdog"), Some("nmi-watchdog"));
    assert_eq!(nearest("coffee-machine-filter"), None);
}

#[test]
fn a_folder_on_the_network_is_no_place_for_data_and_a_desktops_portal_is_not_named() {
    let laptop = on("laptop", "file-systems");
    assert_eq!(laptop.status, FindingStatus::Note);
    assert!(laptop.found.ends_with("/home/lab (nfs4)"), "{laptop:?}");
    assert_eq!(on("workstation", "file-systems").found, "/ (ext4)");
    assert_eq!(on("container", "file-systems").found, "none on a disk");
}

#[test]
fn a_tick_that_never_stops_is_told_by_the_configuration_or_the_command_line() {
    assert_eq!(on("laptop", "tickless").status, FindingStatus::Ok);
    let mut facts = Machine::named("laptop").facts();
    facts.kernel.command_line = Some("quiet nohz=off".into());
    assert!(found(&facts, "tickless").reboot);
    facts.kernel.command_line = None;
    facts.kernel.config.no_hz = Some(false);
    assert_eq!(found(&facts, "tickless").status, FindingStatus::Note);
}

#[test]
fn root_is_told_that_the_checks_show_roots_rights() {
    assert_eq!(on("raspberry", "root-user").status, FindingStatus::Note);
    assert_eq!(on("laptop", "root-user").status, FindingStatus::Ok);
}
