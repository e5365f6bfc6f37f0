//! [`Calm`]: which tap is meant as an answer. A participant who taps on after the end of a trial
//! would answer the next instruction before it was read, so that a tap counts as an answer only
//! after a silence. Taps of trials are no affair of this.

use chronotap_core::time::Nanos;

/// The silence before a tap that answers: longer than what is usually tapped, shorter than
/// anybody waits who has read something.
pub(crate) const SILENCE: Nanos = Nanos::from_millis(500);

/// The taps since something began to wait for one, on all pads together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Calm {
    last: Nanos, // the last tap, or the beginning
}

impl Calm {
    /// A tap has come, so long after the beginning: whether it answers. Else it only breaks the
    /// silence.
    pub(crate) fn is_broken_by_an_answer(&mut self, at: Nanos) -> bool {
        let silence = at - self.last;
        self.last = self.last.max(at);
        silence >= SILENCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of the taps at these milliseconds answer.
    fn answers(taps_ms: &[i64]) -> Vec<bool> {
        let mut calm = Calm::default();
        let at = |ms: &i64| Nanos::from_millis(*ms);
        taps_ms.iter().map(|ms| calm.is_broken_by_an_answer(at(ms))).collect()
    }

    #[test]
    fn a_tap_that_follows_another_within_500_ms_does_not_answer() {
        assert_eq!(answers(&[600]), [true]);
        assert_eq!(answers(&[100, 599, 1_098, 1_598]), [false, false, false, true]);
        assert_eq!(answers(&[499, 500, 1_000]), [false, false, true]);
    }

    #[test]
    fn somebody_who_taps_on_at_the_tempo_of_the_trial_never_answers() {
        let going_on: Vec<i64> = (1..200).map(|tap| tap * 480).collect();
        assert!(answers(&going_on).iter().all(|answers| !answers));
    }
}
