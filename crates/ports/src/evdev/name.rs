//! [`EvdevName`]: a keyboard or response box by name, and what its keys play:
//! `NAME`, `NAME@SOCKET`, `NAME@SERIAL` or `/dev/input/eventN`, then `?keys=...`,
//! `?grab`, or both with `&` between.

use super::devices::Device;
use super::keys::Keys;
use chronotap_text::most_like;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A keyboard or response box, and what its keys play.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EvdevName {
    pub(crate) device: String,
    pub(crate) keys: Keys,
    pub(crate) grab: bool,
}

/// Why such a name was not understood, or means no device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvdevNameError {
    /// `evdev:` without a name. Name the device.
    #[error(
        "`evdev:` needs a name, as in evdev:/dev/input/event3 (`chronotap ports` lists those present)"
    )]
    NoName,
    /// After `?` stands something else than `keys=` or `grab`. Correct it.
    #[error("evdev:{name}: there is no option `{option}`; use keys=KEY:NOTE,... or grab")]
    Option {
        /// The device, as given.
        name: String,
        /// As given.
        option: String,
    },
    /// A part of the list of keys was not understood. Correct it.
    #[error(
        "evdev:{name}: `{part}` is no KEY:NOTE; write keys=SPACE:60,ENTER:62 (docs/keyboards.md lists the keys; notes are 0 to 127, each once)"
    )]
    Keys {
        /// The device, as given.
        name: String,
        /// The part.
        part: String,
    },
    /// No such device is present. Plug it in, or use one of the names listed.
    #[error("there is no device evdev:{name}{hint}; `chronotap ports` lists those present")]
    Missing {
        /// As given.
        name: String,
        /// The name most like it.
        hint: String,
    },
    /// Several equal devices are present. Use one of the longer names.
    #[error("several devices are called evdev:{name}; say which: {}", choices.join(", "))]
    Several {
        /// As given.
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
        let longer = |device: &&Device| format!("'evdev:{}'", device.unique_name(present));
        match meant[..] {
            [one] => Ok(one.path.clone()),
            [] => Err(EvdevNameError::Missing { hint: hint(&name, present), name }),
            _ => Err(EvdevNameError::Several { choices: meant.iter().map(longer).collect(), name }),
        }
    }
}

fn hint(name: &str, present: &[Device]) -> String {
    let names: Vec<String> = present.iter().map(|d| d.unique_name(present)).collect();
    match most_like(name, &names) {
        Some(best) => format!(" (did you mean 'evdev:{best}'?)"),
        None => " (no keyboard or response box is present)".into(),
    }
}

impl FromStr for EvdevName {
    type Err = EvdevNameError;

    fn from_str(text: &str) -> Result<EvdevName, EvdevNameError> {
        let (device, options) = text.split_once('?').unwrap_or((text, ""));
        if device.is_empty() {
            return Err(EvdevNameError::NoName);
        }
        let mut name = EvdevName { device: device.into(), keys: Keys::default(), grab: false };
        for option in options.split('&').filter(|option| !option.is_empty()) {
            let device = || device.to_owned();
            match option.strip_prefix("keys=") {
                Some(list) => {
                    name.keys = Keys::parse(list)
                        .map_err(|part| EvdevNameError::Keys { name: device(), part })?;
                }
                None if option == "grab" => name.grab = true,
                None => {
                    let option = option.to_owned();
                    return Err(EvdevNameError::Option { name: device(), option });
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
        match (self.grab, listed) {
            (true, true) => f.write_str("&grab"),
            (true, false) => f.write_str("?grab"),
            (false, _) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_back_and_mistakes_are_named() {
        for text in ["Box", "Box@usb-1/input0", "/dev/input/event3?keys=SPACE:60&grab", "Box?grab"]
        {
            assert_eq!(text.parse::<EvdevName>().unwrap().to_string(), text);
        }
        let message = |text: &str| text.parse::<EvdevName>().unwrap_err().to_string();
        assert!(message("").contains("needs a name"));
        assert!(message("Box?note=3").contains("no option `note=3`"));
        assert!(message("Box?keys=SPAC:60").contains("`SPAC:60`"));
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
        assert!(find("Bx").unwrap_err().to_string().contains("did you mean 'evdev:Box@usb-"));
        let several = find("Box").unwrap_err().to_string();
        assert!(several.contains("'evdev:Box@usb-1', 'evdev:Box@usb-2'"), "{several}");
        assert!(find("usb-1").is_ok() && find("Keyboard").is_ok());
    }
}
