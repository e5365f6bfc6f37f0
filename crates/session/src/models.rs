//! Simulated participants that differ from each other: `tapper, mean = -30 +- 10 ms` asks for
//! a mean drawn for each participant from a normal distribution with mean -30 ms and SD
//! 10 ms. What the parameters mean is in docs/participants.md.

use crate::drawn::draw;

/// The description of one participant: every `A +- B` is replaced by a draw from the normal
/// distribution with mean A and standard deviation B, in the unit that follows.
pub fn drawn(model: &str, seed: u64, label: &str) -> String {
    let one = |part: &str| {
        let (key, value) = part.split_once('=')?;
        let (mean, rest) = value.split_once("+-").or_else(|| value.split_once('±'))?;
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        let (mean, sd): (f64, f64) = (mean.trim().parse().ok()?, rest[..end].parse().ok()?);
        let value = mean + sd * normal(&format!("{seed}/{label}/model/{}", key.trim()));
        Some(format!("{key}= {value:.6}{}", &rest[end..]))
    };
    // How it differs at a level is drawn where it is put in.
    let (model, differences) = model.split_at(model.find('|').unwrap_or(model.len()));
    let parts = model.split_inclusive([',', ';']);
    let drawn: String = parts.map(|part| one(part).unwrap_or_else(|| part.to_owned())).collect();
    drawn + differences
}

/// A draw from the standard normal distribution, by Box and Muller (1958).
fn normal(text: &str) -> f64 {
    let uniform = |of: &str| (draw(&format!("{text}/{of}")) >> 11) as f64 / (1u64 << 53) as f64;
    let (first, second) = (1.0 - uniform("radius"), uniform("angle"));
    (-2.0 * first.ln()).sqrt() * (std::f64::consts::TAU * second).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_distribution_stays_as_it_is() {
        let model = "tapper, alpha = 0.25; musician, input = right";
        assert_eq!(drawn(model, 1, "01"), model);
    }

    #[test]
    fn participants_are_drawn_with_the_stated_mean_and_sd() {
        let mean = |label: usize| {
            let model = drawn("tapper, mean = -30 +- 10 ms, alpha = 0.5", 1, &label.to_string());
            assert!(model.ends_with(" ms, alpha = 0.5"), "{model}");
            let value = model.split("mean = ").nth(1).unwrap().split(" ms").next().unwrap();
            value.parse::<f64>().unwrap()
        };
        let values: Vec<f64> = (0..2_000).map(mean).collect();
        let average = values.iter().sum::<f64>() / 2_000.0;
        let variance = values.iter().map(|v| (v - average).powi(2)).sum::<f64>() / 1_999.0;
        // Four standard errors of mean and SD.
        assert!((average + 30.0).abs() < 0.9, "{average}");
        assert!((variance.sqrt() - 10.0).abs() < 0.65, "{}", variance.sqrt());
    }
}
