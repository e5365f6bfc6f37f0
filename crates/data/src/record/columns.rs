//! The columns of the table of an events file. What each holds is in `tsv.rs`, and how it is
//! described to other programs in `sidecar.rs`.

/// The columns, in their order. The last one stands only in the files of trials that
/// sounded on a sound card; those from `perturbation` to it are not in files of earlier
/// versions.
pub const COLUMNS: [&str; 30] = [
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
];

/// The index of the column that need not be there.
pub(crate) const FRAME: usize = COLUMNS.len() - 1;
/// The index of the first of the columns that came later.
pub(crate) const LATER: usize = 21;
