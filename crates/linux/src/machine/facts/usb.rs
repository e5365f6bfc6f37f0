//! [`UsbDevice`]: what is plugged in, how fast it is, and whether it may fall asleep.

use crate::machine::Root;
use chronotap_machine::facts::UsbDevice;

const PLACE: &str = "/sys/bus/usb/devices";

/// Class and subclass numbers of the USB audio specification.
const AUDIO_CLASS: &str = "01";

const MIDI_STREAMING: &str = "03";

pub(super) fn read(root: &Root) -> Option<Vec<UsbDevice>> {
    let names = root.names(PLACE)?;
    // Devices are BUS-PORT[.PORT...]; with a colon it is an interface of one, and
    // usbN is a controller.
    let devices = names.iter().filter(|name| name.contains('-') && !name.contains(':'));
    Some(devices.map(|name| device(root, name, &names)).collect())
}

fn device(root: &Root, name: &str, all: &[String]) -> UsbDevice {
    let line = |file: &str| root.line(&format!("{PLACE}/{name}/{file}"));
    let own = format!("{name}:");
    let interfaces = || all.iter().filter(|interface| interface.starts_with(&own));
    let says = |interface: &str, file: &str| root.line(&format!("{PLACE}/{interface}/{file}"));
    let is_audio = |i: &&String| says(i, "bInterfaceClass").as_deref() == Some(AUDIO_CLASS);
    let is_midi = |i: &String| says(i, "bInterfaceSubClass").as_deref() == Some(MIDI_STREAMING);
    let bus = name.split('-').next().and_then(|bus| bus.parse().ok());
    UsbDevice {
        product: line("product"),
        speed_mbps: line("speed"),
        power_control: line("power/control"),
        sound: interfaces().any(|interface| is_audio(&interface)),
        midi: interfaces().filter(is_audio).any(is_midi),
        hubs: name.matches('.').count() as u32,
        controller: bus.and_then(|bus: u32| root.line(&format!("{PLACE}/usb{bus}/product"))),
        bus,
        name: name.to_owned(),
    }
}
