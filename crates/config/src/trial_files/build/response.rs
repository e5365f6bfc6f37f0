//! When taps reproduce a stream that was listened to.

use super::pools::Pools;
use crate::trial_files::answers::ReproducedStream;
use crate::trial_files::reading::{Part, say};
use chronotap_core::time::Nanos;
use chronotap_engine::trial::{Pacing, PatternStep};

/// Reads `response` of a stream; `None` where it is tapped along with.
pub(super) fn response(
    part: &Part<'_>,
    stream: &Pacing,
    pools: &Pools,
) -> Option<ReproducedStream> {
    if !part.has("response") {
        part.field("response"); // records that there is none
        return None;
    }
    let inner = part.part("response", "pacing.NAME.response");
    let after = inner.read("after", |f| f.time()).unwrap_or(Nanos::ZERO);
    let within = inner.read("within", |f| f.time());
    let beats = stream.repeat.and(stream.onsets).map(|onsets| onsets.len);
    ends(part, stream, beats);
    if let Some(within) = within.filter(|within| *within <= after) {
        let message = format!("{}: within = {} is not later than after", inner.said(), say(within));
        let cure = format!("both count from the last beat: write more than {}", say(after));
        part.page.cured(inner.at("within"), message, cure);
    }
    let pause = pause(stream, &pools.all_times());
    for (key, time) in [("after", Some(after)), ("within", within)] {
        if let Some((time, pause)) = time.zip(pause).filter(|(time, pause)| time >= pause) {
            let (key_is, sounds) = (say(time), say(pause));
            let message = format!(
                "{}: {key} = {key_is}, but the list sounds again after {sounds}",
                inner.said()
            );
            let cure = format!("stay below {sounds}, or let repeat.every be longer");
            part.page.cured(inner.at(key), message, cure);
        }
    }
    Some(ReproducedStream { after, within, beats })
}

/// A model has an end, and an interval to be reproduced.
fn ends(part: &Part<'_>, stream: &Pacing, listed: Option<u32>) {
    let Some(beats) = listed.or(stream.beats) else {
        let message = format!("{} never ends, so nothing can follow it", part.said());
        part.page.cured(part.at("response"), message, "give it a number of beats");
        return;
    };
    let steps = stream.pattern.iter().cycle().take(beats.min(1_000) as usize);
    if steps.filter(|step| **step != PatternStep::Rest).count() < 2 {
        let message = format!("{} has no interval to reproduce", part.said());
        part.page.cured(part.at("response"), message, "let it have two tones or more");
    }
}

/// From the last onset of a list that repeats to its next first one.
fn pause(stream: &Pacing, times: &[Nanos]) -> Option<Nanos> {
    let onsets = stream.onsets?.of(times);
    let length = *onsets.last()? - *onsets.first()?;
    Some(stream.repeat?.every.round() - length)
}
