//! [`Facts`]: what a machine is, as far as it matters for timing.
//!
//! They stand with every measurement and are what the checks judge; how they are read is
//! not here. What cannot be read is `None`, in JSON `null`, and never a guess. Field names
//! are stable: files written by an older version read with the new fields unknown. Command
//! lines of programs, user names and serial numbers are deliberately not here.

mod clock;
mod devices;
mod host;
mod interrupts;
mod kernel;
mod kernel_config;
mod load;
mod memory;
mod noise;
mod power;
mod processors;
mod raspberry;
mod rights;
mod scheduling;
mod serial;
mod sound;
mod usb;

pub use clock::ClockFacts;
pub use devices::{DeviceFile, Devices};
pub use host::Host;
pub use interrupts::{InterruptLine, InterruptThread, Interrupts};
pub use kernel::{Kernel, Preemption, parameter};
pub use kernel_config::KernelConfig;
pub use load::{Busy, MachineLoad, Pressure};
pub use memory::{DiskSpace, FileSystem, Memory, Swap};
pub use noise::Noise;
pub use power::{PowerSupply, Supply};
pub use processors::{FrequencyPolicy, IdleState, Processors, Smt, cpu_list};
pub use raspberry::Raspberry;
pub use rights::{Limit, LimitFile, ProcessLimits, UserRights};
pub use scheduling::{FairServer, SchedulingBounds};
pub use serial::SerialAdapter;
pub use sound::{CardFacts, Holder, OpenStream, SoundSystem};
pub use usb::UsbDevice;

use serde::{Deserialize, Serialize};

/// What a machine is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// The kernel and how it was started.
    pub kernel: Kernel,
    /// The clock that time is read from, and the resolution of timers.
    pub clock: ClockFacts,
    /// What bounds real-time threads.
    pub scheduling: SchedulingBounds,
    /// Processors: frequency, idle states, isolation.
    pub processors: Processors,
    /// What this user may do.
    pub rights: UserRights,
    /// Kernel settings that disturb now and then.
    pub noise: Noise,
    /// Memory, swap and disks.
    pub memory: Memory,
    /// What this machine runs inside of.
    pub host: Host,
    /// What else runs.
    pub load: MachineLoad,
    /// Mains, battery, heat.
    pub power: PowerSupply,
    /// Device files that matter.
    pub devices: Devices,
    /// Interrupt lines and their threads.
    pub interrupts: Interrupts,
    /// USB devices; `None` where there is no USB to look at.
    pub usb: Option<Vec<UsbDevice>>,
    /// Serial lines at USB; `None` where none was ever there.
    pub serial: Option<Vec<SerialAdapter>>,
    /// Sound cards, who uses them, sound servers, timers.
    pub sound: SoundSystem,
    /// `None` on other machines.
    pub raspberry: Option<Raspberry>,
}

impl Facts {
    /// Whether what is measured here describes a host or a container's limits too.
    pub fn is_guest(&self) -> bool {
        self.host.hypervisor == Some(true) || self.host.container.is_some()
    }
}
