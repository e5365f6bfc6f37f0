//! [`cue`]: from a trial's action to what the generator is to do at a frame.

use chronotap_audio::tone::{Cue, Kit, Recordings, Sound};
use chronotap_core::midi::Message;
use chronotap_core::time::Nanos;
use chronotap_engine::action::{Action, ActionKind};

/// What an action means to the generator: a note of the kit, or the part of a recording that
/// a beat is; nothing for what makes no sound, as a
/// controller.
///
/// Real-time contract: no allocation, lock or system call.
pub fn cue(action: &Action, frame: u64, kit: &Kit, recordings: &Recordings) -> Option<Cue> {
    // A note-off has the number of the tone that began with it.
    let key = action.id;
    match action.message? {
        Message::NoteOn { channel, note, velocity } if action.kind != ActionKind::ToneOff => {
            let part: Option<Sound> = match action.kind {
                ActionKind::Pacing(stream) => recordings.sound(stream, action.number, velocity),
                _ => None,
            };
            let sound = Some(part.or_else(|| kit.sound(channel, note, velocity))?);
            Some(Cue { frame, key, sound })
        }
        Message::NoteOff { .. } if action.kind == ActionKind::ToneOff => {
            Some(Cue { frame, key, sound: None })
        }
        _ => None,
    }
}

/// What a beat that does not sound means to the generator: music goes on unheard from there, so
/// that it is at hand where it is heard again.
///
/// Real-time contract: as [`cue`].
pub fn unheard(action: &Action, recordings: &Recordings) -> Option<Cue> {
    let ActionKind::SilentBeat(stream, _) = action.kind else { return None };
    let sound = Some(recordings.silence(stream, action.number)?);
    Some(Cue { frame: 0, key: action.id, sound })
}

/// The frame nearest to a time, counted from frame 0 at time 0; times before are frame 0.
pub fn frame_of(at: Nanos, rate_hz: u32) -> u64 {
    let frames = (i128::from(at.0) * i128::from(rate_hz) * 2 + 1_000_000_000) / 2_000_000_000;
    u64::try_from(frames).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_brought_to_the_nearest_frame_however_late_it_is() {
        assert_eq!(frame_of(Nanos::from_secs(1), 48_000), 48_000);
        assert_eq!(frame_of(Nanos(10_416), 48_000), 0);
        assert_eq!(frame_of(Nanos(10_417), 48_000), 1);
        assert_eq!(frame_of(Nanos(-1), 48_000), 0);
        assert_eq!(frame_of(Nanos::from_secs(100_000), 44_100), 4_410_000_000);
    }
}
