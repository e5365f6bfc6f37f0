//! Codes: which number tells another recorder of which event.

use super::Names;
use crate::trial_files::meetings::{self, Met, meetings_by_taps};
use crate::trial_files::reading::{Field, Node, Part, TomlEntry, Value, brief, say};
use chronotap_core::time::Nanos;
use chronotap_engine::action::ActionKind as Made;
use chronotap_engine::trial::{Code, Coded, Codes, Do, Rule, Trial};

/// The codes that a list of their names stands for.
type Of = fn(u16) -> Coded;

/// Reads `[codes]`; `None` where the file has none.
pub(super) fn codes(top: &Part<'_>, names: &Names, rules: &[Rule]) -> Option<Codes> {
    if !top.has("codes") {
        return None;
    }
    let part = top.part("codes", "codes");
    let codes = Codes {
        output: part.must("output", |f| f.named("output", &names.outputs)).unwrap_or(0),
        width: part.read("width", |f| f.time()).unwrap_or(Nanos(1)),
        delay: part.read("delay", |f| f.time()).unwrap_or_default(),
        with_tones_of: part.read("with_tones_of", |f| f.named("output", &names.outputs)),
        list: list(&part, names, rules),
    };
    twice(&part, &codes.list);
    if codes.list.is_empty() && top.page.is_clean() {
        let cure = "give an event its number, such as start = 1";
        top.page.cured(part.at, "[codes] names no event", cure);
    }
    Some(codes)
}

/// Doubts one number for two kinds of event, which the recording cannot tell apart.
fn twice(part: &Part<'_>, list: &[Code]) {
    for (place, code) in list.iter().enumerate() {
        if let Some(other) = list[..place].iter().find(|other| other.value == code.value) {
            let message = format!(
                "codes: {} and {} are both {}: the recording cannot tell them apart",
                other.name, code.name, code.value
            );
            let key = code.name.split(['.', ' ']).next().unwrap_or_default();
            part.page.warn(part.at(key), message);
        }
    }
}

fn list(part: &Part<'_>, names: &Names, rules: &[Rule]) -> Vec<Code> {
    let most = part.read("bits", |f| f.count()).map_or(u16::MAX, |bits| most(bits as u16));
    let mut list = Vec::new();
    for (key, of) in [("start", Coded::Start), ("end", Coded::End)] {
        let value = part.field(key).and_then(|field| value(&field, most));
        list.extend(value.map(|value| Code { name: key.to_owned(), value, of }));
    }
    list.extend(every(part, most));
    let rules: Vec<String> = rules.iter().map(|rule| rule.name.clone()).collect();
    let tables: [(&str, &str, &[String], Of); 6] = [
        ("pacing", "pacing stream", &names.pacing, Coded::Pacing),
        ("silent", "pacing stream", &names.pacing, Coded::Silent),
        ("feedback", "feedback channel", &names.feedback, Coded::Feedback),
        ("masking", "masking stream", &names.masking, Coded::Masking),
        ("tap", "input", &names.inputs, Coded::Tap),
        ("rule", "rule", &rules, Coded::Rule),
    ];
    for (key, what, known, of) in tables {
        let Some(field) = part.field(key) else { continue };
        list.extend(named(&field, (what, known), of, most));
    }
    for one in part.parts("together", "codes.together") {
        list.extend(together(&one, &list, most));
    }
    list
}

/// `every = { interval = "10 s", code = 99 }`
fn every(part: &Part<'_>, most: u16) -> Option<Code> {
    if !part.has("every") {
        return None;
    }
    let every = part.part("every", "codes.every");
    let interval = every.must("interval", |f| f.time());
    let value = every.must("code", |field| value(field, most));
    let first = every.read("first", |f| f.time()).or(interval);
    let of = Coded::Every { first: first?, interval: interval? };
    Some(Code { name: "every".to_owned(), value: value?, of })
}

/// The greatest number of so many bits.
fn most(bits: u16) -> u16 {
    u16::MAX >> (16 - bits.min(16))
}

/// `pacing = { metronome = 10 }`
fn named(field: &Field<'_>, (what, known): (&str, &[String]), of: Of, most: u16) -> Vec<Code> {
    let Some(table) = field.node.table() else {
        return field.wrong("a table of names and codes").unwrap_or_default();
    };
    let code = |entry: &TomlEntry| {
        let name = Node { at: entry.at, value: Value::Text(entry.key.clone()) };
        let index = Field { at: entry.at, ..field.with(&name) }.named(what, known)?;
        let path = format!("{}.{}", field.path, entry.key);
        let value = value(&Field { path, ..field.with(&entry.node) }, most)?;
        Some(Code { name: format!("{}.{}", field.key.name, entry.key), value, of: of(index) })
    };
    table.entries.iter().filter_map(code).collect()
}

fn value(field: &Field<'_>, most: u16) -> Option<u16> {
    match field.node.value {
        Value::Integer(0) => {
            let cure = format!("write 1 to {most}");
            field.problem("= 0 is the line at rest, which no recorder sees", cure)
        }
        Value::Integer(n) if n > i128::from(most) && n <= i128::from(u16::MAX) => {
            let (has, needs) = (16 - most.leading_zeros(), 128 - n.leading_zeros());
            let cure = format!("write 1 to {most}, or bits = {needs}");
            field.problem(&format!("= {n} does not fit into {has} bits"), cure)
        }
        _ => field.whole(1, u64::from(most)).and_then(|n| u16::try_from(n).ok()),
    }
}

/// `of = ["start", "pacing.metronome"]` with a code of their own.
fn together(part: &Part<'_>, list: &[Code], most: u16) -> Option<Code> {
    let place = |field: &Field<'_>| {
        let text = field.text()?;
        let place = list.iter().position(|code| code.name == text);
        if place.is_none() {
            let message = format!("{}: no code is given for \"{}\"", field.path, brief(&text));
            let known = list.iter().map(|code| code.name.as_str());
            field.page.unknown(field.at, message, &text, known);
        }
        place.map(|place| place as u16)
    };
    let read = |field: &Field<'_>| {
        let mut of: Vec<u16> = field.list("codes")?.iter().map(place).collect::<Option<_>>()?;
        of.sort_unstable();
        of.dedup();
        if of.len() < 2 {
            return field.problem("names one code only", "name at least two");
        }
        Some(of)
    };
    let (of, value) = (part.must("of", read), part.must("code", |field| value(field, most)));
    let (of, value) = (of?, value?);
    let names: Vec<&str> = of.iter().map(|place| list[usize::from(*place)].name.as_str()).collect();
    Some(Code { name: names.join(" + "), value, of: Coded::Together(of) })
}

/// Everything of the trial that would send its tones where codes go, and codes that would meet.
pub(super) fn check(top: &Part<'_>, trial: &Trial, parts: &[Part<'_>], plays: &[(usize, Do)]) {
    let Some(codes) = &trial.codes else { return };
    let streams = trial.pacing.iter().map(|it| it.output);
    let channels = trial.feedback.iter().map(|it| it.output);
    let noises = trial.masking.iter().map(|it| it.output);
    let sounding = streams.chain(channels).chain(noises).zip(parts);
    let copies = trial.copies.iter().filter_map(|copied| {
        let place = match copied.of {
            Made::Pacing(i) => usize::from(i),
            Made::Feedback(i) => trial.pacing.len() + usize::from(i),
            Made::Masking(i) => trial.pacing.len() + trial.feedback.len() + usize::from(i),
            _ => return None,
        };
        Some((copied.output, parts.get(place)?))
    });
    let sounding = sounding.chain(copies);
    let sounding = sounding.map(|(output, part)| (output, part.at("output"), part.said()));
    let plays = plays
        .iter()
        .filter_map(|(at, act)| act.plays_at().map(|output| (output, *at, "this rule".to_owned())));
    for (output, at, who) in sounding.chain(plays).filter(|(to, ..)| *to == codes.output) {
        let name = trial.outputs.get(usize::from(output)).map_or("", String::as_str);
        let message = format!("{who} sends its tones to {name}, which carries codes");
        let other = trial.outputs.iter().find(|other| *other != name);
        let cure = match other {
            Some(other) => format!("write output = \"{other}\" there"),
            None => "declare an output for tones, such as [output.sound], before it".to_owned(),
        };
        top.page.cured(at, message, cure);
    }
    if top.page.is_clean() {
        refuse_meetings(top, trial, codes);
    }
}

/// A doubt for codes that taps let meet, wherever these come.
pub(crate) fn met_by_taps(trial: &Trial, seed: Option<u64>) -> Vec<String> {
    let Some(codes) = &trial.codes else { return Vec::new() };
    let said = |met: &Met| {
        let told = met.told(codes);
        if met.apart > Nanos::ZERO {
            return cut_short(&told, met, codes, ", wherever taps bring them about,");
        }
        let (names, cure) = (and(&told), of_one_instant(&told));
        format!(
            "{names} fall on one instant wherever taps bring them about, and one code can be sent at \
             a time; {cure}"
        )
    };
    meetings_by_taps(trial, seed).iter().map(said).collect()
}

fn of_one_instant(told: &[&str]) -> String {
    let quoted: Vec<String> = told.iter().map(|name| format!("\"{name}\"")).collect();
    let of = quoted.join(", ");
    format!(
        "give them one together, [[codes.together]] with of = [{of}], or let one of them come later"
    )
}

fn cut_short(told: &[&str], met: &Met, codes: &Codes, when: &str) -> String {
    let [first, second] = told else { return String::new() };
    let (width, apart) = (say(codes.width), say(met.apart));
    format!("{second}{when} comes {apart} after {first}, whose code of {width} it cuts short")
}

/// `a, b and c`
fn and(names: &[&str]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        _ => names.concat(),
    }
}

impl Met {
    fn told<'c>(&self, codes: &'c Codes) -> Vec<&'c str> {
        self.codes.iter().map(|place| codes.list[usize::from(*place)].name.as_str()).collect()
    }
}

/// Refuses two codes at one instant, and doubts a code that the next one cuts short, as far as
/// that can be known before anybody taps.
fn refuse_meetings(top: &Part<'_>, trial: &Trial, codes: &Codes) {
    let part = top.part("codes", "codes");
    for met in meetings::meetings(trial, top.given("seed", |f| f.whole(0, u64::MAX))) {
        let (told, at) = (met.told(codes), say(met.at));
        if met.apart == Nanos::ZERO {
            let message = format!(
                "{} fall on one instant, {at}, and one code can be sent at a time",
                and(&told)
            );
            top.page.cured(part.at, message, of_one_instant(&told));
        } else {
            top.page.warn(part.at, cut_short(&told, &met, codes, &format!(" at {at}")));
        }
    }
}
