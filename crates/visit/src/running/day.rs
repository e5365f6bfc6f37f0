//! Whether somebody set the computer's clock of day in mid-session. The times in journal and tables
//! are as it reads them, so they may go back: that is said, and written down between them.

use super::wishes::ITSELF;
use super::{Session, SessionError};
use chronotap_core::files::Disk as AnyDisk;
use chronotap_core::time::{Nanos, wall_clock_now};
use chronotap_linux::clocks::DayClock;
use chronotap_session::{
    frontend::{Announcement, Frontend},
    line::Line,
};

impl<D: AnyDisk> Session<'_, D> {
    /// Takes the clock of day for one that stood so when it was last looked at: for tests, which can
    /// set no clock.
    pub fn day_was(&mut self, day: DayClock) {
        self.day = day;
    }

    /// Before each trial: looks at the clock, and says and notes where it was set.
    pub(super) fn heed_the_day(&mut self, frontend: &mut dyn Frontend) -> Result<(), SessionError> {
        let Some(by) = self.day.was_set_by() else { return Ok(()) };
        let text = was_set(by);
        frontend.tell(&Announcement::Remark(&text));
        self.record(Line::Noted { at: wall_clock_now(), text, by: ITSELF.into() })
    }
}

fn was_set(by: Nanos) -> String {
    let way = if by < Nanos::ZERO { "back" } else { "forward" };
    format!(
        "The clock of this computer was set {way} by {:.0} s in mid-session. The times of day in the \
         data are as it reads them; the order of trials and the times in them do not depend on it.",
        by.abs().as_secs_f64()
    )
}
