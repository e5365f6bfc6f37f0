//! The columns of the table of an events file. What each holds is in `tsv.rs`, and how it is
//! described to other programs in `sidecar.rs`.

/// The columns, in their order. `frame` stands only in the files of trials that sounded on a
/// sound card, the three behind it only where an input kept the sound in which it heard taps, and the
/// last three only where one kept the force that it felt; those from `perturbation` to `frame` are
/// not in files of earlier versions.
pub const COLUMNS: [&str; 36] = [
    "onset",
    "duration",
    "trial_type",
    "name",
    "number",
    "midi_channel",
    "note",
    "velocity",
    "port",
    "event_id",
    "cause",
    "deadline_ns",
    "achieved_ns",
    "lateness_ns",
    "release_deadline_ns",
    "release_achieved_ns",
    "engine_ns",
    "stamp",
    "message",
    "flag",
    "detail",
    "perturbation",
    "perturbation_ns",
    "delay_ns",
    "pitch_shift",
    "fate",
    "against",
    "beat",
    "asynchrony_ns",
    "frame",
    "onset_source",
    "refined_ns",
    "sound_peak_ppm",
    "peak_force",
    "rise_ns",
    "dwell_ns",
];

/// The index of the first column that need not be there.
pub(crate) const FRAME: usize = 29;
/// The index of the first of those that stand where sound was kept.
pub(crate) const HEARD: usize = 30;
/// The index of the first of those that stand where force was kept.
pub(crate) const FELT: usize = 33;
/// The index of the first of the columns that came later.
pub(crate) const LATER: usize = 21;
