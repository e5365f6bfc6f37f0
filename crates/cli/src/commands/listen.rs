//! `chronotap listen`: streams of other programs, recorded beside trials with both clocks.
//!
//! It is a process beside the trial, which knows nothing of it. What reads from the network is a process of its own again, which is
//! started anew whatever ends it (`receiver.rs`); this one has the files.

mod inlet;
mod notes;
mod received;
mod receiver;
mod said;
mod table;

use crate::CommandVerdict;
use crate::args::Listen;
use crate::commands::take_over_ctrl_c;
use crate::screen::{complain, remark, say, wrapped};
use anyhow::{Context, Result, bail};
use chronotap_core::text::{counted, nearest};
use chronotap_core::time::Nanos;
use chronotap_data::record::text::parse_text;
use chronotap_linux::clocks::MonotonicClock;
use chronotap_linux::realtime::Interrupt;
use notes::Notes;
use received::{Came, Received};
use said::Said;
use serde_json::Value;
use std::path::PathBuf;
use table::StreamTable;

/// How long a run waits for a stream.
const PATIENCE: Nanos = Nanos::from_secs(10);
/// At the end, for what is on its way.
const LAST: Nanos = Nanos::from_secs(3);

pub fn listen(args: &Listen) -> Result<CommandVerdict> {
    if args.receiver {
        return receiver::receive(&args.streams);
    }
    let interrupt = take_over_ctrl_c()?;
    let notes = args.notes.as_deref().map(|path| Notes::open(path, &args.note)).transpose()?;
    let received = Received::start(&args.streams, args.of_run)?;
    let heard = args.streams.iter().map(|asked| Heard::of(asked)).collect();
    let to = (!args.of_run).then(|| args.to.clone());
    let until = args.of_run.then(|| MonotonicClock::raw() + PATIENCE);
    let mut listener = Listener { received, heard, to, notes, until, announced: false };
    while listener.hear(interrupt)? {}
    listener.end()
}

/// What is heard of all streams.
struct Listener {
    received: Received,
    heard: Vec<Heard>,
    to: Option<PathBuf>, // none until a run says it
    notes: Option<Notes>,
    until: Option<Nanos>, // when a run gives up waiting for streams
    announced: bool,
}

/// What is heard of one.
struct Heard {
    asked: String,
    about: Option<Value>,
    table: Option<StreamTable>,
    absent: Option<String>, // why it is not read, in a sentence
    dropped: u64,
    gone: u64, // how often its source stopped
}

impl Heard {
    fn of(asked: &str) -> Heard {
        Heard {
            asked: asked.to_owned(),
            about: None,
            table: None,
            absent: None,
            dropped: 0,
            gone: 0,
        }
    }
}

impl Listener {
    /// Takes what comes in a moment. False where it is over.
    fn hear(&mut self, interrupt: Interrupt) -> Result<bool> {
        // Until a run has said where files go, samples wait in the receiver.
        let wants_rows = self.to.is_some() || !self.all_are_found();
        for came in self.received.wait(Some(interrupt), wants_rows)? {
            match came {
                Came::Said(place, said) => self.take(place, said)?,
                Came::To(path) => self.to = Some(path),
                Came::End => return Ok(false),
                Came::Restarted => complain(RESTARTED),
            }
        }
        self.announce();
        self.give_up()?;
        self.keep()?;
        Ok(!interrupt.requested())
    }

    fn take(&mut self, place: usize, said: Said) -> Result<()> {
        let Some(heard) = self.heard.get_mut(place) else { return Ok(()) };
        match said {
            Said::Row(row) => return self.row(place, &row),
            Said::Found(about) => {
                heard.about =
                    Some(serde_json::from_str(&about).context("what a stream says of itself")?);
                heard.absent = None;
            }
            Said::Absent(names) => {
                heard.is_absent(absent(&heard.asked, &names), self.until.is_some())
            }
            Said::Silent => heard.is_absent(
                format!("the stream {} is there and does not answer", heard.asked),
                self.until.is_some(),
            ),
            Said::Several(sources) => bail!(several(&heard.asked, &sources)),
            Said::Gone => {
                heard.gone += 1;
                complain(&format!("{} sends nothing any more; it is waited for", heard.asked));
            }
            Said::Back => remark(format!("{} sends again", heard.asked)),
            Said::Dropped(count) => heard.dropped += count,
        }
        Ok(())
    }

    fn row(&mut self, place: usize, row: &str) -> Result<()> {
        let now = MonotonicClock::raw();
        let mut cells = row.split('\t');
        let onset = cells.next().and_then(|cell| cell.parse().ok()).map(Nanos);
        let marker = cells.nth(4).and_then(parse_text);
        if let Some((notes, marker)) = self.notes.as_mut().zip(marker) {
            notes.hear(&marker, onset, now);
        }
        let heard = &mut self.heard[place];
        let (Some(about), Some(to)) = (&heard.about, &self.to) else { return Ok(()) };
        if heard.table.is_none() {
            heard.table = Some(StreamTable::make(to, about, now)?);
        }
        heard.table.as_mut().map_or(Ok(()), |table| table.row(row)).with_context(|| heard.cannot())
    }

    fn all_are_found(&self) -> bool {
        self.heard.iter().all(|heard| heard.about.is_some())
    }

    /// Says once that all streams are read.
    fn announce(&mut self) {
        if self.announced || !self.all_are_found() {
            return;
        }
        self.announced = true;
        self.until = None;
        let names =
            self.heard.iter().map(|heard| heard.asked.as_str()).collect::<Vec<_>>().join(" and ");
        match self.received.is_of_run() {
            true => say(format!("recording {names}")),
            false => remark(wrapped(&format!("recording {names}; Ctrl-C ends it"), "")),
        }
    }

    /// A run does not begin without the streams that it was asked for.
    fn give_up(&self) -> Result<()> {
        if self.until.is_none_or(|until| MonotonicClock::raw() < until) {
            return Ok(());
        }
        let missing = self.heard.iter().find(|heard| heard.about.is_none());
        let why = missing.and_then(|heard| heard.absent.clone());
        bail!("{}", why.unwrap_or_else(|| "the streams did not answer within 10 s".to_owned()))
    }

    fn keep(&mut self) -> Result<()> {
        let now = MonotonicClock::raw();
        for heard in &mut self.heard {
            let kept = heard.table.as_mut().map_or(Ok(()), |table| table.keep(now));
            kept.with_context(|| heard.cannot())?;
        }
        Ok(())
    }

    /// Takes what is on its way, and says what there is.
    fn end(mut self) -> Result<CommandVerdict> {
        let until = MonotonicClock::raw() + LAST;
        self.received.ask_for_the_end();
        while MonotonicClock::raw() < until && !self.received.has_ended() {
            for came in self.received.wait(None, true)? {
                if let Came::Said(place, said) = came {
                    self.take(place, said)?;
                }
            }
        }
        for heard in &mut self.heard {
            let kept = heard.table.as_mut().map_or(Ok(()), |table| table.keep(Nanos::MAX));
            kept.with_context(|| heard.cannot())?;
        }
        let said: Vec<String> =
            self.heard.iter().map(Heard::account).chain(self.said_of_notes()).collect();
        said.iter().for_each(|line| say(wrapped(line, "")));
        let dropped: u64 = self.heard.iter().map(|heard| heard.dropped).sum();
        let refused = self.notes.as_ref().map_or(0, |notes| notes.refused);
        Ok(CommandVerdict::of(dropped + refused + self.received.restarts() == 0))
    }

    fn said_of_notes(&self) -> Option<String> {
        let notes = self.notes.as_ref()?;
        let passed = counted(notes.passed as usize, "marker");
        let late = notes.lateness().map_or(String::new(), |(median, longest)| {
            format!(", {} after its own time in the median, {} at most", ms(median), ms(longest))
        });
        let refused = match notes.refused {
            0 => String::new(),
            count => format!("; {count} found no reader"),
        };
        Some(format!("{passed} passed on as notes{late}{refused}"))
    }
}

const RESTARTED: &str = "what reads the streams was ended by something from the network or by a signal; it is started again, and \
     samples between are missing";

impl Heard {
    /// Says once why it is not read.
    fn is_absent(&mut self, why: String, of_run: bool) {
        if self.absent.as_ref() != Some(&why) && !of_run {
            complain(&format!("{why}; it is waited for, and Ctrl-C ends that"));
        }
        self.absent = Some(why);
    }

    fn cannot(&self) -> String {
        let path =
            self.table.as_ref().map_or(String::new(), |table| table.path.display().to_string());
        format!("{path}: what comes of {} cannot be written", self.asked)
    }

    fn account(&self) -> String {
        let asked = &self.asked;
        let gone = match self.gone {
            0 => String::new(),
            count => format!(", its source stopped {}", counted(count as usize, "time")),
        };
        match &self.table {
            Some(table) => {
                let samples = counted(table.rows as usize, "sample");
                format!("{asked}: {samples}, {} lost{gone}: {}", self.dropped, table.path.display())
            }
            None if self.about.is_some() => format!("{asked}: no sample came{gone}"),
            None => format!("{asked}: no such stream"),
        }
    }
}

fn absent(asked: &str, names: &[String]) -> String {
    let there = match (nearest(asked, names.iter().map(String::as_str)), names) {
        (Some(near), _) => format!("did you mean \"{near}\"?"),
        (None, []) => {
            "LSL finds no stream at all: is its program started, and on the same network?"
                .to_owned()
        }
        (None, names) => format!("there are {}", names.join(", ")),
    };
    format!("there is no stream {asked}; {there}")
}

fn several(asked: &str, sources: &[String]) -> String {
    let cure = sources.iter().map(|id| format!("source_id={id}")).collect::<Vec<_>>().join(" or ");
    format!("{} streams are {asked}; name one of them by its source: {cure}", sources.len())
}

fn ms(time: Nanos) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
