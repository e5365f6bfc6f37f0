//! [`TapColumns`]: taps as they are read, straight into columns, without a text between. What is
//! the same for all taps of a trial is put before them when they are written ([`TapColumns::frame`]).

use crate::exchange::factors::Factors;
use crate::exchange::frame::TextCells;
use crate::exchange::{Frame, FrameColumn, Values};
use crate::tables::source::PLACE;
use crate::tables::{Source, Sources, TapRow, TapSink};

/// The columns of taps.
#[derive(Clone, Debug, Default)]
pub struct TapColumns {
    /// How many taps each trial has.
    trials: Vec<u32>,
    input: TextCells,
    tap: Vec<Option<i64>>,
    event_id: Vec<Option<i64>>,
    onset_ns: Vec<Option<i64>>,
    stretch: TextCells,
    interval_ns: Vec<Option<i64>>,
    fate: TextCells,
    against: TextCells,
    beat: Vec<Option<i64>>,
    asynchrony_ns: Vec<Option<i64>>,
    left_out: [TextCells; 3],
    peak_force: Vec<Option<i64>>,
    rise_ns: Vec<Option<i64>>,
    dwell_ns: Vec<Option<i64>>,
    onset_source: TextCells,
}

impl TapSink for TapColumns {
    fn begin(&mut self, _: &Source) {
        self.begin_trial();
    }

    fn make_room(&mut self, taps: usize) {
        let numbers = [&mut self.tap, &mut self.event_id, &mut self.onset_ns];
        let more = [&mut self.interval_ns, &mut self.beat, &mut self.asynchrony_ns];
        let forces = [&mut self.peak_force, &mut self.rise_ns, &mut self.dwell_ns];
        let numbers = numbers.into_iter().chain(more).chain(forces);
        numbers.for_each(|cells| cells.reserve(taps));
        let words = [&mut self.input, &mut self.stretch, &mut self.fate, &mut self.against];
        let words = words.into_iter().chain(&mut self.left_out).chain([&mut self.onset_source]);
        words.for_each(|words| words.cells.reserve(taps));
    }

    fn put(&mut self, row: &TapRow<'_>) {
        if let Some(count) = self.trials.last_mut() {
            *count += 1;
        }
        self.input.push(Some(row.input));
        self.tap.push(Some(row.tap));
        self.event_id.push(row.event_id);
        self.onset_ns.push(Some(row.onset.0));
        self.stretch.push(Some(row.stretch));
        self.interval_ns.push(row.interval.map(|interval| interval.0));
        self.fate.push(Some(row.fate));
        self.against.push(row.answered.map(|(stream, ..)| stream));
        self.beat.push(row.answered.map(|(_, beat, _)| beat));
        self.asynchrony_ns.push(row.answered.map(|(.., asynchrony)| asynchrony.0));
        for (words, rule) in self.left_out.iter_mut().zip(&row.left_out) {
            match rule {
                Some(rule) => words.push(Some(&rule.to_string())),
                None => words.push(None),
            }
        }
        self.peak_force.push(row.force.map(|force| i64::from(force.peak)));
        self.rise_ns.push(row.force.map(|force| force.rise.0));
        self.dwell_ns.push(row.force.map(|force| force.dwell.0));
        self.onset_source.push(row.onset_source);
    }
}

impl TapColumns {
    /// The taps that follow are of the next trial.
    pub fn begin_trial(&mut self) {
        self.trials.push(0);
    }

    /// How many trials they are of.
    pub fn trials(&self) -> usize {
        self.trials.len()
    }

    /// As a table; `which` has a row for each trial, those of these trials from `first` on.
    pub fn frame(self, which: &Frame, first: usize) -> Frame {
        let mut frame = which.repeated(first, &self.trials);
        let [tap, interval, asynchrony] = self.left_out;
        frame.columns.extend([
            FrameColumn::named("input", Values::Text(self.input)),
            FrameColumn::named("tap", Values::Integer(self.tap)),
            FrameColumn::named("event_id", Values::Integer(self.event_id)),
            FrameColumn::named("onset_ns", Values::Integer(self.onset_ns)),
            FrameColumn::named("stretch", Values::Text(self.stretch)),
            FrameColumn::named("interval_ns", Values::Integer(self.interval_ns)),
            FrameColumn::named("fate", Values::Text(self.fate)),
            FrameColumn::named("against", Values::Text(self.against)),
            FrameColumn::named("beat", Values::Integer(self.beat)),
            FrameColumn::named("asynchrony_ns", Values::Integer(self.asynchrony_ns)),
            FrameColumn::named("tap_left_out", Values::Text(tap)),
            FrameColumn::named("interval_left_out", Values::Text(interval)),
            FrameColumn::named("asynchrony_left_out", Values::Text(asynchrony)),
            FrameColumn::named("peak_force", Values::Integer(self.peak_force)),
            FrameColumn::named("rise_ns", Values::Integer(self.rise_ns)),
            FrameColumn::named("dwell_ns", Values::Integer(self.dwell_ns)),
            FrameColumn::named("onset_source", Values::Text(self.onset_source)),
        ]);
        frame
    }
}

/// Which trials they are, a row for each: the same columns in every dataset.
pub(crate) fn which(sources: &Sources, factors: &Factors) -> Frame {
    let trials: Vec<&Source> = sources.trials.iter().collect();
    let text = |name: &str, cell: &dyn Fn(&Source) -> Option<String>| {
        let mut words = TextCells::default();
        trials.iter().for_each(|trial| words.push(cell(trial).as_deref()));
        FrameColumn::named(name, Values::Text(words))
    };
    let mut columns = vec![
        text("participant_id", &Source::participant_id),
        text("session", &|trial| trial.session.clone()),
        text("task", &|trial| trial.task.clone()),
    ];
    columns.extend(PLACE.iter().enumerate().map(|(place, name)| match *name {
        "step" => text(name, &|trial| trial.place[place].clone()),
        _ => FrameColumn::named(name, Values::Integer(whole(&trials, place))),
    }));
    columns.push(text("events_file", &|trial| Some(trial.shown.clone())));
    let counts = trials.iter().map(|trial| Some(trial.counts)).collect();
    columns.push(FrameColumn::named("counts", Values::Truth(counts)));
    columns.push(text("condition", &|trial| condition(trial, &sources.factors)));
    columns.extend(factors.cells(sources, &trials));
    Frame { columns, rows: trials.len() }
}

/// A number of each trial's place in the experiment.
fn whole(trials: &[&Source], place: usize) -> Vec<Option<i64>> {
    trials.iter().map(|trial| trial.place[place].as_ref()?.parse().ok()).collect()
}

/// The levels of the factors in one text: `tempo=400 ms; delay=0 ms`.
fn condition(source: &Source, factors: &[String]) -> Option<String> {
    let levels = factors.iter().zip(&source.levels);
    let said = levels.filter_map(|(factor, level)| Some(format!("{factor}={}", level.as_ref()?)));
    Some(said.collect::<Vec<_>>().join("; ")).filter(|words| !words.is_empty())
}
