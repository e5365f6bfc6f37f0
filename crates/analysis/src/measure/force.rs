//! [`TapsFelt`]: how hard and how long taps pressed on a sensor, from the force that was kept, value by
//! value.
//!
//! With `t0` and `T` the time of the first row and the time from row to row, row `k` stands for the time
//! from `t0 + k T` to `t0 + (k + 1) T`. A tap has the rows from the one of its onset to the one of its
//! release. Its peak is the greatest value of these, at the row `m` that is the first with it:
//!
//! ```text
//! rise  = max(0, t0 + (m + 1/2) T - onset)
//! dwell = release - onset
//! ```
//!
//! Onset and release are those of the device, which reads the sensor more often than it keeps a value.
//!
//! Nothing is guessed: a tap without a release has no force, nor has one of whose rows one is without a
//! value or not there. Where the force lay below the level of release for longer than any bounce does, the
//! release was lost, and what is called the release is that of a later tap.

use crate::observed::TapForce;
use chronotap_core::time::Nanos;
use std::iter::Peekable;
use std::vec::IntoIter;

/// A bounce is at most 8 ms long (firmware/arduino/arduino.ino), and a row longer at each end.
const LONGER_THAN_BOUNCES_NS: f64 = 10e6;

/// A tap that a sensor felt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PressedTap {
    /// Its event.
    pub id: u64,
    pub onset: Nanos,
    pub release: Option<Nanos>,
}

/// How the rows of a kept force lie, and what they hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceRows {
    /// The time of the first row.
    pub start: Nanos,
    /// Rows a second.
    pub rate_hz: f64,
    /// The value below which a tap ends.
    pub off: u32,
}

/// What the taps of an input come to.
pub struct TapsFelt {
    rows: ForceRows,
    taps: Peekable<IntoIter<PressedTap>>,
    row: u64, // the next
    now: Option<Within>,
    felt: Vec<(u64, Option<TapForce>)>,
}

/// A tap whose rows come.
struct Within {
    tap: PressedTap,
    release: Nanos,
    last: u64,
    whole: bool,
    low: u64, // rows in a row below the level of release
    peak: Option<(u32, u64)>,
}

impl ForceRows {
    /// The row in which a time lies; 0 before the first.
    fn row_at(&self, time: Nanos) -> u64 {
        ((time - self.start).0 as f64 * self.rate_hz / 1e9).floor().max(0.0) as u64
    }

    fn middle_of(&self, row: u64) -> Nanos {
        self.start + Nanos::round_from_f64((row as f64 + 0.5) * 1e9 / self.rate_hz)
    }
}

impl TapsFelt {
    /// Of these taps, in any order.
    pub fn of(rows: ForceRows, mut taps: Vec<PressedTap>) -> TapsFelt {
        taps.sort_by_key(|tap| tap.onset);
        let felt = Vec::with_capacity(taps.len());
        TapsFelt { rows, taps: taps.into_iter().peekable(), row: 0, now: None, felt }
    }

    /// The value of the next row; `None` where none came.
    pub fn take(&mut self, value: Option<u32>) {
        let row = self.row;
        self.row += 1;
        self.begin(row);
        let (off, longest) = (self.rows.off, LONGER_THAN_BOUNCES_NS * self.rows.rate_hz / 1e9);
        let Some(now) = &mut self.now else { return };
        now.feel(row, value, off);
        now.whole &= now.low as f64 <= longest;
        if row == now.last {
            let force = now.force(&self.rows);
            self.felt.push((now.tap.id, force));
            self.now = None;
        }
    }

    /// Nothing more comes: each tap, with its force where that is known.
    pub fn done(mut self) -> Vec<(u64, Option<TapForce>)> {
        let unfelt = self.now.map(|now| now.tap).into_iter().chain(self.taps);
        self.felt.extend(unfelt.map(|tap| (tap.id, None)));
        self.felt
    }

    /// The tap whose first row this is. Those that begin within another, or before the first row, are
    /// not known.
    fn begin(&mut self, row: u64) {
        if self.now.is_some() {
            return;
        }
        while let Some(tap) = self.taps.next_if(|tap| self.rows.row_at(tap.onset) <= row) {
            let begins = tap.onset >= self.rows.start && self.rows.row_at(tap.onset) == row;
            let release = tap.release.filter(|release| begins && *release >= tap.onset);
            let Some(release) = release else {
                self.felt.push((tap.id, None));
                continue;
            };
            let last = self.rows.row_at(release);
            self.now = Some(Within { tap, release, last, whole: true, low: 0, peak: None });
            return;
        }
    }
}

impl Within {
    fn feel(&mut self, row: u64, value: Option<u32>, off: u32) {
        let Some(value) = value else {
            self.whole = false;
            return;
        };
        self.low = if value < off { self.low + 1 } else { 0 };
        if self.peak.is_none_or(|(peak, _)| value > peak) {
            self.peak = Some((value, row));
        }
    }

    fn force(&self, rows: &ForceRows) -> Option<TapForce> {
        let (peak, row) = self.peak.filter(|_| self.whole)?;
        let (onset, dwell) = (self.tap.onset, self.release - self.tap.onset);
        let rise = (rows.middle_of(row) - onset).max(Nanos::ZERO);
        Some(TapForce { peak, rise, dwell })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: fn(i64) -> Nanos = Nanos::from_micros;
    /// Rows of a millisecond from 3 ms before the trial on.
    const ROWS: ForceRows = ForceRows { start: Nanos(-3_000_000), rate_hz: 1_000.0, off: 300 };

    /// A tap that rises from 0 to 2000 within 20 ms from this millisecond on, and falls within 40.
    fn curve(from: i64) -> impl Fn(i64) -> u32 {
        move |ms| match ms - from {
            since @ 0..=20 => (100 * since) as u32,
            since @ 21..=60 => (50 * (60 - since)) as u32,
            _ => 0,
        }
    }

    fn tap(id: u64, onset_us: i64, release_us: i64) -> PressedTap {
        PressedTap { id, onset: US(onset_us), release: Some(US(release_us)) }
    }

    /// What taps come to; rows from `lost` have no value.
    fn felt(
        taps: &[PressedTap],
        value: impl Fn(i64) -> u32,
        lost: std::ops::Range<i64>,
        until: i64,
    ) -> Vec<(u64, Option<TapForce>)> {
        let mut felt = TapsFelt::of(ROWS, taps.to_vec());
        for ms in -3..until {
            felt.take((!lost.contains(&ms)).then(|| value(ms)));
        }
        felt.done()
    }

    #[test]
    fn a_known_curve_has_its_peak_its_rise_and_its_dwell() {
        // The greatest value is that of the millisecond from 120 to 121, whose middle is 16.875 ms behind.
        let found = felt(&[tap(7, 103_625, 154_250)], curve(100), 0..0, 300);
        let force = TapForce { peak: 2_000, rise: US(16_875), dwell: US(50_625) };
        assert_eq!(found, [(7, Some(force))]);
    }

    #[test]
    fn each_tap_has_its_own_and_the_order_does_not_matter() {
        let value = |ms| curve(100)(ms) + curve(200)(ms) / 2;
        let taps = [tap(9, 204_000, 250_000), tap(4, 104_000, 154_000)];
        let found = felt(&taps, value, 0..0, 400);
        let peaks: Vec<_> = found.iter().map(|(id, force)| (*id, force.unwrap().peak)).collect();
        assert_eq!(peaks, [(4, 2_000), (9, 1_000)]);
    }

    #[test]
    fn a_value_that_is_lost_within_a_tap_takes_its_force_and_no_other() {
        let value = |ms| curve(100)(ms) + curve(200)(ms);
        let taps = [tap(4, 103_000, 154_500), tap(9, 203_000, 254_500)];
        let known = |lost| -> Vec<bool> {
            felt(&taps, value, lost, 400).iter().map(|(_, force)| force.is_some()).collect()
        };
        assert_eq!(known(155..203), [true, true], "between them");
        for within in [103..104, 120..121, 154..155] {
            assert_eq!(known(within), [false, true]);
        }
        assert_eq!(known(254..400), [true, false]);
    }

    #[test]
    fn what_has_no_release_or_lies_outside_of_what_was_kept_has_no_force() {
        let unreleased = PressedTap { release: None, ..tap(1, 103_000, 0) };
        assert_eq!(felt(&[unreleased], curve(100), 0..0, 300), [(1, None)]);
        assert_eq!(felt(&[tap(1, -4_000, 50_000)], curve(0), 0..0, 300), [(1, None)]);
        assert_eq!(felt(&[tap(1, 103_000, 154_000)], curve(100), 0..0, 154), [(1, None)]);
        assert!(felt(&[tap(1, 103_000, 154_000)], curve(100), 0..0, 155)[0].1.is_some());
        assert_eq!(felt(&[tap(1, 103_000, 102_000)], curve(100), 0..0, 300), [(1, None)]);
    }

    #[test]
    fn a_bounce_is_within_a_tap_and_a_release_that_was_lost_is_found_out() {
        let bounces =
            |low: i64| move |ms: i64| if (130..130 + low).contains(&ms) { 0 } else { 900 };
        let one = [tap(1, 103_000, 184_000)];
        assert!(felt(&one, bounces(10), 0..0, 300)[0].1.is_some());
        assert_eq!(felt(&one, bounces(11), 0..0, 300), [(1, None)]);
    }

    #[test]
    fn a_tap_within_another_has_no_force() {
        let taps = [tap(1, 103_000, 154_000), tap(2, 120_000, 130_000)];
        let found = felt(&taps, curve(100), 0..0, 300);
        assert!(found[0].1.is_some() && found[1] == (2, None), "{found:?}");
    }

    #[test]
    fn times_at_the_ends_of_the_range_do_no_harm() {
        for end in [Nanos::MIN, Nanos::MAX] {
            let rows = ForceRows { start: end, ..ROWS };
            let taps = vec![tap(1, 0, 5), PressedTap { id: 2, onset: -end, release: Some(end) }];
            let mut felt = TapsFelt::of(rows, taps);
            (0..9).for_each(|n| felt.take(Some(n)));
            assert_eq!(felt.done().len(), 2);
        }
    }
}
