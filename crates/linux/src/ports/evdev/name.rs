//! [`EvdevName`]: a keyboard or response box by name, and what its keys play:
//! `NAME`, `NAME@SOCKET`, `NAME@SERIAL` or `/dev/input/eventN`, then `?keys=...`,
//! `?grab` or `?grab=trials`, or both with `&` between.

use super::devices::Device;
use super::keys::Keys;
use chronotap_core::text::most_like;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A keyboard or response box, and what its keys play.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EvdevName {
    pub(crate) device: String,
    pub(crate) keys: Keys,
    pub(crate) grab: Kept,
}

/// When its keys are kept from every other program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Kept {
    #[default]
    Never,
    /// As long as it is open.
    Always,
    /// While a trial runs.
    ForTrials,
}

impl Kept {
    const WORDS: [(&str, Kept); 2] = [("grab", Kept::Always), ("grab=trials", Kept::ForTrials)];
}

/// Why such a name was not understood, or means no device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvdevNameError {
    /// `evdev:` without a name.
    #[error("`evdev:` needs a name")]
    NoName,
    /// After `?` stands something else than `keys=` or `grab`.
    #[error("evdev:{name}: there is no option `{option}`")]
    Option {
        /// The device, as given.
        name: String,
        option: String,
    },
    /// A part of the list of keys was not understood.
    #[error("evdev:{name}: `{part}` is no KEY:NOTE")]
    Keys {
        /// The device, as given.
        name: String,
        part: String,
    },
    /// No such device is present.
    #[error("there is no device evdev:{name}")]
    Missing {
        name: String,
        /// The name most like it; none where no keyboard or response box is present.
        nearest: Option<String>,
    },
    /// Several equal devices are present.
    #[error("several devices are called evdev:{name}")]
    Several {
        name: String,
        /// Names that mean one each.
        choices: Vec<String>,
    },
}

impl EvdevName {
    /// The node of the device that is meant.
    pub(crate) fn find(&self, present: &[Device]) -> Result<std::path::PathBuf, EvdevNameError> {
        let name = self.device.clone();
        if Path::new(&name).is_absolute() {
            return Ok(name.into()); // also links, as in /dev/input/by-id
        }
        let meant: Vec<&Device> = present.iter().filter(|d| d.is_called(&name)).collect();
        let longer = |device: &&Device| device.unique_name(present);
        match meant[..] {
            [one] => Ok(one.path.clone()),
            [] => Err(EvdevNameError::Missing { nearest: nearest(&name, present), name }),
            _ => Err(EvdevNameError::Several { choices: meant.iter().map(longer).collect(), name }),
        }
    }
}

fn nearest(name: &str, present: &[Device]) -> Option<String> {
    let names: Vec<String> = present.iter().map(|d| d.unique_name(present)).collect();
    most_like(name, &names).map(str::to_owned)
}

impl FromStr for EvdevName {
    type Err = EvdevNameError;

    fn from_str(text: &str) -> Result<EvdevName, EvdevNameError> {
        let (device, options) = text.split_once('?').unwrap_or((text, ""));
        if device.is_empty() {
            return Err(EvdevNameError::NoName);
        }
        let mut name =
            EvdevName { device: device.into(), keys: Keys::default(), grab: Kept::Never };
        for option in options.split('&').filter(|option| !option.is_empty()) {
            let device = || device.to_owned();
            match option.strip_prefix("keys=") {
                Some(list) => {
                    name.keys = Keys::parse(list)
                        .map_err(|part| EvdevNameError::Keys { name: device(), part })?;
                }
                None => {
                    let known = Kept::WORDS.iter().find(|(word, _)| *word == option);
                    let (_, kept) = known.ok_or_else(|| EvdevNameError::Option {
                        name: device(),
                        option: option.to_owned(),
                    })?;
                    name.grab = *kept;
                }
            }
        }
        Ok(name)
    }
}

impl fmt::Display for EvdevName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.device)?;
        let listed = self.keys != Keys::default();
        if listed {
            write!(f, "?keys={}", self.keys)?;
        }
        let kept = Kept::WORDS.iter().find(|(_, kept)| *kept == self.grab);
        kept.map_or(Ok(()), |(word, _)| write!(f, "{}{word}", if listed { '&' } else { '?' }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_back_and_mistakes_are_named() {
        for text in [
            "Box",
            "Box@usb-1/input0",
            "/dev/input/event3?keys=SPACE:60&grab",
            "Box?grab",
            "Box?keys=ascii&grab=trials",
        ] {
            assert_eq!(text.parse::<EvdevName>().unwrap().to_string(), text);
        }
        let refused = |text: &str| text.parse::<EvdevName>().unwrap_err();
        let (name, option) = ("Box".to_owned(), "note=3".to_owned());
        assert_eq!(refused(""), EvdevNameError::NoName);
        assert_eq!(refused("Box?note=3"), EvdevNameError::Option { name: name.clone(), option });
        let part = "SPAC:60".to_owned();
        assert_eq!(refused("Box?keys=SPAC:60"), EvdevNameError::Keys { name, part });
    }

    #[test]
    fn a_missing_or_doubtful_name_is_answered_with_those_present() {
        let device = |name: &str, phys: &str| Device {
            name: name.into(),
            phys: phys.into(),
            ..Device::default()
        };
        let present = [device("Box", "usb-1"), device("Box", "usb-2"), device("Keyboard", "isa")];
        let find = |text: &str| text.parse::<EvdevName>().unwrap().find(&present);
        let missing = find("Bx").unwrap_err();
        let EvdevNameError::Missing { nearest, .. } = missing else { panic!("{missing}") };
        assert!(nearest.is_some_and(|nearest| nearest.starts_with("Box@usb-")));
        let (name, choices) = ("Box".to_owned(), vec!["Box@usb-1".into(), "Box@usb-2".into()]);
        assert_eq!(find("Box"), Err(EvdevNameError::Several { name, choices }));
        assert!(find("usb-1").is_ok() && find("Keyboard").is_ok());
    }
}
