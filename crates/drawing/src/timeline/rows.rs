//! The rows of time: lanes with what lies on them, rules across all lanes with their numbers above, the axis below.

use super::layout::{GAP, Layout};
use super::seen::{Happened, Holds, Lane, Mark, Of};
use super::{LEADING, LETTER, seconds_ns, text, wrapped};
use crate::escape;
use crate::plot::{Axis, shortened};
use chronotap_config::trial_files::reading::say;
use std::fmt::Write;

/// From one lane to the next, and for each row of windows below one.
const LANE: f64 = 26.0;
const WINDOW: f64 = 8.0;
/// Rows of numbers of rules that act again and again.
const LEVELS: usize = 2;

/// All rows; where the next thing may stand.
pub(super) fn draw(svg: &mut String, seen: &Happened, layout: &Layout, mut top: f64) -> f64 {
    let mut next = 0;
    for row in layout.rows.iter().copied() {
        if row > next {
            top = left_out(svg, seen, layout, (next, row), top);
        }
        top = one(svg, seen, layout, row, top);
        next = row + 1;
    }
    top
}

/// What is said between two rows that do not follow each other.
fn left_out(
    svg: &mut String,
    seen: &Happened,
    layout: &Layout,
    (from, to): (usize, usize),
    top: f64,
) -> f64 {
    let [begins, ends] = [layout.ends(from).0, layout.ends(to).0];
    let acts = seen.fired.iter().filter(|fired| (begins..ends).contains(&fired.at)).count();
    let acts = match acts {
        0 => "no rule acts there".to_owned(),
        1 => "a rule acts there once".to_owned(),
        more => format!("rules act there {more} times"),
    };
    let [begins, ends] = [begins, ends].map(|at| say(seconds_ns(at)));
    let said = format!("From {begins} to {ends} nothing is drawn: {acts}.");
    let lines = wrapped(&said, layout.width, layout.left);
    text(svg, &lines, (layout.left, top + 12.0), " class=\"label\"") + 2.0 - LEADING
}

fn one(svg: &mut String, seen: &Happened, layout: &Layout, row: usize, top: f64) -> f64 {
    let labels = labels(seen, layout, row);
    let levels = labels.iter().map(|label| label.level + 1).max().unwrap_or(0);
    let above = top + 8.0 + LEADING * levels as f64;
    let mut middles = Vec::new();
    let mut base = above;
    for lane in &seen.lanes {
        middles.push(base + LANE / 2.0);
        base += LANE + WINDOW * lane.windows.len() as f64;
    }
    axis(svg, layout, row, (above, base), seen.end);
    for label in &labels {
        label.draw(svg, above, base);
    }
    for (lane, middle) in seen.lanes.iter().zip(&middles) {
        let tap =
            |of: Of| seen.lanes.iter().zip(&middles).find(|(it, _)| it.of == of).map(|it| *it.1);
        draw_lane(svg, lane, layout, row, *middle, seen.end, &tap);
    }
    base + 30.0
}

/// Ticks with their seconds below the lanes, and the frame.
fn axis(svg: &mut String, layout: &Layout, row: usize, (top, base): (f64, f64), end: f64) {
    let (from, to) = layout.ends(row);
    let right = layout.x(row, to.min(end.max(from)));
    let left = layout.left;
    let _ = writeln!(svg, "<path class=\"frame\" d=\"M{left} {top}V{base}H{right:.1}\"/>");
    let mut taken = 0.0;
    for (at, name) in Axis::linear("", from, to).ticks() {
        if at > end {
            continue;
        }
        let x = layout.x(row, at);
        // The last one stays within the picture.
        let half = (name.chars().count() + 2) as f64 * LETTER / 2.0;
        let middle = x.min(layout.width - half);
        let _ = write!(svg, "<path class=\"tick\" d=\"M{x:.1} {top}V{}\"/>", base + 4.0);
        // Over no other.
        if middle - half >= taken {
            taken = middle + half;
            let y = base + 18.0;
            let _ = write!(
                svg,
                "<text class=\"label\" x=\"{middle:.1}\" y=\"{y}\" text-anchor=\"middle\">{name} s</text>"
            );
        }
        svg.push('\n');
    }
}

/// What stands above the line of an instant: the numbers of the rules that act there, and the end.
struct Label {
    x: f64,
    text: String,
    /// From 0, lowest.
    level: usize,
    /// Whether there is room for it.
    said: bool,
    /// The width of the picture.
    width: f64,
}

impl Label {
    fn half(&self) -> f64 {
        self.text.chars().count() as f64 * LETTER / 2.0 + 3.0
    }

    /// The middle of its letters, which stay within the picture.
    fn middle(&self) -> f64 {
        self.x.min(self.width - self.half()).max(self.half())
    }

    fn draw(&self, svg: &mut String, above: f64, base: f64) {
        let (x, y) = (self.x, above - 6.0 - LEADING * self.level as f64);
        let top = if self.said { y + 4.0 } else { above };
        let _ = writeln!(
            svg,
            "<g class=\"l3\"><path class=\"line\" stroke-dasharray=\"4 3\" d=\"M{x:.1} {top}V{base}\"/></g>"
        );
        if self.said {
            let (text, x) = (escape(&self.text), self.middle());
            let _ =
                writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{text}</text>");
        }
    }
}

/// The labels of a row, none over another.
fn labels(seen: &Happened, layout: &Layout, row: usize) -> Vec<Label> {
    let (from, to) = layout.ends(row);
    let within = |at: f64| at >= from && (at < to || row + 1 == layout.all);
    let mut labels: Vec<(Label, bool)> = Vec::new();
    let mut put = |at: f64, text: String, first: bool| {
        let x = layout.x(row, at);
        match labels.iter_mut().find(|(label, _)| (label.x - x).abs() < 0.05) {
            Some((label, is_first)) => {
                label.text += &format!(", {text}");
                *is_first |= first;
            }
            None => {
                let width = layout.width;
                labels.push((Label { x, text, level: 0, said: true, width }, first));
            }
        }
    };
    for (place, fired) in seen.fired.iter().enumerate().filter(|(_, fired)| within(fired.at)) {
        let first = !seen.fired[..place].iter().any(|before| before.rule == fired.rule);
        put(fired.at, (fired.rule + 1).to_string(), first);
    }
    if within(seen.end) && !seen.is_cut {
        put(seen.end, "end".to_owned(), true);
    }
    placed(labels)
}

/// Each at the lowest level where it is over no other; what acts again is not said where that takes too much room.
fn placed(labels: Vec<(Label, bool)>) -> Vec<Label> {
    let mut placed: Vec<Label> = Vec::new();
    for (mut label, first) in labels {
        let taken = |level: usize| {
            let over =
                |it: &&Label| (it.middle() - label.middle()).abs() < it.half() + label.half();
            placed.iter().filter(|it| it.said && it.level == level).any(|it| over(&it))
        };
        let level = (0..).find(|level| !taken(*level)).unwrap_or(0);
        label.said = first || level < LEVELS;
        label.level = if label.said { level } else { 0 };
        placed.push(label);
    }
    placed
}

fn draw_lane(
    svg: &mut String,
    lane: &Lane,
    layout: &Layout,
    row: usize,
    y: f64,
    end: f64,
    middle: &dyn Fn(Of) -> Option<f64>,
) {
    let name = escape(&shortened(&lane.name, layout.name()));
    let (left, right) = (layout.left, layout.x(row, end));
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>\
         <path class=\"tick\" d=\"M{left} {y:.1}H{right:.1}\"/>\n<g class=\"l{}\">",
        left - GAP,
        y + 4.0,
        colour(lane.of)
    );
    for (from, to, holds) in
        lane.stretches.iter().filter(|(from, to, _)| layout.has(row, *from, *to))
    {
        *svg += &stretch(*holds, [*from, *to].map(|at| layout.x(row, at)), y);
    }
    for (at, mark) in lane.marks.iter().filter(|(at, mark)| layout.has(row, *at, until(*at, *mark)))
    {
        *svg += &drawn(*at, *mark, layout, row, y, middle);
    }
    for (below, windows) in lane.windows.iter().enumerate() {
        *svg += &brackets(windows, layout, row, y + LANE / 2.0 + WINDOW * below as f64 + 3.0);
    }
    *svg += "</g>\n";
}

fn until(at: f64, mark: Mark) -> f64 {
    match mark {
        Mark::Tone { until, .. } => until,
        Mark::Beat
        | Mark::ChangedBeat
        | Mark::SilentBeat
        | Mark::Tap
        | Mark::Bounce
        | Mark::NoTone
        | Mark::MaskingTone
        | Mark::Code => at,
    }
}

fn drawn(
    at: f64,
    mark: Mark,
    layout: &Layout,
    row: usize,
    y: f64,
    middle: &dyn Fn(Of) -> Option<f64>,
) -> String {
    let x = layout.x(row, at);
    let Mark::Tone { until, tap } = mark else { return symbol(mark, x, y) };
    let mut svg = bar(x, layout.x(row, until), y);
    let tap = tap.filter(|(_, tap)| layout.has(row, *tap, *tap));
    if let Some((from, tap)) = tap.and_then(|(input, tap)| Some((middle(Of::Input(input))?, tap))) {
        let tap = layout.x(row, tap);
        let _ = write!(svg, "<path class=\"stroke\" d=\"M{tap:.1} {from:.1}L{x:.1} {y:.1}\"/>");
    }
    svg + "\n"
}

/// A mark that has no length.
pub(super) fn symbol(mark: Mark, x: f64, y: f64) -> String {
    let stroke = |half: f64| {
        format!("<path class=\"stroke\" d=\"M{x:.1} {:.1}v{}\"/>\n", y - half, 2.0 * half)
    };
    match mark {
        Mark::Beat => format!("<circle class=\"mark\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>\n"),
        Mark::ChangedBeat => {
            format!("<path class=\"mark\" d=\"M{x:.1} {:.1}l6 6l-6 6l-6 -6z\"/>\n", y - 6.0)
        }
        Mark::SilentBeat => {
            format!("<circle class=\"cross\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.6\"/>\n")
        }
        Mark::Tap => stroke(7.0),
        Mark::Bounce | Mark::NoTone => {
            format!("<path class=\"cross\" d=\"M{:.1} {:.1}l6 6m0 -6l-6 6\"/>\n", x - 3.0, y - 3.0)
        }
        Mark::Tone { .. } => bar(x - 7.0, x + 7.0, y),
        Mark::MaskingTone => stroke(3.0),
        Mark::Code => stroke(5.0),
    }
}

fn bar(from: f64, to: f64, y: f64) -> String {
    let to = to.max(from + 1.0);
    format!(
        "<path class=\"faint\" d=\"M{from:.1} {:.1}H{to:.1}v8H{from:.1}z\"/>\
         <path class=\"stroke\" d=\"M{from:.1} {:.1}v8\"/>",
        y - 4.0,
        y - 4.0
    )
}

/// A silence as a band, a ramp as a wedge.
pub(super) fn stretch(holds: Holds, [from, to]: [f64; 2], y: f64) -> String {
    let half = LANE / 2.0 - 3.0;
    match holds {
        Holds::Silence => format!(
            "<path class=\"band\" d=\"M{from:.1} {:.1}H{to:.1}v{}H{from:.1}z\"/>\n",
            y - half,
            2.0 * half
        ),
        Holds::Ramp => format!(
            "<path class=\"faint\" d=\"M{from:.1} {:.1}L{to:.1} {:.1}V{:.1}z\"/>\n",
            y + half,
            y - half,
            y + half
        ),
    }
}

/// The windows in which taps answer, as brackets.
fn brackets(windows: &[(f64, f64)], layout: &Layout, row: usize, y: f64) -> String {
    let mut path = String::new();
    for (from, to) in windows.iter().filter(|(from, to)| layout.has(row, *from, *to)) {
        let [from, to] = [*from, *to].map(|at| layout.x(row, at));
        let (from, to) = (from + 0.8, (to - 0.8).max(from + 0.8));
        let _ = write!(path, "M{from:.1} {:.1}v4H{to:.1}v-4", y - 4.0);
    }
    if path.is_empty() { path } else { format!("<path class=\"stroke\" d=\"{path}\"/>\n") }
}

/// By what a lane is; what lies on it differs in its form, too.
pub(super) fn colour(of: Of) -> usize {
    match of {
        Of::Pacing(_) => 0,
        Of::Input(_) => 1,
        Of::Feedback(_) => 2,
        Of::Masking(_) => 4,
        Of::Rules => 3,
        Of::Codes => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EDGE, WIDE};
    use super::*;

    #[test]
    fn labels_of_rules_lie_over_no_other() {
        let at =
            |x: f64| (Label { x, text: "12, 13".into(), level: 0, said: true, width: WIDE }, true);
        let labels = placed([200.0, 203.0, 210.0, 280.0].map(at).into());
        let levels: Vec<usize> = labels.iter().map(|label| label.level).collect();
        assert_eq!(levels, [0, 1, 2, 0]);
    }

    #[test]
    fn the_picture_has_room_for_the_edge() {
        let layout = Layout { width: WIDE, left: 132.0, span: 10.0, all: 2, rows: vec![0, 1] };
        assert_eq!((layout.x(0, 0.0), layout.x(1, 20.0)), (132.0, WIDE - EDGE));
        assert_eq!(layout.x(1, 15.0), f64::midpoint(132.0, WIDE - EDGE));
    }
}
