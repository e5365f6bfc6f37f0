//! Which devices a study asks for, or was run with, and what this machine has in their place.

use crate::args::PortOptions;
use crate::surroundings::OwnPorts;
use chronotap_session::pack::{Manifest, PackedDevice};

/// A sentence for each input and output.
pub fn sentences(manifest: &Manifest, own: Option<&dyn OwnPorts>) -> Vec<String> {
    let names = |direction: &str| -> Vec<&str> {
        let of = manifest.devices.iter().filter(|device| device.direction == direction);
        of.map(|device| device.name.as_str()).collect()
    };
    let here =
        own.map_or_else(PortOptions::default, |own| own.ports_of(&names("in"), &names("out")));
    let port = |device: &PackedDevice| {
        let of = if device.direction == "in" { &here.inputs } else { &here.outputs };
        let bound = of.iter().filter_map(|bound| bound.split_once('='));
        bound.into_iter().find(|(name, _)| *name == device.name).map(|(_, port)| port.to_owned())
    };
    let ports: Vec<Option<String>> = manifest.devices.iter().map(port).collect();
    let asked = own.filter(|_| ports.iter().any(Option::is_some));
    let listed = asked.map_or_else(Vec::new, listed);
    manifest.devices.iter().zip(ports).map(|(device, port)| one(device, port, &listed)).collect()
}

/// The ports of this machine, without what a name may say besides.
fn listed(own: &dyn OwnPorts) -> Vec<String> {
    own.listed().iter().map(|port| bare(port).to_owned()).collect()
}

fn bare(port: &str) -> &str {
    port.split('?').next().unwrap_or(port)
}

fn one(device: &PackedDevice, here: Option<String>, listed: &[String]) -> String {
    let PackedDevice { direction, name, ports } = device;
    let kind = if direction == "in" { "input" } else { "output" };
    // One that has no name of its own is called by what it is.
    let which = if name == kind { format!("the {kind}") } else { format!("{kind} {name}") };
    let was = ports.join(", ");
    match here {
        _ if !ports.is_empty() && ports.iter().all(|port| port.starts_with("wire")) => {
            format!("{which}: was simulated ({was})")
        }
        None if ports.is_empty() => {
            format!(
                "{which}: no device of this machine has this name; give one in a machine file or when you run it"
            )
        }
        None => format!("{which}: differs: was {was}, and no device of this machine has this name"),
        Some(port) => {
            let gone = match listed.iter().any(|known| known == bare(&port)) {
                true => "",
                false => ", which `chronotap ports` does not list now",
            };
            match ports.is_empty() {
                true => format!("{which}: here {port}{gone}"),
                false if ports.contains(&port) => format!("{which}: the same, {port}{gone}"),
                false => format!("{which}: differs: was {was}, here {port}{gone}"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(ports: &[&str], here: Option<&str>) -> String {
        let ports = ports.iter().map(|port| (*port).to_owned()).collect();
        let device = PackedDevice { direction: "in".into(), name: "pad".into(), ports };
        one(&device, here.map(str::to_owned), &["raw:/dev/snd/midiC1D0".to_owned()])
    }

    #[test]
    fn a_device_that_differs_is_named_with_both_ports() {
        let (midi, other) = ("raw:/dev/snd/midiC1D0", "raw:/dev/snd/midiC2D0");
        assert_eq!(said(&[midi], Some(midi)), format!("input pad: the same, {midi}"));
        assert_eq!(
            said(&[midi], Some(other)),
            format!(
                "input pad: differs: was {midi}, here {other}, which `chronotap ports` does not list now"
            )
        );
        assert!(said(&[midi], None).contains("differs: was raw:/dev/snd/midiC1D0, and no device"));
        assert!(said(&[], None).contains("no device of this machine has this name; give one"));
        assert_eq!(said(&["wire"], None), "input pad: was simulated (wire)");
        assert_eq!(said(&[], Some(midi)), format!("input pad: here {midi}"));
    }

    /// "input input:" was printed.
    #[test]
    fn an_input_without_a_name_of_its_own_is_called_the_input() {
        let ports = vec!["wire".to_owned()];
        let device = PackedDevice { direction: "in".into(), name: "input".into(), ports };
        assert_eq!(one(&device, None, &[]), "the input: was simulated (wire)");
        let device = PackedDevice { direction: "out".into(), name: "output".into(), ..device };
        assert_eq!(one(&device, None, &[]), "the output: was simulated (wire)");
    }
}
