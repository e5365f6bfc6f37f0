//! [`Tones`]: every tone that waits or sounds, so that none is ever left hanging.
//!
//! A tone keeps the output, channel and note it began with, whatever a rule
//! changes meanwhile. Three tables know it: the slots; what sounds on each output,
//! channel and note (at most one tone); and which tones a held key will end.
//!
//! Real-time contract: all memory is taken at construction; every operation but
//! the two walks at the end of a trial is O(1) or O(tones of one key).

use crate::action::{ActionKind, EventId};
use crate::perturbation::Perturbation;
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::Nanos;

const NONE: u32 = u32::MAX;

/// Names a tone; stale once the tone has ended, even when its slot is used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToneId {
    slot: u32,
    generation: u32,
}

impl Default for ToneId {
    fn default() -> ToneId {
        ToneId { slot: NONE, generation: 0 }
    }
}

/// What a tone is made of.
#[derive(Clone, Copy, Debug)]
pub struct ToneParts {
    /// Event id once it sounds; before that 0, or the id it was promised.
    pub id: EventId,
    /// Which stream or channel it belongs to.
    pub kind: ActionKind,
    /// Beat or tap.
    pub number: u32,
    /// The event behind it.
    pub cause: EventId,
    /// Index of the output.
    pub output: u16,
    /// MIDI channel.
    pub channel: Channel,
    pub note: U7,
    /// Velocity, 1..=127.
    pub velocity: U7,
    /// Onset asked for.
    pub onset: Nanos,
    /// Fixed length from the onset's deadline; `None`: until its key is released.
    pub length: Option<Nanos>,
    /// From the tap's stamp to the onset, for tones as long as the key is held.
    pub delay: Nanos,
    /// With which velocity its key is let go.
    pub release: U7,
    /// What was perturbed.
    pub perturbation: Perturbation,
}

/// The release velocity of what has none of its own, as MIDI 1.0 has it.
pub const NO_RELEASE_VELOCITY: U7 = U7::from_byte(64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Free,
    Waiting,
    Sounding,
    Ended, // over, but a held key still names it
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    tone: ToneParts,
    generation: u32,
    state: State,
    held: bool,
    next: u32, // next free slot, or next tone of the same key
}

/// A key that is down.
#[derive(Clone, Copy, Debug)]
struct Key {
    tap: EventId,
    first: u32,
}

/// All tones of a trial.
#[derive(Debug)]
pub struct Tones {
    slots: Vec<Slot>, // as many as were ever used at a time; its capacity is the limit
    free: u32,
    sounding: Vec<u32>, // by output, channel, note; after them the streams of music
    music: Vec<bool>,   // of each pacing stream: a recording, which is in no tone's way
    keys: Vec<Key>,     // by input, channel, note
}

impl Tones {
    /// Room for `capacity` tones at a time.
    pub fn new(capacity: u32, inputs: usize, outputs: usize) -> Tones {
        Tones {
            slots: Vec::with_capacity(capacity as usize),
            free: NONE,
            sounding: vec![NONE; outputs * 16 * 128],
            music: Vec::new(),
            keys: vec![Key { tap: 0, first: NONE }; inputs * 16 * 128],
        }
    }

    /// Which pacing streams are music: the parts of each are in the way of nothing else, and
    /// nothing else in theirs, whatever their note.
    pub fn with_music(mut self, music: Vec<bool>) -> Tones {
        self.sounding.resize(self.sounding.len() + music.len(), NONE);
        self.music = music;
        self
    }

    /// Where a tone sounds, of which there is one at a time.
    fn place(&self, tone: &ToneParts) -> usize {
        match tone.kind {
            ActionKind::Pacing(i) if self.music.get(usize::from(i)) == Some(&true) => {
                self.sounding.len() - self.music.len() + usize::from(i)
            }
            _ => place(tone.output, tone.channel, tone.note),
        }
    }

    /// Takes in a tone that is to sound; `None` where there is no room.
    pub fn add(&mut self, tone: ToneParts) -> Option<ToneId> {
        let fresh = Slot { tone, generation: 1, state: State::Waiting, held: false, next: NONE };
        let index = self.free;
        if let Some(slot) = self.slots.get_mut(index as usize) {
            self.free = slot.next;
            let generation = slot.generation.wrapping_add(1);
            *slot = Slot { generation, ..fresh };
            return Some(ToneId { slot: index, generation });
        }
        if self.slots.len() == self.slots.capacity() {
            return None;
        }
        self.slots.push(fresh); // within the capacity, so without allocating
        Some(ToneId { slot: self.slots.len() as u32 - 1, generation: 1 })
    }

    /// The tone, unless it has ended.
    pub fn get(&self, id: ToneId) -> Option<&ToneParts> {
        self.live(id).map(|slot| &slot.tone)
    }

    /// Whether the tone has not begun yet.
    pub fn is_waiting(&self, id: ToneId) -> bool {
        self.live(id).is_some_and(|slot| slot.state == State::Waiting)
    }

    /// The tone that sounds where this one is to sound.
    pub fn in_the_way(&self, id: ToneId) -> Option<ToneId> {
        let tone = &self.live(id)?.tone;
        let index = self.sounding[self.place(tone)];
        let slot = self.slots.get(index as usize)?;
        Some(ToneId { slot: index, generation: slot.generation })
    }

    /// The copy of a tone at another output, where it still sounds.
    pub fn copy_of(&self, tone: &ToneParts, output: u16) -> Option<ToneId> {
        let index = self.sounding[place(output, tone.channel, tone.note)];
        let slot = self.slots.get(index as usize)?;
        let is_copy = slot.tone.kind == ActionKind::Copy(output) && slot.tone.cause == tone.id;
        is_copy.then_some(ToneId { slot: index, generation: slot.generation })
    }

    /// The tone begins to sound, as event `event`.
    pub fn begin(&mut self, id: ToneId, event: EventId) {
        if self.live(id).is_none() {
            return;
        }
        let slot = &mut self.slots[id.slot as usize];
        slot.state = State::Sounding;
        slot.tone.id = event;
        let tone = slot.tone;
        let place = self.place(&tone);
        self.sounding[place] = id.slot;
    }

    /// The tone ends (or will not begin); gives it back, once.
    pub fn end(&mut self, id: ToneId) -> Option<ToneParts> {
        let slot = *self.live(id)?;
        if slot.state == State::Sounding {
            let place = self.place(&slot.tone);
            self.sounding[place] = NONE;
        }
        if slot.held {
            self.slots[id.slot as usize].state = State::Ended;
        } else {
            self.release_slot(id.slot);
        }
        Some(slot.tone)
    }

    /// A key went down as event `tap`. Tones of an earlier press of it that have
    /// ended are forgotten; those that still sound stay with the key.
    pub fn press(&mut self, input: u16, channel: Channel, note: U7, tap: EventId) {
        let key = place(input, channel, note);
        let mut index = self.keys[key].first;
        self.keys[key] = Key { tap, first: NONE };
        while let Some(&slot) = self.slots.get(index as usize) {
            if slot.state == State::Ended {
                self.release_slot(index);
            } else {
                self.slots[index as usize].next = self.keys[key].first;
                self.keys[key].first = index;
            }
            index = slot.next;
        }
    }

    /// The tone lasts until this key is released.
    pub fn hold(&mut self, id: ToneId, input: u16, channel: Channel, note: U7) {
        if self.live(id).is_none() {
            return;
        }
        let key = place(input, channel, note);
        let slot = &mut self.slots[id.slot as usize];
        slot.held = true;
        slot.next = self.keys[key].first;
        self.keys[key].first = id.slot;
    }

    /// A key came up: the tap that pressed it, 0 where none did.
    pub fn release(&mut self, input: u16, channel: Channel, note: U7) -> EventId {
        std::mem::take(&mut self.keys[place(input, channel, note)].tap)
    }

    /// The next tone that the released key lets go, until there are no more.
    pub fn next_let_go(&mut self, input: u16, channel: Channel, note: U7) -> Option<ToneId> {
        let key = place(input, channel, note);
        while let Some(&slot) = self.slots.get(self.keys[key].first as usize) {
            let index = std::mem::replace(&mut self.keys[key].first, slot.next);
            self.slots[index as usize].held = false;
            if slot.state != State::Ended {
                return Some(ToneId { slot: index, generation: slot.generation });
            }
            self.release_slot(index);
        }
        None
    }

    /// The key of a tone was let go with this velocity.
    pub fn let_go_with(&mut self, id: ToneId, velocity: U7) {
        if self.live(id).is_some() {
            self.slots[id.slot as usize].tone.release = velocity;
        }
    }

    /// A tone that still sounds, for the end of the trial; by output, channel, note.
    pub fn any_sounding(&self, from: usize) -> Option<(usize, ToneId)> {
        let found = self.sounding[from..].iter().position(|&slot| slot != NONE)? + from;
        let slot = self.sounding[found];
        Some((found, ToneId { slot, generation: self.slots[slot as usize].generation }))
    }

    fn live(&self, id: ToneId) -> Option<&Slot> {
        let slot = self.slots.get(id.slot as usize)?;
        let live = slot.generation == id.generation
            && matches!(slot.state, State::Waiting | State::Sounding);
        live.then_some(slot)
    }

    fn release_slot(&mut self, index: u32) {
        let slot = &mut self.slots[index as usize];
        slot.state = State::Free;
        slot.held = false;
        slot.next = self.free;
        self.free = index;
    }
}

fn place(port: u16, channel: Channel, note: U7) -> usize {
    (usize::from(port) * 16 + channel.index()) * 128 + note.index()
}

#[cfg(test)]
mod tests {
    use super::*;

    impl ToneParts {
        const NOTHING: ToneParts = ToneParts {
            id: 0,
            kind: ActionKind::ToneOff,
            number: 0,
            cause: 0,
            output: 0,
            channel: Channel::ONE,
            note: U7::ZERO,
            velocity: U7::ZERO,
            onset: Nanos::ZERO,
            length: None,
            delay: Nanos::ZERO,
            release: NO_RELEASE_VELOCITY,
            perturbation: Perturbation::NONE,
        };
    }

    fn tone(note: u8) -> ToneParts {
        ToneParts { note: U7::from_byte(note), ..ToneParts::NOTHING }
    }

    #[test]
    fn music_is_in_the_way_of_nothing_but_itself() {
        let mut tones = Tones::new(4, 1, 1).with_music(vec![false, true]);
        let part = ToneParts { kind: ActionKind::Pacing(1), ..tone(60) };
        let first = tones.add(part).unwrap();
        tones.begin(first, 1);
        let click = tones.add(ToneParts { kind: ActionKind::Pacing(0), ..tone(60) }).unwrap();
        assert_eq!(tones.in_the_way(click), None);
        tones.begin(click, 2);
        let next = tones.add(part).unwrap();
        assert_eq!(tones.in_the_way(next), Some(first));
        assert!(tones.end(first).is_some());
        assert_eq!(tones.in_the_way(next), None);
        assert_eq!(tones.any_sounding(0).map(|(_, id)| id), Some(click));
    }

    #[test]
    fn a_tone_in_the_way_is_found_and_its_name_goes_stale() {
        let mut tones = Tones::new(4, 1, 1);
        let first = tones.add(tone(60)).unwrap();
        tones.begin(first, 1);
        let second = tones.add(tone(60)).unwrap();
        assert_eq!(tones.in_the_way(second), Some(first));
        assert!(tones.end(first).is_some());
        assert!(tones.end(first).is_none());
        assert_eq!(tones.in_the_way(second), None);
    }

    #[test]
    fn a_released_key_lets_go_what_still_lives() {
        let (mut tones, key) = (Tones::new(4, 1, 1), U7::from_byte(60));
        tones.press(0, Channel::ONE, key, 9);
        let ids: Vec<_> = (60..63).map(|n| tones.add(tone(n)).unwrap()).collect();
        for id in &ids {
            tones.hold(*id, 0, Channel::ONE, key);
            tones.begin(*id, 1);
        }
        tones.end(ids[1]);
        assert_eq!(tones.release(0, Channel::ONE, key), 9);
        let gone: Vec<_> = std::iter::from_fn(|| tones.next_let_go(0, Channel::ONE, key)).collect();
        assert_eq!(gone, [ids[2], ids[0]]);
    }

    #[test]
    fn a_pad_that_never_sends_releases_does_not_fill_the_slots() {
        let (mut tones, key) = (Tones::new(8, 1, 1), U7::from_byte(60));
        for tap in 1..1_000 {
            tones.press(0, Channel::ONE, key, tap);
            let id = tones.add(tone(60)).expect("room");
            tones.hold(id, 0, Channel::ONE, key);
            if let Some(old) = tones.in_the_way(id) {
                tones.end(old);
            }
            tones.begin(id, tap);
        }
    }
}
