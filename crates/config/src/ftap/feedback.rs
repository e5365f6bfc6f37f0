//! FTAP's feedback channels, and what triggers set of them.
//!
//! Pitch, velocity and delay are each given by a mode and a number: FEED_NOTE matters only
//! while FEED_PMODE is 1. A trial file says both in one value, so what a trigger of either
//! comes to depends on the other as it stands then. That is known where only one of them is
//! ever set, or where all their triggers are counted alike. Where those of the mode are counted one
//! way and those of the number another, a rule for each two of them says what holds once both
//! have come, whichever was first. Elsewhere it depends on the participant, and is refused, or the
//! user drops those that are counted otherwise. The side of the keyboard and the split point are
//! such a pair, too.

use crate::ftap::configuration::{Configuration, Setter};
use crate::ftap::fault::{FtapFault, WayOut};
use crate::ftap::keywords::{self, Parameter, SPLIT_POINT};
use crate::ftap::metronome::Effect;
use crate::ftap::page::Page;
use crate::ftap::readings::{LOW_SIDE, RELEASE, SPLIT, SPLIT_KEY};
use crate::ftap::remark::Inert;
use crate::ftap::without::UNORDERED;
use std::collections::BTreeMap;

/// The two channels: how their keywords begin, and their names in the trial file.
const CHANNELS: [(&str, &str); 2] = [("FEED_", "feed"), ("FEED2_", "feed2")];

/// Mode and number that together say one thing: the parts of their keywords, and its key.
const PAIRS: [(&str, &str, &str); 3] =
    [("PMODE", "NOTE", "pitch"), ("VMODE", "VEL", "velocity"), ("DMODE", "DVAL", "delay")];

/// What FEED_ON and the split point together say: which keys a channel hears.
const SIDES: &str = "from.notes";

/// Where the user drops them: takes out, of the triggers of a mode and its number, those that
/// are counted unlike the first of them.
pub(crate) fn drop_unordered(of: &mut Configuration<'_>) {
    if !of.readings.drops(UNORDERED) {
        return;
    }
    let pairs = CHANNELS
        .into_iter()
        .flat_map(|(prefix, _)| PAIRS.into_iter().map(move |pair| (prefix, pair)));
    for (prefix, (mode, number, _)) in pairs {
        let word = |part: &str| {
            keywords::parameter(&format!("{prefix}{part}")).map_or("", |parameter| parameter.name)
        };
        let (mode, number) = (word(mode), word(number));
        let (modes, numbers) = (of.setters(mode), of.setters(number));
        let first = modes.first().zip(numbers.first()).map(|(a, b)| if a.0 < b.0 { a } else { b });
        let Some((line, moment)) = first.map(|(_, t)| (t.line, t.is.moment)) else { continue };
        of.drop_triggers(UNORDERED, |t| {
            let sets = t.is.sets().is_some_and(|(set, _)| [mode, number].contains(&set.name));
            let unlike = sets && !t.is.moment.is_like(moment);
            unlike.then_some(FtapFault::Unordered { mode, number, other: line })
        });
    }
}

/// A feedback channel that the file speaks of.
pub(crate) struct Channel<'c, 'r> {
    of: &'c Configuration<'r>,
    prefix: &'static str,
    name: &'static str,
    /// What each trigger of a pair leaves, by the trigger's index.
    after: BTreeMap<usize, (i64, i64)>,
    crossings: Vec<Crossing>,
}

/// What two triggers leave together that are counted unlike: a mode's, and its number's. Which
/// comes first is known only in the trial, and what holds after both is the same.
pub(crate) struct Crossing {
    /// The indices of the triggers.
    pub both: [usize; 2],
    /// What is set once both have acted.
    pub lines: Vec<String>,
}

impl<'c, 'r> Channel<'c, 'r> {
    /// The channels that the file speaks of.
    pub fn all(of: &'c Configuration<'r>) -> Vec<Channel<'c, 'r>> {
        let spoken =
            CHANNELS.into_iter().filter(|(prefix, _)| of.speaks_of(|n| n.starts_with(prefix)));
        let channel = |(prefix, name)| {
            let (after, crossings) = (BTreeMap::new(), Vec::new());
            let mut channel = Channel { of, prefix, name, after, crossings };
            PAIRS.into_iter().for_each(|(mode, number, key)| channel.follow(mode, number, key));
            if channel.is_split() {
                channel.follow("ON", SPLIT_POINT, SIDES);
            }
            channel
        };
        spoken.map(channel).collect()
    }

    /// Whether a parameter is one of this channel.
    pub fn has(&self, parameter: &Parameter) -> bool {
        parameter.name.starts_with(self.prefix)
    }

    /// What two triggers leave together that are counted unlike, in the order in which it is to
    /// be written: of several that come at one instant the last holds, which is that of the last
    /// trigger of each.
    pub fn crossings(&self) -> &[Crossing] {
        &self.crossings
    }

    /// Whether what a trigger leaves depends on one that is counted otherwise.
    pub fn is_crossed(&self, index: usize) -> bool {
        self.crossings.iter().any(|crossing| crossing.both.contains(&index))
    }

    /// The whole name of a part, such as `FEED_NOTE` of `NOTE`.
    fn keyword(&self, part: &str) -> &'static str {
        let name = format!("{}{part}", self.prefix);
        let parameter = keywords::parameter(&name).or_else(|| keywords::parameter(part));
        parameter.map_or("", |parameter| parameter.name)
    }

    fn value(&self, part: &str) -> i64 {
        self.of.value(self.keyword(part)).unwrap_or_default()
    }

    /// Works out what each trigger of a pair leaves behind.
    fn follow(&mut self, mode: &str, number: &str, key: &'static str) {
        let (mode, number) = (self.keyword(mode), self.keyword(number));
        let [mut modes, mut numbers] = [mode, number].map(|name| self.of.setters(name));
        let both = || modes.iter().chain(&numbers);
        if !modes.is_empty() && !numbers.is_empty() {
            if are_alike(both()) {
                let mut all: Vec<Setter<'_>> = both().copied().collect();
                in_order(&mut all);
                return self.walk(mode, number, &all);
            }
            if !are_alike(modes.iter()) || !are_alike(numbers.iter()) {
                let (first, line) = (modes[0].1.line, numbers[0].1.line);
                return self.unordered(mode, number, first.min(line), first.max(line));
            }
            in_order(&mut modes);
            in_order(&mut numbers);
            self.cross(&modes, &numbers, key);
        }
        self.walk(mode, number, &modes);
        self.walk(mode, number, &numbers);
    }

    /// Each trigger of a mode with each of its number.
    fn cross(&mut self, modes: &[Setter<'_>], numbers: &[Setter<'_>], key: &'static str) {
        for (of_mode, mode) in modes {
            for (of_number, number) in numbers {
                let sets = |t: &Setter<'_>| t.1.is.sets().map_or(0, |(_, value)| value);
                let (now, value) = (sets(&(*of_mode, mode)), sets(&(*of_number, number)));
                let lines = self.lines(key, now, value);
                self.crossings.push(Crossing { both: [*of_mode, *of_number], lines });
            }
        }
    }

    /// The same, by triggers in the order in which they act.
    fn walk(&mut self, mode: &'static str, number: &'static str, order: &[Setter<'_>]) {
        let mut now = self.of.value(mode).unwrap_or_default();
        let mut value = self.of.value(number).or((number == SPLIT_POINT).then_some(0));
        let mut lacks = (now == 1 && value.is_none()).then(|| self.of.line(mode));
        for (index, trigger) in order {
            let Some((parameter, set)) = trigger.is.sets() else { continue };
            if parameter.name == mode {
                now = set;
            } else {
                value = Some(set);
            }
            lacks = lacks.or((now == 1 && value.is_none()).then_some(trigger.line));
            self.after.insert(*index, (now, value.unwrap_or_default()));
        }
        if let Some(line) = lacks {
            self.of.needed(number, line, &format!("{mode} 1"));
        }
    }

    fn unordered(&self, mode: &'static str, number: &'static str, line: usize, other: usize) {
        let fault = FtapFault::Unordered { mode, number, other };
        self.of.mistake(line, fault, Some(WayOut::Without(UNORDERED)));
    }

    /// Writes the feedback channel.
    pub fn write(&self, page: &mut Page) {
        let of = self.of;
        let source = |part| of.source(self.keyword(part));
        page.heading(&format!("[feedback.{}]", self.name), "");
        let on = self.value("ON");
        page.say(&format!("sounding = {}", on != 0), &source("ON"));
        if on > 1 {
            let notes = self.side(on, of.value(SPLIT_POINT).unwrap_or_default());
            page.say(&format!("from = {{ notes = {notes} }}"), &source("ON"));
        }
        page.say(&format!("channel = {}", self.value("CHAN")), &source("CHAN"));
        for (mode, number, key) in PAIRS {
            let used = self.value(mode) == 1;
            let both = if used { format!("; {}", source(number)) } else { String::new() };
            let shown = self.form(key, self.value(mode), self.value(number));
            page.say(&format!("{key} = {shown}"), &format!("{}{both}", source(mode)));
        }
        page.say(&format!("duration = {}", self.length(self.value("LEN"))), &source("LEN"));
    }

    fn length(&self, ms: i64) -> String {
        if ms == 0 {
            self.of.readings.is(RELEASE, "delayed");
            return "\"as played\"".into();
        }
        format!("\"{ms} ms\"")
    }

    /// The keys of one side of the keyboard, or all; the split point is 0 where none was given.
    fn side(&self, on: i64, split_point: i64) -> String {
        if on < 2 {
            return "\"0..127\"".into();
        }
        let split = match split_point {
            0 => self.of.readings.number(SPLIT),
            note => {
                self.of.source(SPLIT_POINT); // counts as used
                note + i64::from(self.of.readings.is(SPLIT_KEY, "low"))
            }
        };
        let low = self.of.readings.is(LOW_SIDE, &on.to_string());
        if low { format!("\"0..{}\"", split - 1) } else { format!("\"{split}..127\"") }
    }

    /// Whether the channel ever hears one side alone.
    pub fn is_split(&self) -> bool {
        let sides = |t: &Setter<'_>| t.1.is.sets().is_some_and(|(_, value)| value > 1);
        self.value("ON") > 1 || self.of.setters(self.keyword("ON")).iter().any(sides)
    }

    /// What a trigger of this index does that moves the point where the keyboard is split.
    pub fn moved(&self, index: usize) -> Vec<String> {
        let (on, split) = self.after.get(&index).copied().unwrap_or_default();
        if on < 2 { Vec::new() } else { self.lines(SIDES, on, split) }
    }

    /// What setting a parameter of this channel does, by the trigger of this index.
    pub fn effect(&self, index: usize, parameter: &Parameter, value: i64) -> Effect {
        let path = format!("set.feedback.{}", self.name);
        let part = parameter.name.trim_start_matches(self.prefix);
        let pair = PAIRS.into_iter().find(|(mode, number, _)| [*mode, *number].contains(&part));
        let (now, set) = self.after.get(&index).copied().unwrap_or_default();
        if let Some((mode, number, key)) = pair {
            if part == number && now != 1 && self.is_crossed(index) {
                return Ok(vec![format!("mark = \"{} {value}\"", parameter.name)]);
            }
            if part == number && now != 1 {
                return Err(Inert::ModeOff(self.keyword(mode)));
            }
            return Ok(self.lines(key, now, set));
        }
        Ok(match part {
            "ON" if self.is_split() => self.lines(SIDES, value, set),
            "ON" => vec![format!("{path}.sounding = {}", value != 0)],
            "CHAN" => vec![format!("{path}.channel = {value}")],
            _ => vec![format!("{path}.duration = {}", self.length(value))],
        })
    }

    /// What sets a pair, as lines of a rule.
    fn lines(&self, key: &str, mode: i64, number: i64) -> Vec<String> {
        let path = format!("set.feedback.{}", self.name);
        match key {
            SIDES if mode == 0 => vec![format!("{path}.sounding = false")],
            SIDES => vec![
                format!("{path}.sounding = true"),
                format!("{path}.from.notes = {}", self.side(mode, number)),
            ],
            key => vec![format!("{path}.{key} = {}", self.form(key, mode, number))],
        }
    }

    /// A pair as the trial file says it.
    fn form(&self, key: &str, mode: i64, number: i64) -> String {
        match (key, mode) {
            ("delay", 0) => "\"0 ms\"".into(),
            ("delay", 1) => format!("\"{number} ms\""),
            ("delay", _) => self.of.drawn(),
            (_, 0) => "\"as played\"".into(),
            (_, 1) => format!("{{ fixed = {number} }}"),
            // Only modes that a reading explains come here, and of pitch alone.
            _ => self.of.readings.pitch_map(mode).unwrap_or_else(|| "\"as played\"".into()),
        }
    }
}

/// Whether triggers are counted alike, so that it is known in which order they come.
fn are_alike<'t>(mut all: impl Iterator<Item = &'t Setter<'t>>) -> bool {
    let first = all.next().map(|(_, trigger)| trigger.is.moment);
    first.is_none_or(|first| all.all(|(_, trigger)| trigger.is.moment.is_like(first)))
}

/// Puts triggers that are counted alike in the order in which they act.
fn in_order(all: &mut [Setter<'_>]) {
    all.sort_by_key(|(index, trigger)| (trigger.is.moment.count(), *index));
}
