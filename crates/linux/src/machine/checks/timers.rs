//! Timer devices and timer slack.

use super::Topic::Kernel as KERNEL;
use crate::machine::Facts;
use crate::machine::finding::{Check, Judgement};
use crate::machine::step::MachineStep;

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "rtc-rate",
        topic: KERNEL,
        read: "/dev/rtc0; /sys/class/rtc/rtc0/max_user_freq",
        good: "8192 Hz; only the tests of /dev/rtc need it",
        source: "https://docs.kernel.org/admin-guide/rtc.html",
        judge: rtc_rate,
    },
    Check {
        name: "hpet-rate",
        topic: KERNEL,
        read: "/dev/hpet; /proc/sys/dev/hpet/max-user-freq",
        good: "8192 Hz; only the tests of /dev/hpet need it",
        source: "https://docs.kernel.org/timers/hpet.html",
        judge: hpet_rate,
    },
    Check {
        name: "timer-slack",
        topic: KERNEL,
        read: "/proc/self/timerslack_ns",
        good: "50 us or less; a trial sets its own",
        source: "man 2 PR_SET_TIMERSLACK",
        judge: timer_slack,
    },
];

const WANTED_HZ: u32 = 8_192;

fn rtc_rate(facts: &Facts) -> Judgement {
    const WHY: &str = "ordinary users may not ask the real-time clock for more, as Varoquaux's and \
                       Finney's tests do";
    let Some(rtc) = facts.devices.file("/dev/rtc0") else {
        return Judgement::unread(facts, "/dev");
    };
    let Some(rtc) = rtc else { return Judgement::ok("this machine has no /dev/rtc0") };
    match facts.devices.rtc_max_user_hz {
        Some(hz) if hz < WANTED_HZ => Judgement::note(format!("up to {hz} Hz"), WHY)
            .steps(vec![write("/sys/class/rtc/rtc0/max_user_freq", hz)]),
        Some(_) if !rtc.readable => {
            Judgement::note("this user may not read /dev/rtc0", "its tests are left out").cure(
                "sudo chgrp audio /dev/rtc0 && sudo chmod 640 /dev/rtc0",
                "sudo chgrp root /dev/rtc0 && sudo chmod 600 /dev/rtc0",
            )
        }
        Some(hz) => Judgement::ok(format!("up to {hz} Hz")),
        None => Judgement::unread(facts, "its rate"),
    }
}

fn hpet_rate(facts: &Facts) -> Judgement {
    let Some(hpet) = facts.devices.file("/dev/hpet") else {
        return Judgement::unread(facts, "/dev");
    };
    match (hpet, facts.devices.hpet_max_user_hz) {
        (None, _) => Judgement::ok("this machine has no /dev/hpet"),
        (Some(_), Some(hz)) if hz < WANTED_HZ => {
            Judgement::note(format!("up to {hz} Hz"), "ordinary users may not ask it for more")
                .steps(vec![write("/proc/sys/dev/hpet/max-user-freq", hz)])
        }
        (Some(_), Some(hz)) => Judgement::ok(format!("up to {hz} Hz")),
        (Some(_), None) => Judgement::unread(facts, "its rate"),
    }
}

fn write(path: &str, hz: u32) -> MachineStep {
    MachineStep::write(path, Some(&hz.to_string()), &WANTED_HZ.to_string())
}

fn timer_slack(facts: &Facts) -> Judgement {
    match facts.scheduling.timer_slack_ns {
        Some(0) => Judgement::ok("none (a real-time thread)"),
        Some(ns) if ns <= 50_000 => {
            Judgement::ok(format!("{} us for ordinary threads; a trial sets 1 ns", ns / 1_000))
        }
        Some(ns) => Judgement::note(
            format!("{} us for ordinary threads", ns / 1_000),
            "whoever started this program lets its threads wake so much later",
        )
        .advice("a trial sets 1 ns by itself; start other programs from another shell"),
        None => Judgement::unread(facts, "the slack"),
    }
}
