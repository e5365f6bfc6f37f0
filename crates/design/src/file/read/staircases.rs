//! `[staircase.NAME]`.

use crate::file::choices;
use crate::study::staircase::{
    AnswerCounts, AnswersFrom, Quest, Staircase, StaircaseRule, StaircaseStop, UpDown,
};
use chronotap_config::trial_files::reading::{DAY, Field, Part, Value, note, time, well_named};
use chronotap_core::time::Nanos;

/// Reads them all.
pub(crate) fn staircases(top: &Part<'_>) -> Vec<Staircase> {
    let named = top.named("staircase").into_iter();
    named
        .filter_map(|(name, at, field)| {
            well_named(top.page, at, name);
            staircase(name, &Part::of(&field, "staircase.NAME")?)
        })
        .collect()
}

fn staircase(name: &str, part: &Part<'_>) -> Option<Staircase> {
    let path = part.must("set", |f| {
        let path: Vec<String> = f.text()?.split('.').map(str::to_owned).collect();
        let whole = path.len() > 1 && path.iter().all(|key| !key.is_empty());
        if whole { Some(path) } else { f.wrong("the path of a key") }
    });
    let start = part.must("start", level);
    let rule = part.must("rule", said_rule);
    let between = part.must("between", |f| {
        let [least, greatest] = f.pair()?;
        Some((level(&least)?, level(&greatest)?))
    });
    let stop = part.must("stop", stop);
    let at_most = part.must("at_most", Field::count);
    let correct = part.must("correct", correct);
    let answer = part.read("answer", answers_from);
    let none = part.read("none", |f| f.choice(&choices::NONE_IS_WRONG));
    let rule = match rule? {
        RuleName::UpDown(down, up) => up_down(part, (down, up)),
        RuleName::Quest => quest(part),
    };
    let (start, between, (rule, kinds)) = (start?, between?, rule?);
    let staircase = Staircase {
        name: name.to_owned(),
        path: path?,
        timed: start.1,
        start: start.0,
        rule,
        between: (between.0.0, between.1.0),
        stop: stop?.0,
        at_most: at_most?,
        correct: correct?,
        answer: answer.unwrap_or_default(),
        none_is_wrong: none.unwrap_or_default(),
    };
    let of_stop = stop.and_then(|(_, timed)| timed);
    let mut kinds = kinds.into_iter().chain([between.0.1, between.1.1]).chain(of_stop);
    sound(part, &staircase, kinds.all(|timed| timed == start.1));
    Some(staircase)
}

/// A rule as it is written.
#[derive(Clone, Copy)]
enum RuleName {
    UpDown(u32, u32),
    Quest,
}

/// A rule, and of each level in it whether it is a time.
type Read = (StaircaseRule, Vec<bool>);

fn up_down(part: &Part<'_>, (down, up): (u32, u32)) -> Option<Read> {
    refuse(part, &["width", "guess", "lapse", "prior_sd"], "rule = \"quest\"");
    let sizes =
        part.must("step", |f| f.some("sizes")?.iter().map(size).collect::<Option<Vec<_>>>())?;
    let weight = part.read("weight", Field::number).unwrap_or(1.0);
    let factors = sizes.iter().any(|(_, kind)| kind.is_none());
    if factors && sizes.iter().any(|(_, kind)| kind.is_some()) {
        wrong(part, "step", "mixes sizes and factors", "write all its steps alike");
    }
    let kinds = sizes.iter().filter_map(|(_, timed)| *timed).collect();
    let sizes = sizes.iter().map(|(size, _)| *size).collect();
    Some((StaircaseRule::UpDown(UpDown { down, up, sizes, factors, weight }), kinds))
}

/// The size of a step; of a level in it whether it is a time, and `None` of a factor, `"x 1.5"`.
fn size(field: &Field<'_>) -> Option<(f64, Option<bool>)> {
    if let Some(number) = field.node.text().and_then(as_a_factor) {
        let what = format!("= \"{}\" is no size", field.node.text().unwrap_or_default());
        return field.problem(&what, format!("a factor is written \"x {number}\""));
    }
    let text = field.node.text().and_then(|text| text.strip_prefix('x'));
    let Some(factor) = text else { return level(field).map(|(size, timed)| (size, Some(timed))) };
    let factor = factor.trim().parse::<f64>().ok();
    match factor.filter(|factor| (1.001..=100.0).contains(factor)) {
        Some(factor) => Some((factor, None)),
        None => field.wrong("a factor from 1.001 to 100, such as \"x 1.5\""),
    }
}

/// The number of a factor as it is written elsewhere: `* 2`, `2x`, `× 2`.
fn as_a_factor(text: &str) -> Option<&str> {
    const SIGNS: [char; 4] = ['*', 'x', 'X', '×'];
    let text = text.trim();
    let number = text.trim_start_matches(SIGNS).trim_end_matches(SIGNS).trim();
    (text.contains(SIGNS) && !text.starts_with('x') && number.parse::<f64>().is_ok())
        .then_some(number)
}

/// `{ after = "second" }` or `{ from = "4.2 s" }`.
fn answers_from(field: &Field<'_>) -> Option<AnswersFrom> {
    let part = Part::of(field, "staircase.NAME.answer")?;
    if part.exactly_one(&[("after", false), ("from", true)])? {
        if part.has("delay") {
            let message = format!("{} has delay, which belongs to after", part.said());
            part.page.cured(part.at("delay"), message, "remove delay, and write the time in from");
        }
        return part.must("from", Field::time).map(AnswersFrom::Time);
    }
    let delay = part.read("delay", Field::time).unwrap_or_default();
    let line = part.page.line(part.at("after"));
    Some(AnswersFrom::After { stream: part.must("after", Field::text)?, delay, line })
}

fn quest(part: &Part<'_>) -> Option<Read> {
    refuse(part, &["step", "weight"], "rule = \"2 down 1 up\"");
    let width = part.must("width", level);
    let guess = part.must("guess", Field::number);
    let lapse = part.read("lapse", Field::number);
    let prior_sd = part.read("prior_sd", level);
    let (width, guess) = (width?, guess?);
    let kinds = [Some(width), prior_sd].into_iter().flatten().map(|(_, timed)| timed).collect();
    let (lapse, prior_sd) = (lapse.unwrap_or_default(), prior_sd.map(|(sd, _)| sd));
    Some((StaircaseRule::Quest(Quest { width: width.0, guess, lapse, prior_sd }), kinds))
}

/// Keys of the other rule.
fn refuse(part: &Part<'_>, keys: &[&str], of: &str) {
    for key in keys.iter().filter(|key| part.has(key)) {
        let message = format!("{} has {key}, which belongs to {of}", part.said());
        part.page.cured(part.at(key), message, format!("remove {key}, or write {of}"));
    }
}

/// What must hold between the keys.
fn sound(part: &Part<'_>, staircase: &Staircase, one_kind: bool) {
    if !one_kind {
        return wrong(part, "start", "mixes times and plain numbers", "write all its levels alike");
    }
    let (least, greatest) = staircase.between;
    if least > greatest {
        return wrong(
            part,
            "between",
            "puts the greater level first",
            "write the lesser one first",
        );
    }
    if !(least <= staircase.start && staircase.start <= greatest) {
        wrong(part, "start", "starts outside of between", "let start lie between the two");
    }
    match &staircase.rule {
        StaircaseRule::UpDown(by) => sound_steps(part, by, staircase),
        StaircaseRule::Quest(quest) => sound_quest(part, quest, staircase),
    }
    let at_most = staircase.at_most;
    match staircase.stop {
        StaircaseStop::Trials(trials) if trials > at_most => {
            let what = format!("stops after {trials} trials, but has at most {at_most}");
            wrong(part, "at_most", &what, &format!("write at_most = {trials}"));
        }
        // Each reversal takes a trial at least. What the trials give is kept, so this is no mistake.
        StaircaseStop::Reversals(reversals) if reversals > at_most => {
            let what = format!("has at most {at_most} trials, too few for {reversals} reversals");
            part.page
                .warn(part.at("at_most"), format!("{} {what}: it has no threshold", part.said()));
        }
        StaircaseStop::Reversals(_) | StaircaseStop::Trials(_) | StaircaseStop::Sd(_) => {}
    }
}

fn wrong(part: &Part<'_>, key: &str, what: &str, cure: &str) {
    part.page.cured(part.at(key), format!("{} {what}", part.said()), cure.to_owned());
}

fn sound_steps(part: &Part<'_>, by: &UpDown, staircase: &Staircase) {
    if by.sizes.iter().any(|size| *size <= 0.0) {
        let cure = "write sizes above 0; the rule says up and down";
        wrong(part, "step", "has a step of no size", cure);
    } else if let StaircaseStop::Sd(_) = staircase.stop {
        let what = "has steps, whose threshold has no SD on the way";
        wrong(part, "stop", what, "write stop = \"8 reversals\"");
    } else if by.factors && staircase.between.0 <= 0.0 {
        let what = "has factors, which never reach 0";
        wrong(part, "between", what, "write a least level above 0");
    }
}

fn sound_quest(part: &Part<'_>, quest: &Quest, staircase: &Staircase) {
    if let StaircaseStop::Reversals(_) = staircase.stop {
        let what = "is Bayesian and has no reversals";
        return wrong(part, "stop", what, "write stop = \"40 trials\"");
    }
    if quest.width <= 0.0 {
        wrong(part, "width", "has a width of 0", "write one above 0");
    }
    if quest.prior_sd.is_some_and(|sd| sd <= 0.0) {
        wrong(part, "prior_sd", "is sure beforehand", "write an SD above 0");
    }
    if quest.guess + quest.lapse >= 0.99 {
        wrong(part, "guess", "is answered by guessing and lapses alone", "write smaller shares");
    }
    let (least, greatest) = staircase.between;
    if least >= greatest {
        wrong(part, "between", "has room for one threshold alone", "write the lesser first");
    }
}

/// A time in nanoseconds, or a plain number; and whether it is a time.
fn level(field: &Field<'_>) -> Option<(f64, bool)> {
    match field.node.value {
        Value::Text(_) => {
            field.time_within(Nanos(-DAY), Nanos(DAY)).map(|time| (time.0 as f64, true))
        }
        _ => field.number().map(|number| (number, false)),
    }
}

/// `"2 down 1 up"` or `"quest"`.
fn said_rule(field: &Field<'_>) -> Option<RuleName> {
    let text = field.text()?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let count = |word: &str| word.parse().ok().filter(|n: &u32| (1..=100).contains(n));
    let steps = |down, up| Some(RuleName::UpDown(count(down)?, count(up)?));
    let read = match words[..] {
        [down, "down", up, "up"] => steps(down, up),
        [up, "up", down, "down"] => steps(down, up),
        ["quest"] => Some(RuleName::Quest),
        _ => None,
    };
    read.or_else(|| field.wrong("a rule such as \"2 down 1 up\", or \"quest\""))
}

/// `"8 reversals"`, `"40 trials"` or `"sd < 5 ms"`; of the last whether it is a time.
fn stop(field: &Field<'_>) -> Option<(StaircaseStop, Option<bool>)> {
    let text = field.text()?;
    let wrong = || field.wrong("a number of reversals or trials, or an SD such as \"sd < 5 ms\"");
    if let Some(most) = text.strip_prefix("sd").and_then(|rest| rest.trim_start().strip_prefix('<'))
    {
        let most = most.trim();
        let number = most.parse::<f64>().ok().map(|number| (number, false));
        let read = number.or_else(|| Some((time(most).ok()?.round().0 as f64, true)));
        let read = read.filter(|(most, _)| *most > 0.0 && most.is_finite());
        return read.map(|(most, timed)| (StaircaseStop::Sd(most), Some(timed))).or_else(wrong);
    }
    let (count, what) = text.split_once(' ').unwrap_or((&text, ""));
    let count = count.parse().ok().filter(|n: &u32| (1..=100_000).contains(n));
    match (count, what.trim()) {
        (Some(n), "reversals" | "reversal") => Some((StaircaseStop::Reversals(n), None)),
        (Some(n), "trials" | "trial") => Some((StaircaseStop::Trials(n), None)),
        _ => wrong(),
    }
}

/// `"note C4"`.
fn correct(field: &Field<'_>) -> Option<AnswerCounts> {
    let text = field.text()?;
    let Some(named) = text.strip_prefix("note ") else {
        return field.wrong("which answer is correct");
    };
    match note(named) {
        Ok(note) => Some(AnswerCounts::Note(note)),
        Err(fault) => field.fault(fault),
    }
}
