//! The text of a drawn trial, as an experimenter would write it.

use crate::oracle::exact::Exact;
use crate::oracle::model::*;
use std::fmt::Write;

pub const OUTPUTS: [&str; 2] = ["ear", "room"];

impl Model {
    pub fn text(&self) -> String {
        let mut text = String::new();
        for input in &self.inputs {
            let _ = writeln!(text, "[input.{}]\ndebounce = {}", input.name, time(input.debounce));
        }
        for output in &OUTPUTS[..self.outputs] {
            let _ = writeln!(text, "[output.{output}]");
        }
        self.pacing.iter().for_each(|stream| self.stream(&mut text, stream));
        self.feedback.iter().for_each(|channel| self.channel(&mut text, channel));
        self.masking.iter().for_each(|masking| masked(&mut text, masking));
        self.when.iter().for_each(|when| self.rule(&mut text, when));
        text
    }

    /// The taps as a script.
    pub fn script(&self) -> String {
        let lines = self.taps.iter().map(|tap| {
            let name = self.inputs[tap.input].name;
            let (at, hold) = (seconds(tap.at), seconds(tap.hold));
            format!("{at} {hold} {} {} {} {name}\n", tap.note, tap.velocity, tap.channel)
        });
        lines.collect()
    }

    fn stream(&self, text: &mut String, s: &Pacing) {
        let mut line = |line: String| *text += &(line + "\n");
        line(format!("[pacing.{}]", s.name));
        match &s.pace {
            Pace::Interval(interval) => line(format!("interval = {}", exact(*interval))),
            Pace::Tempo(tempo) => line(format!("tempo = {}", bpm(*tempo))),
            Pace::FromTaps(a, b, input) => {
                let name = self.inputs[*input].name;
                line(format!("interval = {{ from_taps = [{a}, {b}], input = \"{name}\" }}"));
            }
            Pace::Onsets(onsets, repeat) => {
                line(format!("onsets = {}", times(onsets)));
                if let Some((every, times)) = repeat {
                    line(format!("repeat = {{ every = {}, times = {times} }}", exact(*every)));
                }
            }
        }
        match s.start {
            Start::At(at) => line(format!("start = {}", time(at))),
            Start::WhenStarted => line("start = \"when started\"".into()),
            Start::Tap { input, tap, delay } => {
                let name = self.inputs[input].name;
                line(format!("start = {{ tap.{name} = {tap}, delay = {} }}", time(delay)));
            }
            Start::OneIntervalAfter { input, tap } => {
                let name = self.inputs[input].name;
                line(format!("start = {{ tap.{name} = {tap}, delay = \"one interval\" }}"));
            }
            Start::After { stream, delay } => {
                let name = self.pacing[stream].name;
                line(format!("start = {{ after = \"{name}\", delay = {} }}", time(delay)));
            }
        }
        line(format!("audible = {}\npattern = \"{}\"", s.audible, s.pattern));
        if let Some(beats) = s.beats {
            line(format!("beats = {beats}"));
        }
        line(format!("tone = {}", tone(s.tone)));
        let note = s.accent.1.map_or(String::new(), |note| format!(", note = {note}"));
        line(format!("accent = {{ velocity = {}{note} }}", s.accent.0));
        if !s.notes.is_empty() {
            line(format!("notes = {:?}", s.notes));
        }
        if !s.channels.is_empty() {
            line(format!("channels = {:?}", s.channels));
        }
        if self.outputs > 0 {
            line(format!("output = \"{}\"", OUTPUTS[s.output]));
        }
        if let Some(amplitude) = s.sinusoid {
            line(format!("sinusoid = {{ amplitude = {}, beats = 4 }}", time(amplitude)));
        }
        if let Some((low, high)) = s.jitter {
            line(format!("jitter = {{ uniform = {} }}", times(&[low, high])));
        }
        if let Some((after, within)) = s.response {
            line(format!("response = {{ after = {}, within = {} }}", time(after), time(within)));
        }
        if let Some(adapt) = &s.adapt {
            line(self.adapt(adapt));
        }
        s.changes.iter().for_each(|change| line(changed(s.name, change)));
    }

    fn adapt(&self, a: &Adapt) -> String {
        let to: Vec<&str> = a.to.iter().map(|i| self.inputs[*i].name).collect();
        let mut text = format!(
            "adapt = {{ to = {to:?}, weights = {:?}, phase = {}, period = {}, anticipate = {}, extrapolate = {}",
            a.weights,
            decimal(a.phase),
            decimal(a.period),
            decimal(a.anticipate),
            decimal(a.extrapolate)
        );
        if let Some(most) = a.at_most {
            text += &format!(", at_most = {}", time(most));
        }
        if let Some((low, high)) = a.within {
            text += &format!(", within = {}", times(&[low, high]));
        }
        text + " }"
    }

    fn channel(&self, text: &mut String, f: &Feedback) {
        let mut line = |line: String| *text += &(line + "\n");
        line(format!("[feedback.{}]\nsounding = {}", f.name, f.sounding));
        let mut from = Vec::new();
        if let Some(input) = f.from.input {
            from.push(format!("input = \"{}\"", self.inputs[input].name));
        }
        if let Some(channel) = f.from.channel {
            from.push(format!("channel = {channel}"));
        }
        if let Some((low, high)) = f.from.notes {
            from.push(format!("notes = \"{low}..{high}\""));
        }
        if let Some((low, high)) = f.from.velocities {
            from.push(format!("velocities = [{low}, {high}]"));
        }
        if !from.is_empty() {
            line(format!("from = {{ {} }}", from.join(", ")));
        }
        if self.outputs > 0 {
            line(format!("output = \"{}\"", OUTPUTS[f.output]));
        }
        line(format!("channel = {}\npitch = {}", on(f.channel), pitch(&f.pitch)));
        line(format!("velocity = {}\ndelay = {}", velocity(&f.velocity), delay(&f.delay)));
        line(format!("duration = {}", lasting(f.duration)));
        for p in &f.perturb {
            line(format!(
                "[[feedback.{}.perturb]]\n{}",
                f.name,
                occasion(&p.when, p.after, p.apart)
            ));
            if p.mute {
                line("mute = true".into());
            }
            p.delay.iter().for_each(|d| line(format!("delay = {}", delay(d))));
            p.pitch.iter().for_each(|d| line(format!("pitch = {}", pitch(d))));
            p.velocity.iter().for_each(|d| line(format!("velocity = {}", velocity(d))));
            p.duration.iter().for_each(|d| line(format!("duration = {}", time(*d))));
        }
    }

    fn rule(&self, text: &mut String, when: &When) {
        *text += "[[when]]\n";
        if !when.all.is_empty() {
            *text += &format!("all = [{}]\n", self.conditions(&when.all));
        }
        if !when.any.is_empty() {
            *text += &format!("any = [{}]\n", self.conditions(&when.any));
        }
        if when.repeat {
            *text += "repeat = true\n";
        }
        when.acts.iter().for_each(|act| *text += &(self.act(act) + "\n"));
    }

    fn conditions(&self, conditions: &[Condition]) -> String {
        let all: Vec<String> = conditions.iter().map(|c| self.condition(c)).collect();
        all.join(", ")
    }

    fn condition(&self, condition: &Condition) -> String {
        let input = |i: usize| self.inputs[i].name;
        let stream = |i: usize| self.pacing[i].name;
        match condition {
            Condition::Time(at) => format!("{{ time = {} }}", time(*at)),
            Condition::Beat(s, n) => format!("{{ beat.{} = {n} }}", stream(*s)),
            Condition::Tap(i, n) => format!("{{ tap.{} = {n} }}", input(*i)),
            Condition::TapsAfter(s, n, i) => format!(
                "{{ taps_after.{} = {{ taps = {n}, input = \"{}\" }} }}",
                stream(*s),
                input(*i)
            ),
            Condition::Note(None, note) => format!("{{ note = {note} }}"),
            Condition::Note(Some(i), note) => format!("{{ note.{} = {note} }}", input(*i)),
            Condition::Silence(i, d) => format!("{{ silence.{} = {} }}", input(*i), time(*d)),
        }
    }

    fn act(&self, act: &Act) -> String {
        let p = |s: &usize| format!("pacing.{}", self.pacing[*s].name);
        let f = |s: &usize| format!("feedback.{}", self.feedback[*s].name);
        let m = |s: &usize| format!("masking.{}", self.masking[*s].name);
        match act {
            Act::Audible(s, on) => format!("set.{}.audible = {on}", p(s)),
            Act::Interval(s, to) => format!("set.{}.interval = {}", p(s), exact(*to)),
            Act::Tempo(s, to) => format!("set.{}.tempo = {}", p(s), bpm(*to)),
            Act::RampInterval(s, to, how) => {
                format!("ramp.{}.interval = {{ to = {}, over = {} }}", p(s), exact(*to), over(*how))
            }
            Act::RampTempo(s, to, how) => {
                format!("ramp.{}.tempo = {{ to = {}, over = {} }}", p(s), bpm(*to), over(*how))
            }
            Act::ToneNote(s, n) => format!("set.{}.tone.note = {n}", p(s)),
            Act::ToneVelocity(s, n) => format!("set.{}.tone.velocity = {n}", p(s)),
            Act::AccentVelocity(s, n) => format!("set.{}.accent.velocity = {n}", p(s)),
            Act::AccentNote(s, n) => format!("set.{}.accent.note = {n}", p(s)),
            Act::Phase(s, to) => format!("set.{}.adapt.phase = {}", p(s), decimal(*to)),
            Act::Sounding(c, on) => format!("set.{}.sounding = {on}", f(c)),
            Act::Delay(c, to) => format!("set.{}.delay = {}", f(c), delay(to)),
            Act::RampDelay(c, to, over) => {
                format!("ramp.{}.delay = {{ to = {}, over = {} }}", f(c), time(*to), time(*over))
            }
            Act::Pitch(c, to) => format!("set.{}.pitch = {}", f(c), pitch(to)),
            Act::Velocity(c, to) => format!("set.{}.velocity = {}", f(c), velocity(to)),
            Act::Duration(c, to) => format!("set.{}.duration = {}", f(c), lasting(*to)),
            Act::Channel(c, to) => format!("set.{}.channel = {}", f(c), on(*to)),
            Act::From(c, low, high) => format!("set.{}.from.notes = \"{low}..{high}\"", f(c)),
            Act::Debounce(i, to) => {
                format!("set.input.{}.debounce = {}", self.inputs[*i].name, time(*to))
            }
            Act::MaskingSounding(c, on) => format!("set.{}.sounding = {on}", m(c)),
            Act::MaskingNote(c, n) => format!("set.{}.notes = {n}", m(c)),
            Act::Mark(text) => format!("mark = \"{text}\""),
            Act::Play(played, output) => {
                let output = OUTPUTS[*output];
                let named = (self.outputs > 0).then(|| format!(", output = \"{output}\""));
                let tone = tone(*played);
                let inner = tone.trim_end_matches(" }");
                format!("play = {inner}{} }}", named.unwrap_or_default())
            }
            Act::Start(s) => format!("start = \"{}\"", self.pacing[*s].name),
            Act::Stop(s) => format!("stop = \"{}\"", self.pacing[*s].name),
            Act::End => "end = true".into(),
        }
    }
}

fn changed(stream: &str, c: &Change) -> String {
    let mut text = format!("[[pacing.{stream}.change]]\n{}\n", occasion(&c.when, c.after, c.apart));
    if c.mute {
        text += "mute = true\n";
    }
    for (key, value) in
        [("phase_shift", &c.phase), ("onset_shift", &c.onset), ("interval_step", &c.step)]
    {
        value.iter().for_each(|s| text += &format!("{key} = {}\n", size(s)));
    }
    c.interval.iter().for_each(|i| text += &format!("interval = {}\n", exact(*i)));
    if c.over > 1 {
        text += &format!("over = {}\n", c.over);
    }
    text
}

fn masked(text: &mut String, m: &Masking) {
    let lines = [
        format!("[masking.{}]\nrate = \"{} per min\"\nstart = {}", m.name, m.rate, time(m.start)),
        format!("notes = \"{}..{}\"\nvelocity = {}", m.notes.0, m.notes.1, velocity(&m.velocity)),
        format!(
            "duration = {}\nchannel = {}\nsounding = {}",
            time(m.duration),
            m.channel,
            m.sounding
        ),
    ];
    lines.iter().for_each(|line| *text += &(line.clone() + "\n"));
}

fn occasion(when: &Occasion, after: u32, apart: u32) -> String {
    let which = match when {
        Occasion::At(beats) => return format!("at = {beats:?}"),
        Occasion::Every(n) => format!("every = {n}"),
        Occasion::Percent(p) => format!("chance = {}.{:02}", p / 100, p % 100),
    };
    format!("{which}\nafter = {after}\napart = {apart}")
}

fn size(size: &Size) -> String {
    match size {
        Size::Fixed(ns) => time(*ns),
        Size::Random(list) => format!("{{ random = {} }}", times(list)),
        Size::Shuffled(list) => format!("{{ shuffled = {} }}", times(list)),
        Size::Once(list) => format!("{{ once = {} }}", times(list)),
    }
}

fn pitch(pitch: &Pitch) -> String {
    match pitch {
        Pitch::AsPlayed => "\"as played\"".into(),
        Pitch::Fixed(n) => format!("{{ fixed = {n} }}"),
        Pitch::Transpose(n) => format!("{{ transpose = {n} }}"),
        Pitch::Mirror(n) => format!("{{ mirror = {n} }}"),
        Pitch::Sequence(list) => format!("{{ sequence = {list:?} }}"),
        Pitch::Shift(n) => format!("{{ shift = -{n} }}"),
        Pitch::Random(list) => format!("{{ random = {list:?} }}"),
        Pitch::Shuffled(list) => format!("{{ shuffled = {list:?} }}"),
        Pitch::Once(list) => format!("{{ once = {list:?} }}"),
        Pitch::Table(table) => {
            let all: Vec<String> = table.iter().map(|(a, b)| format!("{a} = {b}")).collect();
            format!("{{ table = {{ {} }} }}", all.join(", "))
        }
    }
}

fn velocity(velocity: &Velocity) -> String {
    match velocity {
        Velocity::AsPlayed => "\"as played\"".into(),
        Velocity::Fixed(n) => format!("{{ fixed = {n} }}"),
        Velocity::Scale(n) => format!("{{ scale = {}.{:02} }}", n / 100, n % 100),
        Velocity::Random(low, high) => format!("{{ random = [{low}, {high}] }}"),
    }
}

fn delay(delay: &Delay) -> String {
    match delay {
        Delay::Fixed(ns) => time(*ns),
        Delay::List(list) => format!("{{ list = {} }}", times(list)),
        Delay::Fraction(n) => format!("{{ fraction = {}.{:02} }}", n / 100, n % 100),
        Delay::Uniform(low, high) => format!("{{ uniform = {} }}", times(&[*low, *high])),
        Delay::Random(list) => format!("{{ random = {} }}", times(list)),
        Delay::Shuffled(list) => format!("{{ shuffled = {} }}", times(list)),
        Delay::Once(list) => format!("{{ once = {} }}", times(list)),
    }
}

fn tone(t: Tone) -> String {
    let (channel, note, velocity) = (t.channel, t.note, t.velocity);
    let duration = time(t.duration);
    format!(
        "{{ channel = {channel}, note = {note}, velocity = {velocity}, duration = {duration} }}"
    )
}

fn on(channel: Option<u8>) -> String {
    channel.map_or("\"as played\"".into(), |channel| channel.to_string())
}

fn lasting(duration: Option<i64>) -> String {
    duration.map_or("\"as played\"".into(), time)
}

fn over(over: Over) -> String {
    match over {
        Over::Beats(beats) => beats.to_string(),
        Over::Time(ns) => time(ns),
    }
}

fn time(ns: i64) -> String {
    format!("\"{ns} ns\"")
}

fn times(list: &[i64]) -> String {
    let all: Vec<String> = list.iter().map(|ns| time(*ns)).collect();
    format!("[{}]", all.join(", "))
}

fn exact(time: Exact) -> String {
    format!("\"{} ns / {}\"", time.num, time.den)
}

fn bpm(tempo: Exact) -> String {
    format!("\"{} bpm / {}\"", tempo.num, tempo.den)
}

/// A share in hundredths, as a decimal.
fn decimal(share: Exact) -> String {
    let hundredths = (share * Exact::from(100)).round();
    let sign = if hundredths < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", hundredths.abs() / 100, hundredths.abs() % 100)
}

fn seconds(ns: i64) -> String {
    format!("{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000)
}
