//! The memory lock, and why it is not simply taken.
//!
//! Background: with a limit on locked memory (8 MiB for an ordinary user) locking
//! everything now and to come succeeds, and the next large allocation or the next
//! thread fails for it, which ends a Rust program.
//! Solution: memory to come is locked only where there is no limit; under a limit
//! only what is there now, and only where all of it fits with room to spare;
//! otherwise nothing, and that is said.

use crate::realtime::scheduling::has_capability;
use chronotap_machine::grant::Item;
use rustix::mm::{MlockAllFlags, mlockall, munlockall};
use rustix::process::{Resource, getrlimit};
use rustix::thread::CapabilitySet;

/// Bytes of stack that are touched beforehand.
pub const STACK_BYTES: usize = 256 * 1024;
/// Room to spare under a limit, in bytes.
const SPARE: u64 = 2 * 1024 * 1024;
const CURE: &str = "add `@audio - memlock unlimited` to /etc/security/limits.d/audio.conf, join group \
                    audio and log in again";

/// Memory that is locked until this is dropped.
#[derive(Debug)]
pub(crate) struct Locked(());

impl Drop for Locked {
    fn drop(&mut self) {
        // Unlocking needs no right; a failure would leave the pages resident.
        let _ = munlockall();
    }
}

pub(crate) fn lock() -> (Option<Locked>, Vec<Item>) {
    keep_heap();
    let limit = getrlimit(Resource::Memlock).current;
    let limit = if has_capability(CapabilitySet::IPC_LOCK) { None } else { limit };
    let plan = plan(limit, virtual_size());
    let (locked, item) = carry_out(plan);
    prefault_stack();
    let stack = format!("{} KiB touched", STACK_BYTES / 1024);
    (locked, vec![item, Item::granted("stack", stack.clone(), stack)])
}

#[derive(Debug, PartialEq, Eq)]
enum Plan {
    /// No limit: everything, now and to come.
    Everything,
    /// A limit that all of the present fits under.
    Present { need: u64, limit: u64 },
    /// A limit too low.
    Nothing { need: u64, limit: u64 },
}

/// Under a limit Linux counts the whole address space against it, used or not.
fn plan(limit: Option<u64>, need: u64) -> Plan {
    match limit {
        None => Plan::Everything,
        Some(limit) if need > 0 && need + SPARE <= limit => Plan::Present { need, limit },
        Some(limit) => Plan::Nothing { need, limit },
    }
}

fn carry_out(plan: Plan) -> (Option<Locked>, Item) {
    const WHAT: &str = "memory lock";
    let asked = "all memory".to_owned();
    let (flags, got) = match plan {
        Plan::Everything => {
            (MlockAllFlags::CURRENT | MlockAllFlags::FUTURE, "all memory, now and later".to_owned())
        }
        Plan::Present { need, limit } => (
            MlockAllFlags::CURRENT,
            format!(
                "memory in use now, {} of {} MiB; later memory is not locked",
                mib(need),
                mib(limit)
            ),
        ),
        Plan::Nothing { need, limit } => {
            let why =
                format!("{} MiB are needed and {} MiB allowed", mib(need + SPARE), mib(limit));
            return (None, Item::refused(WHAT, asked, "none", why, CURE));
        }
    };
    match mlockall(flags) {
        Ok(()) => (Some(Locked(())), Item::granted(WHAT, asked, got)),
        Err(errno) => {
            (None, Item::refused(WHAT, asked, "none", format!("mlockall: {errno}"), CURE))
        }
    }
}

fn mib(bytes: u64) -> u64 {
    bytes.div_ceil(1024 * 1024)
}

/// The size of the address space in bytes; 0 where the system does not tell.
fn virtual_size() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = statm.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    pages * page_size()
}

/// Asked of the C library: rustix reads it from the auxiliary vector, which a program
/// with file capabilities may not.
fn page_size() -> u64 {
    // SAFETY: a query of a constant; it touches no memory of ours.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4_096)
}

/// Freed memory stays with the program, so that using it again faults no page in.
fn keep_heap() {
    #[cfg(target_env = "gnu")]
    // SAFETY: mallopt only sets two numbers inside the allocator, under its lock.
    unsafe {
        libc::mallopt(libc::M_TRIM_THRESHOLD, -1);
        libc::mallopt(libc::M_MMAP_MAX, 0);
    }
}

/// Touches the stack below the caller, page by page, so that it is in memory.
#[inline(never)]
pub fn prefault_stack() {
    let mut stack = [0u8; STACK_BYTES];
    for byte in stack.iter_mut().step_by(4096) {
        // SAFETY: `byte` is a valid reference; the write is volatile so that it stays.
        unsafe { std::ptr::write_volatile(byte, 1) };
    }
    std::hint::black_box(&mut stack);
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1024 * 1024;

    #[test]
    fn memory_to_come_is_locked_only_where_there_is_no_limit() {
        assert_eq!(plan(None, 500 * MIB), Plan::Everything);
        assert_eq!(
            plan(Some(64 * MIB), 20 * MIB),
            Plan::Present { need: 20 * MIB, limit: 64 * MIB }
        );
        assert_eq!(plan(Some(8 * MIB), 7 * MIB), Plan::Nothing { need: 7 * MIB, limit: 8 * MIB });
        assert!(matches!(plan(Some(8 * MIB), 0), Plan::Nothing { .. }));
    }

    #[test]
    fn a_refusal_names_the_need_the_limit_and_the_cure() {
        let (locked, item) = carry_out(Plan::Nothing { need: 20 * MIB, limit: 8 * MIB });
        assert!(locked.is_none());
        assert_eq!(item.why_not.unwrap(), "22 MiB are needed and 8 MiB allowed");
        assert!(item.cure.unwrap().contains("memlock unlimited"));
    }

    #[test]
    fn the_size_of_this_program_is_known_and_its_stack_can_be_touched() {
        assert!(virtual_size() > MIB);
        prefault_stack();
    }
}
