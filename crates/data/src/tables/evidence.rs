//! [`TrialEvidence`]: what a trial says of itself: how late its output was, whether its data can be
//! used, which rights it had, and which program and machine it ran on. Read from the
//! description beside the events, as it was written when the trial was over.

use crate::record::{Audio, Binding, Footer, Header, RunnerMode};
use serde_json::Value;

/// What a trial says of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrialEvidence {
    /// Outputs that sounded.
    pub outputs: u64,
    /// The farthest that any was from its deadline, in microseconds; negative is early.
    pub worst_us: Option<f64>,
    /// The 99th percentile of the lateness, in microseconds.
    pub p99_us: Option<f64>,
    /// The limit that the timing was held to, in microseconds.
    pub limit_us: i64,
    /// Why the timing failed; empty where it passed.
    pub failures: Vec<String>,
    /// Why the data cannot be used; empty where they can.
    pub reasons: Vec<String>,
    /// What casts doubt on timing or data.
    pub doubts: Vec<String>,
    /// Which runner made it.
    pub mode: RunnerMode,
    /// Real-time rights that the trial had, in words, such as `SCHED_FIFO 80`.
    pub granted: Vec<String>,
    /// Rights that were asked for and refused, in words.
    pub refused: Vec<String>,
    /// What taps came from and tones went to.
    pub devices: Vec<Device>,
    /// The program and its version.
    pub program: String,
    /// The kernel, and whether it ran in a virtual machine.
    pub machine: String,
    /// The wall clock at the start.
    pub started: String,
    /// The simulated participant that tapped; `None` where nobody was simulated.
    pub simulated: Option<String>,
    /// Of a trial that another program recorded, by what, as `recorded by TeensyTap`.
    pub recorded_by: Option<String>,
    /// The trial file: its name and its text.
    pub file: (String, String),
}

/// A device of a trial, as it was named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Device {
    /// The port, and the sound card behind it where one is known.
    pub what: String,
    /// Whether taps came from it; else tones went to it.
    pub input: bool,
    /// Of an output of sound: how long after its deadline everything sounds, in nanoseconds.
    pub latency_ns: Option<i64>,
}

impl Device {
    fn of(port: &Binding) -> Device {
        let audio = port.audio.as_ref();
        let sound = |audio: &Audio| {
            let card = audio.card.as_ref().map_or(String::new(), |card| format!("{card}, "));
            format!(" ({card}periods of {} frames at {} Hz)", audio.period_frames, audio.rate_hz)
        };
        let input = port.direction == "in";
        Device {
            what: port.port.clone() + &audio.map_or(String::new(), sound),
            input,
            latency_ns: audio.filter(|_| !input).map(|audio| audio.latency_ns),
        }
    }
}

impl TrialEvidence {
    /// Read from a recorded trial.
    pub(crate) fn of(header: &Header, footer: &Footer) -> TrialEvidence {
        let summary = &footer.summary;
        let (lateness, verdict, data) =
            (&summary["lateness"], &summary["verdict"], &summary["data"]);
        let (granted, refused) = rights(&header.rights);
        let doubts = [texts(&verdict["doubts"]), texts(&data["doubts"])].concat();
        TrialEvidence {
            outputs: lateness["n"].as_u64().unwrap_or(0),
            worst_us: worst(lateness),
            p99_us: lateness["p99_us"].as_f64(),
            limit_us: header.limit_ns / 1_000,
            failures: texts(&verdict["reasons"]),
            reasons: texts(&data["reasons"]),
            doubts,
            mode: header.mode,
            granted,
            refused,
            devices: header.ports.iter().map(Device::of).collect(),
            program: header.program.clone(),
            machine: machine(&header.machine),
            started: header.started.clone(),
            simulated: header.performer["simulated"].as_str().map(str::to_owned),
            recorded_by: header
                .performer
                .as_str()
                .filter(|_| header.mode == RunnerMode::Imported)
                .map(str::to_owned),
            file: (header.trial_file.name.clone(), header.trial_file.text.clone()),
        }
    }
}

fn texts(list: &Value) -> Vec<String> {
    let texts = list.as_array().into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

/// The greatest lateness, or the earliest output where that was farther.
fn worst(lateness: &Value) -> Option<f64> {
    let (least, greatest) = (lateness["min_us"].as_f64()?, lateness["max_us"].as_f64()?);
    Some(if -least > greatest { least } else { greatest })
}

/// Rights that matter, granted and refused, in words.
fn rights(rights: &Value) -> (Vec<String>, Vec<String>) {
    let items = rights["granted"]["items"].as_array().into_iter().flatten();
    let (mut granted, mut refused) = (Vec::new(), Vec::new());
    for item in items {
        let word = |key: &str| item[key].as_str().unwrap_or("unknown");
        match (item["granted"].as_bool(), word("what")) {
            (Some(true), "real-time priority" | "memory lock") => granted.push(word("got").into()),
            (Some(true), _) => {}
            (_, what) => {
                refused.push(format!("{what}: asked {}, got {}", word("asked"), word("got")))
            }
        }
    }
    (granted, refused)
}

fn machine(machine: &Value) -> String {
    if machine.is_null() {
        return "an unknown machine".to_owned();
    }
    let word = |key: &str| machine[key].as_str();
    let linux = || format!("Linux {}", word("kernel_release").unwrap_or("of unknown release"));
    let elsewhere = word("operating_system").filter(|system| *system != "linux");
    let mut parts = vec![elsewhere.map_or_else(linux, of_another_system)];
    parts.extend(word("preemption").map(str::to_owned));
    parts.extend(word("cpu").map(str::to_owned));
    let virtual_one = word("virtualisation").filter(|how| !matches!(*how, "" | "none"));
    parts.extend(virtual_one.map(|_| "a virtual machine or container".to_owned()));
    parts.join(", ")
}

/// A system by the name that its makers give it; std writes it small.
fn of_another_system(system: &str) -> String {
    match system {
        "windows" => "Windows".to_owned(),
        "macos" => "macOS".to_owned(),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_machine_is_named_by_its_own_system() {
        let told = |system: &str| machine(&json!({ "operating_system": system, "cores": 2 }));
        assert_eq!(told("windows"), "Windows");
        assert_eq!(told("macos"), "macOS");
        assert_eq!(told("linux"), "Linux of unknown release");
        assert_eq!(machine(&json!({ "kernel_release": "6.1.0" })), "Linux 6.1.0");
    }

    #[test]
    fn what_was_granted_and_what_was_refused_is_told_apart() {
        let told = rights(&json!({ "granted": { "items": [
            { "what": "memory lock", "asked": "all memory", "granted": true, "got": "all memory" },
            { "what": "timer slack", "asked": "1 ns", "granted": true, "got": "1 ns" },
            { "what": "real-time priority", "asked": "SCHED_FIFO 80", "granted": false, "got": "SCHED_OTHER" },
        ] } }));
        let refused = "real-time priority: asked SCHED_FIFO 80, got SCHED_OTHER";
        assert_eq!(told, (vec!["all memory".to_owned()], vec![refused.to_owned()]));
        assert_eq!(rights(&Value::Null), (Vec::new(), Vec::new()));
    }

    #[test]
    fn the_worst_output_may_be_an_early_one() {
        assert_eq!(worst(&json!({ "min_us": -70.0, "max_us": 40.0 })), Some(-70.0));
        assert_eq!(worst(&json!({ "min_us": 2.0, "max_us": 40.0 })), Some(40.0));
        assert_eq!(worst(&Value::Null), None);
    }
}
