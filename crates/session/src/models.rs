//! Simulated participants that differ from each other: `tapper, mean = -30 +- 10 ms` asks for
//! a mean drawn for each participant from a normal distribution with mean -30 ms and SD
//! 10 ms; `clock = 18 x/ 1.4 ms` for one whose logarithm is normal, with the median 18 ms and an SD of the factor
//! 1.4. A second `+- 7` is the SD between the trials of one participant. A population, such as `adults`, is a
//! description with a distribution of each parameter. What the parameters mean is in docs/participants.md.

use crate::drawn::draw;
use chronotap_config::trial_files::performers::{expanded, within};

/// The description of one participant: populations are described in full, and of every distribution a value is
/// drawn, in the unit that follows. What differs between trials is left.
pub fn drawn(model: &str, seed: u64, label: &str) -> String {
    each(&expanded(model), &format!("{seed}/{label}/model"))
}

/// The description of one participant in one trial: what differs between trials is drawn, too.
pub(crate) fn in_trial(participant: &str, seed: u64) -> String {
    each(participant, &format!("{seed}/trial"))
}

/// One participant in one trial, to try whether a description is understood.
pub fn example(model: &str) -> String {
    in_trial(&drawn(model, 0, "1"), 0)
}

fn each(model: &str, name: &str) -> String {
    // How it differs at a level is drawn where it is put in.
    let (model, differences) = model.split_at(model.find('|').unwrap_or(model.len()));
    let one = |(place, person): (usize, &str)| {
        let name = if place == 0 { name.to_owned() } else { format!("{name}/{}", place + 1) };
        let part = |part: &str| value(part, &name).unwrap_or_else(|| part.to_owned());
        person.split_inclusive(',').map(part).collect::<String>()
    };
    let persons: Vec<String> = model.split(';').enumerate().map(one).collect();
    persons.join(";") + differences
}

/// A parameter whose first distribution was drawn from; `None` where it has none.
fn value(part: &str, name: &str) -> Option<String> {
    let (key, value) = part.split_once('=')?;
    let (value, comma) = value.strip_suffix(',').map_or((value, ""), |value| (value, ","));
    let (centre, of_factor, rest) = distribution(value)?;
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
    let (centre, spread): (f64, f64) = (centre.trim().parse().ok()?, rest[..end].parse().ok()?);
    let normal = normal(&format!("{name}/{}", key.trim()));
    let drawn =
        if of_factor { centre * libm::pow(spread, normal) } else { centre + spread * normal };
    let rest = &rest[end..];
    let unit = rest.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let drawn = within(key.trim(), drawn, unit);
    Some(format!("{key}= {drawn:.6}{rest}{comma}"))
}

/// What stands before and behind the first sign of a distribution, and whether it is that of a factor.
fn distribution(value: &str) -> Option<(&str, bool, &str)> {
    let signs = [("+-", false), ("\u{b1}", false), ("x/", true)];
    let first = |(sign, of_factor): (&str, bool)| {
        value.find(sign).map(|at| (at, at + sign.len(), of_factor))
    };
    let (at, end, of_factor) = signs.into_iter().filter_map(first).min()?;
    Some((&value[..at], of_factor, &value[end..]))
}

/// A draw from the standard normal distribution, by Box and Muller (1958).
fn normal(text: &str) -> f64 {
    let uniform = |of: &str| (draw(&format!("{text}/{of}")) >> 11) as f64 / (1u64 << 53) as f64;
    let (first, second) = (1.0 - uniform("radius"), uniform("angle"));
    (-2.0 * libm::log(first)).sqrt() * libm::cos(std::f64::consts::TAU * second)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and SD of the parameter of 2,000 participants, after this change of each.
    fn over_people(model: &str, key: &str, of: impl Fn(f64) -> f64) -> (f64, f64) {
        let one = |label: usize| {
            let model = drawn(model, 1, &label.to_string());
            let value = model.split(&format!("{key} = ")).nth(1).unwrap();
            of(value.split([' ', ',']).next().unwrap().parse::<f64>().unwrap())
        };
        mean_and_sd(&(0..2_000).map(one).collect::<Vec<_>>())
    }

    fn mean_and_sd(values: &[f64]) -> (f64, f64) {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (count - 1.0);
        (mean, variance.sqrt())
    }

    #[test]
    fn what_is_no_distribution_stays_as_it_is() {
        let model = "tapper, alpha = 0.25; musician, input = right";
        assert_eq!(drawn(model, 1, "01"), model);
    }

    #[test]
    fn participants_are_drawn_with_the_stated_mean_and_sd() {
        let model = drawn("tapper, mean = -30 +- 10 ms, alpha = 0.5", 1, "7");
        assert!(model.ends_with(" ms, alpha = 0.5"), "{model}");
        let (mean, sd) = over_people("tapper, mean = -30 +- 10 ms", "mean", |ms| ms);
        // Four standard errors of mean and SD.
        assert!((mean + 30.0).abs() < 0.9 && (sd - 10.0).abs() < 0.65, "{mean} {sd}");
    }

    #[test]
    fn a_factor_is_of_the_logarithm() {
        let (mean, sd) = over_people("tapper, clock = 18 x/ 1.4 ms", "clock", f64::ln);
        // Four standard errors; ln 18 = 2.890, ln 1.4 = 0.3365.
        assert!((mean - 2.890).abs() < 0.030 && (sd - 0.3365).abs() < 0.022, "{mean} {sd}");
    }

    #[test]
    fn what_differs_between_trials_is_drawn_for_each_trial() {
        let person = drawn("tapper, mean = -30 +- 10 +- 7 ms", 1, "01");
        assert!(person.ends_with(" +- 7 ms"), "{person}");
        let own: f64 = person.split(['=', '+']).nth(1).unwrap().trim().parse().unwrap();
        let in_trial = |seed| {
            let model = in_trial(&person, seed);
            let value = model.split("= ").nth(1).unwrap().strip_suffix(" ms").unwrap().to_owned();
            value.parse::<f64>().unwrap()
        };
        let (mean, sd) = mean_and_sd(&(0..2_000).map(in_trial).collect::<Vec<_>>());
        assert!((mean - own).abs() < 0.63 && (sd - 7.0).abs() < 0.45, "{mean} {sd} {own}");
    }

    #[test]
    fn a_draw_outside_a_range_is_the_end_of_it() {
        let (least, _) =
            over_people("tapper, alpha = 0 +- 0.1", "alpha", |alpha| f64::from(alpha < 0.0));
        assert_eq!(least, 0.0);
        let model = drawn("tapper, mean = 900 +- 100000 ms", 1, "01");
        assert!(
            model.ends_with("= 1000.000000 ms") || model.ends_with("= -1000.000000 ms"),
            "{model}"
        );
    }

    #[test]
    fn two_people_of_one_description_are_drawn_apart() {
        let both = drawn("adults, input = left; adults, input = right", 1, "01");
        let (left, right) = both.split_once(';').unwrap();
        let alpha = |of: &str| of.split("alpha = ").nth(1).unwrap()[..8].to_owned();
        assert_ne!(alpha(left), alpha(right));
    }

    #[test]
    fn every_population_is_understood_in_every_trial() {
        use chronotap_config::trial_files::performers::{Model, POPULATIONS};
        for (of, label) in POPULATIONS.iter().flat_map(|of| (0..300).map(move |label| (of, label)))
        {
            let model = in_trial(&drawn(of.name, 1, &label.to_string()), label);
            assert_eq!(Model::from_spec(&model, &[]).unwrap().name, of.name, "{model}");
        }
    }
}
