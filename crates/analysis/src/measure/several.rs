//! Several tests of one study.

/// The probabilities after Holm (1979), in the order given: the smallest times their number, the next times one
/// fewer, and so on, none below one before it and none above 1. A test that could not be made counts as one.
pub fn holm(p: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut order: Vec<usize> = (0..p.len()).filter(|place| p[*place].is_some()).collect();
    order.sort_by(|a, b| p[*a].unwrap_or(1.0).total_cmp(&p[*b].unwrap_or(1.0)));
    let (mut corrected, mut before) = (vec![None; p.len()], 0.0_f64);
    for (rank, place) in order.into_iter().enumerate() {
        let times = (p.len() - rank) as f64;
        before = before.max((times * p[place].unwrap_or(1.0)).min(1.0));
        corrected[place] = Some(before);
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    /// statsmodels 0.15.0: `multipletests(p, method="holm")[1]`.
    #[test]
    fn probabilities_are_those_of_statsmodels() {
        let all: [(&[f64], &[f64]); 4] = [
            (&[0.01, 0.04, 0.03, 0.005], &[0.03, 0.06, 0.06, 0.02]),
            (&[0.2], &[0.2]),
            (&[0.9, 0.6, 0.02, 0.02], &[1.0, 1.0, 0.08, 0.08]),
            (&[0.0301, 0.03, 0.049, 0.0001, 0.5], &[0.12, 0.12, 0.12, 0.0005, 0.5]),
        ];
        for (p, known) in all {
            let found = holm(&p.iter().copied().map(Some).collect::<Vec<_>>());
            for (found, known) in found.iter().zip(known) {
                assert!((found.unwrap_or(2.0) - known).abs() < 1e-12, "{p:?}: {found:?}, {known}");
            }
        }
        assert_eq!(holm(&[]), []);
    }

    #[test]
    fn a_test_that_could_not_be_made_counts_as_one() {
        let found = holm(&[Some(0.01), None, Some(0.02)]);
        assert_eq!(found, [Some(0.03), None, Some(0.04)]);
    }
}
