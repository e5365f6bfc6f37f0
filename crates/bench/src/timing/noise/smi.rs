//! [`Smi`]: how often the firmware took a processor from the kernel (system-management interrupts),
//! which no file of the kernel counts. Processors of Intel count them in a register (MSR_SMI_COUNT,
//! 0x34; Intel's Software Developer's Manual, volume 4), which root reads through the module `msr`.

use std::fs::{File, read_to_string};
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;

/// The register.
const SMI_COUNT: u64 = 0x34;

/// The count of one core when the test began.
pub(super) struct Smi {
    pub core: usize,
    before: Result<u32, String>,
}

impl Smi {
    pub fn of(core: usize) -> Smi {
        Smi { core, before: read(core) }
    }

    /// How many there were since, or why that is not known.
    pub fn since(&self) -> Result<u32, String> {
        Ok(read(self.core)?.wrapping_sub(self.before.clone()?))
    }
}

fn read(core: usize) -> Result<u32, String> {
    let intel = read_to_string("/proc/cpuinfo").is_ok_and(|text| text.contains("GenuineIntel"));
    if !intel {
        return Err(not_counted("only processors of Intel count them"));
    }
    let file = File::open(format!("/dev/cpu/{core}/msr"));
    let mut register = [0; 8];
    match file.and_then(|file| file.read_exact_at(&mut register, SMI_COUNT)) {
        Ok(()) => Ok(u32::from_le_bytes([register[0], register[1], register[2], register[3]])),
        Err(error) => Err(not_counted(match error.kind() {
            ErrorKind::NotFound => "/dev/cpu is not there; sudo modprobe msr",
            ErrorKind::PermissionDenied => "only root may read the register",
            _ => "this machine, or its host, does not let the register be read",
        })),
    }
}

fn not_counted(why: &str) -> String {
    format!("interruptions by the firmware (SMI) are not counted here: {why}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_they_are_not_counted_the_reason_is_said() {
        match Smi::of(0).since() {
            Ok(count) => assert!(count < 1_000_000, "{count}"),
            Err(why) => {
                assert!(why.starts_with("interruptions by the firmware (SMI) are not"), "{why}")
            }
        }
        assert!(Smi::of(100_000).since().is_err(), "no such core");
    }
}
