//! Who asks for tones: beats, accepted taps, masking. A tone that is asked for
//! stands on the agenda at its onset.

use crate::action::{Action, ActionKind, EventId, Silence};
use crate::agenda::Turn;
use crate::feedback::{AcceptedTap, TapTone};
use crate::instant::State;
use crate::pacing::velocity_at;
use crate::perturbation::Perturbation;
use crate::tones::{NO_RELEASE_VELOCITY, ToneId, ToneParts};
use crate::trial::{Duration, Start, Trial};
use chronotap_core::time::{Exact, Nanos};

impl State {
    /// Counts the beats that are due.
    pub(crate) fn count_beats(&mut self) -> bool {
        let mut any = false;
        for (i, stream) in self.streams.iter_mut().enumerate() {
            if stream.arrive(self.now) {
                self.watch.beat(i, stream.beat());
                any = true;
            }
        }
        any
    }

    /// The beats just counted ask for their tones, or tell that they have none, and the next
    /// ones are placed.
    pub(crate) fn sound_beats(&mut self, trial: &Trial, sink: &mut impl FnMut(&Action)) {
        for i in 0..self.streams.len() {
            let stream = &self.streams[i];
            let (onset, number) = (stream.deadline(), stream.beat());
            if !stream.is_at_beat() {
                continue;
            }
            let (output, length) = (stream.pacing.output, Some(stream.tone_length(trial)));
            let (perturbation, release) = (stream.perturbation(), NO_RELEASE_VELOCITY);
            if let Some(why) = stream.silence() {
                self.tell_silent_beat(i, why, sink);
            }
            for beat in self.streams[i].tones(trial) {
                let tone = ToneParts {
                    id: 0,
                    kind: ActionKind::Pacing(i as u16),
                    number,
                    cause: 0,
                    output,
                    channel: beat.channel,
                    note: beat.note,
                    velocity: beat.velocity,
                    onset,
                    length,
                    delay: Nanos::ZERO,
                    release,
                    perturbation,
                };
                self.ask(tone, Turn::Pacing, i as u16);
            }
            if let Some(end) = self.streams[i].plan(trial) {
                self.start_followers(i as u16, end, trial);
            }
        }
    }

    /// Recordings that begin ask for what they have before their first beat: a tone of their
    /// stream that is no beat, and so has no number.
    pub(crate) fn begin_recordings(&mut self, trial: &Trial) {
        for i in 0..self.streams.len() {
            let Some((onset, length)) = self.streams[i].begin_audio(self.now, trial) else {
                continue;
            };
            let pacing = &self.streams[i].pacing;
            let tone = ToneParts {
                id: 0,
                kind: ActionKind::Pacing(i as u16),
                number: 0,
                cause: 0,
                output: pacing.output,
                channel: pacing.tone.channel,
                note: pacing.tone.note,
                velocity: velocity_at(pacing.tone.velocity, onset),
                onset,
                length: Some(length),
                delay: Nanos::ZERO,
                release: NO_RELEASE_VELOCITY,
                perturbation: Perturbation::NONE,
            };
            self.ask(tone, Turn::Pacing, i as u16);
        }
    }

    fn tell_silent_beat(&mut self, i: usize, why: Silence, sink: &mut impl FnMut(&Action)) {
        let (id, stream) = (self.new_event(), &self.streams[i]);
        let action = Action {
            id,
            kind: ActionKind::SilentBeat(i as u16, why),
            number: stream.beat(),
            cause: 0,
            deadline: stream.deadline(),
            instant: self.now,
            port: 0,
            message: None,
            perturbation: stream.perturbation(),
        };
        self.hand(action, sink);
    }

    /// Streams that are to begin after stream `i`, which ends at `end`.
    pub(crate) fn start_followers(&mut self, i: u16, end: Exact, trial: &Trial) {
        for (follower, pacing) in trial.pacing.iter().enumerate() {
            if let Start::After { stream, delay } = pacing.start
                && stream == i
            {
                self.start_stream(follower as u16, end + delay.into(), self.now, trial);
            }
        }
    }

    /// The feedback of an accepted tap.
    pub(crate) fn answer(
        &mut self,
        tap: &AcceptedTap,
        id: EventId,
        trial: &Trial,
        sink: &mut impl FnMut(&Action),
    ) {
        let number = self.inputs[usize::from(tap.input)].taps;
        for i in 0..self.voices.len() {
            if !self.voices[i].passes(tap) {
                continue;
            }
            let Some(answer) = self.voices[i].tone_for(tap, trial) else { continue };
            let tone = self.feedback_tone(i, tap, &answer, number, id);
            if answer.muted {
                let id = self.new_event();
                self.tell_tone(id, ActionKind::Muted(i as u16), &tone, sink);
                continue;
            }
            let as_played = tone.length.is_none();
            let asked = self.ask(tone, Turn::Feedback, i as u16);
            if let Some(tone) = asked.filter(|_| as_played) {
                self.tones.hold(tone, tap.input, tap.channel, tap.note);
            }
        }
    }

    pub(crate) fn feedback_tone(
        &self,
        voice: usize,
        tap: &AcceptedTap,
        answer: &TapTone,
        number: u32,
        cause: EventId,
    ) -> ToneParts {
        let feedback = &self.voices[voice].feedback;
        ToneParts {
            id: 0,
            kind: ActionKind::Feedback(voice as u16),
            number,
            cause,
            output: feedback.output,
            channel: feedback.channel.unwrap_or(tap.channel),
            note: answer.note,
            velocity: answer.velocity,
            onset: tap.stamp + answer.delay,
            length: match answer.duration {
                Duration::AsPlayed => None,
                Duration::Fixed(length) => Some(length),
            },
            delay: answer.delay,
            release: NO_RELEASE_VELOCITY,
            perturbation: answer.perturbation,
        }
    }

    pub(crate) fn draw_masks(&mut self) {
        for i in 0..self.masks.len() {
            while self.masks[i].due() <= self.now {
                let Some(drawn) = self.masks[i].tone() else { continue };
                let masking = &self.masks[i].masking;
                let tone = ToneParts {
                    id: 0,
                    kind: ActionKind::Masking(i as u16),
                    number: drawn.number,
                    cause: 0,
                    output: masking.output,
                    channel: masking.channel,
                    note: drawn.note,
                    velocity: drawn.velocity,
                    onset: drawn.deadline,
                    length: Some(masking.duration),
                    delay: Nanos::ZERO,
                    release: NO_RELEASE_VELOCITY,
                    perturbation: Perturbation::NONE,
                };
                self.ask(tone, Turn::Masking, i as u16);
            }
        }
    }

    /// Puts a tone on the agenda at its onset.
    pub(crate) fn ask(&mut self, tone: ToneParts, turn: Turn, index: u16) -> Option<ToneId> {
        let onset = tone.onset.max(self.now);
        let id = self.tones.add(tone);
        let asked = id.filter(|&id| self.agenda.push(onset, tone.onset, (turn, index), id));
        if asked.is_none() {
            self.lost += 1;
            id.map(|id| self.tones.end(id));
        }
        asked
    }
}
