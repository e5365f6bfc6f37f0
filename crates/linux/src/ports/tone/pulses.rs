//! [`Pulses`]: codes for another recorder as levels of further channels of the card, which change at
//! the very frame at which the sound of the same moment begins.
//!
//! Real-time contract: the card's thread; no allocation, lock, system call, log or panic; bounded by
//! the frames of a period.

use super::name::CodeChannels;
use chronotap_audio::Period;

/// Changes of the code within a period that are kept; a period of 8,192 frames with a change every
/// quarter of a millisecond has fewer.
const CHANGES: usize = 1_024;

/// The code that stands on the channels, and its changes in the period to come.
#[derive(Debug)]
pub(super) struct Pulses {
    channels: CodeChannels,
    standing: u16,
    changes: Vec<(u64, u16)>, // by frame, ascending; within its capacity
}

impl Pulses {
    pub(super) fn new(channels: CodeChannels) -> Pulses {
        Pulses { channels, standing: 0, changes: Vec::with_capacity(CHANGES) }
    }

    /// From this frame on another code stands there, 0 where none does; false where there is no room.
    pub(super) fn change(&mut self, frame: u64, code: u16) -> bool {
        let room = self.changes.len() < CHANGES;
        if room {
            self.changes.push((frame, code));
        }
        room
    }

    /// Whether a code stands there, or is to.
    pub(super) fn stands(&self) -> bool {
        self.standing != 0 || !self.changes.is_empty()
    }

    /// Puts the levels of a period on its channels, over whatever sounds there.
    pub(super) fn put(&mut self, period: &mut Period<'_>) {
        let (mut from, frames) = (0, period.frames());
        for place in 0..=self.changes.len() {
            let next = self.changes.get(place).copied();
            let end = next.map_or(frames, |(at, _)| {
                usize::try_from(at.saturating_sub(period.frame)).unwrap_or(frames).min(frames)
            });
            self.stand(period, from, end);
            from = end.max(from);
            self.standing = next.map_or(self.standing, |(_, code)| code);
        }
        self.changes.clear();
    }

    fn stand(&self, period: &mut Period<'_>, from: usize, end: usize) {
        let CodeChannels { first, last, level } = self.channels;
        let channels = usize::from(first) - 1..usize::from(last);
        let single = channels.len() == 1;
        let outputs = period.outputs.get_mut(channels).unwrap_or_default();
        for (bit, output) in outputs.iter_mut().enumerate() {
            let high = if single { self.standing != 0 } else { self.standing >> bit & 1 == 1 };
            let level = if high { f32::from(level) / 1_000.0 } else { 0.0 };
            output.get_mut(from..end).unwrap_or_default().fill(level);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assert_no_alloc::assert_no_alloc;

    fn pulses(first: u8, last: u8) -> Pulses {
        Pulses::new(CodeChannels { first, last, level: 500 })
    }

    /// The samples of all channels in two periods of 8 frames, the first at frame 16.
    fn played(pulses: &mut Pulses, channels: usize, changes: &[(u64, u16)]) -> Vec<Vec<f32>> {
        let mut heard = vec![Vec::new(); channels];
        for frame in [16, 24] {
            let mut made = vec![vec![0.25; 8]; channels];
            let mut outputs: Vec<&mut [f32]> = made.iter_mut().map(|one| &mut one[..]).collect();
            let outputs = &mut outputs[..];
            let mut period = Period { frame, rate_hz: 48_000, inputs: &[], outputs };
            assert_no_alloc(|| {
                let due = changes.iter().filter(|(at, _)| (frame..frame + 8).contains(at));
                due.for_each(|(at, code)| assert!(pulses.change(*at, *code)));
                pulses.put(&mut period);
            });
            heard.iter_mut().zip(&made).for_each(|(all, made)| all.extend(made));
        }
        heard
    }

    #[test]
    fn each_bit_of_a_code_has_a_channel_and_changes_at_the_frame() {
        let mut pulses = pulses(3, 5);
        let heard = played(&mut pulses, 5, &[(18, 0b101), (21, 0b010), (26, 0)]);
        let high = |channel: usize| -> Vec<usize> {
            (0..16).filter(|at| heard[channel][*at] == 0.5).collect()
        };
        assert_eq!(high(2), [2, 3, 4]);
        assert_eq!(high(3), [5, 6, 7, 8, 9]);
        assert_eq!(high(4), [2, 3, 4]);
        assert_eq!(heard[0], [0.25; 16], "what sounds stays as it is");
        assert!(!pulses.stands());
    }

    #[test]
    fn one_channel_alone_is_high_with_every_code() {
        let mut pulses = pulses(2, 2);
        let heard = played(&mut pulses, 2, &[(16, 6), (19, 0), (30, 200)]);
        let expected = [[0.5; 3].as_slice(), &[0.0; 11], &[0.5; 2]].concat();
        assert_eq!(heard[1], expected);
        assert!(pulses.stands());
    }

    #[test]
    fn what_finds_no_room_is_refused_and_a_card_with_fewer_channels_is_left_alone() {
        let mut pulses = pulses(3, 4);
        assert!((0..CHANGES).all(|n| pulses.change(n as u64, 1)));
        assert!(!pulses.change(0, 1));
        assert_eq!(played(&mut pulses, 2, &[]), [[0.25; 16]; 2]);
    }
}
