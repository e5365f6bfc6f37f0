//! [`POPULATIONS`]: whom a study is rehearsed with where nobody says: people who differ from each other, and
//! from trial to trial, as was published. A row says of one parameter what it is on average, how much it
//! differs, and where that is from; docs/participants.md has the same table.
//!
//! A value is written as in a description: `-36 +- 21 +- 7 ms` has an SD of 21 ms between people and of 7 ms
//! between the trials of one; `0.039 x/ 1.48` has a median and the factor of one SD of its logarithm.

use std::fmt::{Display, Formatter};

/// People of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Population {
    /// Its name in a description.
    pub name: &'static str,
    /// What it is like, in one line.
    pub meaning: &'static str,
    /// What is known or assumed of its parameters; the others are those of `tapper`.
    pub rows: &'static [ParameterRow],
}

/// One parameter of a population.
#[derive(Clone, Copy, Debug)]
pub struct ParameterRow {
    /// The parameter, by its name.
    pub parameter: &'static str,
    /// Its value, as in a description.
    pub value: &'static str,
    /// Where that is from.
    pub source: ValueSource,
}

/// Where a value is from.
#[derive(Clone, Copy, Debug)]
pub enum ValueSource {
    /// Computed from published data, which are named.
    Data(&'static str),
    /// Stated in a text that was read.
    Read(&'static str),
    /// Of a text that was not read again.
    Memory(&'static str),
    /// Nobody's figure: what the model does with it has the direction that is named.
    Assumed(&'static str),
}

impl Display for ValueSource {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            ValueSource::Data(from) => write!(f, "data: {from}"),
            ValueSource::Read(from) => write!(f, "read: {from}"),
            ValueSource::Memory(from) => write!(f, "from memory, not re-read: {from}"),
            ValueSource::Assumed(why) => write!(f, "assumed: {why}"),
        }
    }
}

const fn row(parameter: &'static str, value: &'static str, source: ValueSource) -> ParameterRow {
    ParameterRow { parameter, value, source }
}

const DATA: ValueSource = ValueSource::Data("Bååth and Madison (2012), 30 people, 600 to 3,000 ms");
const FITTED: ValueSource =
    ValueSource::Data("fitted to all three studies as simulated, benchmarks/adults.py");
const SHIFTS: ValueSource =
    ValueSource::Data("Silva and Laje (2024), 74 people at 500 ms, benchmarks/silva_laje.py");
const AS_ADULTS: ValueSource =
    ValueSource::Assumed("as adults, in proportion to their noise and lead");
const AS_MUSICIAN: ValueSource =
    ValueSource::Assumed("the preset `musician`; people differ as adults do");
const AS_BEGINNER: ValueSource =
    ValueSource::Assumed("the preset `beginner`; people differ as adults do");
const WEBER: ValueSource = ValueSource::Assumed("all noise of the clock grows with the interval");
const FOLLOW: ValueSource = ValueSource::Assumed(
    "periods are corrected where a change is noticed (Repp 2001, abstract read)",
);
const TREND: ValueSource = ValueSource::Assumed(
    "people predict, each to a degree (van der Steen and Keller 2013, abstract read)",
);
const IMAGINE: ValueSource = ValueSource::Assumed("tapping off the tones varies more");
const SLIPS: ValueSource =
    ValueSource::Memory("fast taps slip onto the tones (Kelso and others 1990); SD assumed");
const WRONG: ValueSource =
    ValueSource::Assumed("tones of neighbouring places disturb (Pfordresher 2008, abstract read)");
const DELAYED: ValueSource =
    ValueSource::Memory("earlier with a delay (Aschersleben and Prinz 1997); size assumed");
const ALONE: ValueSource = ValueSource::Assumed(
    "slower alone, with short delays (Pfordresher and Dalla Bella 2011, abstract read)",
);
const HEARD: ValueSource =
    ValueSource::Memory("less early where taps sound (Aschersleben and Prinz 1995); size assumed");
const PARTNER: ValueSource = ValueSource::Assumed(
    "who hears the other synchronizes (Schultz and Palmer 2019, abstract read)",
);
const HANDS: ValueSource = ValueSource::Assumed(
    "two hands are one pattern, more so with tones of one pitch (Jagacinski and others 1988, abstract read)",
);
const TEMPO: ValueSource =
    ValueSource::Read("Hammerschmidt and Wöllner (2022), abstract: mean 650 ms, SD 253 ms");
const JUDGE: ValueSource = ValueSource::Assumed("of the order of Weber fractions of durations");

/// Every population. The first is who rehearses a study.
#[rustfmt::skip] // one parameter, one line
pub static POPULATIONS: [Population; 3] = [
    Population { name: "adults", meaning: "untrained adults, from 600 to 3,000 ms as in published data", rows: &[
        row("alpha", "0.45 +- 0.12", FITTED),
        row("alpha_grows", "0.2", FITTED),
        row("beta", "0.03 +- 0.012", FITTED),
        row("clock", "0 ms", WEBER),
        row("weber", "0.035 x/ 1.38", FITTED),
        row("weber_grows", "0.0135", FITTED),
        row("motor", "8.2 x/ 1.5 ms", FITTED),
        row("mean", "-36 +- 21 +- 2.3 ms", DATA),
        row("mean_grows", "-8.2 +- 5 +- 3.3 ms", DATA),
        row("drift", "6 x/ 2.6 ms", FITTED),
        row("drifts_in", "6 s", FITTED),
        row("wanders", "0.008 x/ 1.8", FITTED),
        row("asymmetry", "0", SHIFTS),
        row("notice", "0.06 +- 0.015", FOLLOW),
        row("follow", "0.2 +- 0.07", FITTED),
        row("follow_slower", "0.045", FITTED),
        row("anticipate", "0.6 +- 0.25", TREND),
        row("imagine", "0.05 x/ 1.4", IMAGINE),
        row("slips_below", "450 +- 60 ms", SLIPS),
        row("wrong", "0.02 x/ 1.5", WRONG),
        row("confuse", "0.06 x/ 1.5", WRONG),
        row("miss", "0.003 x/ 2.4", SHIFTS),
        row("feedback", "0.1 +- 0.04", ALONE),
        row("paced_feedback", "-0.3 +- 0.1", DELAYED),
        row("heard", "10 +- 5 ms", HEARD),
        row("partner", "0.3 +- 0.1", PARTNER),
        row("hands", "0.4 +- 0.1", HANDS),
        row("interval", "606 x/ 1.456 ms", TEMPO),
        row("discern", "0.15 x/ 1.4", JUDGE),
        row("lapse", "0.02", JUDGE),
    ] },
    Population { name: "musicians", meaning: "trained: less early, half as variable; sizes assumed", rows: &[
        row("alpha", "0.6 +- 0.12", AS_MUSICIAN),
        row("alpha_grows", "0.2", AS_ADULTS),
        row("beta", "0.03 +- 0.012", AS_ADULTS),
        row("clock", "0 ms", AS_ADULTS),
        row("weber", "0.02 x/ 1.3", AS_MUSICIAN),
        row("weber_grows", "0.0055", AS_ADULTS),
        row("motor", "4 x/ 1.3 ms", AS_MUSICIAN),
        row("mean", "-15 +- 10 +- 1.3 ms", AS_MUSICIAN),
        row("mean_grows", "-4 +- 2 +- 1.6 ms", AS_ADULTS),
        row("drift", "3 x/ 2.6 ms", AS_ADULTS),
        row("drifts_in", "6 s", AS_ADULTS),
        row("wanders", "0.004 x/ 1.8", AS_ADULTS),
        row("asymmetry", "0", AS_ADULTS),
        row("notice", "0.04 +- 0.01", FOLLOW),
        row("follow", "0.2 +- 0.07", AS_ADULTS),
        row("follow_slower", "0.045", AS_ADULTS),
        row("anticipate", "0.8 +- 0.15", TREND),
        row("imagine", "0.025 x/ 1.4", IMAGINE),
        row("slips_below", "350 +- 40 ms", SLIPS),
        row("wrong", "0.01 x/ 1.5", WRONG),
        row("confuse", "0.06 x/ 1.5", WRONG),
        row("miss", "0.003 x/ 2.4", AS_ADULTS),
        row("feedback", "0.05 +- 0.03", ALONE),
        row("paced_feedback", "-0.2 +- 0.07", DELAYED),
        row("heard", "5 +- 3 ms", HEARD),
        row("partner", "0.3 +- 0.1", PARTNER),
        row("hands", "0.4 +- 0.1", HANDS),
        row("interval", "606 x/ 1.456 ms", TEMPO),
        row("discern", "0.08 x/ 1.3", JUDGE),
        row("lapse", "0.01", JUDGE),
    ] },
    Population { name: "beginners", meaning: "earlier, more variable, taps missed and doubled; sizes assumed", rows: &[
        row("alpha", "0.35 +- 0.12", AS_BEGINNER),
        row("alpha_grows", "0.2", AS_ADULTS),
        row("beta", "0.03 +- 0.012", AS_ADULTS),
        row("clock", "0 ms", AS_ADULTS),
        row("weber", "0.06 x/ 1.48", AS_BEGINNER),
        row("weber_grows", "0.011", AS_ADULTS),
        row("motor", "12 x/ 1.3 ms", AS_BEGINNER),
        row("mean", "-50 +- 25 +- 3.3 ms", AS_BEGINNER),
        row("mean_grows", "-8.2 +- 5 +- 3.3 ms", AS_ADULTS),
        row("drift", "9 x/ 2.6 ms", AS_ADULTS),
        row("drifts_in", "6 s", AS_ADULTS),
        row("wanders", "0.012 x/ 1.8", AS_ADULTS),
        row("asymmetry", "0", AS_ADULTS),
        row("notice", "0.08 +- 0.02", FOLLOW),
        row("follow", "0.17 +- 0.07", AS_ADULTS),
        row("follow_slower", "0.045", AS_ADULTS),
        row("anticipate", "0.3 +- 0.25", TREND),
        row("imagine", "0.07 x/ 1.4", IMAGINE),
        row("slips_below", "500 +- 70 ms", SLIPS),
        row("wrong", "0.05 x/ 1.5", WRONG),
        row("confuse", "0.06 x/ 1.5", WRONG),
        row("miss", "0.03", AS_BEGINNER),
        row("double", "0.02", AS_BEGINNER),
        row("feedback", "0.2 +- 0.06", ALONE),
        row("paced_feedback", "-0.3 +- 0.1", DELAYED),
        row("heard", "10 +- 5 ms", HEARD),
        row("partner", "0.3 +- 0.1", PARTNER),
        row("hands", "0.4 +- 0.1", HANDS),
        row("interval", "606 x/ 1.456 ms", TEMPO),
        row("discern", "0.2 x/ 1.4", JUDGE),
        row("lapse", "0.04", JUDGE),
    ] },
];

/// The population of this name.
pub(super) fn population(name: &str) -> Option<&'static Population> {
    POPULATIONS.iter().find(|of| of.name == name)
}

impl ParameterRow {
    /// What the value is on average, without what differs.
    pub(super) fn average(&self) -> String {
        let text = self.value;
        let end = text.find(" +- ").or_else(|| text.find(" x/ ")).unwrap_or(text.len());
        let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        format!("{}{}", &text[..end], if end < text.len() { unit(text, number) } else { "" })
    }
}

/// The unit behind the last number, with the space before it.
fn unit<'t>(text: &'t str, without: &str) -> &'t str {
    if without.len() == text.len() { "" } else { &text[without.trim_end().len()..] }
}

/// A description in which every population stands with all its parameters: those that the description states,
/// and the rows of the others. A description without a population stays as it is.
pub fn expanded(spec: &str) -> String {
    let (models, differences) = spec.split_at(spec.find('|').unwrap_or(spec.len()));
    let each = models.split(';').map(|one| stated(one).unwrap_or_else(|| one.to_owned()));
    each.collect::<Vec<_>>().join(";") + differences
}

/// The same of one participant; nothing where it is of no population.
pub(super) fn stated(spec: &str) -> Option<String> {
    let mut parts = spec.split(',').map(str::trim).filter(|part| !part.is_empty());
    let of = population(parts.next()?)?;
    let own: Vec<&str> = parts.collect();
    let is_own = |row: &&ParameterRow| {
        let key =
            |part: &&str| part.split('=').next().is_some_and(|key| key.trim() == row.parameter);
        !own.iter().any(key)
    };
    let rows =
        of.rows.iter().filter(is_own).map(|row| format!("{} = {}", row.parameter, row.value));
    let rows: Vec<String> = rows.collect();
    let all =
        std::iter::once(of.name).chain(own.iter().copied()).chain(rows.iter().map(String::as_str));
    Some(all.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial_files::performers::Model;

    #[test]
    fn every_row_is_a_parameter_with_a_value_that_it_takes() {
        for of in &POPULATIONS {
            for row in of.rows {
                let spec = format!("tapper, {} = {}", row.parameter, row.average());
                assert!(Model::from_spec(&spec, &[]).is_ok(), "{}: {spec}", of.name);
            }
        }
    }

    #[test]
    fn the_average_member_has_the_means_of_the_table() {
        let model = Model::preset("adults").unwrap();
        assert_eq!((model.name, model.mean.0, model.alpha), ("adults", -36_000_000, 0.45));
        assert_eq!((model.weber, model.interval.0), (0.035, 606_000_000));
    }

    #[test]
    fn what_a_description_states_stands_in_place_of_the_row() {
        let all = expanded("adults, mean = -20 ms; tapper | delay 1: mean - 5 ms");
        assert!(all.starts_with("adults, mean = -20 ms, alpha = 0.45 +- 0.12, "), "{all}");
        assert_eq!(all.matches("mean = ").count(), 1, "{all}");
        assert!(all.ends_with("; tapper | delay 1: mean - 5 ms"), "{all}");
        assert_eq!(expanded(&all), all, "once is enough");
    }

    #[test]
    fn the_table_of_the_manual_is_as_kept() {
        let value = |of: &Population, parameter: &str| {
            let row = of.rows.iter().find(|row| row.parameter == parameter);
            row.map_or_else(String::new, |row| row.value.to_owned())
        };
        let adults = POPULATIONS[0].rows.iter();
        let others = POPULATIONS[2]
            .rows
            .iter()
            .filter(|row| value(&POPULATIONS[0], row.parameter).is_empty());
        let line = |row: &ParameterRow| {
            let values = POPULATIONS.each_ref().map(|of| value(of, row.parameter)).join(" | ");
            format!("| `{}` | {values} | {} |\n", row.parameter, row.source)
        };
        let table: String = adults.chain(others).map(line).collect();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/participants.md");
        let head = "is from |\n|---|---|---|---|---|\n";
        chronotap_kept::assert_block(path, head, table.trim_end(), "\n\n");
    }
}
