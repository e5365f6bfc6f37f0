//! Interrupts that were lost before their driver could count them: [`find`] looks for them in
//! a recording, [`Phase`] while the cure runs.
//!
//! Background: a driver counts the interrupts since the last look, so that a program that comes
//! late knows how many it skipped. An interrupt that never reached the driver is in no count,
//! and from then on every beat is taken for the one before it: a whole period late.
//! Solution: the earliest of many beats tells their phase. Where beats in a row are all whole
//! periods later than the earliest before them, that many interrupts were lost.
//! Why it works: a stall delays some beats, but those that it keeps waiting are counted, and
//! after it they are on time again. A lost interrupt alone delays all that follow.
//! Example: qemu's HPET loses one now and then (docs/lab.md); a line through 1,024 beats with
//! one lost in their middle is 1,460 ppm too slow.

use super::beat::PeriodBeat;
use chronotap_core::time::Nanos;

/// How many beats of a recording must be late in a row. Beside a load the lateness may be
/// anything up to a period: then one beat in four looks late by one, but not so many in a row.
const IN_A_ROW: usize = 16;

/// How many must be while the cure runs. None of them meets its exact moment, so they are few;
/// where it was a stall after all, the phase moves back at the next beat.
const IN_DOUBT: u32 = 4;

/// Writes into beats that were acted on at once how many interrupts were lost before each.
/// What is lost among the last 15 cannot be told from a stall.
pub(super) fn find(beats: &mut [PeriodBeat], period: Nanos) {
    let mut places = places(beats, period);
    let mut lost = 0;
    for n in 1..places.len() {
        let before = earliest(&places[n.saturating_sub(IN_A_ROW)..n]);
        if let Some(next) = places[n..].first_chunk::<IN_A_ROW>() {
            let found = periods(earliest(next) - period * lost - before, period).max(0);
            beats[n].lost = found;
            lost += found;
        }
        places[n] -= period * lost;
    }
}

/// When each beat came, less the periods that the driver had counted by then.
fn places(beats: &[PeriodBeat], period: Nanos) -> Vec<Nanos> {
    let mut counted = 0;
    let place = |beat: &PeriodBeat| {
        counted += beat.interrupts as i64;
        beat.at - period * counted
    };
    beats.iter().map(place).collect()
}

fn earliest(places: &[Nanos]) -> Nanos {
    places.iter().copied().min().unwrap_or(Nanos::ZERO)
}

/// As how many whole periods something may be taken, a quarter more or less; else 0.
fn periods(late: Nanos, period: Nanos) -> i64 {
    let whole = (late + period / 2).0.div_euclid(period.0);
    let off = (late - period * whole).0.abs();
    if off * 4 <= period.0 { whole } else { 0 }
}

/// The phase of a source's beats while they come: when the earliest came, less its place on
/// the grid.
///
/// Real-time contract: the measuring thread; some additions for a beat, and nothing else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phase {
    earliest: Nanos,
    in_doubt: u32, // beats in a row that were late by a period or more
    least: Nanos,  // the least late of them
}

impl Phase {
    /// Of no beats yet.
    pub const fn unknown() -> Phase {
        Phase { earliest: Nanos::MAX, in_doubt: 0, least: Nanos::MAX }
    }

    /// As it stands.
    pub const fn earliest(&self) -> Nanos {
        self.earliest
    }

    /// A beat of the warm-up, at its `place`: its time less its place on the grid.
    pub fn begin(&mut self, place: Nanos) {
        self.earliest = self.earliest.min(place);
    }

    /// A later beat. Gives how many interrupts must have been lost before it, by which the
    /// phase has moved; below 0 where it moved back.
    pub fn follow(&mut self, place: Nanos, period: Nanos) -> i64 {
        let late = place - self.earliest;
        match periods(late, period) {
            // Any lateness beyond three quarters keeps the doubt: lost, and late besides.
            0 if late < period => self.certain(),
            whole if whole < 0 => self.moved(whole, period),
            _ => self.doubted(late, period),
        }
    }

    fn certain(&mut self) -> i64 {
        (self.in_doubt, self.least) = (0, Nanos::MAX);
        0
    }

    fn doubted(&mut self, late: Nanos, period: Nanos) -> i64 {
        self.in_doubt += 1;
        self.least = self.least.min(late);
        if self.in_doubt < IN_DOUBT { 0 } else { self.moved(periods(self.least, period), period) }
    }

    fn moved(&mut self, whole: i64, period: Nanos) -> i64 {
        self.earliest += period * whole;
        self.certain();
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: Nanos = Nanos(1_000_000);

    #[test]
    fn what_lies_near_whole_periods_is_that_many() {
        let of = |late: i64| periods(Nanos(late), PERIOD);
        assert_eq!([0, 249_999, 400_000, 740_000, 750_000].map(of), [0, 0, 0, 0, 1]);
        assert_eq!([1_250_000, 1_300_000, 3_100_000].map(of), [1, 0, 3]);
        assert_eq!([-100_000, -900_000, -500_000].map(of), [0, -1, 0]);
    }

    #[test]
    fn the_phase_moves_at_the_fourth_late_beat_and_back_at_the_first_that_is_on_time() {
        let mut phase = Phase::unknown();
        for place in [70, 0, 900] {
            phase.begin(Nanos(place));
        }
        let late = [1_000_400, 1_000_100, 1_450_000, 1_000_300];
        assert_eq!(late.map(|place| phase.follow(Nanos(place), PERIOD)), [0, 0, 0, 1]);
        assert_eq!(phase.earliest(), PERIOD);
        assert_eq!(phase.follow(Nanos(1_000_200), PERIOD), 0);
        assert_eq!(phase.follow(Nanos(300), PERIOD), -1);
        assert_eq!(phase.earliest(), Nanos::ZERO);
    }

    #[test]
    fn beats_on_time_end_the_doubt() {
        let mut phase = Phase::unknown();
        phase.begin(Nanos::ZERO);
        for n in 0..40 {
            let place = if n % 4 == 3 { Nanos(200) } else { PERIOD };
            assert_eq!(phase.follow(place, PERIOD), 0, "beat {n}");
        }
    }
}
