//! The kernel: preemption, interrupts in threads, timers, clock, what it hides.

use super::Topic::Kernel as KERNEL;
use super::boot::with_parameter;
use crate::machine::Facts;
use crate::machine::finding::{Check, Judgement};
use crate::machine::step::MachineStep;

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "preemption",
        topic: KERNEL,
        read: "uname -v; /sys/kernel/realtime; debugfs sched/preempt; the configuration",
        good: "PREEMPT_RT, else full",
        source: "https://docs.kernel.org/admin-guide/kernel-parameters.html (preempt=)",
        judge: preemption,
    },
    Check {
        name: "threaded-interrupts",
        topic: KERNEL,
        read: "threadirqs on the command line; threads irq/N-NAME",
        good: "interrupts are served in threads, which have priorities",
        source: "https://docs.kernel.org/admin-guide/kernel-parameters.html (threadirqs)",
        judge: threaded_interrupts,
    },
    Check {
        name: "timer-resolution",
        topic: KERNEL,
        read: "clock_getres(CLOCK_MONOTONIC)",
        good: "1 ns",
        source: "https://docs.kernel.org/timers/highres.html",
        judge: timer_resolution,
    },
    Check {
        name: "tick-rate",
        topic: KERNEL,
        read: "CONFIG_HZ in /proc/config.gz or /boot/config-*",
        good: "250 and more; matters little with timers of 1 ns",
        source: "https://docs.kernel.org/timers/no_hz.html",
        judge: tick_rate,
    },
    Check {
        name: "tickless",
        topic: KERNEL,
        read: "CONFIG_NO_HZ_IDLE, CONFIG_NO_HZ_FULL; nohz= at boot",
        good: "the tick stops on idle processors",
        source: "https://docs.kernel.org/timers/no_hz.html",
        judge: tickless,
    },
    Check {
        name: "clock-source",
        topic: KERNEL,
        read: "clocksource0/current_clocksource, available_clocksource; a reading's cost",
        good: "tsc, or the ARM timer",
        source: "https://docs.kernel.org/timers/timekeeping.html",
        judge: clock_source,
    },
    Check {
        name: "tracers",
        topic: KERNEL,
        read: "/sys/kernel/tracing/available_tracers",
        good: "timerlat, osnoise, hwlat: to find out what delayed a thread",
        source: "https://docs.kernel.org/trace/timerlat-tracer.html",
        judge: tracers,
    },
    Check {
        name: "mitigations",
        topic: KERNEL,
        read: "/sys/devices/system/cpu/vulnerabilities/*; mitigations= at boot",
        good: "reported only; they stay on",
        source: "https://docs.kernel.org/admin-guide/hw-vuln/index.html",
        judge: mitigations,
    },
    Check {
        name: "lockdown",
        topic: KERNEL,
        read: "/sys/kernel/security/lockdown",
        good: "reported only",
        source: "man 7 kernel_lockdown",
        judge: lockdown,
    },
];

fn preemption(facts: &Facts) -> Judgement {
    const WHY: &str = "a system call of any program may keep others waiting until it is done, \
                       under load for milliseconds";
    let model = &facts.kernel.preemption;
    if model.realtime == Some(true) {
        return Judgement::ok("PREEMPT_RT");
    }
    let Some(compiled) = &model.compiled else {
        return Judgement::unread(facts, "the kernel's version");
    };
    let dynamic = compiled == "PREEMPT_DYNAMIC";
    let Some(mode) = model.active.as_deref() else {
        let found = if compiled.is_empty() { "not said" } else { compiled };
        let judgement = Judgement::unknown(
            format!("{found}; the mode in force is hidden"),
            "debugfs is for root, and closed where the kernel is locked down",
        );
        return if dynamic { with_parameter(judgement, facts, "preempt=full") } else { judgement };
    };
    let judgement = match mode {
        "full" => return Judgement::ok("full (PREEMPT_RT would shorten the worst case)"),
        "lazy" => Judgement::note("lazy", "ordinary threads are interrupted at the tick only"),
        "voluntary" => Judgement::note("voluntary", WHY),
        _ => Judgement::bad(mode, WHY),
    };
    better_preemption(facts, judgement, dynamic, mode)
}

/// At once where the switch can be reached, else at the next start, else by another
/// kernel.
fn better_preemption(facts: &Facts, judgement: Judgement, dynamic: bool, mode: &str) -> Judgement {
    const SWITCH: &str = "/sys/kernel/debug/sched/preempt";
    if facts.kernel.preemption.active_from.as_deref() == Some(SWITCH) {
        return judgement.steps(vec![MachineStep::write(SWITCH, Some(mode), "full")]);
    }
    if dynamic {
        return with_parameter(judgement, facts, "preempt=full");
    }
    let debian = facts.host.system.as_deref() == Some("debian");
    let image = match facts.kernel.architecture.as_deref() {
        Some("x86_64") if debian => "linux-image-rt-amd64",
        Some("aarch64") if debian => "linux-image-rt-arm64",
        _ => {
            return judgement.reboot().advice("install your distribution's real-time kernel (-rt)");
        }
    };
    judgement.reboot().cure(format!("sudo apt install {image}"), format!("sudo apt remove {image}"))
}

fn threaded_interrupts(facts: &Facts) -> Judgement {
    const WHY: &str = "handlers of disk and network delay every thread, whatever its priority";
    let realtime = facts.kernel.preemption.realtime == Some(true);
    let Some(forced) = facts.interrupts.forced_threads else {
        return Judgement::unread(facts, "the command line");
    };
    if !realtime && !forced {
        return with_parameter(Judgement::note("not in threads", WHY), facts, "threadirqs");
    }
    let threads = facts.interrupts.threads.as_deref().unwrap_or_default();
    let ours = threads.iter().filter(|thread| is_sound(&thread.name));
    let list: Vec<String> = ours.map(|t| format!("{} at {}", t.name, t.priority)).collect();
    match list.is_empty() {
        true => Judgement::ok("in threads"),
        false => Judgement::ok(format!("in threads: {}; a trial's at 80", list.join(", "))),
    }
}

/// Whether a driver serves sound or the USB controllers that it may come through.
pub(super) fn is_sound(driver: &str) -> bool {
    ["snd", "xhci", "ehci", "ohci", "uhci", "dwc"].iter().any(|part| driver.contains(part))
}

fn timer_resolution(facts: &Facts) -> Judgement {
    match facts.clock.timer_resolution_ns {
        Some(1) => Judgement::ok("1 ns"),
        Some(ns) => {
            let why = "timers fire at the tick only, so that every wake-up is late by up to one";
            let judgement = Judgement::bad(format!("{} us", ns / 1_000), why).reboot();
            match facts.kernel.parameter("highres") {
                Some("off") => judgement.advice("take highres=off off the kernel's command line"),
                _ => judgement
                    .advice("use a kernel with CONFIG_HIGH_RES_TIMERS and a good clock source"),
            }
        }
        None => Judgement::unread(facts, "the resolution"),
    }
}

fn tick_rate(facts: &Facts) -> Judgement {
    let fine = facts.clock.timer_resolution_ns == Some(1);
    match facts.kernel.config.hz {
        None => Judgement::unread(facts, "the kernel's configuration"),
        Some(hz) if hz >= 250 || fine => Judgement::ok(format!("{hz} Hz")),
        Some(hz) => Judgement::note(
            format!("{hz} Hz"),
            "without fine timers a wake-up is late by up to one tick",
        ),
    }
}

fn tickless(facts: &Facts) -> Judgement {
    const WHY: &str =
        "idle processors are woken at each tick, and a virtual machine's host with them";
    let off = facts.kernel.command_line.as_deref().is_some_and(|line| {
        line.split_whitespace().any(|word| matches!(word, "nohz=off" | "nohz=0"))
    });
    match facts.kernel.config.no_hz {
        _ if off => Judgement::note("nohz=off on the command line", WHY)
            .advice("take it off the kernel's command line")
            .reboot(),
        None => Judgement::unread(facts, "the kernel's configuration"),
        Some(true) => Judgement::ok("the tick stops on idle processors"),
        Some(false) => Judgement::note("the kernel ticks on idle processors, too", WHY)
            .advice("use a kernel with CONFIG_NO_HZ_IDLE, as distributions have it"),
    }
}

fn clock_source(facts: &Facts) -> Judgement {
    const WHY: &str = "every reading of the clock is a slow call to a device";
    const FILE: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    let clock = &facts.clock;
    let Some(source) = clock.source.as_deref() else {
        return Judgement::unread(facts, "the clock source");
    };
    let cost = clock.read_ns.map(|ns| format!(", {ns} ns a reading")).unwrap_or_default();
    let found = format!("{source}{cost}");
    match source {
        "tsc" | "arch_sys_counter" | "riscv_clocksource" => Judgement::ok(found),
        "kvm-clock" | "hyperv_clocksource_tsc_page" | "xen" => {
            Judgement::ok(format!("{found} (made for virtual machines)"))
        }
        "hpet" | "acpi_pm" | "jiffies" | "refined-jiffies" | "pit" => {
            let judgement = Judgement::bad(found, WHY);
            let tsc = clock.available.iter().flatten().any(|name| name == "tsc");
            match tsc {
                true => judgement
                    .cure(
                        format!("echo tsc | sudo tee {FILE}"),
                        format!("echo {source} | sudo tee {FILE}"),
                    )
                    .advice("first see why the kernel left it: sudo dmesg | grep -i tsc"),
                false => judgement.advice(
                    "sudo dmesg | grep -i tsc says why tsc was given up: often a setting of the \
                     firmware, or the host of a virtual machine",
                ),
            }
        }
        _ => Judgement::note(found, "a source that is not known here")
            .advice("a reading should cost less than 100 ns"),
    }
}

fn tracers(facts: &Facts) -> Judgement {
    const USEFUL: [&str; 3] = ["timerlat", "osnoise", "hwlat"];
    let Some(tracers) = &facts.kernel.tracers else {
        return Judgement::unread(facts, "the list of tracers");
    };
    let present: Vec<&str> =
        USEFUL.into_iter().filter(|t| tracers.iter().any(|x| x == t)).collect();
    match present.is_empty() {
        false => Judgement::ok(present.join(", ")),
        true => Judgement::note(
            "none of timerlat, osnoise, hwlat",
            "what delayed a thread cannot be traced on this kernel; measuring needs none of them",
        ),
    }
}

fn mitigations(facts: &Facts) -> Judgement {
    let Some(all) = &facts.kernel.mitigations else {
        return Judgement::unread(facts, "the list");
    };
    let count = |word: &str| all.values().filter(|state| state.starts_with(word)).count();
    let found = format!(
        "{} known weaknesses: {} mitigated, {} not affected, {} vulnerable",
        all.len(),
        count("Mitigation"),
        count("Not affected"),
        count("Vulnerable")
    );
    match facts.kernel.parameter("mitigations") {
        Some("off") => Judgement::note(
            format!("switched off; {found}"),
            "this opens the machine to other programs and gains a thread that sleeps next to nothing",
        )
        .reboot()
        .advice("take mitigations=off off the kernel's command line"),
        _ => Judgement::ok(found),
    }
}

fn lockdown(facts: &Facts) -> Judgement {
    match facts.kernel.lockdown.as_deref() {
        None if facts.kernel.release.is_none() => Judgement::unread(facts, "the mode"),
        None | Some("none") => Judgement::ok("none"),
        Some(mode) => {
            Judgement::ok(format!("{mode}; debugfs and the processor's counters are closed"))
        }
    }
}
