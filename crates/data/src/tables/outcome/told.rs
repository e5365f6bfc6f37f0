//! [`OutcomeFound::plain`]: which of the study's sentences the data choose, with the number filled in.

use super::effect::probability;
use super::plain::{FORMS, Form, LEVELS, Plain};
use super::{OutcomeFound, Stands, people, shown};
use chronotap_analysis::estimate::Estimate;

impl OutcomeFound {
    /// The answer in the words of the study, with the interval and the number of people; `None` where the study has no
    /// words for it, or nothing can be told yet.
    pub fn plain(&self) -> Option<String> {
        let effect = self.effect()?;
        effect.estimate.ends()?;
        let sentence = self.side(&effect.estimate)?;
        let own = form_of(sentence);
        let form = own.unwrap_or_else(|| self.form_elsewhere());
        let [low, high] = ends(&effect.estimate, form, own.is_some());
        let width = high - low;
        let unit = match (form, &*effect.unit) {
            (Form::Percent, _) => " %".to_owned(),
            (Form::Points, _) => " percentage points".to_owned(),
            (_, "") => String::new(),
            (_, unit) => format!(" {}", unit.replace("^2", "²")),
        };
        let mut said = sentence.trim().trim_end_matches('.').to_owned();
        for (place, form) in FORMS {
            said = said
                .replace(place, &format!("{}{unit}", shown(number(&effect.estimate, form), width)));
        }
        for (place, level) in LEVELS.into_iter().zip(self.both_levels()) {
            said = said.replace(place, level);
        }
        let [low, high] = [low, high].map(|end| shown(end, width));
        let people = people(effect.people);
        // A sentence without the number has it beside its interval.
        let value = match own {
            Some(_) => String::new(),
            None => format!("{}{unit}, ", shown(effect.estimate.value * scale(form), width)),
        };
        let holm = self.open_by_holm(&effect.estimate).unwrap_or_default();
        Some(format!("{said} ({value}95 % interval {low} to {high}{unit}; {holm}{people})."))
    }

    /// How the study's sentences write the number, for one without it: a share is not told in two ways.
    fn form_elsewhere(&self) -> Form {
        let Plain { above, below, open } = &self.outcome.plain;
        let form =
            [above, below, open].into_iter().flatten().find_map(|sentence| form_of(sentence));
        form.unwrap_or(Form::Value)
    }

    /// Why a planned contrast is open whose own interval lies on one side: the correction for their number.
    fn open_by_holm(&self, estimate: &Estimate) -> Option<String> {
        let by_holm = self.outcome.stands == Stands::Planned && !self.finds();
        let p = self.p_holm.filter(|_| by_holm && !estimate.holds(self.against()))?;
        Some(format!("{}; ", probability("after Holm p", p)))
    }

    /// The names of the levels that are compared; empty where none are.
    fn both_levels(&self) -> [&str; 2] {
        self.contrast.as_ref().map_or(["", ""], |of| [&of.level, &of.less])
    }

    /// A planned contrast lies on a side where it is found after Holm, everything else by its interval.
    fn side(&self, estimate: &Estimate) -> Option<&String> {
        let words = &self.outcome.plain;
        let is_open = match self.outcome.stands {
            Stands::Planned => !self.finds(),
            Stands::Outcome | Stands::Asked => estimate.holds(self.against()),
        };
        match is_open {
            true => words.open.as_ref(),
            false if estimate.value > self.against() => words.above.as_ref(),
            false => words.below.as_ref(),
        }
    }
}

fn number(estimate: &Estimate, form: Form) -> f64 {
    match form {
        Form::Value => estimate.value,
        Form::Size => estimate.value.abs(),
        Form::Percent | Form::Points => scale(form) * estimate.value.abs(),
    }
}

/// How the number is written in a sentence; `None` where it does not stand there.
fn form_of(sentence: &str) -> Option<Form> {
    FORMS.iter().find(|(place, _)| sentence.contains(place)).map(|(_, form)| *form)
}

/// Shares are told in hundredths.
fn scale(form: Form) -> f64 {
    if matches!(form, Form::Percent | Form::Points) { 100.0 } else { 1.0 }
}

/// The interval as the number is written: of a number below 0 that stands there without its sign the ends change places.
fn ends(estimate: &Estimate, form: Form, stands_there: bool) -> [f64; 2] {
    let turned = match form {
        Form::Size | Form::Percent | Form::Points if stands_there => estimate.value.signum(),
        _ => 1.0,
    };
    let scale = scale(form) * turned;
    let both = [estimate.low * scale, estimate.high * scale];
    if scale < 0.0 { [both[1], both[0]] } else { both }
}

#[cfg(test)]
mod tests {
    use super::super::values::Value;
    use super::super::{Outcome, OutcomeQuestion, Plain, found};
    use super::*;
    use crate::tables::Sources;

    /// Four people whose numbers have a mean of `middle`; its interval has the half width 5.81 (t(3) = 3.182 times an
    /// SD of 3.65 over 2).
    fn came(middle: f64, outcome: Outcome) -> OutcomeFound {
        let near = [-4.0, -2.0, 2.0, 4.0].into_iter().zip(["a", "b", "c", "d"]);
        let values: Vec<Value> = near
            .map(|(off, who)| Value {
                participant: Some(who.to_owned()),
                value: middle + off,
                ..Value::default()
            })
            .collect();
        found(outcome, "ms".to_owned(), &values, &Sources::default())
    }

    fn asked(value: f64) -> Outcome {
        let said = |text: &str| Some(text.to_owned());
        let plain = Plain {
            above: said("Taps come {size} after the tones."),
            below: said("Taps come {size} before the tones"),
            open: said("These data leave open whether taps come early."),
        };
        Outcome {
            of: "mean asynchrony".into(),
            asks: OutcomeQuestion::Mean,
            value: Some(value),
            plain,
            ..Outcome::default()
        }
    }

    #[test]
    fn the_side_on_which_the_interval_lies_chooses_the_sentence() {
        let said = |middle| came(middle, asked(0.0)).plain().unwrap();
        assert_eq!(
            said(-39.0),
            "Taps come 39.0 ms before the tones (95 % interval 33.2 to 44.8 ms; 4 people)."
        );
        assert_eq!(
            said(20.0),
            "Taps come 20.0 ms after the tones (95 % interval 14.2 to 25.8 ms; 4 people)."
        );
        assert_eq!(
            said(1.0),
            "These data leave open whether taps come early (1.0 ms, 95 % interval -4.8 to 6.8 ms; 4 people)."
        );
    }

    /// Of a share every sentence says it in hundredths, also that without the number.
    #[test]
    fn an_open_share_is_told_as_its_other_sentences_tell_it() {
        let mut outcome = asked(0.0);
        outcome.plain.below = Some("Fewer are tapped: {points}".to_owned());
        outcome.plain.above = None;
        let said = came(1.0, outcome).plain().unwrap();
        let number =
            "(100 percentage points, 95 % interval -481 to 681 percentage points; 4 people).";
        assert!(said.ends_with(number), "{said}");
    }

    /// Beside others, a contrast is found by its probability after Holm, not by its own interval.
    #[test]
    fn a_planned_contrast_that_holm_does_not_find_is_open() {
        let planned = Outcome { stands: Stands::Planned, ..asked(0.0) };
        let mut found = came(-39.0, planned);
        assert!(!found.effect().unwrap().estimate.holds(0.0));
        found.p_holm = Some(0.2);
        assert_eq!(
            found.plain().unwrap(),
            "These data leave open whether taps come early (-39.0 ms, 95 % interval -44.8 to -33.2 ms; \
             after Holm p = 0.200; 4 people)."
        );
        found.p_holm = Some(0.01);
        assert!(found.plain().unwrap().starts_with("Taps come 39.0 ms before"));
    }

    #[test]
    fn the_side_is_that_of_the_value_asked_and_not_of_0() {
        assert!(came(20.0, asked(40.0)).plain().unwrap().contains("20.0 ms before"));
    }

    #[test]
    fn percent_are_hundredths_with_the_interval_in_them() {
        let mut outcome = asked(0.0);
        outcome.plain.below = Some("{percent} less".to_owned());
        let said = came(-39.0, outcome).plain().unwrap();
        assert_eq!(said, "3900 % less (95 % interval 3319 to 4481 %; 4 people).");
    }

    /// "5 % more errors" may be 5 of 100 or a twentieth of those that there were.
    #[test]
    fn a_difference_of_shares_is_in_percentage_points() {
        let mut outcome = asked(0.0);
        outcome.plain.below = Some("{points} lower".to_owned());
        let said = came(-39.0, outcome).plain().unwrap();
        let interval = "95 % interval 3319 to 4481 percentage points";
        assert_eq!(said, format!("3900 percentage points lower ({interval}; 4 people)."));
    }

    #[test]
    fn what_the_study_has_no_words_for_is_not_said() {
        let mut outcome = asked(0.0);
        outcome.plain = Plain::default();
        assert_eq!(came(-39.0, outcome).plain(), None);
    }
}
