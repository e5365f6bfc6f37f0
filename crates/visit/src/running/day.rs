//! Whether somebody set the computer's clock of day in mid-session. The times in journal and tables
//! are as it reads them, so they may go back: that is said, and written down between them.

use super::equipment::Equipment;
use super::wishes::ITSELF;
use super::{Session, SessionError};
use chronotap_core::files::Disk as AnyDisk;
use chronotap_core::time::{Nanos, wall_clock_now};
use chronotap_session::{
    frontend::{Announcement, Frontend},
    line::Line,
};

impl<D: AnyDisk> Session<'_, D> {
    /// Before each trial: looks at the clock, and says and notes where it was set.
    pub(super) fn heed_the_day(
        &mut self,
        equipment: &Equipment<'_>,
        frontend: &mut dyn Frontend,
    ) -> Result<(), SessionError> {
        let set = equipment.in_real_time.and_then(|clock| clock.day_was_set_by());
        let Some(by) = set else { return Ok(()) };
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
