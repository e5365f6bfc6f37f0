//! Masking streams.

use super::{Names, forms, pacing};
use crate::trial_files::keys;
use crate::trial_files::reading::Part;
use chronotap_core::midi::{Channel, U7};
use chronotap_core::time::Nanos;
use chronotap_engine::trial::{Masking, Varying, Velocity};

/// Reads one stream. What is wrong is reported and stands as a placeholder.
pub(super) fn masking(part: &Part<'_>, names: &Names) -> Masking {
    let soft = Velocity::Random(U7::clamped(40), U7::clamped(70));
    Masking {
        name: part.path.trim_start_matches("masking.").to_owned(),
        output: pacing::output(part, names),
        sounding: part.read("sounding", |f| f.flag()).unwrap_or(true),
        start: part.read("start", |f| f.time()).unwrap_or_default(),
        rate: Varying::constant(part.read("rate", |f| f.rate()).unwrap_or(10.0)),
        irregular: part.read("spacing", |f| f.choice(&keys::IRREGULAR)).unwrap_or_default(),
        channel: part.read("channel", |f| f.channel()).unwrap_or(Channel::ONE),
        notes: part.read("notes", |f| f.range()).unwrap_or((U7::ZERO, U7::MAX)),
        velocity: part.read("velocity", |f| forms::velocity(f, false)).unwrap_or(soft),
        duration: part.read("duration", |f| f.time()).unwrap_or(Nanos(1)),
    }
}
