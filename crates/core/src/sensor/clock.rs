//! [`DeviceClock`]: the clock of a device, by what it says of itself.
//!
//! Background: each frame tells when it was sent by the device's clock, and the computer knows when
//! it was read. In between lies a delay, which is never negative and often large: a driver may hand
//! over what came once in 16 ms. The device's crystal runs too fast or too slow by up to 100 ppm,
//! a resonator by thousands.
//! Solution: of each quarter of a second the frame with the least delay is kept, for a minute. The
//! clock is the straight line below all of them that lies closest to them.
//! Why it works: a delay can push a frame up from the line and never below it, so that a few frames
//! which met no delay say where it is, whatever all others met. That line is an edge of the lower
//! convex hull, the one that spans the mean (Moon, Skelly & Towsley, INFOCOM 1999).
//!
//! Real-time contract: no allocation, no panic; at most [`BINS`] steps to a frame.

use crate::time::Nanos;

/// Quarters of a second that are kept: one minute.
const BINS: usize = 240;
const BIN_US: i64 = 250_000;

/// From this length on the rate is fitted; before it both clocks are taken to run alike.
const FITTED_US: i64 = 750_000;

/// Nothing that times a board is further off: nanoseconds a microsecond. The resonator of an Arduino
/// Uno is within 0.5 % (Murata, CSTCE16M0V53-R0), a crystal within 100 ppm.
const MOST_DRIFT: f64 = 6.0;

/// The frame of least delay within a quarter of a second.
#[derive(Clone, Copy, Debug, Default)]
struct Least {
    device_us: i64,
    ahead_ns: i64, // of the computer's clock before the device's
}

/// The clock of a device, fitted.
#[derive(Clone, Debug)]
pub struct DeviceClock {
    least: [Least; BINS],
    kept: usize,
    first: usize, // of those kept, the oldest
    fit: Option<ClockFit>,
}

/// How a device's clock runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockFit {
    /// Where the line is held: the device's microseconds, and the computer's time then.
    from_us: i64,
    at: Nanos,
    /// How much faster the computer's clock runs than the device's, in nanoseconds a microsecond.
    drift: f64,
    /// How far what is mapped may be off: as far above the line as half of the frames kept lie, or,
    /// where that is more, the one of the last two seconds that came soonest. A delay that every frame
    /// meets stands in no fit.
    pub within: Nanos,
}

impl ClockFit {
    /// The computer's time when the device's clock showed these microseconds.
    pub fn at(&self, device_us: i64) -> Nanos {
        let since = device_us - self.from_us;
        let drifted = (since as f64 * self.drift).round() as i64;
        self.at + Nanos(since.saturating_mul(1_000).saturating_add(drifted))
    }

    /// How much faster the computer's clock runs, in parts in a million.
    pub fn drift_ppm(&self) -> f64 {
        self.drift * 1e3
    }
}

impl Default for DeviceClock {
    fn default() -> DeviceClock {
        DeviceClock { least: [Least::default(); BINS], kept: 0, first: 0, fit: None }
    }
}

impl DeviceClock {
    /// A frame that was sent when the device's clock showed these microseconds had come by `at`.
    pub fn hear(&mut self, device_us: i64, at: Nanos) {
        let ahead_ns = at.0.saturating_sub(device_us.saturating_mul(1_000));
        let heard = Least { device_us, ahead_ns };
        let bin = |least: &Least| least.device_us.div_euclid(BIN_US);
        match self.newest() {
            Some(newest) if bin(newest) == bin(&heard) => {
                if newest.ahead_ns <= ahead_ns {
                    return;
                }
                *newest = heard;
                if self.fit.is_some_and(|fit| fit.at(device_us) <= at) {
                    return; // it lies above the line, which stays
                }
            }
            _ => self.add(heard),
        }
        self.fit = Some(self.fitted());
    }

    /// How the clock runs; none before the first frame.
    pub fn fit(&self) -> Option<ClockFit> {
        self.fit
    }

    fn newest(&mut self) -> Option<&mut Least> {
        let newest = (self.first + self.kept).checked_sub(1)? % BINS;
        (self.kept > 0).then(|| &mut self.least[newest])
    }

    fn add(&mut self, heard: Least) {
        self.least[(self.first + self.kept) % BINS] = heard;
        if self.kept < BINS {
            self.kept += 1;
        } else {
            self.first = (self.first + 1) % BINS;
        }
    }

    /// The `n`th of those kept, from the newest: microseconds before it and nanoseconds above it.
    fn point(&self, n: usize) -> (f64, f64) {
        let of = |n: usize| self.least[(self.first + self.kept - 1 - n) % BINS];
        let (newest, one) = (of(0), of(n));
        let us = one.device_us.saturating_sub(newest.device_us);
        (us as f64, one.ahead_ns.saturating_sub(newest.ahead_ns) as f64)
    }

    fn fitted(&self) -> ClockFit {
        let drift = self.drift().clamp(-MOST_DRIFT, MOST_DRIFT);
        let mut heights = [0.0; BINS];
        let heights = &mut heights[..self.kept];
        for (n, height) in heights.iter_mut().enumerate() {
            let (x, y) = self.point(n);
            *height = y - drift * x;
        }
        let least = |of: &[f64]| of.iter().copied().fold(f64::INFINITY, f64::min);
        let (line, lately) = (least(heights), least(&heights[..self.kept.min(8)]));
        let (_, half, _) = heights.select_nth_unstable_by(self.kept / 2, f64::total_cmp);
        let within = Nanos((half.max(lately) - line) as i64);
        let newest = self.least[(self.first + self.kept - 1) % BINS];
        let ahead = newest.ahead_ns.saturating_add(line as i64);
        let at = Nanos(newest.device_us.saturating_mul(1_000).saturating_add(ahead));
        ClockFit { from_us: newest.device_us, at, drift, within }
    }

    /// The slope of the lower hull's edge over the mean, in nanoseconds a microsecond.
    fn drift(&self) -> f64 {
        let oldest = self.point(self.kept - 1).0;
        if -oldest < FITTED_US as f64 {
            return 0.0;
        }
        let mean = (0..self.kept).map(|n| self.point(n).0).sum::<f64>() / self.kept as f64;
        let (mut hull, mut length) = ([(0.0, 0.0); BINS], 0);
        for point in (0..self.kept).map(|n| self.point(n)) {
            while length >= 2 && !turns(hull[length - 2], hull[length - 1], point) {
                length -= 1;
            }
            hull[length] = point;
            length += 1;
        }
        // From the newest to the oldest, so that the first that lies before the mean ends the edge.
        let edge = hull[..length].windows(2).find(|edge| edge[1].0 <= mean);
        edge.map_or(0.0, |edge| (edge[0].1 - edge[1].1) / (edge[0].0 - edge[1].0))
    }
}

/// Whether `b` lies below the straight line from `a` to `c`, all from right to left.
fn turns(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> bool {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0) < 0.0
}
