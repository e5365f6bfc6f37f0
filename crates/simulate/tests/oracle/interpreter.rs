//! The manual as a program: docs/trial-meaning.md, sentence by sentence, without regard to speed.
//! It shares nothing with the engine, not even its order of work.

use crate::oracle::channel::{Answer, Channel, drawn_velocity};
use crate::oracle::exact::Exact;
use crate::oracle::line::{Line, output};
use crate::oracle::model::*;
use crate::oracle::stream::{Asked, Beat, Stream, of_tempo};
use crate::oracle::witness::Witness;

/// A feedback tone that is due, or one that sounds; ends at `end`, if that is known.
#[derive(Clone, Debug)]
struct Tone {
    line: Line,
    due: i64,
    end: Option<i64>,
    /// The key that it waits for (place of the tap), and its delay.
    held: Option<(usize, i64)>,
    channel: usize,
}

struct Rule {
    fired: bool,
    held: bool,
}

/// A stream's correction that is to come.
struct Decision {
    stream: usize,
    at: i64,
}

pub struct Interpreter<'a> {
    model: &'a Model,
    witness: &'a Witness,
    now: i64,
    streams: Vec<Stream<'a>>,
    tones: Vec<crate::oracle::model::Tone>,
    accents: Vec<(u8, Option<u8>)>,
    audible: Vec<bool>,
    phases: Vec<Exact>,
    /// Times of the taps that answered the last beats, newest last.
    answers: Vec<Vec<Option<i64>>>,
    channels: Vec<Channel>,
    masking: Vec<(Masking, u32)>,
    debounce: Vec<i64>,
    accepted: Vec<Vec<i64>>,
    /// By stream and input: the most taps that came after an end before a further start.
    most_after: Vec<Vec<usize>>,
    came: Vec<u32>,
    rules: Vec<Rule>,
    decisions: Vec<Decision>,
    due: Vec<Tone>,
    sounding: Vec<Tone>,
    presses: Vec<usize>,
    lines: Vec<Line>,
    starts: Vec<(usize, Exact)>,
    acted: u64,
    ended: bool,
    end_cause: String,
}

impl<'a> Interpreter<'a> {
    pub fn new(model: &'a Model, witness: &'a Witness) -> Interpreter<'a> {
        let streams: Vec<_> =
            model.pacing.iter().enumerate().map(|(i, p)| Stream::new(i, p)).collect();
        let count = streams.len();
        let at = |s: &Pacing| if let Start::At(at) = s.start { Some(at) } else { None };
        let starts = model.pacing.iter().enumerate();
        Interpreter {
            model,
            witness,
            now: -1,
            streams,
            tones: model.pacing.iter().map(|p| p.tone).collect(),
            accents: model.pacing.iter().map(|p| p.accent).collect(),
            audible: model.pacing.iter().map(|p| p.audible).collect(),
            phases: model
                .pacing
                .iter()
                .map(|p| p.adapt.as_ref().map_or(Exact::ZERO, |a| a.phase))
                .collect(),
            answers: vec![Vec::new(); count],
            channels: model.feedback.iter().map(Channel::new).collect(),
            masking: model.masking.iter().map(|m| (m.clone(), 0)).collect(),
            debounce: model.inputs.iter().map(|i| i.debounce).collect(),
            accepted: vec![Vec::new(); model.inputs.len()],
            most_after: vec![vec![0; model.inputs.len()]; count],
            came: vec![0; count],
            rules: model.when.iter().map(|_| Rule { fired: false, held: false }).collect(),
            decisions: Vec::new(),
            due: Vec::new(),
            sounding: Vec::new(),
            presses: (0..model.taps.len()).collect(),
            lines: Vec::new(),
            starts: starts.filter_map(|(i, s)| at(s).map(|at| (i, Exact::from(at)))).collect(),
            acted: 0,
            ended: false,
            end_cause: String::new(),
        }
    }

    pub fn run(mut self) -> Vec<Line> {
        for (stream, at) in std::mem::take(&mut self.starts) {
            self.streams[stream].start(at, 0, self.witness);
        }
        while !self.ended {
            self.now = self.next().max(self.now);
            self.instant();
        }
        self.close();
        self.responses();
        self.lines
    }

    /// The next time at which anything can happen.
    fn next(&self) -> i64 {
        let beats = self.streams.iter().filter_map(|s| s.next.as_ref().map(|b| b.heard));
        let taps = self.model.taps.iter().flat_map(|t| [t.at, t.at + t.hold]);
        let later = |at: &i64| *at > self.now;
        let due = self.due.iter().map(|t| t.due);
        let ends = self.sounding.iter().filter_map(|t| t.end);
        let decisions = self.decisions.iter().map(|d| d.at);
        let masks = self.masking.iter().map(|(m, k)| masking_at(m, *k));
        let rules = self.model.when.iter().flat_map(|w| w.all.iter().chain(&w.any));
        let rules = rules.filter_map(|c| match c {
            Condition::Time(at) => Some(*at),
            Condition::Silence(i, d) => Some(self.accepted[*i].last().unwrap_or(&0) + d),
            _ => None,
        });
        let planned = beats.chain(due).chain(ends).chain(decisions).chain(masks);
        planned.chain(taps.filter(later)).chain(rules.filter(later)).min().unwrap()
    }

    fn instant(&mut self) {
        self.end_tones();
        let arrivals: Vec<(usize, bool)> = self.arrivals();
        for (place, down) in &arrivals {
            if self.ended {
                return;
            }
            if *down { self.press(*place) } else { self.release(*place) }
        }
        self.beats_are_here();
        self.scan(None);
        if self.ended {
            return;
        }
        self.beats();
        self.feedback();
        self.mask();
        self.end_tones();
        self.correct();
    }

    /// Presses and releases of this instant, in the order of the script.
    fn arrivals(&self) -> Vec<(usize, bool)> {
        let all = self.presses.iter().flat_map(|place| {
            let tap = &self.model.taps[*place];
            [(tap.at, *place, true), (tap.at + tap.hold, *place, false)]
        });
        all.filter(|(at, ..)| *at == self.now).map(|(_, place, down)| (place, down)).collect()
    }

    fn end_tones(&mut self) {
        let now = self.now;
        let (over, on): (Vec<Tone>, Vec<Tone>) = std::mem::take(&mut self.sounding)
            .into_iter()
            .partition(|t| t.end.is_some_and(|e| e <= now));
        self.sounding = on;
        for mut tone in over {
            tone.line.lasts = Some(tone.end.unwrap().max(tone.line.at) - tone.line.at);
            self.lines.push(tone.line);
        }
    }

    fn sound(&mut self, tone: Tone) {
        let place = |line: &Line| {
            let (note, _, channel) = line.tone.unwrap();
            (note, channel, line.port.clone())
        };
        for earlier in &mut self.sounding {
            if place(&earlier.line) == place(&tone.line) {
                earlier.end = Some(self.now);
            }
        }
        self.end_tones();
        self.sounding.push(tone);
    }

    fn press(&mut self, place: usize) {
        let model = self.model;
        let tap = &model.taps[place];
        let name = model.inputs[tap.input].name;
        let last = self.accepted[tap.input].last().copied();
        let soon = last.is_some_and(|last| tap.at - last < self.debounce[tap.input]);
        let mut line = Line::new(self.now, "tap", name);
        line.tone = Some((tap.note, tap.velocity, tap.channel));
        line.port = Some(name.into());
        line.lasts = Some(tap.hold);
        if soon {
            line.flag = Some("debounced");
            self.lines.push(line);
            return;
        }
        self.accepted[tap.input].push(tap.at);
        let number = self.accepted[tap.input].len() as u32;
        line.number = Some(number);
        let called = line.called();
        self.lines.push(line);
        self.start_by_taps(tap.input, number);
        self.beats_are_here();
        self.scan(Some((tap, &called)));
        if !self.ended {
            self.answer(place, &called);
        }
    }

    /// Streams that begin with a tap, and those that take their tempo from taps.
    fn start_by_taps(&mut self, input: usize, number: u32) {
        for (i, pacing) in self.model.pacing.iter().enumerate() {
            if let Pace::FromTaps(a, b, of) = pacing.pace
                && (of, b) == (input, number)
            {
                let at = |n: u32| self.accepted[input][n as usize - 1];
                let mean = Exact::from(at(b) - at(a)).over(i64::from(b - a));
                self.streams[i].given = Some(mean.max(Exact::from(1_000_000)));
            }
            let first = match pacing.start {
                Start::Tap { input: of, tap, delay } if (of, tap) == (input, number) => {
                    Exact::from(delay)
                }
                Start::OneIntervalAfter { input: of, tap } if (of, tap) == (input, number) => {
                    self.streams[i].given.unwrap()
                }
                _ => continue,
            };
            self.start(i, Exact::from(self.now) + first);
        }
    }

    fn start(&mut self, stream: usize, at: Exact) {
        self.answers[stream].clear();
        for input in 0..self.model.inputs.len() {
            let most = &self.most_after[stream][input];
            self.most_after[stream][input] = self.taps_after(stream, input).max(*most);
        }
        self.decisions.retain(|d| d.stream != stream);
        self.streams[stream].start(at, self.now, self.witness);
    }

    fn release(&mut self, place: usize) {
        let tap = &self.model.taps[place];
        let name = self.model.inputs[tap.input].name;
        let mut line = Line::new(self.now, "release", name);
        line.tone = Some((tap.note, 64, tap.channel));
        line.port = Some(name.into());
        let same = |l: &&Line| {
            l.kind == "tap"
                && l.at == tap.at
                && l.name == name
                && l.tone.is_some_and(|(n, _, c)| (n, c) == (tap.note, tap.channel))
        };
        line.cause = self.lines.iter().find(same).map(Line::called);
        self.lines.push(line);
        let up = self.now;
        for tone in self.due.iter_mut().chain(&mut self.sounding) {
            if let Some((_, delay)) = tone.held.filter(|(of, _)| *of == place) {
                tone.end = Some(up + delay);
                tone.held = None;
            }
        }
        self.end_tones();
    }

    fn answer(&mut self, place: usize, called: &str) {
        let tap = &self.model.taps[place];
        let number = self.accepted[tap.input].len() as u32;
        for c in 0..self.channels.len() {
            if !self.channels[c].hears(tap) {
                continue;
            }
            let name = self.channels[c].of.name;
            let told = self.witness.feedback(name, called);
            let answer = self.channels[c].answer(tap, told);
            if self.channels[c].of.sounding {
                self.put(c, place, number, called, answer);
            }
        }
    }

    fn put(&mut self, c: usize, place: usize, number: u32, called: &str, answer: Answer) {
        let tap = &self.model.taps[place];
        let of = &self.channels[c].of;
        let kind = if answer.mute { "muted" } else { "feedback" };
        let due = self.now + answer.delay;
        let mut line = Line::new(due, kind, of.name);
        line.number = Some(number);
        line.tone = Some((answer.note, answer.velocity, answer.channel));
        line.port = Some(output(self.model, of.output));
        line.cause = Some(called.to_owned());
        line.altered = answer.altered;
        line.feedback = Some((answer.delay, i64::from(answer.note) - i64::from(tap.note)));
        if answer.mute {
            line.flag = Some("muted");
            self.lines.push(line);
            return;
        }
        let end = answer.duration.map(|duration| due + duration);
        let held = end.is_none().then_some((place, answer.delay));
        self.due.push(Tone { line, due, end, held, channel: c });
    }

    fn beats_are_here(&mut self) {
        for (s, stream) in self.streams.iter().enumerate() {
            if let Some(beat) = stream.next.as_ref().filter(|b| b.heard == self.now) {
                self.came[s] = self.came[s].max(beat.number);
            }
        }
    }

    /// Rules whose condition no longer holds may come to hold again.
    fn lower(&mut self) {
        let held: Vec<bool> = self.model.when.iter().map(|w| self.holds(w, None)).collect();
        for (rule, holds) in self.rules.iter_mut().zip(held) {
            rule.held &= holds;
        }
    }

    /// Lets all rules act whose conditions have come to hold, in the order of the file; and once
    /// more where that started a stream.
    fn scan(&mut self, tap: Option<(&Press, &str)>) {
        loop {
            let mut started = false;
            for place in 0..self.rules.len() {
                let when = &self.model.when[place];
                let holds = self.holds(when, tap.map(|(tap, _)| tap));
                let rule = &mut self.rules[place];
                let acts = holds && !rule.held && (when.repeat || !rule.fired);
                rule.held = holds;
                if acts {
                    rule.fired = true;
                    started |= self.act(place, when, tap);
                }
            }
            if !started {
                return self.lower();
            }
        }
    }

    fn holds(&self, when: &When, tap: Option<&Press>) -> bool {
        let holds = |c: &Condition| self.condition(c, tap);
        when.all.iter().all(holds) && (when.any.is_empty() || when.any.iter().any(holds))
    }

    fn condition(&self, condition: &Condition, tap: Option<&Press>) -> bool {
        match condition {
            Condition::Time(at) => self.now >= *at,
            Condition::Beat(s, n) => self.came[*s] >= *n,
            Condition::Tap(i, n) => self.accepted[*i].len() >= *n as usize,
            Condition::Note(input, note) => {
                tap.is_some_and(|t| t.note == *note && input.is_none_or(|i| i == t.input))
            }
            Condition::Silence(i, d) => self.now - self.accepted[*i].last().unwrap_or(&0) >= *d,
            Condition::TapsAfter(s, n, i) => {
                self.most_after[*s][*i].max(self.taps_after(*s, *i)) >= *n as usize
            }
        }
    }

    /// Taps of an input since a stream ended.
    fn taps_after(&self, stream: usize, input: usize) -> usize {
        let Some(ended) = self.streams[stream].ended else { return 0 };
        self.accepted[input].iter().filter(|at| Exact::from(**at) > ended).count()
    }

    /// Whether it started a stream.
    fn act(&mut self, place: usize, when: &When, tap: Option<(&Press, &str)>) -> bool {
        let name = format!("when-{}", place + 1);
        let mut line = Line::new(self.now, "trigger", &name);
        line.number = Some(place as u32 + 1);
        self.acted += 1;
        line.order = self.acted;
        let fired_by = |c: &Condition| {
            let (tap, _) = tap.unwrap();
            match c {
                Condition::Tap(i, n) => *i == tap.input && self.accepted[*i].len() == *n as usize,
                Condition::Note(..) => self.condition(c, Some(tap)),
                Condition::TapsAfter(_, _, i) => *i == tap.input && self.condition(c, Some(tap)),
                _ => false,
            }
        };
        let by_tap = tap.is_some() && when.all.iter().chain(&when.any).any(fired_by);
        line.cause = tap.filter(|_| by_tap).map(|(_, called)| called.to_owned());
        let called = line.called();
        let (mut started, mut played) = (false, None);
        for act in &when.acts {
            match act {
                Act::Play(tone, to) => played = Some((*tone, *to)),
                Act::Mark(text) => {
                    let mut mark = Line::new(self.now, "marker", text);
                    mark.number = Some(place as u32 + 1);
                    mark.cause = Some(called.clone());
                    self.lines.push(mark);
                }
                Act::End if !self.ended => {
                    self.ended = true;
                    self.end_cause.clone_from(&called);
                }
                Act::End => {}
                other => started |= self.set(other),
            }
        }
        match played {
            Some((tone, to)) => {
                line.tone = Some((tone.note, tone.velocity, tone.channel));
                line.port = Some(output(self.model, to));
                let end = Some(self.now + tone.duration);
                self.sound(Tone { line, due: self.now, end, held: None, channel: 0 });
            }
            None => self.lines.push(line),
        }
        started
    }

    fn set(&mut self, act: &Act) -> bool {
        let now = self.now;
        match act.clone() {
            Act::Audible(s, on) => self.audible[s] = on,
            Act::Interval(s, to) => self.ask(s, Asked::Set(to), to),
            Act::Tempo(s, to) => self.ask(s, Asked::Set(of_tempo(to)), of_tempo(to)),
            Act::RampInterval(s, to, over) => self.ask(s, Asked::Interval(to, over, now), to),
            Act::RampTempo(s, to, over) => self.ask(s, Asked::Tempo(to, over, now), of_tempo(to)),
            Act::ToneNote(s, n) => self.tones[s].note = n,
            Act::ToneVelocity(s, n) => self.tones[s].velocity = n,
            Act::AccentVelocity(s, n) => self.accents[s].0 = n,
            Act::AccentNote(s, n) => self.accents[s].1 = Some(n),
            Act::Phase(s, to) => self.phases[s] = to,
            Act::Sounding(c, on) => self.channels[c].of.sounding = on,
            Act::Delay(c, to) => self.channels[c].set_delay(to),
            Act::RampDelay(c, to, over) => self.channels[c].ramp_delay(to, over, now),
            Act::Pitch(c, to) => self.channels[c].set_pitch(to),
            Act::Velocity(c, to) => self.channels[c].of.velocity = to,
            Act::Duration(c, to) => self.channels[c].of.duration = to,
            Act::Channel(c, to) => self.channels[c].of.channel = to,
            Act::From(c, low, high) => self.channels[c].of.from.notes = Some((low, high)),
            Act::Debounce(i, to) => self.debounce[i] = to,
            Act::MaskingSounding(m, on) => self.masking[m].0.sounding = on,
            Act::MaskingNote(m, n) => self.masking[m].0.notes = (n, n),
            Act::Stop(s) => {
                let waiting = self.decisions.iter().any(|d| d.stream == s);
                if waiting {
                    self.streams[s].ended = Some(Exact::from(now));
                }
                self.streams[s].stop(now);
                self.decisions.retain(|d| d.stream != s);
            }
            Act::Start(s) => {
                self.start(s, Exact::from(now));
                self.beats_are_here();
                return true;
            }
            Act::Mark(_) | Act::Play(..) | Act::End => {}
        }
        false
    }

    fn ask(&mut self, stream: usize, asked: Asked, given: Exact) {
        let of = &mut self.streams[stream];
        of.asked_from = match (of.asked, asked) {
            (Some(Asked::Set(from)), Asked::Interval(..) | Asked::Tempo(..)) => Some(from),
            _ => None,
        };
        of.asked = Some(asked);
        self.streams[stream].given = Some(given);
    }

    fn beats(&mut self) {
        for s in 0..self.streams.len() {
            if self.streams[s].next.as_ref().is_none_or(|b| b.heard > self.now) {
                continue;
            }
            let beat = self.streams[s].come(self.witness);
            self.play(s, &beat);
            let stream = &self.streams[s];
            if stream.ended.is_some() {
                self.follow(s);
            } else if stream.of.adapt.is_some() {
                let half = Exact::from(self.now) + stream.interval.over(2);
                let at = -((Exact::ZERO - half).floor()); // taps at the very edge have come
                self.decisions.push(Decision { stream: s, at });
            }
        }
    }

    /// Streams that begin where this one is over.
    fn follow(&mut self, ended: usize) {
        for i in 0..self.streams.len() {
            let Start::After { stream, delay } = self.model.pacing[i].start else { continue };
            if stream == ended {
                let at = self.streams[ended].follower() + Exact::from(delay);
                self.start(i, at);
            }
        }
    }

    fn play(&mut self, s: usize, beat: &Beat) {
        let of = &self.model.pacing[s];
        let step = beat.number as usize - 1;
        let pattern: Vec<char> = of.pattern.chars().collect();
        let kind = pattern[step % pattern.len()];
        let mut line = Line::new(self.now, "pacing", of.name);
        line.number = Some(beat.number);
        line.altered.clone_from(&beat.altered);
        let flags = [(kind == '.', "rest"), (!self.audible[s], "inaudible"), (beat.mute, "muted")];
        if let Some((_, flag)) = flags.iter().find(|(so, _)| *so) {
            (line.kind, line.flag) = ("silent", Some(*flag));
            line.port = None;
            self.lines.push(line);
            return;
        }
        let tone = self.tones[s];
        let usual = if of.notes.is_empty() {
            vec![tone.note]
        } else {
            of.notes[step % of.notes.len()].clone()
        };
        let (velocity, notes) = match (kind, self.accents[s]) {
            ('X', (velocity, Some(note))) => (velocity, vec![note]),
            ('X', (velocity, None)) => (velocity, usual),
            _ => (tone.velocity, usual),
        };
        let channel = if of.channels.is_empty() {
            tone.channel
        } else {
            of.channels[step % of.channels.len()]
        };
        line.port = Some(output(self.model, of.output));
        for note in notes {
            line.tone = Some((note, velocity, channel));
            let end = Some(self.now + tone.duration);
            self.sound(Tone { line: line.clone(), due: self.now, end, held: None, channel: 0 });
        }
    }

    fn feedback(&mut self) {
        let now = self.now;
        let (mut here, later): (Vec<Tone>, Vec<Tone>) =
            std::mem::take(&mut self.due).into_iter().partition(|t| t.due <= now);
        self.due = later;
        here.sort_by_key(|t| t.channel);
        here.into_iter().for_each(|tone| self.sound(tone));
    }

    fn mask(&mut self) {
        for m in 0..self.masking.len() {
            let (of, number) = self.masking[m].clone();
            if masking_at(&of, number) != self.now {
                continue;
            }
            self.masking[m].1 += 1;
            if !of.sounding {
                continue;
            }
            let mut line = Line::new(self.now, "masking", of.name);
            line.number = Some(number + 1);
            let told = self.witness.masking(of.name, number + 1);
            let note = told.and_then(|l| l.tone).map_or(of.notes.0, |(note, ..)| note);
            assert!((of.notes.0..=of.notes.1).contains(&note), "masking note {note}");
            let velocity = match of.velocity {
                Velocity::Random(low, high) => drawn_velocity(low, high, told),
                Velocity::Fixed(v) => v,
                _ => panic!("fixed or random"),
            };
            line.tone = Some((note, velocity, of.channel));
            line.port = Some(output(self.model, of.output));
            let end = Some(self.now + of.duration);
            self.sound(Tone { line, due: self.now, end, held: None, channel: 0 });
        }
    }

    fn correct(&mut self) {
        let now = self.now;
        let (here, later): (Vec<Decision>, Vec<Decision>) =
            std::mem::take(&mut self.decisions).into_iter().partition(|d| d.at <= now);
        self.decisions = later;
        here.iter().for_each(|d| self.decide(d.stream));
    }

    fn decide(&mut self, s: usize) {
        let adapt = self.model.pacing[s].adapt.as_ref().unwrap();
        let stream = &self.streams[s];
        let (beat, interval) = (stream.last.clone().unwrap(), stream.interval);
        let nearest: Vec<Option<i64>> =
            adapt.to.iter().map(|input| self.nearest(*input, beat.heard, interval)).collect();
        let weighed: Vec<(i64, i64)> = nearest
            .iter()
            .zip(&adapt.weights)
            .filter_map(|(tap, weight)| tap.map(|tap| (tap - beat.heard, *weight)))
            .collect();
        let total: i64 = weighed.iter().map(|(_, weight)| weight).sum();
        let sum: i64 = weighed.iter().map(|(a, weight)| a * weight).sum();
        let mean = if total == 0 { Exact::ZERO } else { Exact::from(sum).over(total) };
        let mut longer = interval + adapt.period * mean;
        if let Some((low, high)) = adapt.within {
            longer = longer.clamp(Exact::from(low), Exact::from(high));
        }
        let mut by = self.phases[s] * mean;
        if let Some(most) = adapt.at_most {
            by = by.clamp(Exact::from(-most), Exact::from(most));
        }
        let mut planned = beat.grid + longer + by;
        self.answers[s].push(nearest[0]);
        if let Some(expected) = expected(&self.answers[s], adapt.extrapolate) {
            planned = planned + adapt.anticipate * (expected - planned);
        }
        self.streams[s].corrected(planned, longer, self.now, self.witness);
    }

    /// The tap of an input that is nearest to a beat, at most half an interval away.
    fn nearest(&self, input: usize, beat: i64, interval: Exact) -> Option<i64> {
        let near = |at: &&i64| Exact::from(2 * (**at - beat).abs()) <= interval;
        let taps = self.accepted[input].iter().filter(near);
        taps.min_by_key(|at| ((**at - beat).abs(), **at)).copied()
    }

    /// The end: what sounds is released, what was still to come is cancelled.
    fn close(&mut self) {
        let now = self.now;
        for mut tone in std::mem::take(&mut self.sounding) {
            tone.line.lasts = Some(tone.end.map_or(now, |end| end.min(now)) - tone.line.at);
            self.lines.push(tone.line);
        }
        for mut tone in std::mem::take(&mut self.due) {
            tone.line.kind = "cancelled";
            self.lines.push(tone.line);
        }
        for line in self.lines.iter_mut().filter(|l| l.kind == "trigger" && l.at == now) {
            (line.tone, line.port, line.lasts) = (None, None, None); // what is due at the end is not played
        }
        let held = |line: &&mut Line| line.kind == "tap" && line.at + line.lasts.unwrap() > now;
        self.lines.iter_mut().filter(held).for_each(|line| line.lasts = None);
        let up = self.lines.iter().filter(|line| line.kind == "release");
        let up: Vec<String> = up.filter_map(|line| line.cause.clone()).collect();
        let known =
            |line: &Line| line.kind == "tap" && line.lasts.is_some_and(|d| line.at + d == now);
        let released = |line: &Line| up.contains(&line.called());
        let still: Vec<usize> = (0..self.lines.len())
            .filter(|i| known(&self.lines[*i]) && !released(&self.lines[*i]))
            .collect();
        still.iter().for_each(|i| self.lines[*i].lasts = None);
        let mut end = Line::new(now, "end", "trigger");
        end.cause = Some(self.end_cause.clone());
        self.lines.push(end);
    }

    /// Which taps reproduce a stream that was listened to.
    fn responses(&mut self) {
        let [pacing] = &self.model.pacing[..] else { return };
        let (Pace::Onsets(onsets, _), Some((after, within))) = (&pacing.pace, pacing.response)
        else {
            return;
        };
        let heard = |l: &&Line| l.kind == "pacing";
        let round = |l: &Line| (l.number.unwrap() as usize - 1) / onsets.len();
        let beats: Vec<(usize, i64)> =
            self.lines.iter().filter(heard).map(|l| (round(l), l.at)).collect();
        let last = |r: usize| {
            let tones = beats.iter().filter(|(of, _)| *of == r).map(|(_, at)| *at);
            tones.clone().max().filter(|_| tones.count() > 1)
        };
        let windows: Vec<(i64, i64)> = (0..20)
            .filter_map(last)
            .map(|at| {
                let next = beats.iter().map(|(_, b)| *b).filter(|b| *b > at).min();
                (at + after, (at + within).min(next.unwrap_or(i64::MAX)))
            })
            .collect();
        for line in self.lines.iter_mut().filter(|l| l.kind == "tap" && l.flag.is_none()) {
            line.response = windows.iter().any(|(from, to)| (*from..=*to).contains(&line.at));
        }
    }
}

/// Where the next tap is expected, from those that answered the last three beats.
fn expected(answers: &[Option<i64>], share: Exact) -> Option<Exact> {
    let [.., Some(c), Some(b), Some(a)] = answers else { return None };
    let (newer, older) = (a - b, b - c);
    Some(Exact::from(a + newer) + share * Exact::from(newer - older))
}

fn masking_at(of: &Masking, number: u32) -> i64 {
    let every = Exact::from(60_000_000_000).over(of.rate);
    (Exact::from(of.start) + every * Exact::from(i64::from(number))).round()
}
