//! What each answer did to the level of a staircase, at which share of correct answers its rule aims, and what its
//! threshold is: a threshold without that share cannot be compared with another study's.

use super::{Told, either};
use crate::trials::words::{counted, number};
use chronotap_design::{Quest, Staircase, StaircaseRule, StaircaseStop, UpDown};

/// The staircases of a step; those that differ in nothing but their name and their key are told together.
pub(super) fn sentences(told: &Told<'_>, step: &str, names: &[String]) -> Vec<String> {
    let which = if names.len() == 1 { "adaptive staircase" } else { "adaptive staircases" };
    let set = format!("In {step} the answers set the next level ({which} {}).", names.join(", "));
    let all = told.of.study.iter().flat_map(|study| &study.staircases);
    let mut rules: Vec<(String, Vec<String>)> = Vec::new();
    for staircase in all.filter(|staircase| names.contains(&staircase.name)) {
        let said = rule(staircase);
        match rules.iter_mut().find(|(known, _)| *known == said) {
            Some((_, of)) => of.push(staircase.name.clone()),
            None => rules.push((said, vec![staircase.name.clone()])),
        }
    }
    let several = rules.len() > 1;
    let told = rules.into_iter().map(|(said, of)| match several {
        true => format!("Of {}: {said}", either(&of, "and")),
        false => said,
    });
    std::iter::once(set).chain(told).collect()
}

fn rule(of: &Staircase) -> String {
    let (least, greatest) = of.between;
    let [start, least, greatest] = [of.start, least, greatest].map(|value| level(of, value));
    let bounds = format!("It began at {start} and stayed between {least} and {greatest}");
    let stop = match of.stop {
        StaircaseStop::Reversals(n) => format!("ended after {}", counted(n as usize, "reversal")),
        StaircaseStop::Trials(n) => format!("ended after {}", counted(n as usize, "answer")),
        StaircaseStop::Sd(most) => {
            format!("ended where the SD of the threshold was below {}", level(of, most))
        }
    };
    let most = counted(of.at_most as usize, "trial");
    let bounds = format!("{bounds}; it {stop}, and after {most} without a threshold.");
    match &of.rule {
        StaircaseRule::UpDown(by) => format!("{} {bounds} {}", up_down(of, by), aim(by)),
        StaircaseRule::Quest(by) => format!("{} {bounds}", quest(of, by)),
    }
}

/// A level with its unit: a time in ms.
fn level(of: &Staircase, value: f64) -> String {
    match of.timed {
        true => format!("{} ms", plain(value / 1e6)),
        false => plain(value),
    }
}

/// With the decimals that it has.
fn plain(value: f64) -> String {
    value.to_string()
}

fn up_down(of: &Staircase, by: &UpDown) -> String {
    let sizes: Vec<String> = by
        .sizes
        .iter()
        .map(|size| if by.factors { plain(*size) } else { level(of, *size) })
        .collect();
    let then = if sizes.len() > 1 { ", one on at each reversal" } else { "" };
    let [went, by_what] =
        if by.factors { ["divided", "a factor of"] } else { ["lowered", "steps of"] };
    let up = match (by.weight == 1.0, by.factors) {
        (true, _) => String::new(),
        (false, false) => {
            format!(", {} times as large upwards (Kaernbach, 1991)", plain(by.weight))
        }
        (false, true) => {
            format!(", upwards to the power of {} (Kaernbach, 1991)", plain(by.weight))
        }
    };
    format!(
        "The level was {went} after {} and raised after {} (Levitt, 1971), by {by_what} {}{then}{up}.",
        in_a_row(by.down, "correct answer"),
        in_a_row(by.up, "wrong answer"),
        either(&sizes, "and"),
    )
}

fn in_a_row(n: u32, what: &str) -> String {
    match n {
        1 => format!("a {what}"),
        n => format!("{n} {what}s in a row"),
    }
}

/// Where the level goes neither up nor down on average.
fn aim(by: &UpDown) -> String {
    let mean = if by.factors { "geometric mean" } else { "mean" };
    format!(
        "This rule aims at the level at which {} % of the answers are correct; the threshold is the {mean} of the \
         reversals after the first one at the smallest step, an even number of them.",
        number(100.0 * by.aim(), 1)
    )
}

fn quest(of: &Staircase, by: &Quest) -> String {
    let prior = match by.prior_sd {
        Some(sd) => {
            format!("thresholds to spread by an SD of {} around the first level", level(of, sd))
        }
        None => "all thresholds between the bounds to be equally likely".to_owned(),
    };
    let middle = (by.guess + 1.0 - by.lapse) / 2.0;
    format!(
        "Each trial had the level at which its answer would tell most of the threshold (QUEST; Watson & Pelli, 1983), \
         taking {prior}, and a logistic function that goes from 5 % to 95 % of its way within {}, with a share of {} of \
         correct answers far below it and of {} of wrong ones far above it. The threshold is the level at which {} % of \
         the answers are correct: the mean of what the answers leave likely.",
        level(of, by.width),
        plain(by.guess),
        plain(by.lapse),
        number(100.0 * middle, 1)
    )
}

#[cfg(test)]
mod tests {
    use chronotap_design::Experiment;

    const STUDY: &str =
        "title = \"A threshold\"\ntask = \"t\"\ntrial = \"detect.toml\"\nparticipants = 1\n";
    const TRIAL: &str = "[pacing.m]\ninterval = \"500 ms\"\nbeats = 5\n[[pacing.m.change]]\nname = \"probe\"\n\
                         at = 4\nonset_shift = \"10 ms\"\n[[when]]\ntime = \"9 s\"\nend = true\n";
    const SAME: &str = "set = \"pacing.m.change.probe.onset_shift\"\nstart = \"60 ms\"\nbetween = [\"1 ms\", \
                        \"200 ms\"]\nat_most = 80\ncorrect = \"note C4\"\n";

    fn said(rule: &str) -> String {
        let text = format!(
            "{STUDY}[staircase.late]\n{SAME}{rule}\n[[step]]\nname = \"main\"\nstaircases = \"late\"\n"
        );
        let files = vec![("detect.toml".to_owned(), TRIAL.to_owned())];
        let experiment = Experiment::parse(&text, "study.toml", &files);
        super::rule(&experiment.unwrap_or_else(|wrong| panic!("{wrong:?}")).staircases[0])
    }

    #[test]
    fn the_rule_is_told_with_the_share_at_which_it_aims() {
        let told = said(
            "rule = \"2 down 1 up\"\nstep = [\"16 ms\", \"8 ms\", \"4 ms\"]\nstop = \"8 reversals\"",
        );
        let known = "The level was lowered after 2 correct answers in a row and raised after a wrong answer (Levitt, 1971), \
                     by steps of 16 ms, 8 ms and 4 ms, one on at each reversal. It began at 60 ms and stayed between 1 ms \
                     and 200 ms; it ended after 8 reversals, and after 80 trials without a threshold. This rule aims at \
                     the level at which 70.7 % of the answers are correct; the threshold is the mean of the reversals \
                     after the first one at the smallest step, an even number of them.";
        assert_eq!(told, known);
        let told =
            said("rule = \"1 down 1 up\"\nweight = 3\nstep = [\"x 1.1\"]\nstop = \"20 trials\"");
        assert!(told.contains("divided after a correct answer"), "{told}");
        assert!(
            told.contains("by a factor of 1.1, upwards to the power of 3 (Kaernbach, 1991)."),
            "{told}"
        );
        assert!(
            told.contains("ended after 20 answers") && told.contains("at which 75.0 % of"),
            "{told}"
        );
        let told = said(
            "rule = \"quest\"\nwidth = \"60 ms\"\nguess = 0.5\nlapse = 0.02\nstop = \"sd < 5 ms\"",
        );
        assert!(told.contains("the level at which 74.0 % of the answers are correct"), "{told}");
        assert!(told.contains("the SD of the threshold was below 5 ms"), "{told}");
    }
}
