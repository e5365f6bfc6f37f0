//! The only place that prints. A reader that closes the pipe early is no error. Titles, names
//! and whatever else comes from files is made [`visible`] here, so that no file moves the
//! cursor, changes colours or renames the window.

mod lines;
mod outlet;
mod told;
mod typed;

pub use lines::{prose, wrapped};
pub use typed::{arguments, on_one_line};

use chronotap_analysis::summary::Summary;
use chronotap_core::files::Refusal;
use chronotap_core::text::{COLUMNS, counted};
use chronotap_core::time::Nanos;
use chronotap_rig::laboratory::{Live, Sinks};
use chronotap_rig::recorder::Watch;
use lines::fitted;
use outlet::{ERROR, OUTPUT};
use rustix::termios::tcgetwinsize;
use std::fmt::Display;
use std::io::{IsTerminal, stderr, stdout};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use told::Told;

/// One line, or several, on standard output.
pub fn say(text: impl Display) {
    let text = visible(&text.to_string());
    OUTPUT.put(stdout(), format!("{}\n", fitted(&text, width(stdout()))).as_bytes());
}

/// A summary, and what its words mean where that is wanted.
pub fn say_summary(summary: &Summary, notation: bool) {
    say(summary);
    if notation {
        say(summary.notation());
    } else {
        say("What these words mean: --notation");
    }
}

/// Several lines with their ends, on standard output.
pub fn say_page(text: &str) {
    OUTPUT.put(stdout(), fitted(&visible(text), width(stdout())).as_bytes());
}

/// A line for programs, such as JSON, which is never broken.
pub fn say_data(line: impl Display) {
    say_raw(&format!("{line}\n"));
}

/// Text for programs as it stands, on standard output.
pub fn say_raw(text: &str) {
    OUTPUT.put(stdout(), visible(text).as_bytes());
}

/// A remark that is no result: standard error.
pub fn remark(text: impl Display) {
    let text = visible(&text.to_string());
    ERROR.put(stderr(), format!("{}\n", fitted(&text, width(stderr()))).as_bytes());
}

/// Text in which every control character, but for tabs and the ends of lines, stands as its
/// number (`\u001b`, which JSON too reads as that character), and so does every character
/// that turns the direction of writing.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let ends_a_line = c == '\n' || c == '\r' && rest.peek() == Some(&'\n');
        let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if turns || c.is_control() && c != '\t' && !ends_a_line {
            shown += &format!("\\u{:04x}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// What went wrong, on standard error: a line for each thing, broken between words
/// only where a person reads it.
pub fn complain(text: &str) {
    for line in typed::quoting(text, &arguments()).lines().map(|line| format!("chronotap: {line}"))
    {
        remark(if stderr().is_terminal() { wrapped(&line, "") } else { line });
    }
}

/// At the end of the program: waits until what was shown has been taken. Whether some of it is lost,
/// which is said where anybody reads that.
pub fn is_cut_short() -> bool {
    let lost = OUTPUT.finish();
    if lost > 0 {
        complain(&format!(
            "{lost} bytes of standard output are lost: whoever should read it did not"
        ));
    }
    lost + ERROR.finish() > 0 || UNREAD.load(Ordering::Relaxed)
}

/// Whether somebody who follows a trial did not get all of it.
static UNREAD: AtomicBool = AtomicBool::new(false);

/// The trials are over. Whether whoever follows them by `--follow` got every line, which is said where not,
/// and is in the exit status: another program may live by these lines.
pub fn end_followers(sinks: &mut Sinks) {
    let lines = sinks.close();
    if lines > 0 {
        UNREAD.store(true, Ordering::Relaxed);
        complain(&format!(
            "{} of --follow are lost: whoever should read them did not; the data files have everything",
            counted(lines as usize, "line")
        ));
    }
}

/// How wide a terminal is; what is no terminal takes lines of any length.
fn width(stream: impl AsFd + IsTerminal) -> usize {
    if !stream.is_terminal() {
        return usize::MAX;
    }
    let known = tcgetwinsize(stream).map_or(0, |size| usize::from(size.ws_col));
    if known == 0 { COLUMNS } else { known.max(NARROWEST) }
}

/// Narrower terminals have their lines broken by themselves.
const NARROWEST: usize = 20;

/// A line that is written over and over on a terminal; elsewhere one line now and
/// then. On standard error, so that results can be piped. Whoever asked to be told gets every line.
pub struct Progress {
    terminal: bool,
    every: u32,
    calls: u32,
    width: usize,
    told: Option<Told>,
}

impl Progress {
    /// Progress that, where there is no terminal, shows every `every`-th line.
    pub fn new(every: u32) -> Progress {
        Progress {
            terminal: stderr().is_terminal(),
            every,
            calls: 0,
            width: 0,
            told: Told::asked(),
        }
    }

    /// Shows a line, as much of it as has room: a line that wraps could not be written over.
    pub fn show(&mut self, line: &str) {
        let turn = self.calls % self.every == self.every - 1;
        self.calls += 1;
        self.put(line, turn);
    }

    /// Shows a line that brings news: where there is no terminal too, whatever its turn.
    pub fn show_news(&mut self, line: &str) {
        self.put(line, true);
    }

    fn put(&mut self, line: &str, turn: bool) {
        let room = width(stderr()).min(COLUMNS) - 1;
        let line: String = visible(line).chars().take(room).collect();
        self.told.iter().for_each(|told| told.put(&line));
        if self.terminal {
            ERROR.put(stderr(), format!("\r{line:<width$}", width = self.width).as_bytes());
            self.width = line.chars().count();
        } else if turn {
            remark(line);
        }
    }

    /// Clears the line.
    pub fn end(&mut self) {
        self.told.iter().for_each(Told::end);
        if self.terminal && self.width > 0 {
            ERROR.put(stderr(), format!("\r{:width$}\r", "", width = self.width).as_bytes());
        }
        self.width = 0;
    }
}

/// What a screen shows of a trial under way: the first of its sinks.
pub struct LiveLine {
    watch: Watch,
    live: Live,
    progress: Progress,
    shown: bool,
    said: String,
}

impl LiveLine {
    /// A line that shows what is told there, or nothing unless `shown`.
    pub fn new(watch: Watch, shown: bool) -> LiveLine {
        let (live, progress) = (Live::default(), Progress::new(50));
        LiveLine { watch, live, progress, shown, said: String::new() }
    }

    /// Takes in what was told, and shows it.
    pub fn show(&mut self, now: Nanos) {
        let troubles = self.take_in();
        if self.shown {
            let line = live_line(now, &self.live, &troubles);
            match self.said == troubles {
                true => self.progress.show(&line),
                false => self.progress.show_news(&line),
            }
            self.said = troubles;
        }
    }

    /// The same for a screen that a participant sees too: the time and what is lost, no more. Where
    /// nobody is there to look on, only what is lost is shown, when it is.
    pub fn show_losses(&mut self, now: Nanos, attended: bool) {
        let troubles = self.take_in();
        let line = beginning(now, &self.live, &troubles);
        if attended {
            self.progress.show(&line);
        } else if self.said != troubles {
            self.progress.show_news(&line);
        }
        self.said = troubles;
    }

    /// Takes in what was told; what is wrong now.
    fn take_in(&mut self) -> String {
        while let Some(notice) = self.watch.next(Duration::ZERO) {
            self.live.take(&notice);
        }
        troubles(&self.live)
    }

    /// Clears the line.
    pub fn end(&mut self) {
        self.progress.end();
    }
}

/// What matters most stands first, since narrow terminals cut the rest.
fn live_line(now: Nanos, live: &Live, troubles: &str) -> String {
    let mut line = beginning(now, live, troubles);
    line += &counts("beat", &live.beats);
    line += &counts("taps", &live.taps);
    line += &format!("  feedback {:<4}", live.feedback);
    line += &format!(" greatest lateness {:.0} us", live.latest.as_micros_f64());
    if live.missed > 0 {
        line += &format!("  ({} events not shown)", live.missed);
    }
    line
}

/// The time, and what is wrong.
fn beginning(now: Nanos, live: &Live, troubles: &str) -> String {
    let mut line = format!("{:6.1} s{troubles}", now.as_secs_f64());
    if live.lost > 0 {
        line += &format!("  LOST {}", live.lost);
    }
    line
}

/// What is wrong with the disk, the inputs, the music and the recorder. Lost tones are a count
/// beside it, since they may grow with every beat.
fn troubles(live: &Live) -> String {
    let disk = live.disk.map(|refusal| match refusal {
        Refusal::Full => "  DISK FULL",
        Refusal::ReadOnly => "  DISK READ-ONLY",
        Refusal::Gone => "  DATA FOLDER GONE",
        Refusal::Forbidden => "  DATA FOLDER LOCKED",
        Refusal::Broken => "  DISK REFUSES DATA",
    });
    let mut said = disk.unwrap_or_default().to_owned();
    for closed in &live.closed {
        said += &format!("  INPUT {closed} CLOSED");
    }
    for (input, count) in &live.overruns {
        said += &format!("  INPUT {input} OVERRUN {count}");
    }
    if live.dropped > 0 {
        said += &format!("  DROPPED {}", live.dropped);
    }
    if live.silent_frames > 0 {
        said += &format!("  MUSIC SILENT {} frames", live.silent_frames);
    }
    said
}

/// One count where there is one; with its name where there are several.
fn counts(what: &str, all: &[(String, u32)]) -> String {
    match all {
        [] => String::new(),
        [(_, count)] => format!("  {what} {count:<4}"),
        several => {
            let each = several.iter().map(|(name, count)| format!("{name} {count}"));
            format!("  {what} {}", each.collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_as_numbers_and_lines_and_tabs_stay() {
        assert_eq!(visible("a\tb\nc\r\nd é"), "a\tb\nc\r\nd é");
        assert_eq!(
            visible("\x1b[2J\x07\r\x7f\u{9b}\u{202e}"),
            "\\u001b[2J\\u0007\\u000d\\u007f\\u009b\\u202e"
        );
    }

    #[test]
    fn several_inputs_are_counted_each_by_its_name() {
        let named = |name: &str, count| (name.to_owned(), count);
        let mut live = Live::default();
        live.taps = vec![named("left", 7), named("right", 3)];
        live.beats = vec![named("metronome", 5)];
        let line = live_line(Nanos::from_millis(2_500), &live, "");
        assert!(
            line.starts_with("   2.5 s  beat 5     taps left 7, right 3  feedback 0"),
            "{line}"
        );
        live.closed = vec!["left".into()];
        assert!(troubles(&live).contains("INPUT left CLOSED"));
    }

    #[test]
    fn a_participant_reads_the_time_and_what_is_lost_and_nothing_else() {
        let mut live = Live::default();
        live.beats = vec![("metronome".into(), 5)];
        let now = Nanos::from_millis(2_500);
        assert_eq!(beginning(now, &live, &troubles(&live)), "   2.5 s");
        live.overruns = vec![("pad".into(), 3)];
        live.lost = 2;
        let said = beginning(now, &live, &troubles(&live));
        assert_eq!(said, "   2.5 s  INPUT pad OVERRUN 3  LOST 2");
    }

    #[test]
    fn an_overrun_and_music_that_came_too_late_stand_first_on_the_line() {
        let mut live = Live::default();
        live.overruns = vec![("left".into(), 3)];
        (live.silent_frames, live.dropped) = (480, 2);
        let line = live_line(Nanos::from_millis(2_500), &live, &troubles(&live));
        let begins = "   2.5 s  INPUT left OVERRUN 3  DROPPED 2  MUSIC SILENT 480 frames  ";
        assert!(line.starts_with(begins), "{line}");
        live.disk = Some(Refusal::Gone);
        assert!(troubles(&live).starts_with("  DATA FOLDER GONE  INPUT left"));
    }
}
