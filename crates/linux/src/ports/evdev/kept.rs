//! [`keep_keys`]: keyboards that are tapped on are kept from every other program, so that no tap
//! writes into a window or presses a button there. Whoever runs the session needs a keyboard too:
//! where there is no other one, it is kept while a trial runs, and is theirs at any other time.

use super::devices::{Device, devices};
use super::keys::Keys;
use super::kind::KIND;
use super::name::{EvdevName, Kept};
use crate::ports::{KeysName, Spec};
use std::path::PathBuf;

/// Why keys cannot be kept from other programs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeepKeysError {
    /// The keyboards that are tapped on are all that there are, and one is to be kept all the time.
    #[error(
        "{} would leave this computer without a keyboard, because `grab` keeps its keys from every \
         other program for the whole session",
        ports.join(" and ")
    )]
    OnlyKeyboard {
        /// The ports, as they were named.
        ports: Vec<String>,
    },
    /// A device that is kept for one input gives nothing to another.
    #[error(
        "{} are one device, which is kept from everybody else and so can serve one input alone",
        ports.join(" and ")
    )]
    Shared {
        /// The ports, as they were named.
        ports: Vec<String>,
    },
    /// The computer's own keyboard is to be tapped on, and none is to be seen.
    #[error("keys: no keyboard of this computer is to be seen from here")]
    NoKeyboard,
    /// The computer's own keyboard is to be tapped on, and there are several.
    #[error("keys: this computer has several keyboards")]
    WhichKeyboard {
        /// Names that mean one each.
        choices: Vec<String>,
    },
}

/// The ports as they are named where no other program gets their keys; those of other kinds
/// stay as they are. Without a terminal, `keys:` is the computer's own keyboard.
///
/// # Errors
/// [`KeepKeysError`].
pub fn keep_keys(ports: &[Spec], at_a_terminal: bool) -> Result<Vec<Spec>, KeepKeysError> {
    let present = devices();
    if at_a_terminal {
        return keep_keys_of(ports, &present);
    }
    let ports: Result<Vec<Spec>, _> = ports.iter().map(|port| own(port, &present)).collect();
    keep_keys_of(&ports?, &present)
}

/// The computer's own keyboard in place of a terminal's; it plays what a terminal would tell.
fn own(port: &Spec, present: &[Device]) -> Result<Spec, KeepKeysError> {
    if port.name::<KeysName>().is_none() {
        return Ok(port.clone());
    }
    let keyboards: Vec<&Device> = present.iter().filter(|device| device.is_keyboard).collect();
    match keyboards[..] {
        [] => Err(KeepKeysError::NoKeyboard),
        [one] => {
            let (device, keys) = (one.unique_name(present), Keys::ascii());
            Ok(spec(EvdevName { device, keys, grab: Kept::ForTrials }))
        }
        _ => {
            let name = |one: &&Device| format!("evdev:{}", one.unique_name(present));
            Err(KeepKeysError::WhichKeyboard { choices: keyboards.iter().map(name).collect() })
        }
    }
}

fn keep_keys_of(ports: &[Spec], present: &[Device]) -> Result<Vec<Spec>, KeepKeysError> {
    let nodes: Vec<Option<PathBuf>> = ports.iter().map(|port| node(port, present)).collect();
    let named = |is_one: &dyn Fn(&PathBuf) -> bool| -> Vec<String> {
        let all = ports.iter().zip(&nodes);
        let meant = all.filter(|(_, node)| node.as_ref().is_some_and(is_one));
        meant.map(|(port, _)| port.to_string()).collect()
    };
    for node in nodes.iter().flatten() {
        let ports = named(&|other| other == node);
        if ports.len() > 1 {
            return Err(KeepKeysError::Shared { ports });
        }
    }
    let keyboards = || present.iter().filter(|device| device.is_keyboard);
    let ports_on_keyboards = named(&|node| keyboards().any(|device| device.path == *node));
    let no_other =
        !ports_on_keyboards.is_empty() && ports_on_keyboards.len() == keyboards().count();
    if no_other && ports.iter().any(|port| asks(port, Kept::Always) && is_keyboard(port, present)) {
        return Err(KeepKeysError::OnlyKeyboard { ports: ports_on_keyboards });
    }
    let kept = |port| match no_other && is_keyboard(port, present) {
        true => kept(port, Kept::ForTrials),
        false => kept(port, Kept::Always),
    };
    Ok(ports.iter().map(kept).collect())
}

fn is_keyboard(port: &Spec, present: &[Device]) -> bool {
    let node = node(port, present);
    present.iter().any(|device| device.is_keyboard && Some(&device.path) == node.as_ref())
}

fn asks(port: &Spec, kept: Kept) -> bool {
    port.name::<EvdevName>().is_some_and(|name| name.grab == kept)
}

/// The node of an event device, its links followed; `None` for ports of other kinds, and where
/// opening it will say what is wrong.
fn node(port: &Spec, present: &[Device]) -> Option<PathBuf> {
    let path = port.name::<EvdevName>()?.find(present).ok()?;
    Some(path.canonicalize().unwrap_or(path))
}

/// Kept as it asks for itself, or else so.
fn kept(port: &Spec, grab: Kept) -> Spec {
    match port.name::<EvdevName>().filter(|name| name.grab == Kept::Never) {
        Some(name) => spec(EvdevName { grab, ..name.clone() }),
        None => port.clone(),
    }
}

fn spec(name: EvdevName) -> Spec {
    Spec::new(&KIND, Box::new(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(number: u32, name: &str, is_keyboard: bool) -> Device {
        let path = format!("/dev/input/event{number}").into();
        Device { path, name: name.into(), is_keyboard, ..Device::default() }
    }

    fn kept_of(ports: &[&str], present: &[Device]) -> Result<Vec<String>, KeepKeysError> {
        let ports: Vec<Spec> = ports.iter().map(|port| port.parse().unwrap()).collect();
        let kept = keep_keys_of(&ports, present)?;
        Ok(kept.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn what_is_tapped_on_is_grabbed_and_other_ports_stay_as_they_are() {
        let present = [device(0, "Desk", true), device(1, "Booth", true), device(2, "Box", false)];
        let ports = ["evdev:Booth?keys=SPACE:60", "evdev:Box", "alsa:hw:2,0"];
        let kept = ["evdev:Booth?keys=SPACE:60&grab", "evdev:Box?grab", "alsa:hw:2,0"];
        assert_eq!(kept_of(&ports, &present).unwrap(), kept);
    }

    #[test]
    fn the_only_keyboard_is_kept_for_each_trial_and_a_box_beside_it_for_the_whole_session() {
        let present = [device(0, "Desk", true), device(2, "Box", false)];
        for port in ["evdev:Desk", "evdev:/dev/input/event0", "evdev:Desk?grab=trials"] {
            let kept = kept_of(&[port, "evdev:Box"], &present).unwrap();
            assert!(kept[0].ends_with("?grab=trials") && kept[1] == "evdev:Box?grab", "{kept:?}");
        }
        assert!(kept_of(&["evdev:Unplugged"], &present).is_ok(), "opening it says so");
    }

    #[test]
    fn the_only_keyboard_is_refused_where_it_is_to_be_kept_for_the_whole_session() {
        let present = [device(0, "Desk", true), device(2, "Box", false)];
        let ports = vec!["evdev:Desk?grab".to_owned()];
        let said = kept_of(&["evdev:Desk?grab", "evdev:Box"], &present).unwrap_err();
        assert_eq!(said, KeepKeysError::OnlyKeyboard { ports });
    }

    #[test]
    fn two_keyboards_are_kept_for_each_trial_where_both_are_tapped_on() {
        let present = [device(0, "Left", true), device(1, "Right", true)];
        let kept = kept_of(&["evdev:Left", "evdev:Right"], &present).unwrap();
        assert_eq!(kept, ["evdev:Left?grab=trials", "evdev:Right?grab=trials"]);
        assert_eq!(kept_of(&["evdev:Left"], &present).unwrap(), ["evdev:Left?grab"]);
    }

    #[test]
    fn without_a_terminal_keys_is_the_only_keyboard_or_the_choice_among_several() {
        let of = |present: &[Device]| {
            own(&"keys:".parse().unwrap(), present).map(|port| port.to_string())
        };
        let (desk, other) = (device(0, "Desk", true), device(1, "Booth", true));
        let power = device(2, "Power Button", false);
        let own = "evdev:Desk?keys=ascii&grab=trials".to_owned();
        assert_eq!(of(&[desk.clone(), power.clone()]), Ok(own));
        let choices = vec!["evdev:Desk".into(), "evdev:Booth".into()];
        assert_eq!(of(&[desk, other]), Err(KeepKeysError::WhichKeyboard { choices }));
        assert_eq!(of(&[power]), Err(KeepKeysError::NoKeyboard));
    }

    #[test]
    fn one_device_for_two_inputs_is_refused_because_one_would_hear_nothing() {
        let present = [device(0, "Desk", true), device(1, "Booth", true)];
        let ports = ["evdev:Booth?keys=A:60", "evdev:/dev/input/event1?keys=L:62", "wire"];
        let said = kept_of(&ports, &present).unwrap_err();
        let ports = ports[..2].iter().map(|port| (*port).to_owned()).collect();
        assert_eq!(said, KeepKeysError::Shared { ports });
    }
}
