//! One pacing stream as the manual has it: where its beats come.

use crate::oracle::exact::Exact;
use crate::oracle::model::{Change, Occasion, Over, Pace, Pacing, Size};
use crate::oracle::witness::Witness;

/// What a rule asked of the interval since the last beat.
#[derive(Clone, Copy, Debug)]
pub enum Asked {
    Set(Exact),
    /// To this interval, over these.
    Interval(Exact, Over, i64),
    Tempo(Exact, Over, i64),
}

/// How the interval goes on.
#[derive(Clone, Copy, Debug)]
enum Course {
    /// From, to, first beat, so many beats.
    Beats(Exact, Exact, u32, u32),
    /// From, to, since, so long.
    Time(Exact, Exact, i64, i64),
    /// The same in beats a nanosecond.
    Tempo(Exact, Exact, i64, i64),
}

/// A beat that is to come.
#[derive(Clone, Debug)]
pub struct Beat {
    pub number: u32,
    pub grid: Exact,
    pub heard: i64,
    pub mute: bool,
    pub altered: Vec<String>,
}

pub struct Stream<'a> {
    pub of: &'a Pacing,
    index: usize,
    /// What the file or a rule gave; a start begins with it.
    pub given: Option<Exact>,
    course: Course,
    /// First beat, size, over how many.
    steps: Vec<(u32, Exact, u32)>,
    pub asked: Option<Asked>,
    /// What was set before that ramp was asked for, between the same two beats.
    pub asked_from: Option<Exact>,
    pub next: Option<Beat>,
    pub last: Option<Beat>,
    pub ended: Option<Exact>,
    began: i64,
    /// Beats of all starts so far: where the witness stands.
    pub place: usize,
    pub interval: Exact,
    /// Occurrences of each change since this start, where chance decides.
    drawn: Vec<u32>,
}

impl<'a> Stream<'a> {
    pub fn new(index: usize, of: &'a Pacing) -> Stream<'a> {
        let given = match &of.pace {
            Pace::Interval(interval) => Some(*interval),
            Pace::Tempo(tempo) => Some(of_tempo(*tempo)),
            Pace::Onsets(..) | Pace::FromTaps(..) => None,
        };
        let course = Course::Beats(Exact::ZERO, Exact::ZERO, 1, 1);
        Stream {
            of,
            index,
            given,
            course,
            steps: Vec::new(),
            asked: None,
            asked_from: None,
            next: None,
            last: None,
            ended: None,
            began: 0,
            place: 0,
            interval: Exact::ZERO,
            drawn: vec![0; of.changes.len()],
        }
    }

    /// Beat 1 comes at `at`; not before `asked_at`.
    pub fn start(&mut self, at: Exact, not_before: i64, witness: &Witness) {
        let given = self.given.unwrap_or(Exact::ZERO);
        self.course = Course::Beats(given, given, 1, 1);
        self.steps.clear();
        self.drawn.iter_mut().for_each(|d| *d = 0);
        (self.asked, self.last, self.ended) = (None, None, None);
        self.began = not_before;
        let first = match &self.of.pace {
            Pace::Onsets(onsets, _) => at + Exact::from(onsets[0]),
            _ => at,
        };
        self.plan(1, first, witness);
    }

    pub fn stop(&mut self, now: i64) {
        if self.next.is_some() {
            self.next = None;
            self.ended = Some(Exact::from(now));
        }
    }

    /// The changes of a beat are known when it is planned, but for its interval.
    fn plan(&mut self, number: u32, grid: Exact, witness: &Witness) {
        let (mut grid, mut alone) = (grid.coarse(), 0);
        let (mut mute, mut altered) = (false, Vec::new());
        let acting: Vec<(usize, &Change)> = self.acting(number, witness);
        let phase = self.sum(&acting, "phase_shift", |c| c.phase.as_ref(), witness);
        let onset = self.sum(&acting, "onset_shift", |c| c.onset.as_ref(), witness);
        if let Some(by) = phase {
            grid = grid + Exact::from(by);
            altered.push(format!("phase_shift {by}"));
        }
        if let Some(by) = onset {
            alone = by;
            altered.push(format!("onset_shift {by}"));
        }
        if acting.iter().any(|(_, c)| c.mute) {
            mute = true;
        }
        let mut heard = (grid + Exact::from(alone)).round();
        let told = witness.beat(self.index, self.place);
        if let Some((_, high)) = self.of.jitter.filter(|_| told.is_none()) {
            heard += high; // it never came, so the end is before the latest that it could have been
        }
        if let Some(((low, high), beat)) = self.of.jitter.zip(told) {
            let (least, most) = (heard + low, heard + high);
            let floor = if number == 1 { self.began } else { i64::MIN };
            assert!((least.max(floor)..=most.max(floor)).contains(&beat.at), "jitter of {beat:?}");
            heard = beat.at;
        }
        if number == 1 {
            heard = heard.max(self.began);
        }
        self.next = Some(Beat { number, grid, heard, mute, altered });
    }

    /// The beat comes: its interval, and where the next one is unless taps decide that.
    pub fn come(&mut self, witness: &Witness) -> Beat {
        let mut beat = self.next.take().unwrap();
        self.obey(&beat);
        self.change(&mut beat, witness);
        if beat.mute {
            beat.altered.push("mute".into());
        }
        self.interval = self.interval_at(&beat);
        self.place += 1;
        self.last = Some(beat.clone());
        let over = self.count().is_some_and(|count| beat.number >= count);
        let onsets = self.onset_after(beat.number);
        if over || (matches!(self.of.pace, Pace::Onsets(..)) && onsets.is_none()) {
            self.ended = Some(Exact::from(beat.heard) + self.half_gap());
        } else if let Some(gap) = onsets {
            self.plan(beat.number + 1, beat.grid + gap, witness);
        } else if self.of.adapt.is_none() {
            self.plan(beat.number + 1, beat.grid + self.interval, witness);
        }
        beat
    }

    /// What follows a correction: the next beat, at this place.
    pub fn corrected(&mut self, grid: Exact, interval: Exact, now: i64, witness: &Witness) {
        let last = self.last.clone().unwrap();
        if interval != self.interval {
            self.course = Course::Beats(interval, interval, 1, 1);
            self.steps.clear();
        }
        self.plan(last.number + 1, grid.coarse().max(Exact::from(now)), witness);
        let next = self.next.as_mut().unwrap();
        next.heard = next.heard.max(now);
    }

    /// Where the next beat would come, for a stream that follows this one.
    pub fn follower(&self) -> Exact {
        let last = self.last.as_ref().unwrap();
        match &self.of.pace {
            Pace::Onsets(_, None) => last.grid,
            Pace::Onsets(_, Some(_)) => last.grid + self.gap_after(last.number).unwrap(),
            _ => last.grid + self.interval,
        }
    }

    fn count(&self) -> Option<u32> {
        self.of.beats_at_most()
    }

    /// From a beat of a list to the next, whether or not that still comes.
    fn gap_after(&self, number: u32) -> Option<Exact> {
        let Pace::Onsets(onsets, repeat) = &self.of.pace else { return None };
        let place = |n: u32| {
            let (round, within) = (n as usize / onsets.len(), n as usize % onsets.len());
            let every = repeat.map_or(Exact::ZERO, |(every, _)| every);
            Exact::from(onsets[within]) + every * Exact::from(round as i64)
        };
        Some(place(number) - place(number - 1))
    }

    fn onset_after(&self, number: u32) -> Option<Exact> {
        let more = matches!(self.of.pace, Pace::Onsets(..)) && number < self.count().unwrap();
        if more { self.gap_after(number) } else { None }
    }

    fn half_gap(&self) -> Exact {
        match &self.of.pace {
            Pace::Onsets(onsets, _) if onsets.len() > 1 => {
                Exact::from(onsets[onsets.len() - 1] - onsets[onsets.len() - 2]).over(2)
            }
            Pace::Onsets(..) => Exact::ZERO,
            _ => self.interval.over(2),
        }
    }

    /// What rules asked for since the last beat holds from this one on.
    fn obey(&mut self, beat: &Beat) {
        let Some(asked) = self.asked.take() else { return };
        let present = self.asked_from.take().unwrap_or_else(|| self.interval_before(beat));
        let beats = |to: Exact, n: u32| Course::Beats(present, to, beat.number, n);
        self.course = match asked {
            Asked::Set(to) => beats(to, 1),
            Asked::Interval(to, Over::Beats(n), _) => beats(to, n),
            Asked::Tempo(to, Over::Beats(n), _) => beats(of_tempo(to), n),
            Asked::Interval(to, Over::Time(t), at) => Course::Time(present, to, at, t),
            Asked::Tempo(to, Over::Time(t), at) => Course::Tempo(of_tempo(present), to, at, t),
        };
        self.steps.clear();
    }

    /// The changes of this beat that set or step the interval.
    fn change(&mut self, beat: &mut Beat, witness: &Witness) {
        let acting = self.acting(beat.number, witness);
        let present = self.interval_before(beat);
        let set = acting.iter().filter_map(|(_, c)| c.interval.map(|to| (to, c.over))).next_back();
        if let Some((to, over)) = set {
            self.course = Course::Beats(present, to, beat.number, over);
            self.steps.clear();
        }
        let steps = self.steps_of(&acting, witness);
        self.steps.extend(steps.iter().map(|(by, over)| (beat.number, Exact::from(*by), *over)));
        if set.is_some() || !steps.is_empty() {
            let sum = steps.iter().fold(Exact::ZERO, |sum, (by, _)| sum + Exact::from(*by));
            let by = set.map_or(present, |(to, _)| to) + sum - present;
            beat.altered.push(format!("interval {}", by.round()));
        }
    }

    fn steps_of(&self, acting: &[(usize, &Change)], witness: &Witness) -> Vec<(i64, u32)> {
        let random = |c: &Change| !matches!(c.step, None | Some(Size::Fixed(_)));
        if acting.iter().any(|(_, c)| random(c)) {
            let all = self.sum(acting, "interval", |c| c.step.as_ref(), witness);
            return all.map(|by| (by, 1)).into_iter().collect();
        }
        let fixed = |c: &Change| match c.step {
            Some(Size::Fixed(by)) => Some((by, c.over)),
            _ => None,
        };
        acting.iter().filter_map(|(_, c)| fixed(c)).collect()
    }

    /// The interval that led to this beat.
    fn interval_before(&self, beat: &Beat) -> Exact {
        match self.course {
            Course::Beats(..) => self.interval_of(beat.number.saturating_sub(1), beat.heard),
            _ => self.interval_of(beat.number, beat.heard),
        }
    }

    fn interval_at(&self, beat: &Beat) -> Exact {
        let swing = self.of.sinusoid.map_or(0, |a| [0, a, 0, -a][(beat.number as usize - 1) % 4]);
        self.interval_of(beat.number, beat.heard) + Exact::from(swing)
    }

    fn interval_of(&self, number: u32, at: i64) -> Exact {
        let way = |from: Exact, to: Exact, done: i64, all: i64| {
            let share = Exact::new(i128::from(done.clamp(0, all)), i128::from(all));
            from + (to - from) * share
        };
        let done = |begin: u32| i64::from(number) + 1 - i64::from(begin);
        let main = match self.course {
            Course::Beats(from, to, begin, over) => way(from, to, done(begin), i64::from(over)),
            Course::Time(from, to, since, over) => way(from, to, at - since, over),
            Course::Tempo(from, to, since, over) => of_tempo(way(from, to, at - since, over)),
        }
        .coarse();
        self.steps.iter().fold(main, |sum, (begin, by, over)| {
            sum + way(Exact::ZERO, *by, done(*begin), i64::from(*over))
        })
    }

    /// The changes that act at a beat.
    fn acting(&self, number: u32, witness: &Witness) -> Vec<(usize, &'a Change)> {
        let all = self.of.changes.iter().enumerate();
        all.filter(|(i, c)| self.acts(*i, c, number, witness)).collect()
    }

    fn acts(&self, index: usize, change: &Change, number: u32, witness: &Witness) -> bool {
        match &change.when {
            Occasion::At(beats) => beats.contains(&number),
            Occasion::Every(_) => {
                let others: Vec<u32> = taken(&self.of.changes, index);
                every(&change.when, change.after, change.apart, &others).any(|n| n == number)
            }
            Occasion::Percent(100) => number > change.after,
            Occasion::Percent(0) => false,
            Occasion::Percent(_) => {
                let kind = if change.mute {
                    "mute"
                } else if change.phase.is_some() {
                    "phase_shift"
                } else {
                    "onset_shift"
                };
                witness.altered(self.index, self.place, kind).is_some()
            }
        }
    }

    /// The shifts of a beat together. What chance decided is what the witness has beyond the rest.
    fn sum(
        &self,
        acting: &[(usize, &Change)],
        kind: &str,
        of: impl Fn(&Change) -> Option<&Size>,
        witness: &Witness,
    ) -> Option<i64> {
        let sizes: Vec<&Size> = acting.iter().filter_map(|(_, c)| of(c)).collect();
        if sizes.is_empty() {
            return None;
        }
        let fixed: i64 = sizes.iter().map(|s| if let Size::Fixed(by) = s { *by } else { 0 }).sum();
        let list = sizes.iter().find_map(|s| match s {
            Size::Fixed(_) => None,
            Size::Random(list) | Size::Shuffled(list) | Size::Once(list) => Some(list),
        });
        let Some(list) = list else { return Some(fixed) };
        let Some(told) = witness.altered(self.index, self.place, kind) else {
            return Some(fixed + list.iter().max().unwrap()); // never came: as late as it could be
        };
        assert!(list.contains(&(told - fixed)), "{kind} {told} is not one of {list:?}");
        Some(told)
    }
}

pub fn of_tempo(bpm: Exact) -> Exact {
    Exact::from(60_000_000_000) * bpm.one_over()
}

/// The beats or taps that the other changes take, as far as they keep no distance themselves.
fn taken(changes: &[Change], but: usize) -> Vec<u32> {
    let others = changes.iter().enumerate().filter(|(i, _)| *i != but);
    others.flat_map(|(_, c)| listed(&c.when, c.after)).collect()
}

pub fn listed(when: &Occasion, after: u32) -> Vec<u32> {
    match when {
        Occasion::At(beats) => beats.clone(),
        Occasion::Every(n) => (1..400).map(|k| after + k * n).collect(),
        Occasion::Percent(_) => Vec::new(),
    }
}

/// Every Nth, put off where another is too near.
pub fn every<'b>(
    when: &Occasion,
    after: u32,
    apart: u32,
    others: &'b [u32],
) -> impl Iterator<Item = u32> + 'b {
    let Occasion::Every(n) = *when else { panic!("every") };
    let free = move |at: &u32| others.iter().all(|other| at.abs_diff(*other) >= apart);
    let next = move |last: u32, step: u32| (last + step..).find(free).unwrap();
    let first = next(after, n);
    std::iter::successors(Some(first), move |last| Some(next(*last, n.max(apart)))).take(300)
}
