//! [`PulseDevice`]: pulses that the kernel itself stamps, as [`Pulses`]: a device of its PPS (pulse per second, RFC 2783;
//! the name is that of its oldest use, any rate will do). Such are the line DCD of a serial port (`ldattach PPS /dev/ttyS0`), the
//! line ACK of a parallel port (`modprobe pps_parport`) and a pin of a small board (`dtoverlay=pps-gpio`).
//!
//! Background: the kernel stamps by the wall clock, which may be stepped, and keeps of each edge the last alone.
//! Solution: the stamp is taken over to CLOCK_MONOTONIC at once; one that lies outside of the time since the last look
//! met a step, and the moment of waking stands for it, which the event says. Edges are counted, so that lost ones are told.
//!
//! Real-time contract: the waiting thread, which is not the trial's, makes one call to a pulse and two more where none came
//! for 20 ms; it allocates nothing.
//! Source: Documentation/driver-api/pps.rst and include/uapi/linux/pps.h of Linux.

use super::error::{LineCall, LineError};
use super::name::LineName;
use super::pulses::{Edge, Pulses, result};
use crate::clocks::{MonotonicClock, utc};
use chronotap_core::time::Nanos;
use chronotap_engine::signal::Stamp;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// For how long one wait lasts at most. An edge between two waits ends neither of them; it is found with the next look.
const A_WAIT: Nanos = Nanos::from_millis(20);
/// How far a stamp may be off where it is taken over from one clock to the other.
const OFF: Nanos = Nanos::from_micros(50);

/// The open device.
pub(super) struct PulseDevice {
    device: OwnedFd,
    inverted: bool,
    seen: Info,
    looked: Nanos, // raw CLOCK_MONOTONIC of the last look
}

impl Pulses for PulseDevice {
    fn wait(&mut self, told: &mut dyn FnMut(Edge)) -> Result<bool, Errno> {
        let now = match self.fetch(A_WAIT) {
            Err(Errno::TIMEDOUT) => self.still_there().and_then(|()| self.fetch(Nanos::ZERO))?,
            other => other?,
        };
        let at = MonotonicClock::raw();
        let look = Look { from: self.looked, at, wall: utc(at) };
        self.looked = look.at;
        let new = self.seen.until(&now);
        self.seen = now;
        let edges = new.edges.into_iter().flatten();
        edges.for_each(|edge| told(look.edge(edge, self.inverted)));
        Ok(!new.lost)
    }
}

impl PulseDevice {
    /// Opens the device. Another program may use it at the same time.
    ///
    /// # Errors
    /// [`LineError`].
    pub(super) fn open(name: &LineName) -> Result<PulseDevice, LineError> {
        let failed = |call| move |errno| LineError::system(name, call, errno);
        let flags = OFlags::RDWR | OFlags::CLOEXEC;
        let device =
            rustix::fs::open(&name.path, flags, Mode::empty()).map_err(failed(LineCall::Open))?;
        let (seen, looked) = (Info::default(), MonotonicClock::raw());
        let mut pulses = PulseDevice { device, inverted: name.inverted, seen, looked };
        pulses.seen = pulses.fetch(Nanos::ZERO).map_err(failed(LineCall::Watch))?;
        Ok(pulses)
    }

    /// The kernel answers for a device that was unplugged as if nothing came. Its name is gone then.
    fn still_there(&self) -> Result<(), Errno> {
        match rustix::fs::fstat(&self.device)?.st_nlink {
            0 => Err(Errno::NODEV),
            _ => Ok(()),
        }
    }

    /// What the kernel knows after the next edge, or at once where `timeout` is 0.
    fn fetch(&self, timeout: Nanos) -> Result<Info, Errno> {
        let timeout = Time { nsec: timeout.0 as i32, ..Time::default() }; // below a second
        let mut data = Data { info: Info::default(), timeout };
        // SAFETY: PPS_FETCH reads and writes one pps_fdata, which lives for the call.
        result(unsafe { libc::ioctl(self.device.as_raw_fd(), PPS_FETCH, &raw mut data) })?;
        Ok(data.info)
    }
}

/// The moment of a look, on both clocks, and that of the one before.
struct Look {
    from: Nanos,
    at: Nanos,
    wall: Nanos,
}

impl Look {
    /// An edge by its stamp, and whether it rises; an inverted line's falling edge is the tap.
    fn edge(&self, (stamp, rises): (Nanos, bool), inverted: bool) -> Edge {
        let (at, stamp) = self.taken_over(stamp);
        Edge { at, stamp, high: rises ^ inverted }
    }

    /// A stamp of the wall clock as raw CLOCK_MONOTONIC.
    fn taken_over(&self, wall: Nanos) -> (Nanos, Stamp) {
        let at = self.at - (self.wall - wall);
        let possible = self.from - OFF..=self.at + OFF;
        if possible.contains(&at) { (at, Stamp::Kernel) } else { (self.at, Stamp::UserSpace) }
    }
}

impl Info {
    /// What has happened from here to `now`.
    fn until(&self, now: &Info) -> New {
        let rises = now.assert_sequence.wrapping_sub(self.assert_sequence);
        let falls = now.clear_sequence.wrapping_sub(self.clear_sequence);
        let rise = (rises > 0).then(|| (now.assert.nanos(), true));
        let fall = (falls > 0).then(|| (now.clear.nanos(), false));
        let mut edges = [rise, fall];
        edges.sort_by_key(|edge| edge.map(|(at, _)| at));
        New { edges, lost: rises > 1 || falls > 1 }
    }
}

/// Edges, in order, by the wall clock; whether some are missing.
#[derive(Debug, PartialEq, Eq)]
struct New {
    edges: [Option<(Nanos, bool)>; 2],
    lost: bool,
}

impl Time {
    fn nanos(self) -> Nanos {
        Nanos(self.sec * 1_000_000_000 + i64::from(self.nsec))
    }
}

// linux/pps.h: _IOWR('p', 0xa4, struct pps_fdata *), whose size is that of a pointer.
const PPS_FETCH: libc::c_ulong =
    3 << 30 | (size_of::<usize>() as libc::c_ulong) << 16 | (b'p' as libc::c_ulong) << 8 | 0xa4;

/// `struct pps_ktime`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Time {
    sec: i64,
    nsec: i32,
    flags: u32,
}

/// `struct pps_kinfo`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Info {
    assert_sequence: u32,
    clear_sequence: u32,
    assert: Time,
    clear: Time,
    mode: libc::c_int,
}

/// `struct pps_fdata`.
#[repr(C)]
struct Data {
    info: Info,
    timeout: Time,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info((assert_sequence, assert): (u32, i64), (clear_sequence, clear): (u32, i64)) -> Info {
        let time =
            |ms: i64| Time { sec: ms / 1_000, nsec: (ms % 1_000) as i32 * 1_000_000, flags: 0 };
        Info { assert_sequence, clear_sequence, assert: time(assert), clear: time(clear), mode: 0 }
    }

    #[test]
    fn edges_come_in_the_order_of_their_stamps_and_missing_ones_are_told() {
        let ms = Nanos::from_millis;
        let from = info((4, 1_000), (4, 1_030));
        let new = |to| from.until(&to);
        let (rise, fall) = (Some((ms(2_000), true)), Some((ms(2_030), false)));
        assert_eq!(new(info((4, 1_000), (4, 1_030))), New { edges: [None, None], lost: false });
        assert_eq!(new(info((5, 2_000), (4, 1_030))), New { edges: [None, rise], lost: false });
        assert_eq!(new(info((5, 2_000), (5, 2_030))), New { edges: [rise, fall], lost: false });
        assert!(new(info((6, 2_000), (4, 1_030))).lost);
        // The pulse was high before; the numbers begin anew after the greatest.
        let before = info((u32::MAX, 1_900), (7, 1_000)).until(&info((0, 2_000), (8, 1_950)));
        let earlier = Some((ms(1_950), false));
        assert_eq!(before, New { edges: [earlier, rise], lost: false });
    }

    #[test]
    fn a_stamp_that_met_a_step_of_the_wall_clock_gives_way_to_the_moment_of_waking() {
        let s = Nanos::from_secs;
        let look = Look { from: s(10), at: s(12), wall: s(1_700_000_012) };
        assert_eq!(look.taken_over(s(1_700_000_011)), (s(11), Stamp::Kernel));
        for stepped in [s(1_700_000_009), s(1_700_000_013), s(0)] {
            assert_eq!(look.taken_over(stepped), (s(12), Stamp::UserSpace));
        }
    }

    #[test]
    fn the_falling_edge_of_an_inverted_line_is_the_tap() {
        let s = Nanos::from_secs;
        let look = Look { from: s(10), at: s(12), wall: s(112) };
        let is_tap = |rises, inverted| look.edge((s(111), rises), inverted).high;
        assert_eq!([is_tap(true, false), is_tap(false, false)], [true, false]);
        assert_eq!([is_tap(true, true), is_tap(false, true)], [false, true]);
        assert_eq!(look.edge((s(111), true), false).at, s(11));
    }

    #[test]
    fn what_the_kernel_does_not_stamp_is_refused() {
        use super::super::LineKind;
        let open = |path| PulseDevice::open(&LineName::parse(LineKind::Pps, path).unwrap());
        assert!(matches!(open("/dev/null"), Err(LineError::AnotherKind { .. })));
        assert!(matches!(open("/dev/pps77"), Err(LineError::Missing { .. })));
    }

    #[test]
    fn what_is_handed_to_the_kernel_has_its_shape() {
        assert_eq!((size_of::<Info>(), size_of::<Data>()), (48, 64));
        assert_eq!(PPS_FETCH & 0xffff, 0x70a4);
    }
}
