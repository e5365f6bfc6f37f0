//! The columns that the tables of an analysis have of their own ([`is_own_column`]), what they hold
//! ([`kind_of`]), and what the columns of the factors are called beside them ([`factor_columns`]). Nothing is written here.

use crate::tables::ValueKind;
use crate::tables::own::{kinds, own_columns};
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// Whether a table of an analysis has a column of this name of its own: one more of that name, for
/// a factor, could not be told from it.
pub fn is_own_column(name: &str) -> bool {
    static OWN: OnceLock<HashSet<String>> = OnceLock::new();
    OWN.get_or_init(|| own_columns().into_iter().collect()).contains(name)
}

/// What a column of a table of an analysis holds, by its definition; `None` where no table has it.
/// `names` are the columns of its table: a statistic that has its SD and its number beside it is a
/// mean over trials, which is any number, also of a count.
pub fn kind_of(name: &str, names: &[&str]) -> Option<ValueKind> {
    static KINDS: OnceLock<HashMap<String, ValueKind>> = OnceLock::new();
    let kinds = KINDS.get_or_init(kinds);
    // With several inputs a statistic has a column for each, such as `taps_of_left`.
    let of_an_input = || kinds.get(name.split_once("_of_")?.0);
    let kind = *kinds.get(name).or_else(of_an_input)?;
    let beside = |end: &str| names.iter().any(|other| other.strip_suffix(end) == Some(name));
    let is_mean = kind == ValueKind::Integer && beside("_sd") && beside("_n");
    Some(if is_mean { ValueKind::Number } else { kind })
}

/// The columns of these factors, in order: their names, but for those that the tables have already.
/// Those stand behind `factor_`. A study that is made now has none (`chronotap check` refuses them);
/// recorded datasets may.
pub fn factor_columns(factors: &[String]) -> Vec<String> {
    let free: HashSet<&String> = factors.iter().filter(|factor| !is_own_column(factor)).collect();
    let mut taken: HashSet<String> = HashSet::new();
    let mut column = |factor: &String| {
        let mut name = factor.clone();
        while is_own_column(&name)
            || taken.contains(&name)
            || (name != *factor && free.contains(&name))
        {
            name.insert_str(0, "factor_");
        }
        taken.insert(name.clone());
        name
    };
    factors.iter().map(&mut column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(factors: &[&str]) -> Vec<String> {
        factor_columns(&factors.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_factor_that_the_tables_have_a_column_of_stands_behind_a_prefix() {
        assert_eq!(columns(&["tempo", "beat"]), ["tempo", "factor_beat"]);
        let of_own = ["beat", "factor_beat", "factor_factor_beat", "alpha_low", "taps_n"];
        let found = columns(&of_own);
        assert_eq!(found[0], "factor_factor_factor_beat");
        assert_eq!(found[1..3], of_own[1..3]);
        assert_eq!(found[3..], ["factor_alpha_low", "factor_taps_n"]);
    }

    #[test]
    fn every_column_of_every_table_of_an_analysis_is_known() {
        let some = [
            "beat",
            "tap",
            "event_id",
            "onset_ns",
            "input",
            "stretch",
            "used",
            "alpha",
            "resultant",
            "pooled_alpha_high",
            "no_alpha",
            "trials",
            "taps_sd",
            "interval_doubts",
            "session",
        ];
        assert!(some.iter().all(|name| is_own_column(name)));
        assert!(["tempo", "delay", "condition"].iter().all(|name| !is_own_column(name)));
    }
}
