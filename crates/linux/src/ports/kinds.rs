//! [`PortKinds`]: the table of the kinds of port. Names are read by it, and the help, the list of
//! `chronotap ports` and the table in `docs/devices.md` are printed from it.
//!
//! What a kind can do stands in its row, a [`PortKind`] in a file next to its port.

use crate::ports::{Listed, Misread, NameForm, PortKind, Spec, SpecError};
use chronotap_core::text::{most_like, nearest};
use std::fmt::Write;
use std::str::FromStr;

/// Every kind, in the order of help and list. Where a text may mean several, the first is
/// proposed: a path below /dev/input is `evdev:` before it is `raw:`.
static STANDARD: [&PortKind; 14] = [
    &crate::ports::wire::KIND,
    &crate::ports::alsa::KIND,
    &crate::ports::sequencer::KIND,
    &crate::ports::jack::KIND,
    &crate::ports::tone::KIND,
    &crate::ports::ear::KIND,
    &crate::ports::line::SERIAL,
    &crate::ports::line::PARALLEL,
    &crate::ports::line::TTL,
    &crate::ports::line::PPS,
    &crate::ports::sensor::KIND,
    &crate::ports::evdev::KIND,
    &crate::ports::raw::KIND,
    &crate::ports::keys::KIND,
];

/// A table of kinds of port.
#[derive(Clone, Debug)]
pub struct PortKinds {
    rows: Vec<&'static PortKind>,
}

impl PortKinds {
    /// The kinds of this crate.
    pub fn standard() -> PortKinds {
        PortKinds { rows: STANDARD.to_vec() }
    }

    /// The same and one more.
    #[must_use]
    pub fn with(mut self, kind: &'static PortKind) -> PortKinds {
        self.rows.push(kind);
        self
    }

    /// The rows, in order.
    pub fn rows(&self) -> impl Iterator<Item = &'static PortKind> + '_ {
        self.rows.iter().copied()
    }

    /// Every form that a name may have.
    pub fn forms(&self) -> impl Iterator<Item = &'static NameForm> + '_ {
        self.rows().flat_map(|kind| kind.forms)
    }

    /// Reads the name of a port.
    ///
    /// # Errors
    /// [`SpecError`], which proposes the nearest name.
    pub fn parse(&self, name: &str) -> Result<Spec, SpecError> {
        let (prefix, rest) = name.split_once(':').unwrap_or((name, ""));
        let Some(kind) = self.rows().find(|kind| kind.prefix == prefix) else {
            return Err(self.unknown(name, self.meant_by(name)));
        };
        match (kind.parse)(rest) {
            Ok(read) => Ok(Spec::new(kind, read)),
            Err(Misread::Wrong(error)) => Err(SpecError::Wrong(error)),
            Err(Misread::NoSuchForm) => {
                let near = most_like(name, kind.forms.iter().map(|form| form.name));
                Err(self.unknown(name, near.unwrap_or_default().to_owned()))
            }
        }
    }

    /// Every port that this machine offers.
    pub fn list(&self) -> Vec<Listed> {
        self.rows().flat_map(|kind| (kind.list)()).collect()
    }

    /// Every form with its meaning, for a help text of 80 columns.
    pub fn help(&self) -> String {
        let mut text = String::from("Ports (PORT); replace the words in capitals:\n");
        for NameForm { name, words } in self.forms() {
            let _ = writeln!(text, "  {name}\n        {words}");
        }
        text
    }

    /// The same as a table for the documentation, in Markdown.
    pub fn reference(&self) -> String {
        let mut text = String::from("| name | what it is |\n|---|---|\n");
        for NameForm { name, words } in self.forms() {
            let _ = writeln!(text, "| `{name}` | {words} |");
        }
        text
    }

    fn unknown(&self, name: &str, nearest: String) -> SpecError {
        let first = |kind: &'static PortKind| kind.forms.first().map(|form| form.name);
        let known = self.rows().filter_map(first).collect();
        SpecError::Unknown { name: name.into(), nearest, known }
    }

    /// The port of the device that is there and has this text in its name.
    fn of_device(&self, text: &str) -> Option<String> {
        if text.contains([':', '/']) || text.chars().count() < 3 {
            return None;
        }
        let text = text.to_lowercase();
        let is_it = |name: &String| {
            name.split_once(':').is_some_and(|(_, device)| device.to_lowercase().contains(&text))
        };
        self.list().into_iter().map(|listed| listed.name).find(is_it)
    }

    /// The name that was probably meant by a text of no known kind; empty where none is near.
    fn meant_by(&self, text: &str) -> String {
        if let Some(port) = self.of_device(text) {
            return port;
        }
        if let Some(kind) = self.rows().find(|kind| (kind.is_meant_by)(text)) {
            return format!("{}:{text}", kind.prefix);
        }
        // With a prefix that is misspelt, the rest may well be right.
        let rest = text.split_once(':').map_or("", |(_, rest)| rest);
        let understood = |kind: &&PortKind| !rest.is_empty() && (kind.parse)(rest).is_ok();
        let corrected = self.rows().filter(understood).map(|k| format!("{}:{rest}", k.prefix));
        let forms = self.forms().map(|form| form.name.to_owned());
        let all: Vec<String> = forms.chain(corrected).collect();
        nearest(text, &all).unwrap_or_default().to_owned()
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    /// By the standard table.
    fn from_str(name: &str) -> Result<Spec, SpecError> {
        PortKinds::standard().parse(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(name: &str) -> SpecError {
        PortKinds::standard().parse(name).unwrap_err()
    }

    /// The kind's own error of a name that has its prefix.
    fn wrong(name: &str) -> String {
        match refusal(name) {
            SpecError::Wrong(error) => format!("{error:?}"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_nearest() {
        for (given, nearest) in [
            ("wier", "wire"),
            ("wire:lop", "wire:loop"),
            ("/dev/pts/3", "raw:/dev/pts/3"),
            ("/dev/input/event3", "evdev:/dev/input/event3"),
            ("hw:2,0", "alsa:hw:2,0"),
            ("asla:Drum Pad", "alsa:Drum Pad"),
            ("Drum Pad", "alsa:Drum Pad"),
            ("evdve:Box", "evdev:Box"),
            ("tnoe:jack", "tone:jack"),
            ("keys:x", "keys:"),
            ("/dev/ttyUSB0", "serial:/dev/ttyUSB0"),
            ("/dev/pps0", "pps:/dev/pps0"),
            ("/dev/parport0", "parallel:/dev/parport0"),
            ("seral:/dev/ttyS0", "serial:/dev/ttyS0"),
        ] {
            let SpecError::Unknown { nearest: found, .. } = refusal(given) else {
                panic!("{given}")
            };
            assert_eq!(found, nearest, "{given}");
        }
    }

    #[test]
    fn a_wrong_name_is_answered_with_every_kind() {
        let SpecError::Unknown { known, .. } = refusal("piano") else { panic!() };
        let all: Vec<&str> = PortKinds::standard().rows().map(|kind| kind.forms[0].name).collect();
        assert_eq!(known, all);
    }

    #[test]
    fn a_kind_says_itself_what_its_name_lacks() {
        assert_eq!(wrong("raw:"), "NoPath");
        assert_eq!(wrong("alsa:"), "NoName");
        assert_eq!(wrong("evdev:"), "NoName");
        assert_eq!(wrong("serial:"), "NoPath(Serial)");
        assert_eq!(wrong("tone:virtual?loud=1"), "Option(\"loud=1\")");
    }

    #[test]
    fn streams_of_midi_carry_system_exclusive_and_keys_and_sounds_do_not() {
        let carries = |name: &str| PortKinds::standard().parse(name).unwrap().carries_sysex();
        for name in ["raw:/dev/snd/midiC1D0", "alsa:Drum Pad", "seq", "jack", "wire"] {
            assert!(carries(name), "{name}");
        }
        for name in ["keys:", "evdev:Box", "tone:virtual"] {
            assert!(!carries(name), "{name}");
        }
    }

    #[test]
    fn every_row_keeps_to_the_form_that_help_and_documentation_need() {
        let kinds = PortKinds::standard();
        let mut prefixes: Vec<&str> = kinds.rows().map(|kind| kind.prefix).collect();
        prefixes.sort_unstable();
        prefixes.dedup();
        assert_eq!(prefixes.len(), kinds.rows().count());
        for kind in kinds.rows() {
            assert!(!kind.forms.is_empty(), "{}", kind.prefix);
            for form in kind.forms {
                let (prefix, _) = form.name.split_once(':').unwrap_or((form.name, ""));
                assert_eq!(prefix, kind.prefix);
                assert!(form.words.chars().count() <= 72, "{}", form.words);
                assert!(!format!("{form:?}").contains('|'), "{form:?}");
            }
        }
    }

    #[test]
    fn every_kind_lists_names_that_it_reads_back() {
        for kind in PortKinds::standard().rows() {
            for listed in (kind.list)() {
                let (prefix, rest) = listed.name.split_once(':').unwrap_or((&listed.name, ""));
                assert_eq!(prefix, kind.prefix);
                assert!((kind.parse)(rest).is_ok(), "{}", listed.name);
            }
        }
    }
}
