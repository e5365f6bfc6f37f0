//! [`Essentials`]: what an analysis asks of a description: the trial file, the names, the two verdicts and
//! the checksum of the table. The rest is read and refused as in [`parse_sidecar`], but nothing is
//! made of it: who reads a hundred thousand trials would wait for maps of what nobody looks at.

use crate::record::header::ClockUsed;
use crate::record::read::{AsWritten, Holds, parse_sidecar};
use crate::record::sidecar::Sidecar;
use crate::record::{
    Binding, Header, Names, ReadError, RecordedOrigin, Recovered, RunnerMode, TrialText,
};
use chronotap_analysis::matching::MatchingRule;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;
use std::path::Path;

/// What is asked of a description.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Essentials {
    pub table_sha256: Option<String>,
    pub trial_file: TrialText,
    pub names: Names,
    pub verdicts: Verdicts,
    pub matching: MatchingRule,
}

/// What a trial's summary says of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// Whether its timing passed; `None` where another program recorded it.
    pub timing: Option<bool>,
    /// Whether its data can be used.
    pub data: bool,
}

impl Verdicts {
    /// Of a trial that another program recorded nobody knows the timing.
    fn of(self, mode: RunnerMode) -> Verdicts {
        Verdicts { timing: self.timing.filter(|_| mode != RunnerMode::Imported), ..self }
    }
}

/// Nearly every description is as it was written; any other is read step by step.
pub(crate) fn parse_essentials(path: &Path, text: &str) -> Result<Essentials, ReadError> {
    match serde_json::from_str::<AsWritten<Head, Foot>>(text) {
        Ok(AsWritten { held }) if held.is_known() => {
            let Holds { table_sha256, header, footer, .. } = held;
            let Head { trial_file, names, matching, mode, .. } = header;
            let verdicts = footer.summary.of(mode);
            Ok(Essentials { table_sha256, trial_file, names, verdicts, matching })
        }
        _ => parse_sidecar(path, text).map(Essentials::from),
    }
}

impl From<Sidecar> for Essentials {
    fn from(held: Sidecar) -> Essentials {
        let holds = |value: &Value| value.as_bool().unwrap_or(false);
        let summary = &held.footer.summary;
        let timing = Some(holds(&summary["verdict"]["passed"]));
        let verdicts = Verdicts { timing, data: holds(&summary["data"]["usable"]) };
        let Header { trial_file, names, matching, mode, .. } = held.header;
        let verdicts = verdicts.of(mode);
        Essentials { table_sha256: held.table_sha256, trial_file, names, verdicts, matching }
    }
}

/// A [`Header`](crate::record::Header): the same keys with the same types.
#[derive(Deserialize)]
#[allow(dead_code, reason = "what nobody looks at is refused all the same where it is wrong")]
struct Head {
    program: Text,
    trial_file: TrialText,
    title: Text,
    #[serde(default)]
    description: Text,
    seed: u64,
    started: Text,
    mode: RunnerMode,
    machine: Anything,
    rights: Anything,
    clock: ClockUsed,
    ports: Vec<Binding>,
    names: Names,
    limit_ns: i64,
    performer: Anything,
    #[serde(default = "MatchingRule::unnamed")]
    matching: MatchingRule,
    #[serde(default)]
    source: Option<RecordedOrigin>,
}

/// A [`Footer`](crate::record::Footer).
#[derive(Deserialize)]
#[allow(dead_code, reason = "what nobody looks at is refused all the same where it is wrong")]
struct Foot {
    #[serde(deserialize_with = "verdicts")]
    summary: Verdicts,
    dropped: u64,
    #[serde(default)]
    recovered: Option<Recovered>,
}

/// A text of which nothing is kept.
#[derive(Default)]
struct Text;

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Text, D::Error> {
        from.deserialize_str(Key(&[])).map(|_| Text)
    }
}

/// Any value, of which nothing is kept.
struct Anything;

impl<'de> Deserialize<'de> for Anything {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Anything, D::Error> {
        NOWHERE.deserialize(from).map(|_| Anything)
    }
}

/// The places of a summary at which something true is looked for.
static VERDICTS: At = At {
    under: &[
        ("verdict", At { under: &[("passed", At { under: &[], bit: TIMING })], bit: 0 }),
        ("data", At { under: &[("usable", At { under: &[], bit: DATA })], bit: 0 }),
    ],
    bit: 0,
};
const TIMING: u8 = 1;
const DATA: u8 = 2;
static NOWHERE: At = At { under: &[], bit: 0 };

fn verdicts<'de, D: Deserializer<'de>>(from: D) -> Result<Verdicts, D::Error> {
    let found = VERDICTS.deserialize(from)?;
    Ok(Verdicts { timing: Some(found & TIMING != 0), data: found & DATA != 0 })
}

/// A place in a value of any kind: what to say where it is true, and the places under its keys.
struct At {
    under: &'static [(&'static str, At)],
    bit: u8,
}

impl At {
    /// All that may be said of the places here and below.
    fn all(&self) -> u8 {
        self.under.iter().fold(self.bit, |all, (_, at)| all | at.all())
    }
}

impl<'de> DeserializeSeed<'de> for &At {
    type Value = u8;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<u8, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &At {
    type Value = u8;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any valid JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<u8, E> {
        Ok(if value { self.bit } else { 0 })
    }

    fn visit_i64<E>(self, _: i64) -> Result<u8, E> {
        Ok(0)
    }

    fn visit_u64<E>(self, _: u64) -> Result<u8, E> {
        Ok(0)
    }

    fn visit_f64<E>(self, _: f64) -> Result<u8, E> {
        Ok(0)
    }

    fn visit_str<E>(self, _: &str) -> Result<u8, E> {
        Ok(0)
    }

    fn visit_unit<E>(self) -> Result<u8, E> {
        Ok(0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<u8, A::Error> {
        while list.next_element::<Anything>()?.is_some() {}
        Ok(0)
    }

    /// Of keys that are alike the last one counts, as where a map is made of them.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<u8, A::Error> {
        let mut found = 0;
        while let Some(place) = map.next_key_seed(Key(self.under))? {
            match place {
                Some(at) => found = found & !at.all() | map.next_value_seed(at)?,
                None => _ = map.next_value::<Anything>()?,
            }
        }
        Ok(found)
    }
}

/// A text, and which of the places stands under it.
struct Key(&'static [(&'static str, At)]);

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Option<&'static At>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for Key {
    type Value = Option<&'static At>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().find(|(key, _)| *key == text).map(|(_, at)| at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GOLDEN: &str = include_str!("../../tests/golden/tiny_events.json");

    fn told(gist: Result<Essentials, ReadError>) -> Result<Essentials, String> {
        gist.map_err(|error| error.to_string())
    }

    /// The golden description without the columns, which nobody looks at.
    fn description() -> String {
        let from = GOLDEN.find("\"Chronotap\"").unwrap();
        format!("{{{}", &GOLDEN[from..])
    }

    proptest! {
        #[test]
        fn prop_essentials_are_those_of_the_whole_description_or_refused_as_it_is(
            places in prop::collection::vec(
                (any::<prop::sample::Index>(), "[0-9{}:,a\"\\\\n-]|null|1e400|\"\\\\ud800\"|true|\"data\":|\"verdict\":"),
                0..3,
            ),
        ) {
            let mut text = description();
            for (place, put) in places {
                let place = place.index(text.len());
                text.replace_range(place..place + 1, &put);
            }
            let path = Path::new("x_events.json");
            let whole = parse_sidecar(path, &text).map(Essentials::from);
            prop_assert_eq!(told(parse_essentials(path, &text)), told(whole), "{}", text);
        }
    }

    /// What stands in the place of the golden summary.
    fn of_summary(summary: &str) -> Result<Essentials, String> {
        let mut value: serde_json::Value = serde_json::from_str(GOLDEN).unwrap();
        value["Chronotap"]["footer"]["summary"] = "here".into();
        let text = value.to_string().replacen("\"here\"", summary, 1);
        let path = Path::new("x_events.json");
        let gist = told(parse_essentials(path, &text));
        assert_eq!(gist, told(parse_sidecar(path, &text).map(Essentials::from)), "{summary}");
        gist
    }

    #[test]
    fn verdicts_are_found_where_they_stand_and_nowhere_else() {
        let of = |summary: &str| of_summary(summary).unwrap().verdicts;
        let said = |timing, data| Verdicts { timing: Some(timing), data };
        let both = r#"{"verdict": {"passed": true}, "data": {"usable": true}}"#;
        assert_eq!(of(both), said(true, true));
        assert_eq!(of(r#"{"data": {"passed": true, "usable": 1}}"#), said(false, false));
        assert_eq!(of(r#"{"verdict": {"passed": true}, "verdict": 3}"#), said(false, false));
        assert_eq!(of(r#"{"data": {"usable": false, "usable": true}}"#), said(false, true));
        assert_eq!(
            of(r#"{"verdict": {"a": {"passed": true}}, "passed": true}"#),
            said(false, false)
        );
        for summary in ["null", "true", "[{\"verdict\": {\"passed\": true}}]", "\"verdict\""] {
            assert_eq!(of(summary), said(false, false), "{summary}");
        }
    }

    #[test]
    fn what_no_map_can_hold_is_refused_here_too() {
        let deep = "[".repeat(200) + &"]".repeat(200);
        for summary in ["1e400", r#""\ud800""#, "{3: 4}", &deep] {
            assert!(of_summary(summary).is_err(), "{summary}");
        }
    }
}
