//! Sound: cards, who uses them, the sequencer's timer, interrupts.

use super::Topic::Sound as SOUND;
use super::kernel::is_sound;
use super::processors::distinct;
use crate::machine::finding::{Check, Judgement};
use crate::machine::step::MachineStep;
use crate::machine::{Facts, Holder, InterruptLine, InterruptThread, cpu_list};

pub(super) const CHECKS: &[Check] = &[
    Check {
        name: "sound-cards",
        topic: SOUND,
        read: "/proc/asound/cards",
        good: "those you mean to use",
        source: "https://docs.kernel.org/sound/designs/procfile.html",
        judge: cards,
    },
    Check {
        name: "sound-owner",
        topic: SOUND,
        read: "/proc/asound/card*/pcm*/sub*/status; /proc/*/fd",
        good: "free, for tests of a card itself",
        source: "https://docs.kernel.org/sound/designs/procfile.html",
        judge: owner,
    },
    Check {
        name: "sound-servers",
        topic: SOUND,
        read: "names of running programs",
        good: "one at most",
        source: "https://docs.pipewire.org",
        judge: servers,
    },
    Check {
        name: "sequencer-timer",
        topic: SOUND,
        read: "/proc/asound/timers",
        good: "the high-resolution timer is there",
        source: "modinfo snd-seq (seq_default_timer_class)",
        judge: sequencer_timer,
    },
    Check {
        name: "interrupt-sharing",
        topic: SOUND,
        read: "/sys/kernel/irq/*/actions",
        good: "sound and USB have lines of their own",
        source: "https://docs.kernel.org/core-api/genericirq.html",
        judge: sharing,
    },
    Check {
        name: "interrupt-placement",
        topic: SOUND,
        read: "/proc/irq/*/effective_affinity_list; isolated processors",
        good: "sound and USB are not served by an isolated processor",
        source: "https://docs.kernel.org/core-api/irq/irq-affinity.html",
        judge: placement,
    },
    Check {
        name: "interrupt-priority",
        topic: SOUND,
        read: "threads irq/N-NAME and their priorities",
        good: "threads of sound and USB come before a trial's, at 80, and other interrupts, at 50",
        source: "https://docs.kernel.org/core-api/genericirq.html",
        judge: priority,
    },
];

/// As Vignati et al. (2022) set it: above a trial and a sound server, below the watchdog.
const PRIORITY: u32 = 85;

fn cards(facts: &Facts) -> Judgement {
    match &facts.sound.cards {
        None if facts.kernel.release.is_none() => Judgement::unread(facts, "the list"),
        None => Judgement::note(
            "the kernel's sound system is not loaded",
            "MIDI devices can be reached only as raw streams, and JACK without a card",
        ),
        Some(cards) if cards.is_empty() => Judgement::note("none", "no MIDI device either"),
        Some(cards) => {
            let names: Vec<&str> = cards.iter().map(|card| card.id.as_str()).collect();
            Judgement::ok(names.join(", "))
        }
    }
}

fn owner(facts: &Facts) -> Judgement {
    let Some(holders) = &facts.sound.holders else {
        return Judgement::unread(facts, "who uses the cards");
    };
    let open = facts.sound.streams.iter().flatten().map(|stream| stream.name.clone());
    let streams: Vec<String> = open.collect();
    let plays = |holder: &&Holder| ["/pcm", "/midi"].iter().any(|at| holder.device.contains(at));
    let programs = distinct(holders.iter().filter(plays).map(|holder| holder.program.as_str()));
    let found = match (programs.is_empty(), streams.is_empty()) {
        (true, true) => return Judgement::ok("free"),
        (true, false) => format!("in use: {}", streams.join(", ")),
        (false, _) => format!("in use by {}", programs.join(", ")),
    };
    let judgement = Judgement::note(found, "a test of the card itself finds it busy");
    match facts.sound.servers.iter().flatten().any(|name| name == "pipewire") {
        true => judgement
            .cure(
                "systemctl --user stop pipewire.socket pipewire.service pipewire-pulse.socket",
                "systemctl --user start pipewire.socket pipewire-pulse.socket",
            )
            .advice("or measure through the server"),
        false => judgement.advice("end that program, or measure through the server"),
    }
}

fn servers(facts: &Facts) -> Judgement {
    let Some(servers) = &facts.sound.servers else {
        return Judgement::unread(facts, "what runs");
    };
    let runs = |name: &str| servers.iter().any(|server| server == name);
    let jack = runs("jackd") || runs("jackdbus");
    match servers.is_empty() {
        true => Judgement::ok("none"),
        false if jack && (runs("pipewire") || runs("pulseaudio")) => Judgement::note(
            servers.join(", "),
            "two servers may want the same card, and programs may find the wrong one",
        ),
        false => Judgement::ok(servers.join(", ")),
    }
}

fn sequencer_timer(facts: &Facts) -> Judgement {
    const WHY: &str = "queues of the sequencer run on a coarser timer; messages sent directly, as a \
                       trial does, are not concerned";
    match (facts.sound.has_hrtimer(), facts.kernel.config.sound_hrtimer) {
        (Some(true), _) => Judgement::ok("high-resolution timer"),
        (None, _) if facts.kernel.release.is_none() => Judgement::unread(facts, "the timers"),
        (None, _) => Judgement::ok("the sound system is not loaded"),
        (Some(false), Some(false)) => Judgement::note("this kernel has no snd-hrtimer", WHY),
        (Some(false), _) => Judgement::note("snd-hrtimer is not loaded", WHY)
            .steps(vec![MachineStep::Load { module: "snd-hrtimer" }]),
    }
}

fn lines(facts: &Facts) -> Option<Vec<&InterruptLine>> {
    let all = facts.interrupts.lines.as_ref()?;
    Some(all.iter().filter(|line| line.actions.iter().any(|action| is_sound(action))).collect())
}

fn sharing(facts: &Facts) -> Judgement {
    let Some(lines) = lines(facts) else { return Judgement::unread(facts, "the list") };
    let shared: Vec<String> = lines
        .iter()
        .filter(|line| line.actions.len() > 1)
        .map(|line| format!("{}: {}", line.number, line.actions.join(", ")))
        .collect();
    match (lines.is_empty(), shared.is_empty()) {
        (true, _) => Judgement::ok("no sound or USB interrupt here"),
        (_, true) => Judgement::ok("sound and USB have lines of their own"),
        _ => Judgement::note(
            format!("shared, line {}", shared.join("; line ")),
            "each interrupt asks all drivers on its line, one after the other",
        )
        .advice("another slot or port gives the device another line"),
    }
}

fn priority(facts: &Facts) -> Judgement {
    let Some(threads) = &facts.interrupts.threads else {
        return Judgement::unread(facts, "the list of threads");
    };
    let ours: Vec<&InterruptThread> =
        threads.iter().filter(|thread| is_sound(&thread.name)).collect();
    let late: Vec<&InterruptThread> =
        ours.iter().copied().filter(|thread| thread.priority < PRIORITY).collect();
    if late.is_empty() {
        return Judgement::ok(match ours.is_empty() {
            true => "no thread serves sound or USB here",
            false => "before a trial's",
        });
    }
    let said = late.iter().map(|thread| format!("{} at {}", thread.name, thread.priority));
    let why = "a trial at 80, or any interrupt at 50, keeps the sound card's or the pad's waiting";
    let step = |thread: &&InterruptThread| MachineStep::Priority {
        thread: thread.name.clone(),
        pid: thread.pid,
        before: thread.priority,
        after: PRIORITY,
    };
    Judgement::note(said.collect::<Vec<_>>().join(", "), why).steps(late.iter().map(step).collect())
}

fn placement(facts: &Facts) -> Judgement {
    let Some(lines) = lines(facts) else { return Judgement::unread(facts, "the list") };
    let isolated = facts.processors.isolated.as_deref().and_then(cpu_list).unwrap_or_default();
    let on_isolated = |line: &&&InterruptLine| {
        let cpus = line.served_by.as_deref().and_then(cpu_list).unwrap_or_default();
        cpus.iter().any(|cpu| isolated.contains(cpu))
    };
    let Some(line) = lines.iter().find(on_isolated) else {
        return Judgement::ok(if isolated.is_empty() {
            "no isolated processor"
        } else {
            "elsewhere"
        });
    };
    let (number, cpus) = (line.number, line.served_by.as_deref().unwrap_or_default());
    let file = format!("/proc/irq/{number}/smp_affinity_list");
    let judgement = Judgement::note(
        format!("line {number} is served by processor {cpus}, which is isolated"),
        "its handler delays the thread that the processor was isolated for",
    );
    let online = facts.processors.online.as_deref().and_then(cpu_list).unwrap_or_default();
    match online.iter().find(|cpu| !isolated.contains(cpu)) {
        Some(other) => judgement.cure(
            format!("echo {other} | sudo tee {file}"),
            format!("echo {cpus} | sudo tee {file}"),
        ),
        None => judgement,
    }
}
