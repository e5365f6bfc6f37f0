//! [`Finding`]: what one check found, why it matters, and what cures it.
//!
//! A cure is a command that can be typed as it stands, and so is its undoing.
//! Where a cure only writes settings that a running machine may change at any
//! moment, the writes are kept as [`MachineStep`]s, from which the commands are made and
//! which `--fix` carries out; so the two cannot differ.

use crate::machine::Facts;
use crate::machine::step::{self, MachineStep};
use serde::Serialize;

/// What checks belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// What this user may do.
    Rights,
    /// The kernel and its clock.
    Kernel,
    /// What the machine runs inside of.
    Host,
    /// Processors and power.
    Processors,
    /// Settings behind rare disturbances.
    Noise,
    /// Memory and disks.
    Memory,
    /// Sound, MIDI, USB and their interrupts.
    Sound,
    /// What else runs.
    Quiet,
}

impl Topic {
    pub fn heading(self) -> &'static str {
        match self {
            Topic::Rights => "Rights",
            Topic::Kernel => "Kernel and clock",
            Topic::Host => "Host",
            Topic::Processors => "Processors and power",
            Topic::Noise => "Background noise",
            Topic::Memory => "Memory and disks",
            Topic::Sound => "Sound, MIDI, USB",
            Topic::Quiet => "What else runs",
        }
    }
}

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingStatus {
    /// As it should be, or does not matter here.
    Ok,
    /// Worth knowing: it may cost tens of microseconds, or matter to some.
    Note,
    /// By itself it can cost a trial its timing.
    Bad,
    /// It could not be read.
    Unknown,
}

/// What one check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The check's name.
    pub name: &'static str,
    /// What it belongs to.
    pub topic: Topic,
    /// How it came out.
    pub status: FindingStatus,
    pub found: String,
    /// Why it matters; empty where all is well.
    pub why: String,
    /// What to do where no command can do it, or besides the command.
    pub advice: Option<String>,
    /// The command that cures it.
    pub cure: Option<String>,
    /// Whether the cure needs a restart of the machine.
    pub reboot: bool,
    /// The command that undoes the cure.
    pub undo: Option<String>,
    /// Whether `--fix` can carry the cure out.
    pub fixable: bool,
    /// What was read.
    pub read: &'static str,
    /// Where the reason is documented.
    pub source: &'static str,
    /// What `--fix` does.
    #[serde(skip)]
    pub steps: Vec<MachineStep>,
}

/// One thing to look at.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Its name, stable from version to version.
    pub name: &'static str,
    /// What it belongs to.
    pub topic: Topic,
    pub read: &'static str,
    /// What is good.
    pub good: &'static str,
    /// Where the reason is documented.
    pub source: &'static str,
    /// Judges a machine.
    pub judge: fn(&Facts) -> Judgement,
}

impl Check {
    /// What this check finds on a machine.
    pub fn examine(&self, facts: &Facts) -> Finding {
        let Judgement { status, found, why, mut advice, cure, reboot, undo, steps, pattern } =
            (self.judge)(facts);
        let (steps_cure, steps_undo) = step::commands(&steps, pattern);
        if facts.host.container.is_some() && !steps.is_empty() {
            advice = Some("inside the container it may be refused; then on the host".into());
        }
        Finding {
            name: self.name,
            topic: self.topic,
            status,
            found,
            why,
            advice,
            cure: cure.or(steps_cure),
            reboot,
            undo: undo.or(steps_undo),
            fixable: !steps.is_empty(),
            read: self.read,
            source: self.source,
            steps,
        }
    }
}

/// What a check says, without what is the same on every machine.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    pub(crate) status: FindingStatus,
    pub(crate) found: String,
    pub(crate) why: String,
    pub(crate) advice: Option<String>,
    pub(crate) cure: Option<String>,
    pub(crate) reboot: bool,
    pub(crate) undo: Option<String>,
    pub(crate) steps: Vec<MachineStep>,
    pub(crate) pattern: Option<&'static str>,
}

impl Default for FindingStatus {
    /// Nothing is well until something was read.
    fn default() -> FindingStatus {
        FindingStatus::Unknown
    }
}

impl Judgement {
    fn of(status: FindingStatus, found: impl Into<String>, why: &str) -> Judgement {
        Judgement { status, found: found.into(), why: why.to_owned(), ..Judgement::default() }
    }

    pub(crate) fn ok(found: impl Into<String>) -> Judgement {
        Judgement::of(FindingStatus::Ok, found, "")
    }

    pub(crate) fn note(found: impl Into<String>, why: &str) -> Judgement {
        Judgement::of(FindingStatus::Note, found, why)
    }

    pub(crate) fn bad(found: impl Into<String>, why: &str) -> Judgement {
        Judgement::of(FindingStatus::Bad, found, why)
    }

    pub(crate) fn unknown(found: impl Into<String>, why: &str) -> Judgement {
        Judgement::of(FindingStatus::Unknown, found, why)
    }

    /// Unknown because nothing could be read.
    pub(crate) fn unread(facts: &Facts, what: &str) -> Judgement {
        let why = match facts.host.container {
            Some(_) => "a container does not show it; look on the host",
            None => "this kernel or this user does not show it",
        };
        Judgement::unknown(format!("{what} cannot be read"), why)
    }

    /// The same of what belongs to the hardware, which a virtual machine has not.
    pub(crate) fn not_here(facts: &Facts, what: &str) -> Judgement {
        match facts.host.hypervisor {
            Some(true) => Judgement::unknown(
                format!("{what} cannot be read"),
                "in a virtual machine only the host knows it",
            ),
            _ => Judgement::unread(facts, what),
        }
    }

    pub(crate) fn advice(mut self, advice: impl Into<String>) -> Judgement {
        self.advice = Some(advice.into());
        self
    }

    /// A command, and the one that undoes it.
    pub(crate) fn cure(mut self, cure: impl Into<String>, undo: impl Into<String>) -> Judgement {
        self.cure = Some(cure.into());
        self.undo = Some(undo.into()).filter(|undo: &String| !undo.is_empty());
        self
    }

    pub(crate) fn reboot(mut self) -> Judgement {
        self.reboot = true;
        self
    }

    /// Settings that can be written while the machine runs.
    pub(crate) fn steps(mut self, steps: Vec<MachineStep>) -> Judgement {
        self.steps = steps;
        self
    }

    /// A pattern that stands for the paths of all steps, to keep the commands short.
    pub(crate) fn pattern(mut self, pattern: &'static str) -> Judgement {
        self.pattern = Some(pattern);
        self
    }
}

/// How many findings came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FindingTally {
    /// As they should be.
    pub ok: usize,
    /// Worth knowing.
    pub notes: usize,
    /// That can cost a trial its timing.
    pub bad: usize,
    /// That could not be read.
    pub unknown: usize,
}

impl FindingTally {
    /// Counts findings.
    pub fn of(findings: &[Finding]) -> FindingTally {
        let count = |status| findings.iter().filter(|finding| finding.status == status).count();
        FindingTally {
            ok: count(FindingStatus::Ok),
            notes: count(FindingStatus::Note),
            bad: count(FindingStatus::Bad),
            unknown: count(FindingStatus::Unknown),
        }
    }
}

impl std::fmt::Display for FindingTally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let FindingTally { ok, notes, bad, unknown } = self;
        let s = if *notes == 1 { "" } else { "s" };
        write!(f, "{ok} OK, {notes} note{s}, {bad} bad, {unknown} unknown")
    }
}
