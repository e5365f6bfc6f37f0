//! [`StaircaseRun`]: a staircase under way. It is told each answer and says the next level: the
//! transformed up-down method (Levitt 1971, "Transformed up-down methods in
//! psychoacoustics"), with steps up and down of different size where a weight says so
//! (Kaernbach 1991, "Simple adaptive testing with the weighted up-down method").
//!
//! N correct answers in a row take the level down, M wrong ones up; then both counts begin
//! anew. A reversal is a change of direction, at the level of the trial that caused it; the
//! move that follows already has the next size. No answer leaves all as it is, or counts as
//! wrong.
//!
//! The threshold is the mean of an even number of reversals, so that it has as many at the top
//! of a run as at its bottom: an odd one stands half a step to one side. Its standard error is
//! that of the means of neighbouring pairs (Wetherill and Levitt 1965, "Sequential estimation of
//! points on a psychometric function"), since the two reversals of a pair lie apart by the step
//! and not by chance. Where steps are factors all this is done with logarithms.
//!
//! A Bayesian staircase goes to where the next answer tells most of the threshold
//! ([`crate::judge::quest`]).

use crate::judge::quest::Posterior;
use crate::study::staircase::{AnswerCounts, Staircase, StaircaseRule, StaircaseStop, UpDown};
use crate::study::step::Interleave;
use chronotap_core::midi::U7;
use chronotap_engine::random::Random;

/// What was answered in one trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialAnswer {
    /// The correct answer.
    Correct,
    /// Another answer.
    Wrong,
    /// None.
    Nothing,
}

/// Why a staircase has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaircaseEnding {
    /// By its rule: it has its threshold.
    Stopped,
    /// After as many trials as it may have.
    AtMost,
}

/// The threshold: the mean of the reversals after the first at the smallest size, without the
/// first of them where their number is odd; or of what a Bayesian staircase knows of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// The mean, geometric where steps are factors: nanoseconds for a time, else the plain number.
    pub mean: f64,
    /// Its standard error: from the means of pairs of reversals (`None` for a single pair), or
    /// the standard deviation of what a Bayesian staircase knows.
    pub se: Option<f64>,
    /// From how many reversals, or how many answers.
    pub of: usize,
}

/// Why a staircase has no threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoThreshold {
    /// Its rule has not stopped it: it goes on, or had as many trials as it may have.
    NotStopped,
    /// Its rule has stopped it, but there are no two reversals to take a mean of.
    TooFewReversals,
    /// Half of its reversals, or the most probable level, lie on this bound: the threshold is
    /// there or beyond.
    OnBound(f64),
}

/// A staircase under way.
#[derive(Clone, Debug)]
pub struct StaircaseRun {
    of: Staircase,
    level: f64,
    trials: u32,
    answered: u32,
    so_far: SoFar,
}

/// What follows from the answers so far.
#[derive(Clone, Debug)]
enum SoFar {
    Steps(Steps),
    Known(Posterior),
}

/// Where a staircase of steps is.
#[derive(Clone, Debug)]
struct Steps {
    by: UpDown,
    correct: u32,
    wrong: u32,
    /// Whether the last move was up.
    up: Option<bool>,
    /// The level of each reversal, and whether the size was the smallest by then.
    reversals: Vec<(f64, bool)>,
}

impl AnswerCounts {
    /// What the first tap of an answer means; `None` is no tap.
    pub fn judge(self, first: Option<U7>) -> TrialAnswer {
        match (self, first) {
            (_, None) => TrialAnswer::Nothing,
            (AnswerCounts::Note(note), Some(tap)) if tap == note => TrialAnswer::Correct,
            _ => TrialAnswer::Wrong,
        }
    }
}

impl StaircaseRun {
    /// A staircase at its first level.
    pub fn new(staircase: &Staircase) -> StaircaseRun {
        let so_far = match &staircase.rule {
            StaircaseRule::UpDown(by) => SoFar::Steps(Steps::new(by)),
            StaircaseRule::Quest(quest) => {
                SoFar::Known(Posterior::new(*quest, staircase.start, staircase.between))
            }
        };
        let (of, level) = (staircase.clone(), staircase.start);
        StaircaseRun { of, level, trials: 0, answered: 0, so_far }
    }

    /// The level of the next trial: nanoseconds for a time, else the plain number.
    pub fn level(&self) -> f64 {
        self.level
    }

    /// The level of the next trial as it is set in the trial file: key and value.
    pub fn setting(&self) -> (Vec<String>, String) {
        (self.of.path.clone(), self.of.toml(self.level))
    }

    /// The levels of the reversals so far; a Bayesian staircase has none.
    pub fn reversals(&self) -> impl Iterator<Item = f64> {
        let all = match &self.so_far {
            SoFar::Steps(steps) => &steps.reversals[..],
            SoFar::Known(_) => &[],
        };
        all.iter().map(|(level, _)| *level)
    }

    /// Takes the answer of a finished trial.
    pub fn answer(&mut self, heard: TrialAnswer) {
        self.trials += 1;
        let correct = match heard {
            TrialAnswer::Correct => true,
            TrialAnswer::Nothing if !self.of.none_is_wrong => return,
            TrialAnswer::Wrong | TrialAnswer::Nothing => false,
        };
        self.answered += 1;
        let next = match &mut self.so_far {
            SoFar::Steps(steps) => steps.answer(self.level, correct),
            SoFar::Known(posterior) => {
                posterior.answer(self.level, correct);
                posterior.next()
            }
        };
        let (least, greatest) = self.of.between;
        // A level has whole nanoseconds, so that it is the same in the trial and in the data.
        let next = if self.of.timed { next.round() } else { next };
        self.level = next.clamp(least, greatest);
    }

    /// Whether it has ended, and why.
    pub fn ended(&self) -> Option<StaircaseEnding> {
        let stopped = match (self.of.stop, &self.so_far) {
            (StaircaseStop::Reversals(n), _) => self.reversals().count() as u64 >= u64::from(n),
            (StaircaseStop::Trials(n), _) => self.answered >= n,
            (StaircaseStop::Sd(most), SoFar::Known(posterior)) => posterior.mean_and_sd().1 < most,
            (StaircaseStop::Sd(_), SoFar::Steps(_)) => false,
        };
        match (stopped, self.trials >= self.of.at_most) {
            (true, _) => Some(StaircaseEnding::Stopped),
            (false, true) => Some(StaircaseEnding::AtMost),
            (false, false) => None,
        }
    }

    /// The threshold, once its rule has stopped it.
    ///
    /// # Errors
    /// Why there is none.
    pub fn threshold(&self) -> Result<Threshold, NoThreshold> {
        if self.ended() != Some(StaircaseEnding::Stopped) {
            return Err(NoThreshold::NotStopped);
        }
        match &self.so_far {
            SoFar::Steps(steps) => steps.threshold(self.of.between),
            SoFar::Known(posterior) => {
                let (mean, sd) = posterior.mean_and_sd();
                let of = self.answered as usize;
                match posterior.bound() {
                    Some(bound) => Err(NoThreshold::OnBound(bound)),
                    None => Ok(Threshold { mean, se: Some(sd), of }),
                }
            }
        }
    }

    /// Whether this answer would be a reversal; `None` of a Bayesian staircase, which has none.
    pub fn reverses(&self, heard: TrialAnswer) -> Option<bool> {
        let SoFar::Steps(steps) = &self.so_far else { return None };
        let mut then = self.clone();
        then.answer(heard);
        Some(then.reversals().count() > steps.reversals.len())
    }
}

impl Steps {
    fn new(by: &UpDown) -> Steps {
        Steps { by: by.clone(), correct: 0, wrong: 0, up: None, reversals: Vec::new() }
    }

    /// The level after an answer at this one.
    fn answer(&mut self, level: f64, correct: bool) -> f64 {
        let (count, needed) = match correct {
            true => (&mut self.correct, self.by.down),
            false => (&mut self.wrong, self.by.up),
        };
        *count += 1;
        let moves = *count >= needed;
        if correct {
            self.wrong = 0;
        } else {
            self.correct = 0;
        }
        if !moves {
            return level;
        }
        (self.correct, self.wrong) = (0, 0);
        self.go(level, !correct)
    }

    fn go(&mut self, level: f64, up: bool) -> f64 {
        if self.up.is_some_and(|before| before != up) {
            let smallest = self.reversals.len() + 1 >= self.by.sizes.len();
            self.reversals.push((level, smallest));
        }
        self.up = Some(up);
        let last = self.by.sizes.len().saturating_sub(1);
        let size = self.by.sizes.get(self.reversals.len().min(last)).copied();
        match (size, self.by.factors, up) {
            (None, ..) => level,
            (Some(size), false, true) => level + size * self.by.weight,
            (Some(size), false, false) => level - size,
            (Some(size), true, true) => level * libm::pow(size, self.by.weight),
            (Some(size), true, false) => level / size,
        }
    }

    fn threshold(&self, (least, greatest): (f64, f64)) -> Result<Threshold, NoThreshold> {
        let levels = self.levels_of_threshold();
        if levels.is_empty() {
            return Err(NoThreshold::TooFewReversals);
        }
        let on = |bound: &f64| levels.iter().filter(|level| *level == bound).count() * 2;
        if let Some(bound) = [least, greatest].iter().find(|bound| on(bound) >= levels.len()) {
            return Err(NoThreshold::OnBound(*bound));
        }
        let scaled = |level: &f64| if self.by.factors { libm::log(*level) } else { *level };
        let pairs: Vec<f64> = levels.chunks(2).map(|two| mean(two.iter().map(scaled))).collect();
        let (mean, se) = (mean(pairs.iter().copied()), standard_error(&pairs));
        let (mean, se) = match self.by.factors {
            true => (libm::exp(mean), se.map(|se| se * libm::exp(mean))),
            false => (mean, se),
        };
        Ok(Threshold { mean, se, of: levels.len() })
    }

    /// The reversals that the threshold is the mean of, an even number.
    fn levels_of_threshold(&self) -> Vec<f64> {
        let smallest = self.reversals.iter().filter(|(_, smallest)| *smallest);
        let levels: Vec<f64> = smallest.map(|(level, _)| *level).skip(1).collect();
        let odd = levels.len() % 2;
        levels.into_iter().skip(odd).collect()
    }
}

fn mean(of: impl Iterator<Item = f64> + Clone) -> f64 {
    of.clone().sum::<f64>() / of.count() as f64
}

/// The standard error of the mean; `None` of a single value.
fn standard_error(values: &[f64]) -> Option<f64> {
    let (mean, n) = (mean(values.iter().copied()), values.len() as f64);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (n - 1.0) / n).sqrt())
}

impl Interleave {
    /// Which of the staircases that have not ended has the next trial; `trial` counts the
    /// trials of the step from 1. `open` must not be empty.
    pub fn next(self, open: &[usize], trial: u32, random: &mut Random) -> Option<usize> {
        let last = u32::try_from(open.len().checked_sub(1)?).ok()?;
        let place = match self {
            Interleave::Random => random.between(0, last),
            Interleave::InTurn => (trial.max(1) - 1) % (last + 1),
        };
        open.get(place as usize).copied()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::study::staircase::AnswersFrom;

    const MS: f64 = 1e6;

    pub(crate) fn staircase() -> Staircase {
        Staircase {
            name: "late".to_owned(),
            path: vec!["limit".to_owned()],
            timed: true,
            start: 60.0 * MS,
            rule: StaircaseRule::UpDown(steps()),
            between: (MS, 200.0 * MS),
            stop: StaircaseStop::Reversals(8),
            at_most: 80,
            correct: AnswerCounts::Note(U7::clamped(60)),
            answer: AnswersFrom::default(),
            none_is_wrong: false,
        }
    }

    fn steps() -> UpDown {
        let sizes = vec![16.0 * MS, 8.0 * MS, 4.0 * MS];
        UpDown { down: 2, up: 1, sizes, factors: false, weight: 1.0 }
    }

    /// The levels in ms after each answer: + correct, - wrong, 0 none.
    fn levels(run: &mut StaircaseRun, answers: &str) -> Vec<f64> {
        let mut levels = Vec::new();
        for answer in answers.chars() {
            run.answer(match answer {
                '+' => TrialAnswer::Correct,
                '-' => TrialAnswer::Wrong,
                _ => TrialAnswer::Nothing,
            });
            levels.push(run.level() / MS);
        }
        levels
    }

    #[test]
    fn two_correct_answers_go_down_and_one_wrong_goes_up_by_shrinking_steps() {
        let mut run = StaircaseRun::new(&staircase());
        let seen = levels(&mut run, "++++-++-+-");
        assert_eq!(seen, [60.0, 44.0, 44.0, 28.0, 36.0, 36.0, 32.0, 36.0, 36.0, 40.0]);
        let reversals: Vec<f64> = run.reversals().map(|level| level / MS).collect();
        assert_eq!(reversals, [28.0, 36.0, 32.0]);
    }

    #[test]
    fn no_answer_changes_nothing_but_the_number_of_trials() {
        let mut run = StaircaseRun::new(&Staircase { at_most: 3, ..staircase() });
        assert_eq!(levels(&mut run, "+0+"), [60.0, 60.0, 44.0]);
        assert_eq!(run.ended(), Some(StaircaseEnding::AtMost));
        let mut wrong = StaircaseRun::new(&Staircase { none_is_wrong: true, ..staircase() });
        assert_eq!(levels(&mut wrong, "0"), [76.0]);
    }

    #[test]
    fn the_threshold_is_the_mean_of_reversals_after_the_first_at_the_smallest_size() {
        let rule = StaircaseRule::UpDown(UpDown { sizes: vec![4.0 * MS], down: 1, ..steps() });
        let one = Staircase { rule, stop: StaircaseStop::Reversals(6), ..staircase() };
        let mut run = StaircaseRun::new(&one);
        levels(&mut run, "+-+-+");
        assert_eq!((run.ended(), run.threshold()), (None, Err(NoThreshold::NotStopped)));
        levels(&mut run, "+-+");
        assert_eq!(run.ended(), Some(StaircaseEnding::Stopped));
        let reversals: Vec<f64> = run.reversals().map(|level| level / MS).collect();
        assert_eq!(reversals, [56.0, 60.0, 56.0, 60.0, 52.0, 56.0]);
        // Of 60, 56, 60, 52, 56 the first is dropped, so that there are as many peaks as valleys;
        // the pairs have the means 58 and 54.
        let threshold = run.threshold().unwrap();
        assert_eq!((threshold.mean / MS, threshold.of), (56.0, 4));
        assert!((threshold.se.unwrap() / MS - 2.0).abs() < 1e-9);
    }

    #[test]
    fn factors_multiply_and_divide_and_the_threshold_is_a_geometric_mean() {
        let by = UpDown { down: 1, sizes: vec![2.0], factors: true, ..steps() };
        let (rule, stop) = (StaircaseRule::UpDown(by), StaircaseStop::Reversals(3));
        let mut run = StaircaseRun::new(&Staircase { rule, stop, ..staircase() });
        assert_eq!(levels(&mut run, "+--+"), [30.0, 60.0, 120.0, 60.0]);
        assert_eq!(levels(&mut run, "-"), [120.0]);
        // Reversals at 30, 120 and 60 ms: the last two count, and sqrt(120 * 60) = 84.85.
        let threshold = run.threshold().unwrap();
        assert!((threshold.mean / MS - 84.852_814).abs() < 1e-6);
        assert_eq!((threshold.se, threshold.of), (None, 2));
    }

    #[test]
    fn a_track_that_was_stopped_or_lies_on_a_bound_has_no_threshold() {
        let mut stopped = StaircaseRun::new(&Staircase { at_most: 8, ..staircase() });
        levels(&mut stopped, "++-++-++");
        assert_eq!(stopped.ended(), Some(StaircaseEnding::AtMost));
        assert_eq!(stopped.threshold(), Err(NoThreshold::NotStopped));
        // Who is always wrong but for luck climbs to the bound and falls from there only.
        let rule = StaircaseRule::UpDown(UpDown { sizes: vec![8.0 * MS], ..steps() });
        let between = (MS, 76.0 * MS);
        let mut beyond = StaircaseRun::new(&Staircase { rule, between, ..staircase() });
        levels(&mut beyond, "--++-++-++-++-++-");
        let peaks = beyond.reversals().filter(|level| *level == 76.0 * MS).count();
        assert!(peaks >= 4, "{:?}", beyond.reversals().collect::<Vec<_>>());
        assert_eq!(beyond.threshold(), Err(NoThreshold::OnBound(76.0 * MS)));
        let few = Staircase { stop: StaircaseStop::Trials(1), ..staircase() };
        let mut few = StaircaseRun::new(&few);
        levels(&mut few, "+");
        assert_eq!(few.threshold(), Err(NoThreshold::TooFewReversals));
    }

    #[test]
    fn an_answer_that_changes_the_direction_is_a_reversal() {
        let mut run = StaircaseRun::new(&staircase());
        levels(&mut run, "++");
        assert_eq!(run.reverses(TrialAnswer::Wrong), Some(true));
        assert_eq!(run.reverses(TrialAnswer::Correct), Some(false));
        assert_eq!(run.reverses(TrialAnswer::Nothing), Some(false));
    }

    #[test]
    fn levels_stay_within_their_bounds() {
        let mut run =
            StaircaseRun::new(&Staircase { between: (50.0 * MS, 70.0 * MS), ..staircase() });
        assert_eq!(levels(&mut run, "++++-"), [60.0, 50.0, 50.0, 50.0, 58.0]);
    }

    #[test]
    fn a_weighted_staircase_finds_the_level_of_its_share_of_correct_answers() {
        // An observer who is right with probability 1 / (1 + exp(-(x - 100) / 10)); the
        // weight 3 with "1 down 1 up" seeks 75 %, at 100 + 10 ln 3 = 110.99.
        let weighted = Staircase {
            timed: false,
            start: 150.0,
            rule: StaircaseRule::UpDown(UpDown {
                down: 1,
                up: 1,
                sizes: vec![2.0],
                factors: false,
                weight: 3.0,
            }),
            between: (0.0, 300.0),
            stop: StaircaseStop::Trials(20_000),
            at_most: 20_000,
            ..staircase()
        };
        let mut run = StaircaseRun::new(&weighted);
        let mut random = Random::named(1, "observer");
        let mut sum = 0.0;
        while run.ended().is_none() {
            let right = 1.0 / (1.0 + libm::exp(-(run.level() - 100.0) / 10.0));
            let heard =
                if random.uniform() < right { TrialAnswer::Correct } else { TrialAnswer::Wrong };
            run.answer(heard);
            sum += run.level();
        }
        let mean = sum / 20_000.0;
        assert!((mean - 110.99).abs() < 2.0, "{mean}");
    }

    #[test]
    fn staircases_take_turns_or_are_drawn() {
        let mut random = Random::named(1, "turns");
        let turns: Vec<_> =
            (1..=4).map(|trial| Interleave::InTurn.next(&[0, 1, 2], trial, &mut random)).collect();
        assert_eq!(turns, [Some(0), Some(1), Some(2), Some(0)]);
        let drawn: Vec<_> =
            (1..=90).map(|trial| Interleave::Random.next(&[0, 2], trial, &mut random)).collect();
        assert!(drawn.contains(&Some(0)) && drawn.contains(&Some(2)) && !drawn.contains(&Some(1)));
        assert_eq!(Interleave::Random.next(&[], 1, &mut random), None);
    }
}
