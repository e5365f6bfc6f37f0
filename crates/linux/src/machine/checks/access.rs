//! Access: the group that has the rights, and device files.

use super::Topic::Rights as RIGHTS;
use crate::machine::Facts;
use crate::machine::finding::{Check, Judgement};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "sound-group",
        topic: RIGHTS,
        read: "groups in force; /etc/group; /etc/security/limits.d",
        good: "in a group that has real-time rights or the sound devices",
        source: "man 5 limits.conf, man 8 usermod",
        judge: sound_group,
    },
    Check {
        name: "wakeup-latency-device",
        topic: RIGHTS,
        read: "/dev/cpu_dma_latency",
        good: "writable: a trial then keeps processors out of deep idle states",
        source: "https://docs.kernel.org/power/pm_qos_interface.html",
        judge: wakeup_latency_device,
    },
    Check {
        name: "sound-devices",
        topic: RIGHTS,
        read: "/dev/snd/*",
        good: "readable and writable",
        source: "man 8 usermod",
        judge: sound_devices,
    },
];

fn sound_group(facts: &Facts) -> Judgement {
    const WHY: &str = "sound packages give real-time rights and devices to a group";
    let rights = &facts.rights;
    if rights.root == Some(true) {
        return Judgement::ok("root needs no group");
    }
    let (Some(groups), Some(known)) = (&rights.groups, &rights.sound_groups) else {
        return Judgement::unread(facts, "the groups");
    };
    if let Some(group) = known.keys().find(|group| groups.contains(group)) {
        return Judgement::ok(format!("in group {group}"));
    }
    if let Some((group, _)) = known.iter().find(|(_, member)| **member) {
        let found = format!("a member of {group}, but not in this session");
        return Judgement::note(found, WHY).advice("log out and in again");
    }
    let granting = rights.limit_files.iter().flatten().flat_map(|file| &file.grants_to);
    let named =
        granting.filter_map(|to| to.strip_prefix('@')).find(|group| known.contains_key(*group));
    let Some(group) = named.or_else(|| known.keys().next().map(String::as_str)) else {
        return Judgement::note("no such group on this machine", WHY)
            .cure("sudo groupadd -r audio", "sudo groupdel audio");
    };
    joining(Judgement::note(format!("not in group {group}"), WHY), group)
}

fn joining(judgement: Judgement, group: &str) -> Judgement {
    let join = format!("sudo usermod -aG {group} \"$USER\"");
    let leave = format!("sudo gpasswd -d \"$USER\" {group}");
    judgement.cure(join, leave).advice("then log out and in again")
}

fn wakeup_latency_device(facts: &Facts) -> Judgement {
    const PATH: &str = "/dev/cpu_dma_latency";
    match facts.devices.file(PATH) {
        None => Judgement::unread(facts, PATH),
        Some(None) => Judgement::note(
            format!("{PATH} is not there"),
            "a trial cannot keep processors out of deep idle states",
        ),
        Some(Some(file)) if file.writable => Judgement::ok("writable; held during a trial"),
        Some(Some(_)) => with_udev_rule(Judgement::note(
            "this user may not write to it",
            "a trial cannot keep processors out of deep idle states",
        )),
    }
}

/// Opens the device to the group audio, at once and after every start.
pub(super) fn with_udev_rule(judgement: Judgement) -> Judgement {
    const RULE: &str = r#"KERNEL=="cpu_dma_latency", GROUP="audio", MODE="0660""#;
    const FILE: &str = "/etc/udev/rules.d/60-chronotap.rules";
    const AGAIN: &str = "sudo udevadm control --reload";
    judgement.cure(
        format!("echo '{RULE}' | sudo tee {FILE} && {AGAIN} && sudo udevadm trigger -s misc"),
        format!("sudo rm {FILE} && {AGAIN} && sudo chown root:root /dev/cpu_dma_latency"),
    )
}

fn sound_devices(facts: &Facts) -> Judgement {
    let Some(files) = &facts.devices.files else {
        return Judgement::unread(facts, "/dev");
    };
    let sound: Vec<_> = files.iter().filter(|file| file.path.starts_with("/dev/snd/")).collect();
    let closed: Vec<&str> = sound
        .iter()
        .filter(|file| !file.readable || !file.writable)
        .map(|file| file.path.trim_start_matches("/dev/snd/"))
        .collect();
    match (sound.len(), closed.is_empty()) {
        (0, _) => Judgement::ok("none are there"),
        (n, true) => Judgement::ok(format!("all {n} open to this user")),
        _ => {
            let found = format!("closed to this user: {}", closed.join(", "));
            joining(Judgement::bad(found, "MIDI devices cannot be opened"), "audio")
        }
    }
}
