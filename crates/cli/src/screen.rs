//! What a screen shows of a trial under way, and who follows it; everything else is shown by `chronotap_desk::screen`,
//! through an [`outlet`] that no reader can hold up.

pub mod outlet;

pub use chronotap_desk::screen::*;

use chronotap_core::files::Refusal;
use chronotap_core::text::counted;
use chronotap_core::time::Nanos;
use chronotap_rig::laboratory::{Live, Sinks};
use chronotap_rig::recorder::Watch;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Whether somebody who follows a trial did not get all of it.
static UNREAD: AtomicBool = AtomicBool::new(false);

/// Whether lines of those who follow are lost.
pub fn is_unread() -> bool {
    UNREAD.load(Ordering::Relaxed)
}

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
        Refusal::Held => "  DATA FILE HELD",
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
