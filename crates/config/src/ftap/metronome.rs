//! FTAP's metronome as a pacing stream, and what triggers set of it.
//!
//! The metronome counts from the start of the trial whether it is on or not, as the pacing
//! stream does whether it is audible or not.

use crate::ftap::configuration::Configuration;
use crate::ftap::fault::FtapFault;
use crate::ftap::keywords::{CHANNELS, PATTERN, Parameter};
use crate::ftap::page::Page;
use crate::ftap::readings::{
    COUNT, FIRST_BEAT, FIRST_COUNT, METRONOME_TRIGGER, SWITCHED_ON, TEMPO,
};
use crate::ftap::remark::{Inert, Remark};
use crate::ftap::trigger::{Change, Moment};

/// What a trigger sets, as lines of a trial file; or why it changes nothing.
pub(crate) type Effect = Result<Vec<String>, Inert>;

/// The most that a count of a trial file may be.
const MOST_BEATS: i64 = 1_000_000_000;

/// The metronome of a file, where it is ever on or counted.
pub(crate) struct Metronome<'c, 'r> {
    of: &'c Configuration<'r>,
}

impl<'c, 'r> Metronome<'c, 'r> {
    /// The metronome; `None` where it is never on and nothing counts it.
    pub fn of(of: &'c Configuration<'r>) -> Option<Metronome<'c, 'r>> {
        let on = of.value("METRON_ON") == Some(1);
        let switched = of
            .triggers
            .iter()
            .any(|t| t.is.sets().is_some_and(|(p, value)| p.name == "METRON_ON" && value == 1));
        let counted = of.triggers.iter().find(|t| matches!(t.is.moment, Moment::Metronome(_)));
        if !on && !switched && counted.is_none() {
            if of.speaks_of(|name| name == "MSPB" || name.starts_with("MET_")) {
                of.note(0, Remark::NeverOn);
            }
            return None;
        }
        let line =
            if on || switched { of.line("METRON_ON") } else { counted.map_or(0, |t| t.line) };
        of.needed("MSPB", line, "the metronome")?;
        Some(Metronome { of })
    }

    /// Writes the pacing stream.
    pub fn write(&self, page: &mut Page) {
        let of = self.of;
        let value = |name| of.value(name).unwrap_or_default();
        page.heading("[pacing.metronome]", "");
        let audible = format!("audible = {}", value("METRON_ON") == 1);
        page.say(&audible, &of.source("METRON_ON"));
        page.say(&format!("interval = \"{} ms\"", value("MSPB")), &of.source("MSPB"));
        let start = of.readings.number(FIRST_BEAT);
        page.say(&format!("start = \"{start} ms\""), &format!("--reading {FIRST_BEAT}={start}"));
        if let Some(pattern) = of.array(PATTERN) {
            let steps: String = pattern.iter().map(|on| if *on == 1 { 'x' } else { '.' }).collect();
            page.say(&format!("pattern = \"{steps}\""), &of.source(PATTERN));
        }
        if of.array(CHANNELS).is_none() {
            page.say(&format!("tone.channel = {}", value("MET_CHAN")), &of.source("MET_CHAN"));
        }
        page.say(&format!("tone.note = {}", value("MET_NOTE")), &of.source("MET_NOTE"));
        page.say(&format!("tone.velocity = {}", value("MET_VEL")), &of.source("MET_VEL"));
        let length = format!("tone.duration = \"{} ms\"", value("MET_LEN"));
        page.say(&length, &of.source("MET_LEN"));
        self.channels(page);
        self.end_after_a_tone(page);
    }

    fn channels(&self, page: &mut Page) {
        let Some(channels) = self.of.array(CHANNELS) else { return };
        let list: Vec<String> = channels.iter().map(i64::to_string).collect();
        page.say(&format!("channels = [{}]", list.join(", ")), &self.of.source(CHANNELS));
        let pattern = self.of.array(PATTERN).map_or(1, <[i64]>::len);
        if pattern != channels.len() && pattern > 1 {
            let (of_channels, of_pattern) = (channels.len(), pattern);
            let (channels, pattern) = (CHANNELS, PATTERN);
            let unequal = Remark::Unequal { channels, of_channels, pattern, of_pattern };
            self.of.note(0, unequal);
        }
    }

    /// A trial ends before the tone of its last instant. One that is to end after it ends a
    /// millisecond later, which a silent stream of two beats counts.
    fn end_after_a_tone(&self, page: &mut Page) {
        let ends = |t: &crate::ftap::trigger::Trigger| {
            matches!((t.change, t.moment), (Change::End, Moment::Metronome(_)))
        };
        if self.of.triggers.iter().any(|t| ends(&t.is)) && self.acts_after_tones() {
            count_a_millisecond(page, "after_tone", "counts the millisecond after a tone");
        }
    }

    /// Whether M triggers act after the tone of their position.
    pub fn acts_after_tones(&self) -> bool {
        self.of.readings.is(METRONOME_TRIGGER, "after-tone")
    }

    /// The beat of the pacing stream at a count of the metronome, for a trigger on `line`;
    /// `None` where there is none, which is then reported.
    pub fn beat(&self, count: i64, line: usize) -> Option<i64> {
        let first = i64::from(self.of.readings.is(FIRST_COUNT, "1"));
        let nth = count + 1 - first;
        if nth < 1 {
            self.of.problem(line, FtapFault::BeforeFirst { reading: FIRST_COUNT, other: "0" });
            return None;
        }
        let beat = if self.of.readings.is(COUNT, "tones") { self.nth_tone(nth) } else { Some(nth) };
        let beat = beat.filter(|beat| *beat < MOST_BEATS);
        if beat.is_none() {
            self.of.problem(line, FtapFault::NeverComes);
        }
        beat
    }

    /// The position of the n-th tone, both from 1.
    fn nth_tone(&self, nth: i64) -> Option<i64> {
        let pattern = self.of.array(PATTERN).unwrap_or(&[1]);
        let tones: Vec<i64> =
            (1..).zip(pattern).filter(|(_, on)| **on == 1).map(|(at, _)| at).collect();
        let (cycles, rest) =
            ((nth - 1).checked_div(tones.len() as i64)?, (nth - 1) % tones.len() as i64);
        Some(cycles * pattern.len() as i64 + tones[rest as usize])
    }

    /// What setting a parameter of the metronome does.
    pub fn effect(&self, parameter: &Parameter, value: i64) -> Effect {
        let (key, shown) = match parameter.name {
            "METRON_ON" => {
                self.of.readings.is(SWITCHED_ON, "in-phase");
                ("audible", (value == 1).to_string())
            }
            "MSPB" => {
                self.of.readings.is(TEMPO, "next");
                ("interval", format!("\"{value} ms\""))
            }
            "MET_CHAN" if self.of.array(CHANNELS).is_some() => {
                return Err(Inert::Channels(CHANNELS));
            }
            "MET_CHAN" => ("tone.channel", value.to_string()),
            "MET_NOTE" => ("tone.note", value.to_string()),
            "MET_VEL" => ("tone.velocity", value.to_string()),
            _ => ("tone.duration", format!("\"{value} ms\"")),
        };
        Ok(vec![format!("set.pacing.metronome.{key} = {shown}")])
    }
}

/// A silent stream of two beats: what is to come after a tap or tone of this instant waits for the second.
pub(crate) fn count_a_millisecond(page: &mut Page, name: &str, from: &str) {
    page.heading(&format!("[pacing.{name}]"), from);
    for line in ["interval = \"1 ms\"", "beats = 2", "audible = false"] {
        page.say(line, "");
    }
    page.say("start = \"when started\"", "");
    page.say("answered_by = \"none\"", "");
}
