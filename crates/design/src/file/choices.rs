//! What the words of choices in an experiment file mean: the rows of keys have their words from here.

use crate::study::experiment::Assign;
use crate::study::step::{Ends, Go, Interleave, Order, Otherwise, RedoTime};
use chronotap_config::trial_files::reading::words_of;

/// How participants come to one of several lists.
pub(super) const ASSIGN: [(&str, Assign); 2] =
    [("latin", Assign::Latin), ("shuffle", Assign::Shuffle)];

/// The order of sessions and of blocks.
pub(super) static ORDER: [(&str, Order); 4] = [
    ("latin", Order::Latin),
    ("williams", Order::Williams),
    ("shuffle", Order::Shuffle),
    ("file", Order::File),
];
pub(super) const ORDERS: &[&str] = &words_of(&ORDER);

/// The order of a step's trials, where it is drawn or that of the file.
pub(super) static SHUFFLE: [(&str, Order); 3] =
    [("each repetition", Order::ShuffleEach), ("all", Order::Shuffle), ("none", Order::File)];
pub(super) const SHUFFLES: &[&str] = &words_of(&SHUFFLE);

/// The order of a step's trials by a square.
pub(super) static SQUARE: [(&str, Order); 2] =
    [("latin", Order::Latin), ("williams", Order::Williams)];
pub(super) const SQUARES: &[&str] = &words_of(&SQUARE);

/// Where practice does not reach its criterion.
pub(super) const OTHERWISE: [(&str, Otherwise); 3] =
    [("ask", Otherwise::Ask), ("go on", Otherwise::GoOn), ("stop", Otherwise::Stop)];

/// What starts a trial, or ends a rest.
pub(super) const GO: [(&str, Go); 4] = [
    ("at once", Go::AtOnce),
    ("tap", Go::Tap),
    ("key", Go::Key),
    ("experimenter", Go::Experimenter),
];

/// What an answer of `stop_if` ends.
pub(super) const ENDS: [(&str, Ends); 2] =
    [("participation", Ends::Participation), ("session", Ends::Session)];

/// How staircases take turns.
pub(super) const INTERLEAVE: [(&str, Interleave); 2] =
    [("random", Interleave::Random), ("in turn", Interleave::InTurn)];

/// When a trial is done again.
pub(super) const REDO: [(&str, RedoTime); 2] =
    [("at once", RedoTime::AtOnce), ("block end", RedoTime::BlockEnd)];

/// Of a staircase, whether no answer is a wrong one.
pub(super) const NONE_IS_WRONG: [(&str, bool); 2] = [("repeat", false), ("wrong", true)];
