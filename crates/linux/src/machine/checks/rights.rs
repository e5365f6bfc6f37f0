//! Rights: real-time priority, locked memory, groups, devices.

use super::Topic::Rights as RIGHTS;
use crate::machine::finding::{Check, Judgement};
use crate::machine::{Facts, Limit, UserRights};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "realtime-priority",
        topic: RIGHTS,
        read: "sched_setscheduler in a thread; RLIMIT_RTPRIO; CAP_SYS_NICE",
        good: "SCHED_FIFO 80 is granted, or a limit of 70 or more",
        source: "man 7 sched, man 5 limits.conf",
        judge: realtime_priority,
    },
    Check {
        name: "realtime-group",
        topic: RIGHTS,
        read: "CONFIG_RT_GROUP_SCHED; cpu.rt_runtime_us of the control group",
        good: "groups share no real-time time out, or this one has some",
        source: "https://docs.kernel.org/scheduler/sched-rt-group.html",
        judge: realtime_group,
    },
    Check {
        name: "realtime-time-limit",
        topic: RIGHTS,
        read: "RLIMIT_RTTIME",
        good: "unlimited, or 10 s and more",
        source: "man 2 getrlimit",
        judge: time_limit,
    },
    Check {
        name: "memory-lock",
        topic: RIGHTS,
        read: "RLIMIT_MEMLOCK; CAP_IPC_LOCK",
        good: "unlimited",
        source: "man 2 mlockall",
        judge: memory_lock,
    },
    Check {
        name: "nice-limit",
        topic: RIGHTS,
        read: "RLIMIT_NICE",
        good: "nice -11 or lower; matters only without real-time priority",
        source: "man 2 getrlimit",
        judge: nice_limit,
    },
    Check {
        name: "root-user",
        topic: RIGHTS,
        read: "the user's number",
        good: "not root: what is judged then holds for whoever runs the trials",
        source: "man 7 credentials",
        judge: root_user,
    },
];

const USUAL: u64 = 70;

fn root_user(facts: &Facts) -> Judgement {
    match facts.rights.root {
        None => Judgement::unread(facts, "the user"),
        Some(false) => Judgement::ok("an ordinary user"),
        Some(true) => Judgement::note(
            "root",
            "root has every right, so that these checks do not show what another user lacks",
        )
        .advice("run them again as the user who runs the trials"),
    }
}

fn realtime_priority(facts: &Facts) -> Judgement {
    let rights = &facts.rights;
    if let Some(item) = &rights.fifo {
        return match &item.why_not {
            None => Judgement::ok(format!("granted when asked: {}", item.got)),
            Some(why) => no_priority(facts, why),
        };
    }
    let limit = rights.limits.rtprio;
    match (rights.has_capability(UserRights::SYS_NICE), limit) {
        (Some(true), _) => Judgement::ok("unlimited (CAP_SYS_NICE)"),
        (_, Some(limit)) if limit.allows(USUAL) => Judgement::ok(limit_text(limit)),
        (_, Some(Limit::At(0))) => no_priority(facts, "this user's limit is 0"),
        (_, Some(limit)) => with_rights(
            facts,
            Judgement::note(limit_text(limit), "interrupt threads run at 50 and would come first"),
        ),
        (_, None) => Judgement::unread(facts, "the limit"),
    }
}

fn limit_text(limit: Limit) -> String {
    match limit {
        Limit::Unlimited => "unlimited".into(),
        Limit::At(n) => format!("up to {n}"),
    }
}

fn no_priority(facts: &Facts, found: &str) -> Judgement {
    const WHY: &str = "without it any program can delay a trial by milliseconds";
    let judgement = Judgement::bad(found, WHY);
    if facts.rights.has_capability(UserRights::SYS_NICE) == Some(true) {
        return judgement.advice("see realtime-group");
    }
    with_rights(facts, judgement)
}

/// The way to real-time rights that is nearest on this machine.
fn with_rights(facts: &Facts, judgement: Judgement) -> Judgement {
    const PLACE: &str = "/etc/security/limits.d/audio.conf";
    if let Some(kind) = &facts.host.container {
        let flags = "--cap-add sys_nice --cap-add ipc_lock --ulimit rtprio=95 --ulimit memlock=-1";
        return judgement.advice(format!("{kind}: start the container with {flags}"));
    }
    let files = facts.rights.limit_files.as_deref().unwrap_or_default();
    let in_force = |path: &str| path.ends_with(".conf");
    if files.iter().any(|file| in_force(&file.path)) {
        return judgement.advice("join the group that has the right: see sound-group");
    }
    match files.iter().find(|file| file.path.ends_with(".disabled")) {
        Some(file) => {
            let name = file.path.trim_end_matches(".disabled");
            judgement
                .cure(
                    format!("sudo mv {} {name}", file.path),
                    format!("sudo mv {name} {}", file.path),
                )
                .advice("then see sound-group, and log out and in again")
        }
        None => judgement
            .cure(
                format!(
                    "printf '@audio - rtprio 95\\n@audio - memlock unlimited\\n' | sudo tee {PLACE}"
                ),
                format!("sudo rm {PLACE}"),
            )
            .advice("then see sound-group, and log out and in again"),
    }
}

fn realtime_group(facts: &Facts) -> Judgement {
    const WHY: &str = "real-time priority is refused in this control group, even to root";
    let config = &facts.kernel.config;
    let granted = facts.rights.fifo.as_ref().is_some_and(|item| item.granted);
    let asked_for = facts.kernel.parameter("rt_group_sched") == Some("1");
    let off = config.rt_group_default_disabled == Some(true) && !asked_for;
    match (config.rt_group_scheduling, facts.scheduling.group_rt_runtime_us) {
        (Some(false), _) => Judgement::ok("this kernel shares no real-time time out"),
        (Some(true), _) if off => Judgement::ok("built in, and not asked for at boot"),
        (_, Some(0)) if !granted => {
            let group = facts.scheduling.group.as_deref().unwrap_or("/");
            let file = format!("/sys/fs/cgroup/cpu{group}/cpu.rt_runtime_us");
            Judgement::bad(format!("group {group} has no real-time time"), WHY)
                .cure(format!("echo 950000 | sudo tee {file}"), format!("echo 0 | sudo tee {file}"))
                .advice("groups above it need some first, from the top down")
        }
        (_, Some(us)) if us != 0 => Judgement::ok(format!("this group has {us} us")),
        _ if granted => Judgement::ok("does not stand in the way here"),
        (Some(true), _) => Judgement::note("the kernel can share real-time time out", WHY)
            .advice("start the program from the root group if it is refused"),
        (None, _) => Judgement::unread(facts, "the kernel's configuration"),
    }
}

fn time_limit(facts: &Facts) -> Judgement {
    const WHY: &str = "the kernel ends a program whose real-time thread computes so long at a \
                       stretch; rtkit asks for 200 ms";
    match facts.rights.limits.rttime_us {
        None => Judgement::unread(facts, "the limit"),
        Some(Limit::At(us)) if us < 10_000_000 => {
            Judgement::note(format!("{} ms at a stretch", us / 1_000), WHY)
                .advice("start the program from a login shell, not from a sound server's")
        }
        Some(Limit::At(us)) => Judgement::ok(format!("{} s at a stretch", us / 1_000_000)),
        Some(Limit::Unlimited) => Judgement::ok("unlimited"),
    }
}

fn memory_lock(facts: &Facts) -> Judgement {
    const MIB: u64 = 1024 * 1024;
    const WHY: &str = "memory that is not locked may have to be fetched in mid-trial; under a low \
                       limit a lock of all memory makes later allocations fail";
    let rights = &facts.rights;
    match (rights.has_capability(UserRights::IPC_LOCK), rights.limits.memlock_bytes) {
        (Some(true), _) => Judgement::ok("unlimited (CAP_IPC_LOCK)"),
        (_, Some(Limit::Unlimited)) => Judgement::ok("unlimited"),
        (_, Some(Limit::At(bytes))) if bytes >= 256 * MIB => {
            let found = format!("{} MiB", bytes / MIB);
            with_rights(facts, Judgement::note(found, "enough for a trial, not for every test"))
        }
        (_, Some(Limit::At(bytes))) => {
            with_rights(facts, Judgement::bad(format!("{} MiB", bytes / MIB), WHY))
        }
        (_, None) => Judgement::unread(facts, "the limit"),
    }
}

fn nice_limit(facts: &Facts) -> Judgement {
    let rights = &facts.rights;
    match (rights.has_capability(UserRights::SYS_NICE), rights.limits.nice) {
        (Some(true), _) | (_, Some(Limit::Unlimited)) => Judgement::ok("any nice value"),
        (_, Some(Limit::At(limit))) => {
            // the limit counts from 1 (nice 19) to 40 (nice -20); 0 allows no lowering
            let lowest = (20 - limit.min(40) as i64).min(19);
            let found = format!("down to nice {}", if limit == 0 { 0 } else { lowest });
            match limit >= 31 || limit_allows_fifo(rights) {
                true => Judgement::ok(found),
                false => Judgement::note(found, "an ordinary thread cannot be put before others")
                    .advice("real-time priority makes this needless: see realtime-priority"),
            }
        }
        (_, None) => Judgement::unread(facts, "the limit"),
    }
}

fn limit_allows_fifo(rights: &UserRights) -> bool {
    rights.limits.rtprio.is_some_and(|limit| limit.allows(USUAL))
}
