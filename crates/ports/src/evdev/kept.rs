//! [`keep_keys`]: keyboards that are tapped on are kept from every other program, so that no tap
//! writes into a window or presses a button there. Whoever runs the session needs another
//! keyboard then, so that the only one is refused.

use super::devices::{Device, devices};
use super::kind::KIND;
use super::name::EvdevName;
use crate::Spec;
use std::path::PathBuf;

/// The keyboards that are tapped on are all that there are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} would leave this computer without a keyboard, because the keys that are tapped on are \
     kept from every other program; plug in another keyboard, or tap on a response box or a pad",
    ports.join(" and ")
)]
pub struct OnlyKeyboard {
    /// The ports, as they were named.
    pub ports: Vec<String>,
}

/// The ports as they are named where no other program gets their keys; those of other kinds
/// stay as they are.
///
/// # Errors
/// [`OnlyKeyboard`] where no keyboard would be left.
pub fn keep_keys(ports: &[Spec]) -> Result<Vec<Spec>, OnlyKeyboard> {
    keep_keys_of(ports, &devices())
}

fn keep_keys_of(ports: &[Spec], present: &[Device]) -> Result<Vec<Spec>, OnlyKeyboard> {
    let nodes: Vec<Option<PathBuf>> = ports.iter().map(|port| node(port, present)).collect();
    let taken = |device: &Device| nodes.contains(&Some(device.path.clone()));
    let (tapped, left): (Vec<&Device>, Vec<&Device>) =
        present.iter().filter(|device| device.is_keyboard).partition(|device| taken(device));
    if tapped.is_empty() || !left.is_empty() {
        return Ok(ports.iter().map(kept).collect());
    }
    let is_one =
        |node: &Option<PathBuf>| tapped.iter().any(|device| Some(&device.path) == node.as_ref());
    let named = ports.iter().zip(&nodes).filter(|(_, node)| is_one(node));
    Err(OnlyKeyboard { ports: named.map(|(port, _)| port.to_string()).collect() })
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

    fn kept_of(ports: &[&str], present: &[Device]) -> Result<Vec<String>, String> {
        let ports: Vec<Spec> = ports.iter().map(|port| port.parse().unwrap()).collect();
        let kept = keep_keys_of(&ports, present).map_err(|error| error.to_string())?;
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
            assert!(said.starts_with(&format!("{port} would leave")), "{said}");
        }
        assert!(kept_of(&["evdev:Box"], &present).is_ok());
        assert!(kept_of(&["evdev:Unplugged"], &present).is_ok(), "opening it says so");
    }

    #[test]
    fn two_keyboards_are_refused_where_both_are_tapped_on() {
        let present = [device(0, "Left", true), device(1, "Right", true)];
        let said = kept_of(&["evdev:Left", "evdev:Right"], &present).unwrap_err();
        assert!(said.starts_with("evdev:Left and evdev:Right would leave"), "{said}");
        assert!(kept_of(&["evdev:Left"], &present).is_ok());
    }
}
