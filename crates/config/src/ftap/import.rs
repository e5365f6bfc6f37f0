//! [`import`]: from the text of a configuration file to the text of a trial file.

use crate::ftap::configuration::{Configuration, Placed};
use crate::ftap::fault::{FtapFault, FtapMistakes};
use crate::ftap::feedback::{Channel, Crossing, drop_unordered};
use crate::ftap::keywords::{Parameter, SPLIT_POINT};
use crate::ftap::masking::Masking;
use crate::ftap::metronome::{Effect, Metronome, count_a_millisecond};
use crate::ftap::page::{Page, quoted};
use crate::ftap::readings::{KEYSTROKE_TRIGGER, KEYSTROKES, Readings, SPLIT, SPLIT_KEY};
use crate::ftap::remark::{Inert, Note, Remark};
use crate::ftap::trigger::{Change, Moment, Trigger};

/// A trial file is not read beyond this.
const BYTES_MAX: usize = 1 << 20;
/// A trial file may have so many triggers, of which one may take two.
const TRIGGERS_MAX: usize = 2_500;

/// A configuration file as a trial file.
#[derive(Clone, Debug)]
pub struct ImportedFile {
    /// The text of the trial file.
    pub toml: String,
    /// What is not acted on, and what was assumed, each with its line where it has one.
    pub notes: Vec<Note>,
    /// The readings that had a part in it, each with its answer and what that means.
    pub readings: Vec<String>,
}

/// Makes a trial file of the text of a configuration file called `name`.
///
/// # Errors
/// All the mistakes of the file, each with its line.
pub fn import(text: &str, name: &str, readings: &Readings) -> Result<ImportedFile, FtapMistakes> {
    let mut read = Configuration::read(text, name, readings);
    drop_unordered(&mut read);
    let mut body = Page::default();
    write(&read, &mut body);
    let assumed = read.assumed();
    if !assumed.is_empty() {
        read.note(0, Remark::Assumed(assumed.clone()));
    }
    let toml = head(&read, name, &assumed).into_text() + &body.into_text();
    if toml.len() > BYTES_MAX {
        read.problem(0, FtapFault::TooLarge);
    }
    let readings = read.readings.told();
    let (mistakes, notes) = read.found();
    if mistakes.is_empty() {
        Ok(ImportedFile { toml, notes, readings })
    } else {
        Err(FtapMistakes(mistakes))
    }
}

/// Writes streams, channels and triggers.
fn write(read: &Configuration<'_>, page: &mut Page) {
    let (metronome, channels) = (Metronome::of(read), Channel::all(read));
    let masking = Masking::of(read);
    let is_empty = metronome.is_none() && channels.is_empty() && masking.is_none();
    if is_empty && read.triggers.is_empty() && read.is_understood() {
        read.problem(0, FtapFault::Nothing);
    }
    let crossings: usize = channels.iter().map(|channel| channel.crossings().len()).sum();
    if read.triggers.len() + crossings > TRIGGERS_MAX {
        let line = read.triggers.get(TRIGGERS_MAX).map_or(0, |trigger| trigger.line);
        return read.problem(line, FtapFault::ManyTriggers { most: TRIGGERS_MAX });
    }
    if channels.iter().any(Channel::is_split) {
        tell_split(read);
    }
    metronome.iter().for_each(|metronome| metronome.write(page));
    channels.iter().for_each(|channel| channel.write(page));
    masking.iter().for_each(|masking| masking.write(page));
    if !read.triggers.iter().any(|trigger| matches!(trigger.is.change, Change::End)) {
        read.note(0, Remark::Endless);
    }
    let parts = Parts { read, metronome, channels, is_masked: masking.is_some() };
    for (index, trigger) in read.triggers.iter().enumerate() {
        parts.when(index, trigger, page);
    }
    let crossings = parts.channels.iter().flat_map(|channel| channel.crossings());
    crossings.for_each(|crossing| parts.both(crossing, page));
}

/// Says where the keyboard is split, unless the user has said it.
fn tell_split(read: &Configuration<'_>) {
    match read.value(SPLIT_POINT) {
        Some(_) if read.readings.is_answered(SPLIT_KEY) => {}
        Some(note) => {
            let split = Remark::SplitKey { note, reading: SPLIT_KEY, other: "low" };
            read.note(read.line(SPLIT_POINT), split);
        }
        None if read.readings.is_answered(SPLIT) => {}
        None => {
            let note = read.readings.number(SPLIT);
            read.note(0, Remark::Parted { note, reading: SPLIT });
        }
    }
}

/// What triggers reach.
struct Parts<'c, 'r> {
    read: &'c Configuration<'r>,
    metronome: Option<Metronome<'c, 'r>>,
    channels: Vec<Channel<'c, 'r>>,
    is_masked: bool,
}

impl Parts<'_, '_> {
    /// Writes one trigger.
    fn when(&self, index: usize, placed: &Placed<Trigger>, page: &mut Page) {
        let (line, trigger) = (placed.line, &placed.is);
        let Some(condition) = self.condition(trigger, line) else { return };
        let (mut from, mut name) = (self.read.of_line(line), trigger.id.clone());
        if self.is_contested(trigger) {
            let Some(own) = self.own_moment(trigger, line, 0) else { return };
            count_a_millisecond(page, &after_line(line), &from);
            rule(page, &from, [&name, &own]);
            page.say(&format!("start = {}", quoted(&after_line(line))), "");
            (from, name) = ("the millisecond after".to_owned(), name + " then");
        }
        rule(page, &from, [&name, &condition]);
        match self.effect(index, trigger) {
            Ok(lines) => lines.iter().for_each(|line| page.say(line, "")),
            Err(why) => {
                let (parameter, value) =
                    trigger.sets().map_or(("", 0), |(p, value)| (p.name, value));
                page.say(
                    &format!("mark = \"{parameter} {value}\""),
                    &format!("changes nothing: {why}"),
                );
                self.read.note(line, Remark::Inert(why));
            }
        }
        if self.ends_after_a_tone(trigger) {
            let name = format!("{} end", trigger.id);
            rule(page, "the millisecond after", [&name, "beat.after_tone = 2"]);
            page.say("end = true", "");
        }
    }

    /// Writes what holds once two triggers have acted, whichever was first.
    fn both(&self, crossing: &Crossing, page: &mut Page) {
        let two = crossing.both.map(|index| &self.read.triggers[index]);
        let conditions = two.map(|t| self.condition(&t.is, t.line));
        let [Some(one), Some(other)] = conditions else { return };
        page.heading(
            "[[when]]",
            &format!("once lines {} and {} have acted", two[0].line, two[1].line),
        );
        let name = format!("{} and {}", two[0].is.id, two[1].is.id);
        page.say(&format!("name = {}", quoted(&name)), "");
        [one, other].iter().chain(&crossing.lines).for_each(|line| page.say(line, ""));
    }

    fn ends_after_a_tone(&self, trigger: &Trigger) -> bool {
        let ends = matches!((trigger.change, trigger.moment), (Change::End, Moment::Metronome(_)));
        ends && self.metronome.as_ref().is_some_and(Metronome::acts_after_tones)
    }

    /// What a trigger waits for; `None` where that never comes, which is then reported. One that acts after its own
    /// tap or tone waits for the next of them, or where others may act meanwhile for the next millisecond.
    fn condition(&self, trigger: &Trigger, line: usize) -> Option<String> {
        if self.is_contested(trigger) {
            return Some(format!("beat.{} = 2", after_line(line)));
        }
        self.own_moment(trigger, line, i64::from(self.acts_afterwards(trigger)))
    }

    /// So many taps or beats after its own.
    fn own_moment(&self, trigger: &Trigger, line: usize, later: i64) -> Option<String> {
        Some(match trigger.moment {
            Moment::Time(ms) => format!("time = \"{ms} ms\""),
            Moment::Keystroke(count) => {
                self.read.readings.is(KEYSTROKES, "presses");
                format!("tap = {}", count + later)
            }
            Moment::Metronome(count) => {
                let beat = self.metronome.as_ref()?.beat(count, line)?;
                format!("beat.metronome = {}", beat + later)
            }
        })
    }

    /// Whether it changes nothing of its own tap or tone: the interval after a tone, and feedback, are the same before
    /// and after that.
    fn acts_afterwards(&self, trigger: &Trigger) -> bool {
        let set = trigger.sets().map_or("", |(parameter, _)| parameter.name);
        match trigger.moment {
            Moment::Time(_) => false,
            Moment::Keystroke(_) => {
                let feedback = set.starts_with("FEED") || set == SPLIT_POINT;
                feedback && self.read.readings.is(KEYSTROKE_TRIGGER, "next")
            }
            Moment::Metronome(_) => {
                let after = self.metronome.as_ref().is_some_and(Metronome::acts_after_tones);
                after && set.starts_with("MET")
            }
        }
    }

    /// Whether it acts after its own tap or tone, and one that is counted otherwise may come before the next.
    fn is_contested(&self, trigger: &Trigger) -> bool {
        let all = self.read.triggers.iter().map(|placed| &placed.is);
        let mut rivals = all.filter(|other| !other.moment.is_like(trigger.moment));
        self.acts_afterwards(trigger) && rivals.any(|other| are_of_one(trigger, other))
    }

    fn effect(&self, index: usize, trigger: &Trigger) -> Effect {
        if let Change::Play(note) = trigger.change {
            let how = self.read.readings.trigger_tone().map_or_else(String::new, |tone| tone.how);
            return Ok(vec![format!("play = {{ note = {note}, {how} }}")]);
        }
        let Some((parameter, value)) = trigger.sets() else {
            let after = self.ends_after_a_tone(trigger);
            return Ok(vec![
                if after { "start = \"after_tone\"" } else { "end = true" }.to_owned(),
            ]);
        };
        if parameter.name == SPLIT_POINT {
            let moved: Vec<_> = self.channels.iter().flat_map(|c| c.moved(index)).collect();
            let is_crossed = self.channels.iter().any(|channel| channel.is_crossed(index));
            return match moved.is_empty() {
                false => Ok(moved),
                true if is_crossed => Ok(vec![format!("mark = \"{SPLIT_POINT} {value}\"")]),
                true => Err(Inert::NoSides),
            };
        }
        if parameter.is_of_masking() {
            let is_masked = self.is_masked.then(|| Masking::effect(parameter, value));
            return is_masked.unwrap_or(Err(Masking::NEVER));
        }
        match self.channels.iter().find(|channel| channel.has(parameter)) {
            Some(channel) => channel.effect(index, parameter, value),
            None => match &self.metronome {
                Some(metronome) => metronome.effect(parameter, value),
                None => Err(Inert::NeverOn),
            },
        }
    }
}

/// The beginning of a rule: where it is from, its name, and when it acts.
fn rule(page: &mut Page, from: &str, [name, condition]: [&str; 2]) {
    page.heading("[[when]]", from);
    page.say(&format!("name = {}", quoted(name)), "");
    page.say(condition, "");
}

/// Whether two triggers set something of the same feedback channel, or both of the metronome. The split point is of
/// both channels.
fn are_of_one(one: &Trigger, other: &Trigger) -> bool {
    let [Some((one, _)), Some((other, _))] = [one, other].map(Trigger::sets) else { return false };
    let of = |parameter: &'static Parameter| parameter.name.split('_').next().unwrap_or_default();
    let is_parted = |parameter: &Parameter| parameter.name.starts_with("FEED");
    match (one.name == SPLIT_POINT, other.name == SPLIT_POINT) {
        (true, true) => true,
        (true, false) => is_parted(other),
        (false, true) => is_parted(one),
        (false, false) => of(one) == of(other),
    }
}

/// The stream that counts the millisecond after the tap or tone of a trigger.
fn after_line(line: usize) -> String {
    format!("after_line_{line}")
}

/// The comments at the head of the file, and its title.
fn head(read: &Configuration<'_>, name: &str, assumed: &[String]) -> Page {
    let mut page = Page::default();
    let slash = |c| if std::path::is_separator(c) { '/' } else { c }; // the same file on every system
    let shown: String = name.chars().filter(|c| !c.is_control()).map(slash).collect();
    page.say(&format!("# Made of {shown}, a configuration file of FTAP (Finney, 2001)."), "");
    page.say("# Behind each line stands where it comes from.", "");
    let readings = read.readings.told();
    page.comments(
        "What FTAP's public documents leave open is read so (--reading NAME=VALUE):",
        &readings,
    );
    page.comments("Not in the file, and FTAP's own values are not known; read as:", assumed);
    let drawn: Vec<String> = read.table.iter().map(|table| read.of_line(table.line)).collect();
    page.comments("Random delays are drawn from:", &drawn);
    let kept: Vec<String> =
        read.kept.iter().map(|kept| format!("line {}: {}", kept.line, kept.is)).collect();
    page.comments("Kept as they stand, and not acted on:", &kept);
    page.comments("Known, but of no consequence in this file:", &read.unused());
    let stem = std::path::Path::new(&shown).file_stem();
    let title = stem.map_or_else(|| "FTAP".into(), |stem| stem.to_string_lossy().into_owned());
    page.say(&format!("title = {}", quoted(&title)), "");
    if !read.texts_kept.is_empty() {
        let texts: Vec<&str> = read.texts_kept.iter().map(|text| text.is.as_str()).collect();
        let lines: Vec<String> = read.texts_kept.iter().map(|t| t.line.to_string()).collect();
        let from = format!("lines {}", lines.join(", "));
        page.say(&format!("description = {}", quoted(&texts.join("\n"))), &from);
    }
    page
}
