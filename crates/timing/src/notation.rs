//! [`NOTATION`]: every number that a test leaves, with its definition. The page, the
//! manual and the summary quote it, so that they cannot differ. A test that leaves a
//! new figure adds its line here.

/// One name and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The name, as in tables and files.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// As a formula, where that says more; otherwise empty.
    pub formula: &'static str,
}

const fn term_of(name: &'static str, meaning: &'static str, formula: &'static str) -> Term {
    Term { name, meaning, formula }
}

/// Every name, quantities first, then statistics, then figures.
pub const NOTATION: &[Term] = &[
    term_of("clock step", "From one clock read to the next.", "t[k+1] - t[k]"),
    term_of(
        "lateness",
        "A wake-up minus the time asked for; the clock is read after it.",
        "t[k] - deadline[k]",
    ),
    term_of(
        "corrected lateness",
        "Lateness with one sample more for each period that a late wake-up missed, so that a stall counts as long as it lasted (Tene's correction of coordinated omission).",
        "L, L - T, L - 2T, ... while positive",
    ),
    term_of("pause", "The length of a wait, from the call to its return.", "t(return) - t(call)"),
    term_of(
        "interval deviation",
        "From one periodic interrupt to the next, minus the nominal period. One late interrupt gives a positive and then a negative deviation, so that the distribution is symmetric and its variance twice that of the lateness.",
        "t[k+1] - t[k] - 1/f",
    ),
    term_of(
        "message interval",
        "From one message that came in to the next, stamp to stamp.",
        "s[k+1] - s[k]",
    ),
    term_of(
        "round trip",
        "From the end of a message's write to the stamp of its return.",
        "s - t(written)",
    ),
    term_of("n", "How many samples.", ""),
    term_of("min", "The least sample.", ""),
    term_of("mean", "The arithmetic mean; exact.", "sum x / n"),
    term_of("SD", "The standard deviation with n - 1; exact.", "sqrt(sum (x - mean)^2 / (n - 1))"),
    term_of(
        "median",
        "The least value that at least half of all samples do not exceed.",
        "p = 0.5",
    ),
    term_of(
        "p90",
        "The least value that at least 90 % of all samples do not exceed; quantiles are exact below 2 us and within a 1,024th above.",
        "p = 0.9",
    ),
    term_of("p99", "The same with 99 %.", "p = 0.99"),
    term_of("p99.9", "The same with 99.9 %.", "p = 0.999"),
    term_of(
        "max",
        "The greatest sample. One sample decides it: it says what can happen, not how often.",
        "",
    ),
    term_of(
        "faults",
        "Messages of the loop test that were lost, doubled, changed, out of order, unknown or refused.",
        "",
    ),
    term_of("messages", "Messages of the loop test that came in.", ""),
    term_of("messages_per_s", "Messages a second, first to last.", ""),
];

/// The term of a name; names of figures in files are names of terms.
pub fn term(name: &str) -> Option<&'static Term> {
    NOTATION.iter().find(|term| term.name == name)
}
