//! The references of the text: the publication that the study follows, and those that the text cites.

use crate::html::{element, escape};
use crate::trials::RecordedTrials;

/// As the text cites it, and the whole reference.
const REFERENCES: [(&str, &str); 18] = [
    (
        "Cousineau, 2005",
        "Cousineau, D. (2005). Confidence intervals in within-subject designs: A simpler solution to Loftus and Masson's method. Tutorials in Quantitative Methods for Psychology, 1, 42-45.",
    ),
    (
        "Fieller (1954)",
        "Fieller, E. C. (1954). Some problems in interval estimation. Journal of the Royal Statistical Society, Series B, 16, 175-185.",
    ),
    (
        "Fisher (1921)",
        "Fisher, R. A. (1921). On the \"probable error\" of a coefficient of correlation deduced from a small sample. Metron, 1, 3-32.",
    ),
    (
        "Fisher, 1993",
        "Fisher, N. I. (1993). Statistical analysis of circular data. Cambridge University Press.",
    ),
    (
        "Holm, 1979",
        "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics, 6, 65-70.",
    ),
    (
        "Jacoby et al., 2015",
        "Jacoby, N., Tishby, N., Repp, B. H., Ahissar, M., & Keller, P. E. (2015). Parameter estimation of linear sensorimotor synchronization models: Phase correction, period correction, and ensemble synchronization. Timing & Time Perception, 3, 52-87.",
    ),
    (
        "Kaernbach, 1991",
        "Kaernbach, C. (1991). Simple adaptive testing with the weighted up-down method. Perception & Psychophysics, 49, 227-229.",
    ),
    (
        "Lakens, 2013",
        "Lakens, D. (2013). Calculating and reporting effect sizes to facilitate cumulative science: A practical primer for t-tests and ANOVAs. Frontiers in Psychology, 4, 863.",
    ),
    (
        "Lazarus et al., 2018",
        "Lazarus, E., Lewis, D. J., Stock, J. H., & Watson, M. W. (2018). HAR inference: Recommendations for practice. Journal of Business & Economic Statistics, 36, 541-559.",
    ),
    (
        "Levitt, 1971",
        "Levitt, H. (1971). Transformed up-down methods in psychoacoustics. Journal of the Acoustical Society of America, 49, 467-477.",
    ),
    (
        "Morey, 2008",
        "Morey, R. D. (2008). Confidence intervals from normalized data: A correction to Cousineau (2005). Tutorials in Quantitative Methods for Psychology, 4, 61-64.",
    ),
    (
        "Patterson & Thompson, 1971",
        "Patterson, H. D., & Thompson, R. (1971). Recovery of inter-block information when block sizes are unequal. Biometrika, 58, 545-554.",
    ),
    (
        "Satterthwaite (1946)",
        "Satterthwaite, F. E. (1946). An approximate distribution of estimates of variance components. Biometrics Bulletin, 2, 110-114.",
    ),
    (
        "Schmidt & Lee, 2005",
        "Schmidt, R. A., & Lee, T. D. (2005). Motor control and learning: A behavioral emphasis (4th ed.). Human Kinetics.",
    ),
    (
        "Watson & Pelli, 1983",
        "Watson, A. B., & Pelli, D. G. (1983). QUEST: A Bayesian adaptive psychometric method. Perception & Psychophysics, 33, 113-120.",
    ),
    (
        "Welch (1947)",
        "Welch, B. L. (1947). The generalization of Student's problem when several different population variances are involved. Biometrika, 34, 28-35.",
    ),
    (
        "Wing and Kristofferson (1973)",
        "Wing, A. M., & Kristofferson, A. B. (1973). Response delays and the timing of discrete motor responses. Perception & Psychophysics, 14, 5-12.",
    ),
    (
        "Zellner, 1971",
        "Zellner, A. (1971). An introduction to Bayesian inference in econometrics. Wiley.",
    ),
];

/// The references as a list.
pub(super) fn list(of: &RecordedTrials<'_>, text: &str) -> String {
    let own = of.study.as_ref().and_then(|study| study.reference.clone());
    let own = own.map(|reference| format!("{reference} (which the study follows)."));
    let cited = REFERENCES.iter().filter(|(cited, _)| text.contains(cited));
    let all = own.into_iter().chain(cited.map(|(_, whole)| (*whole).to_owned()));
    let items: String = all.map(|whole| format!("<li>{}</li>\n", escape(&whole))).collect();
    if items.is_empty() {
        items
    } else {
        element("p", "References") + &format!("<ul>\n{items}</ul>\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every year in brackets in the sources of the text is that of a reference.
    #[test]
    fn whatever_the_text_cites_is_in_the_list() {
        let text = [include_str!("computed.rs"), include_str!("staircases.rs")].concat();
        let text = text.replace("\\\n", " ");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let years = text.match_indices(|c: char| c.is_ascii_digit());
        let years = years.filter_map(|(at, _)| text.get(at..at + 5));
        let years = years.filter(|year| {
            year.starts_with(['1', '2'])
                && year[..4].bytes().all(|b| b.is_ascii_digit())
                && !year.ends_with(|c: char| c.is_ascii_digit())
        });
        let mut cited = text.clone();
        REFERENCES.iter().for_each(|(name, _)| cited = cited.replace(name, ""));
        for year in years {
            assert!(!cited.contains(year), "{year} is cited and not in the list");
        }
    }
}
