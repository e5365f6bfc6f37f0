//! FTAP's masking as a masking stream, where the user says what sounds (`--reading masking=...`).
//! Its documents tell that there is masking and name its keywords, not what they do.

use crate::ftap::configuration::Configuration;
use crate::ftap::keywords::Parameter;
use crate::ftap::metronome::Effect;
use crate::ftap::page::Page;
use crate::ftap::readings::{MASKING, MASKING_SPACING};
use crate::ftap::remark::Inert;

/// The masking of a file, where it is ever on.
pub(crate) struct Masking<'c, 'r> {
    of: &'c Configuration<'r>,
    /// Tones in a second.
    rate: i64,
    /// The lowest and the highest.
    notes: (i64, i64),
}

impl<'c, 'r> Masking<'c, 'r> {
    /// The masking; `None` where it is never on, or where nothing says what it is.
    pub fn of(of: &'c Configuration<'r>) -> Option<Masking<'c, 'r>> {
        let switched = of.setters("MASK_ON").iter().any(|(_, t)| t.is.sets_to(1));
        if of.value("MASK_ON") != Some(1) && !switched {
            return None;
        }
        let (rate, notes) = of.readings.masking()?;
        let line = of.line("MASK_ON");
        of.needed("MASK_VEL", line, "masking");
        of.needed("MASK_LEN", line, "masking");
        Some(Masking { of, rate, notes })
    }

    /// Writes the masking stream.
    pub fn write(&self, page: &mut Page) {
        let of = self.of;
        let value = |name| of.value(name).unwrap_or_default();
        let (from, to) = self.notes;
        let reading = format!("--reading {MASKING}={}@{from}..{to}", self.rate);
        page.heading("[masking.mask]", "");
        let sounding = format!("sounding = {}", value("MASK_ON") == 1);
        page.say(&sounding, &of.source("MASK_ON"));
        page.say(&format!("rate = \"{} per s\"", self.rate), &reading);
        page.say(&format!("notes = \"{from}..{to}\""), &reading);
        let random = of.readings.is(MASKING_SPACING, "random");
        let spacing = if random { "random" } else { "even" };
        let reading = format!("--reading {MASKING_SPACING}={spacing}");
        page.say(&format!("spacing = \"{spacing}\""), &reading);
        for name in ["MASK_CHAN", "MASK_VEL", "MASK_LEN"] {
            page.say(&line(name, value(name)), &of.source(name));
        }
    }

    /// What setting a parameter of masking does.
    pub fn effect(parameter: &Parameter, value: i64) -> Effect {
        Ok(vec![format!("set.masking.mask.{}", line(parameter.name, value))])
    }

    /// Why a trigger of it does nothing where there is none.
    pub const NEVER: Inert = Inert::NeverMasked;
}

/// A parameter as the trial file says it.
fn line(name: &str, value: i64) -> String {
    match name {
        "MASK_ON" => format!("sounding = {}", value == 1),
        "MASK_CHAN" => format!("channel = {value}"),
        "MASK_VEL" => format!("velocity = {{ fixed = {value} }}"),
        _ => format!("duration = \"{value} ms\""),
    }
}
