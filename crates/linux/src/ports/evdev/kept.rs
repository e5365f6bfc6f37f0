//! [`keep_keys`]: keyboards that are tapped on are kept from every other program, so that no tap
//! writes into a window or presses a button there. Whoever runs the session needs another
//! keyboard then, so that the only one is refused.

use super::devices::{Device, devices};
use super::kind::KIND;
use super::name::EvdevName;
use crate::ports::Spec;
use std::path::PathBuf;

/// Why keys cannot be kept from other programs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeepKeysError {
    /// The keyboards that are tapped on are all that there are.
    #[error(
        "{} would leave this computer without a keyboard, because the keys that are tapped on are \
         kept from every other program",
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
}

/// The ports as they are named where no other program gets their keys; those of other kinds
/// stay as they are.
///
/// # Errors
/// [`KeepKeysError`].
pub fn keep_keys(ports: &[Spec]) -> Result<Vec<Spec>, KeepKeysError> {
    keep_keys_of(ports, &devices())
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
    match !ports_on_keyboards.is_empty() && ports_on_keyboards.len() == keyboards().count() {
        true => Err(KeepKeysError::OnlyKeyboard { ports: ports_on_keyboards }),
        false => Ok(ports.iter().map(kept).collect()),
    }
}

/// The node of an event device, its links followed; `None` for ports of other kinds, and where
/// opening it will say what is wrong.
fn node(port: &Spec, present: &[Device]) -> Option<PathBuf> {
    let path = port.name::<EvdevName>()?.find(present).ok()?;
    Some(path.canonicalize().unwrap_or(path))
}

fn kept(port: &Spec) -> Spec {
    match port.name::<EvdevName>() {
        Some(name) => Spec::new(&KIND, Box::new(EvdevName { grab: true, ..name.clone() })),
        None => port.clone(),
    }
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
    fn the_only_keyboard_is_refused_by_whatever_name_and_a_box_beside_it_is_not() {
        let present = [device(0, "Desk", true), device(2, "Box", false)];
        for port in ["evdev:Desk", "evdev:/dev/input/event0", "evdev:Desk?grab"] {
            let said = kept_of(&[port, "evdev:Box"], &present).unwrap_err();
            assert_eq!(said, KeepKeysError::OnlyKeyboard { ports: vec![port.to_owned()] });
        }
        assert!(kept_of(&["evdev:Box"], &present).is_ok());
        assert!(kept_of(&["evdev:Unplugged"], &present).is_ok(), "opening it says so");
    }

    #[test]
    fn two_keyboards_are_refused_where_both_are_tapped_on() {
        let present = [device(0, "Left", true), device(1, "Right", true)];
        let said = kept_of(&["evdev:Left", "evdev:Right"], &present).unwrap_err();
        let ports = vec!["evdev:Left".to_owned(), "evdev:Right".to_owned()];
        assert_eq!(said, KeepKeysError::OnlyKeyboard { ports });
        assert!(kept_of(&["evdev:Left"], &present).is_ok());
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
