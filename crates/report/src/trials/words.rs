//! Names, numbers and measures as the page of recorded trials says them, and the section that
//! says what they mean.

use super::RecordedTrials;
use crate::html::escape;
use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::statistics::ShownAs;
use chronotap_data::tables::{Source, Sources, measures};

/// What is shown besides the measures.
const TERMS: [(&str, &str); 6] = [
    (
        "interval of an estimate",
        "It should hold the true value in 95 % of repetitions. Where simulations of runs of this length say that it holds it in fewer than 93 %, that is said beside it (held in ...). Of several trials or participants it is that of their mean, by Student's t on a scale on which it stays where the measure can be, and there is none below ten; of one trial that of its own taps, each of which depends on those before it.",
    ),
    (
        "worst lateness",
        "The output of the trial that was farthest from its deadline: time achieved less time asked for; negative is early.",
    ),
    (
        "limit",
        "The farthest that an output may be from its deadline. One beyond it fails the timing of the trial.",
    ),
    (
        "rights",
        "What the system granted to the thread that ran the trial: real-time priority, memory that is never swapped out.",
    ),
    (
        "used",
        "A trial is used where it is the attempt that counts and its data were recorded as usable.",
    ),
    (
        "response",
        "How far the taps were shifted after a perturbation of the pacing, as a share of the perturbation; lag 1 is the phase correction response.",
    ),
];

/// What the numbers mean.
pub(super) fn section(_: &RecordedTrials<'_>) -> String {
    let mut list = String::from("<dl>\n");
    let mut add = |name: &str, meaning: &str| {
        list += &format!("<dt>{}</dt><dd>{}</dd>\n", escape(name), escape(meaning));
    };
    for measure in measures().iter().filter(|measure| measure.shown != ShownAs::Nowhere) {
        add(&measure.column().replace('_', " "), measure.about);
    }
    TERMS.iter().for_each(|(name, meaning)| add(name, meaning));
    list + "</dl>\n"
}

/// The participants, in order; one who has no label has none here either.
pub(super) fn people(sources: &Sources) -> Vec<Option<&str>> {
    let mut people: Vec<Option<&str>> =
        sources.trials.iter().map(|source| source.participant.as_deref()).collect();
    people.sort_unstable();
    people.dedup();
    people
}

/// A participant's name on the page.
pub(super) fn person(label: Option<&str>) -> String {
    label.map_or_else(
        || "Participant without a label".into(),
        |label| format!("Participant {label}"),
    )
}

/// The condition of a trial in words; empty where it has no factor.
pub(super) fn condition(sources: &Sources, levels: &[Option<String>]) -> String {
    let told = sources.factors.iter().zip(levels);
    let words = told.filter_map(|(factor, level)| Some(format!("{factor} {}", level.as_ref()?)));
    words.collect::<Vec<_>>().join(", ")
}

/// The same, and of a trial without a factor its step or task.
pub(super) fn kind(sources: &Sources, source: &Source) -> String {
    let [_, step, ..] = &source.place;
    cell(sources, step.as_ref().or(source.task.as_ref()).map(String::as_str), &source.levels)
}

/// A condition, with its step before it where several steps have conditions.
pub(super) fn cell(sources: &Sources, step: Option<&str>, levels: &[Option<String>]) -> String {
    let condition = condition(sources, levels);
    match (condition.is_empty(), step) {
        (false, Some(step)) if steps(sources) > 1 => format!("{step}: {condition}"),
        (false, _) => condition,
        (true, Some(step)) => step.to_owned(),
        (true, None) => "all trials".into(),
    }
}

/// How many steps have trials with conditions.
fn steps(sources: &Sources) -> usize {
    let with = sources.trials.iter().filter(|source| source.levels.iter().any(Option::is_some));
    let mut steps: Vec<_> = with.map(|source| &source.place[1]).collect();
    steps.sort_unstable();
    steps.dedup();
    steps.len()
}

/// An input and what it is measured against.
pub(super) fn pair(input: &str, against: Option<&str>) -> String {
    against
        .map_or_else(|| format!("{input} by itself"), |stream| format!("{input} against {stream}"))
}

/// `3 trials`, `1 trial`.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// A count with its thousands apart.
pub(super) fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut said = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            said.push(',');
        }
        said.push(digit);
    }
    said
}

/// A number with so many decimals and a true minus.
pub(super) fn number(value: f64, decimals: usize) -> String {
    let said = format!("{value:.decimals$}");
    let zero = said.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.'));
    match (said.strip_prefix('-'), zero) {
        (Some(amount), true) => amount.to_owned(),
        (Some(amount), false) => format!("\u{2212}{amount}"),
        (None, _) => said,
    }
}

/// What stands behind an estimate without an interval, because all that it is of is the same.
pub(super) const SAME: &str = " (the same throughout)";
/// Nobody reads more than these, and one.
const MOST_DECIMALS: usize = 9;

/// An estimate with its interval, and with more decimals where both ends would be the same without.
pub(super) fn estimate(found: &Estimate, decimals: usize) -> String {
    let Some([low, high]) = found.ends() else {
        return number(found.value, decimals) + SAME;
    };
    let alike = |decimals: &usize| number(low, *decimals) == number(high, *decimals);
    let more = (decimals..MOST_DECIMALS).take_while(alike).count();
    let decimals = decimals + more + usize::from(more > 0);
    let [value, low, high] = [found.value, low, high].map(|x| number(x, decimals));
    format!("{value} [{low}, {high}]")
}

/// What stands behind an estimate whose interval holds the truth less often than one for 95 %
/// should, where this is how often.
pub(super) fn doubt(held: Option<f64>) -> Option<String> {
    Some(format!(", held in {:.1} %", 100.0 * held?))
}

/// What sorts words by the numbers in them.
pub(super) use chronotap_data::tables::natural as in_order;

/// Several things in a sentence, and how many more there are.
pub(super) fn some_of(all: &[String], most: usize) -> String {
    let said = all.iter().take(most).cloned().collect::<Vec<_>>().join("; ");
    match all.len().saturating_sub(most) {
        0 => said,
        more => format!("{said}; and {} more", grouped(more)),
    }
}

/// What statistics are called in short: no words that begin with a capital.
const SHORT: [(&str, &str); 4] = [("sd", "SD"), ("cv", "CV"), ("rmssd", "RMSSD"), ("npvi", "nPVI")];

/// With a first word that is short as it is written: `SD asynchrony`.
pub(super) fn in_short(words: &str) -> String {
    let first = words.split(' ').next().unwrap_or_default();
    match SHORT.iter().find(|(short, _)| *short == first) {
        Some((short, written)) => format!("{written}{}", &words[short.len()..]),
        None => words.to_owned(),
    }
}

/// With a capital, as a sentence begins.
pub(super) fn capital(words: &str) -> String {
    let written = in_short(words);
    if SHORT.iter().any(|(_, short)| written.split(' ').next() == Some(*short)) {
        return written;
    }
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_begins_with_a_capital_and_sd_is_no_word() {
        let said = ["mean asynchrony", "sd asynchrony by delay", "cv interval", "npvi", ""];
        let capitals = ["Mean asynchrony", "SD asynchrony by delay", "CV interval", "nPVI", ""];
        assert_eq!(said.map(capital), capitals.map(str::to_owned));
    }

    #[test]
    fn counts_and_numbers_are_said_as_people_write_them() {
        assert_eq!(counted(1, "tap"), "1 tap");
        assert_eq!(counted(1_234_567, "tap"), "1,234,567 taps");
        assert_eq!(number(-22.46, 1), "\u{2212}22.5");
        assert_eq!(number(-0.01, 1), "0.0");
    }

    #[test]
    fn an_interval_is_told_only_where_it_tells_something() {
        let of = |value, low, high| Estimate { value, standard_error: 1.0, low, high };
        assert_eq!(estimate(&of(-20.0, -20.0, -20.0), 1), "\u{2212}20.0 (the same throughout)");
        assert_eq!(estimate(&of(0.0, 0.0, 0.0), 1), "0.0 (the same throughout)");
        assert_eq!(estimate(&of(0.012, 0.008, 0.017), 1), "0.012 [0.008, 0.017]");
        assert_eq!(estimate(&of(1.0, -2.0, 4.0), 1), "1.0 [\u{2212}2.0, 4.0]");
    }

    #[test]
    fn a_long_list_says_how_much_is_left_out() {
        let all: Vec<String> = (1..=5).map(|k| k.to_string()).collect();
        assert_eq!(some_of(&all, 2), "1; 2; and 3 more");
        assert_eq!(some_of(&all[..2], 2), "1; 2");
    }

    #[test]
    fn levels_are_sorted_by_their_numbers() {
        let mut words = ["200 ms", "é 0.5", "70 ms", "0 ms", "é 0.25", "-20 ms", "", "-70 ms"];
        words.sort_by_key(|words| in_order(words));
        assert_eq!(words, ["-70 ms", "-20 ms", "", "0 ms", "70 ms", "200 ms", "é 0.25", "é 0.5"]);
    }
}
