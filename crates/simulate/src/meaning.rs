//! [`changed_meanings`]: what of a trial means something else than it did in earlier versions. A
//! replay that differs says it, so that nobody takes a recording of then for a false one.

use chronotap_data::record::{Row, TrialType};
use chronotap_engine::trial::{
    Change, Choice, Code, Coded, Delay, Do, Feedback, Masking, Number, Occasions, Pacing,
    PatternStep, Pitch, RuleCondition, SetFeedback, Shift, Trial, Velocity,
};

/// What of a trial, or of these rows of it, has another meaning than before, a clause each.
pub fn changed_meanings(trial: &Trial, rows: &[Row]) -> Vec<&'static str> {
    let pacing = |of: &dyn Fn(&Pacing) -> bool| trial.pacing.iter().any(of);
    let feedback = |of: &dyn Fn(&Feedback) -> bool| trial.feedback.iter().any(of);
    let all = [
        (pacing(&steps_meet), "changes of interval that meet add up"),
        (pacing(&accented_steps), "accent.note holds where notes are given too"),
        (
            pacing(&|p| p.adapt.is_some()),
            "an adaptive stream is no longer rounded at each beat, and \
          an interval that is set between two beats holds from the later one",
        ),
        (
            pacing(&keeps_apart) || feedback(&keeps_apart_too),
            "apart also sees what is still to come",
        ),
        (pacing(&gives_nothing), "a change of size 0 is listed"),
        (feedback(&own_lists), "a perturbation's own list follows its own occurrences"),
        (
            feedback(&rounds) || sets_what_rounds(trial),
            "fractions and scaled velocities are rounded from exact products",
        ),
        (trial.masking.iter().any(even), "even masking comes exactly at its rate"),
        (ramps(trial), "a ramp over time is not rounded at each beat"),
        (
            restarts(trial),
            "what has come stays true where a stream is started again, and a stream \
          that is over is not stopped again",
        ),
        (
            begins_with_tap(trial),
            "the rules of a beat that begins with a tap act with the tap's, in \
          the order of the file",
        ),
        (
            pacing(&|p| distances(p.changes.iter().map(|change| change.apart)))
                || feedback(&|f| distances(f.perturb.iter().map(|p| p.apart))),
            "of two distances (apart) the greater holds",
        ),
        (
            names_some(trial),
            "a code together is sent only where it names all events of its instant",
        ),
        (
            ramps_an_interval(trial),
            "a ramp of the interval that begins before its stream goes from what holds by then",
        ),
        (
            restarts(trial) && pacing(&shuffles),
            "a shuffle goes on with what was drawn for a beat that did not come",
        ),
        (
            trial.align_outputs && rows.iter().any(does_not_sound),
            "what does not sound is where it would have sounded at an output that waits",
        ),
        (
            rows.iter().any(sent_on),
            "channel-mode messages (controllers 120 to 127, such as All Notes Off) are recorded \
             and not sent on",
        ),
    ];
    all.into_iter().filter(|(has, _)| *has).map(|(_, what)| what).collect()
}

/// Whether a row is a channel-mode message that went to an output.
fn sent_on(row: &Row) -> bool {
    let mode = row.message.is_some_and(|message| message.is_channel_mode());
    row.trial_type == TrialType::Control && mode && row.deadline.is_some()
}

/// Whether it tells of a tone that was not heard.
fn does_not_sound(row: &Row) -> bool {
    matches!(row.trial_type, TrialType::Silent | TrialType::Muted | TrialType::Cancelled)
}

/// Whether several keep a distance, and not all the same.
fn distances(apart: impl Iterator<Item = u32>) -> bool {
    let mut all: Vec<u32> = apart.filter(|apart| *apart > 0).collect();
    all.sort_unstable();
    all.dedup();
    all.len() > 1
}

/// Whether more events have codes than one code together names.
fn names_some(trial: &Trial) -> bool {
    let Some(codes) = &trial.codes else { return false };
    let parts = |code: &Code| match &code.of {
        Coded::Together(parts) => Some(parts.len()),
        _ => None,
    };
    let events = codes.list.iter().filter(|code| parts(code).is_none()).count();
    codes.list.iter().filter_map(parts).any(|parts| parts < events)
}

fn ramps_an_interval(trial: &Trial) -> bool {
    let of = |number: Number| matches!(number, Number::PacingInterval(_) | Number::PacingTempo(_));
    actions(trial).any(|action| matches!(action, Do::Ramp(ramp) if of(ramp.of)))
}

fn shuffles(pacing: &Pacing) -> bool {
    let shuffled = |shift: Shift| matches!(shift, Shift::Chosen(Choice::Shuffled, _));
    let any =
        |c: &Change| [c.phase_shift, c.onset_shift, c.interval_step].into_iter().any(shuffled);
    pacing.changes.iter().any(any)
}

fn steps_meet(pacing: &Pacing) -> bool {
    let moves = |c: &&Change| c.interval.is_some() || c.interval_step != Shift::None;
    let several = pacing.changes.iter().filter(moves).count() > 1;
    let spread = |c: &Change| c.interval_step != Shift::None && c.over > 1;
    several || pacing.changes.iter().any(spread)
}

fn accented_steps(pacing: &Pacing) -> bool {
    pacing.pattern.contains(&PatternStep::Accent) && !pacing.step_notes.is_empty()
}

fn keeps_apart(pacing: &Pacing) -> bool {
    let regular = |c: &Change| matches!(c.at, Occasions::Every { .. });
    pacing.changes.iter().any(|c| c.apart > 0) && pacing.changes.iter().any(regular)
}

fn keeps_apart_too(feedback: &Feedback) -> bool {
    feedback.perturb.iter().any(|p| p.apart > 0)
}

fn gives_nothing(pacing: &Pacing) -> bool {
    let nothing = |shift: Shift| shift == Shift::Fixed(chronotap_core::time::Nanos::ZERO);
    let any = |c: &Change| [c.phase_shift, c.onset_shift, c.interval_step].into_iter().any(nothing);
    pacing.changes.iter().any(any)
}

fn own_lists(feedback: &Feedback) -> bool {
    feedback.perturb.iter().any(|p| {
        matches!(p.delay, Some(Delay::List(_))) || matches!(p.pitch, Some(Pitch::Sequence(_)))
    })
}

fn rounds(feedback: &Feedback) -> bool {
    let delay = |delay: Option<Delay>| matches!(delay, Some(Delay::Fraction(_)));
    let velocity = |v: Option<Velocity>| matches!(v, Some(Velocity::Scale(_)));
    let own = delay(Some(feedback.delay)) || velocity(Some(feedback.velocity));
    own || feedback.perturb.iter().any(|p| delay(p.delay) || velocity(p.velocity))
}

fn even(masking: &Masking) -> bool {
    !masking.irregular
}

fn actions(trial: &Trial) -> impl Iterator<Item = &Do> {
    trial.rules.iter().flat_map(|rule| &rule.then)
}

fn sets_what_rounds(trial: &Trial) -> bool {
    actions(trial).any(|action| match action {
        Do::Feedback(_, SetFeedback::Delay(delay)) => matches!(delay, Delay::Fraction(_)),
        Do::Feedback(_, SetFeedback::Velocity(velocity)) => matches!(velocity, Velocity::Scale(_)),
        _ => false,
    })
}

fn ramps(trial: &Trial) -> bool {
    actions(trial).any(|action| matches!(action, Do::Ramp(_)))
}

fn restarts(trial: &Trial) -> bool {
    let begins = |action: &Do| matches!(action, Do::StartStream(_) | Do::StopStream(_));
    actions(trial).any(begins)
}

fn begins_with_tap(trial: &Trial) -> bool {
    let with_tap = |p: &Pacing| matches!(p.start, chronotap_engine::trial::Start::Tap { .. });
    trial.pacing.iter().any(with_tap) && trial.rules.iter().any(|t| waits_for_beat(&t.when))
}

fn waits_for_beat(condition: &RuleCondition) -> bool {
    match condition {
        RuleCondition::Beat { number, .. } => *number == 1,
        RuleCondition::All(parts) | RuleCondition::Any(parts) => parts.iter().any(waits_for_beat),
        _ => false,
    }
}
