//! What carrying a cure out does to the files of a machine, and how it is undone.

use crate::common::Machine;
use chronotap_linux::machine::{
    Finding, FindingStatus, MachineStep, StepChange, StepError, examine, undo, undo_beforehand,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const SWAPPINESS: &str = "/proc/sys/vm/swappiness";

fn finding(machine: &Machine, name: &str) -> Finding {
    let all = examine(&machine.facts());
    all.into_iter().find(|finding| finding.name == name).unwrap()
}

fn apply(machine: &Machine, name: &str) -> Result<Vec<StepChange>, StepError> {
    finding(machine, name).steps.iter().map(|step| step.apply(&machine.root())).collect()
}

#[test]
fn a_setting_is_written_read_again_and_its_undo_is_the_former_one() {
    let laptop = Machine::named("laptop");
    let changes = apply(&laptop, "swappiness").unwrap();
    assert_eq!((changes[0].before.as_str(), changes[0].after.as_str()), ("60", "10"));
    assert_eq!(laptop.content(SWAPPINESS), "10");
    assert_eq!(undo(&changes).unwrap(), "sudo sysctl -w vm.swappiness=60");
    assert_eq!(finding(&laptop, "swappiness").status, FindingStatus::Ok);
}

#[test]
fn all_processors_are_changed_and_undone_together() {
    let laptop = Machine::named("laptop");
    let changes = apply(&laptop, "governor").unwrap();
    let file = |n| format!("/sys/devices/system/cpu/cpufreq/policy{n}/scaling_governor");
    assert_eq!(
        (laptop.content(&file(0)), laptop.content(&file(1))),
        ("performance".into(), "performance".into())
    );
    let expected = format!("echo powersave | sudo tee {} {}", file(0), file(1));
    assert_eq!(undo(&changes).unwrap(), expected);
}

#[test]
fn a_kernel_that_keeps_its_setting_is_caught() {
    let laptop = Machine::named("laptop");
    let step = finding(&laptop, "swappiness").steps.remove(0);
    std::fs::remove_file(laptop.root().resolve(SWAPPINESS)).unwrap();
    laptop.link(SWAPPINESS, "/dev/null"); // takes every word and keeps none
    let error = step.apply(&laptop.root()).unwrap_err().to_string();
    assert!(error.contains("asked 10"), "{error}");
}

#[test]
fn what_is_not_there_is_refused_and_not_made() {
    let laptop = Machine::named("laptop");
    let step = finding(&laptop, "swappiness").steps.remove(0);
    std::fs::remove_file(laptop.root().resolve(SWAPPINESS)).unwrap();
    let refused = step.apply(&laptop.root()).unwrap_err();
    let StepError::Refused { what, error } = &refused else { panic!("{refused}") };
    assert_eq!((&what[..], error.kind()), (SWAPPINESS, std::io::ErrorKind::NotFound));
    assert!(!laptop.root().resolve(SWAPPINESS).exists());
}

#[test]
fn what_is_already_so_is_no_change() {
    let laptop = Machine::named("laptop");
    let step = finding(&laptop, "swappiness").steps.remove(0);
    laptop.write(SWAPPINESS, "10\n");
    let change = step.apply(&laptop.root()).unwrap();
    assert_eq!((change.before.as_str(), undo(std::slice::from_ref(&change))), ("10", None));
}

#[test]
fn only_settings_that_a_running_machine_may_change_can_be_carried_out() {
    let fixable: Vec<&str> = ["laptop", "raspberry"]
        .iter()
        .flat_map(|name| examine(&Machine::named(name).facts()))
        .filter(|finding| finding.fixable)
        .map(|finding| finding.name)
        .collect();
    for name in
        ["governor", "rtc-rate", "swappiness", "usb-power", "timer-migration", "nmi-watchdog"]
    {
        assert!(fixable.contains(&name), "{name} of {fixable:?}");
    }
    for name in ["smt", "realtime-throttling", "clock-source", "swap", "realtime-priority"] {
        assert!(!fixable.contains(&name), "{name} of {fixable:?}");
    }
}

/// Every file below a directory, with what it says.
fn files(dir: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() {
            all.append(&mut files(&path));
        } else if kind.is_file() {
            let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).trim().to_owned();
            all.insert(path, text);
        }
    }
    all
}

/// Carries commands out as a shell does, on the copy of /proc and /sys.
fn type_in(machine: &Machine, commands: &str) {
    let root = machine.root().resolve("/");
    let root = root.to_str().unwrap();
    // What sudo and sysctl do, for an ordinary user and below another root.
    let sysctl = format!(
        "sudo() {{ \"$@\"; }}\nsysctl() {{ p={root}/proc/sys/$(echo \"${{2%%=*}}\" | tr . /); \
         echo \"${{2#*=}}\" > \"$p\"; }}\n"
    );
    let commands = commands.replace(" /sys/", &format!(" {root}/sys/"));
    let commands = commands.replace(" /proc/", &format!(" {root}/proc/"));
    let done = Command::new("sh").arg("-c").arg(sysctl + &commands).output().unwrap();
    assert!(done.status.success(), "{commands}: {done:?}");
}

#[test]
fn what_was_said_beforehand_undoes_a_fix_wherever_it_was_cut_off() {
    let written = |step: &MachineStep| matches!(step, MachineStep::Write { .. });
    for name in ["laptop", "raspberry"] {
        let fixable = examine(&Machine::named(name).facts()).into_iter().filter(|f| f.fixable);
        let steps: Vec<MachineStep> =
            fixable.flat_map(|finding| finding.steps).filter(written).collect();
        assert!(steps.len() > 1, "{steps:?}");
        for carried_out in 0..=steps.len() {
            let machine = Machine::named(name);
            let before = files(&machine.root().resolve("/"));
            let undo = undo_beforehand(&steps, &machine.root()).unwrap().unwrap();
            let mut done = steps.iter().take(carried_out).map(|step| step.apply(&machine.root()));
            assert!(done.all(|change| change.is_ok()));
            // And once more: undoing twice changes nothing.
            (0..2).for_each(|_| type_in(&machine, &undo));
            let after = files(&machine.root().resolve("/"));
            for (path, text) in &before {
                // A choice in brackets is not shown again by a file that is no kernel's.
                let chosen = text.split(['[', ']']).nth(1).unwrap_or(text);
                assert_eq!(after[path], if after[path] == *text { text } else { chosen });
            }
        }
    }
}

#[test]
fn where_nothing_would_change_there_is_nothing_to_undo() {
    let laptop = Machine::named("laptop");
    let steps = finding(&laptop, "swappiness").steps;
    laptop.write(SWAPPINESS, "10\n");
    assert_eq!(undo_beforehand(&steps, &laptop.root()).unwrap(), None);
    std::fs::remove_file(laptop.root().resolve(SWAPPINESS)).unwrap();
    assert!(undo_beforehand(&steps, &laptop.root()).is_err());
}
