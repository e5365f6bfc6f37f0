//! How files and folders of a dataset are called: a dataset keeps, verifies and forgets by these.

/// The table of participants.
pub const PARTICIPANTS: &str = "participants.tsv";
/// The folder of plans, journals and kept studies, where BIDS leaves the layout to the dataset.
pub const SOURCE: &str = "sourcedata";
/// The note of who withdrew.
pub const WITHDRAWALS: &str = "sourcedata/withdrawals.tsv";
/// What is added to the name of a dataset for the folder of its trial runs.
pub const PILOT: &str = "-pilot";
/// A correction that is under way, or was cut short: until it is finished, journals and tables differ.
pub const CORRECTION: &str = "sourcedata/correction.unfinished";
/// The column of participants.tsv that says who declined, ended the participation or dropped out.
pub const ATTRITION: &str = "attrition";
/// The thresholds that staircases found.
pub const THRESHOLD: &str = "threshold";
