//! [`Panels`]: a factorial design as one figure: a factor along the axis, lines by a second, panels by a
//! third; each person faint and joined by thin lines, the means with their intervals before them.

use super::axis::{Axis, extent};
use super::lines::{class, dash, legend_of, mark, path, shortened};
use super::{LEFT, upright_tick};
use crate::escape;
use std::fmt::Write;

const WIDTH: f64 = 480.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 10.0;
/// The height of the only panel, and of one of several.
const HEIGHT: [f64; 2] = [230.0, 160.0];
/// Above a panel that has a name.
const NAME: f64 = 22.0;
const LEGEND: f64 = 18.0;
/// About the width of a letter, and the height of a line of letters.
const LETTER: f64 = 7.6;
const LEADING: f64 = 15.0;
/// Most lines of a level's name.
const BROKEN: usize = 3;
/// Letters of a level's name that stands aslant.
const ASLANT: usize = 20;
/// How names stand aslant, the steeper where one would else begin outside of the figure: the degrees, and the shares
/// of their length that they take across and down.
const TURNS: [(f64, f64, f64); 2] = [(38.0, 0.79, 0.6), (60.0, 0.5, 0.87)];
/// How far right of its place such a name ends.
const NUDGE: f64 = 5.0;
/// Most points of people that are drawn.
const POINTS: usize = 2_400;

/// A factorial design as one figure.
pub struct Panels {
    pub title: String,
    /// The same for those who cannot see it, and what is to be said below the figure.
    pub description: String,
    pub x: AxisLevels,
    /// What is on the upright axis, with its unit.
    pub y: String,
    /// The names of the lines; none where there is one line.
    pub lines: Vec<String>,
    pub panels: Vec<Panel>,
}

/// The factor along the axis.
pub struct AxisLevels {
    /// Its name, with the unit of numbers.
    pub label: String,
    pub names: Vec<String>,
    /// Where they lie, if they are numbers.
    pub numbers: Option<Vec<f64>>,
    /// Whether people have several of them, so that their points are joined along the axis.
    pub within: bool,
}

pub struct Panel {
    /// Empty where it is the only one.
    pub name: String,
    pub means: Vec<At>,
    /// The points of each person: level, line, value.
    pub people: Vec<Vec<(usize, usize, f64)>>,
}

/// A mean at a level, on a line.
pub struct At {
    pub level: usize,
    pub line: usize,
    pub mean: f64,
    pub interval: Option<(f64, f64)>,
}

impl Panels {
    /// As a figure with its caption.
    pub fn html(&self) -> String {
        let axis = self.axis();
        let labels = self.labels();
        let mut svg = String::new();
        let mut top = TOP;
        for (place, panel) in self.panels.iter().enumerate() {
            let last = place + 1 == self.panels.len();
            top += if panel.name.is_empty() { 0.0 } else { NAME };
            self.draw(&mut svg, panel, &axis, top);
            if last {
                svg += &labels.drawn(self, top + self.height());
            }
            top += self.height() + if last { labels.height() } else { TOP };
        }
        for (at, name) in self.lines.iter().enumerate() {
            svg += &legend_of(at, name, (LEFT, top + LEGEND * at as f64 + 6.0));
        }
        let height = top + LEGEND * self.lines.len() as f64;
        super::figure((WIDTH, height), &self.title, &self.description, &svg)
    }

    fn height(&self) -> f64 {
        HEIGHT[usize::from(self.panels.len() > 1)]
    }

    fn axis(&self) -> Axis {
        let means = self.panels.iter().flat_map(|panel| &panel.means);
        let means = means.flat_map(|at| {
            let (low, high) = at.interval.unwrap_or((at.mean, at.mean));
            [at.mean, low, high]
        });
        let people = self.panels.iter().flat_map(|panel| panel.people.iter().flatten());
        let (least, most) = extent(means.chain(people.map(|(.., value)| *value)));
        let room = ((most - least) * 0.05).max(1e-6);
        Axis::linear(&self.y, least - room, most + room)
    }

    /// Where each level lies across.
    fn places(&self) -> Vec<f64> {
        let wide = WIDTH - LEFT - RIGHT;
        let count = self.x.names.len();
        let even = |place: usize| LEFT + wide * (place as f64 + 0.5) / count as f64;
        let Some(numbers) = &self.x.numbers else { return (0..count).map(even).collect() };
        let (least, most) = extent(numbers.iter().copied());
        let margin = wide / 2.0 / count as f64;
        let share =
            |number: &f64| if most > least { (number - least) / (most - least) } else { 0.5 };
        numbers.iter().map(|number| LEFT + margin + share(number) * (wide - 2.0 * margin)).collect()
    }

    /// The least distance between two levels.
    fn slot(&self) -> f64 {
        let mut places = self.places();
        places.sort_by(f64::total_cmp);
        let gaps = places.windows(2).map(|pair| pair[1] - pair[0]);
        gaps.fold(WIDTH - LEFT - RIGHT, f64::min)
    }

    /// Where a level lies on a line: lines stand side by side.
    fn across(&self, places: &[f64], level: usize, line: usize) -> f64 {
        let lines = self.lines.len().max(1);
        let middle = (lines as f64 - 1.0) / 2.0;
        places[level] + (line as f64 - middle) * self.part()
    }

    /// The width of a line's part of a slot.
    fn part(&self) -> f64 {
        let lines = self.lines.len().max(1) as f64;
        (self.slot() * 0.7).min(30.0 * lines) / lines
    }

    fn draw(&self, svg: &mut String, panel: &Panel, axis: &Axis, top: f64) {
        let base = top + self.height();
        frame(svg, axis, &self.y, (top, base));
        if !panel.name.is_empty() {
            let name = escape(&shortened(&panel.name, 58));
            let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\">{name}</text>", top - 7.0);
        }
        let places = self.places();
        for x in &places {
            let _ = writeln!(svg, "<path class=\"tick\" d=\"M{x:.1} {top}V{}\"/>", base + 4.0);
        }
        let y = |value: f64| base - axis.share(value).unwrap_or(0.0) * (base - top);
        for (at, person) in panel.people.iter().enumerate().take(self.drawn()) {
            svg.push_str(&self.person(&places, at, person, &y));
        }
        for line in 0..self.lines.len().max(1) {
            let of = |at: &&At| at.line == line;
            let means: Vec<&At> = panel.means.iter().filter(of).collect();
            let across = |at: &At| self.across(&places, at.level, line);
            svg.push_str(&series(line, &means, &across, &y));
        }
    }

    /// How many people are drawn.
    pub fn drawn(&self) -> usize {
        let people = self.panels.iter().map(|panel| panel.people.len()).max().unwrap_or(0);
        let points: usize = self.panels.iter().flat_map(|panel| &panel.people).map(Vec::len).sum();
        if points > POINTS { people * POINTS / points } else { people }
    }

    /// A person's points, joined along the axis, or across lines where the axis is between people.
    fn person(
        &self,
        places: &[f64],
        who: usize,
        points: &[(usize, usize, f64)],
        y: &dyn Fn(f64) -> f64,
    ) -> String {
        // Steps of the golden section lie far apart, however many people there are.
        let aside = ((who as f64 * 0.618_033_988_749_895).fract() - 0.5) * 0.7 * self.part();
        let place = |(level, line, value): &(usize, usize, f64)| {
            (self.across(places, *level, *line) + aside, y(*value))
        };
        let joins = |key: usize| {
            let is =
                |point: &&(usize, usize, f64)| key == if self.x.within { point.1 } else { point.0 };
            let mut joined: Vec<(f64, f64)> = points.iter().filter(is).map(place).collect();
            joined.sort_by(|a, b| a.0.total_cmp(&b.0));
            joined
        };
        let keys = if self.x.within { self.lines.len().max(1) } else { self.x.names.len() };
        let mut svg = String::new();
        for key in 0..keys {
            let joined = joins(key);
            let class = if self.x.within { class(key) } else { "soft".to_owned() };
            if joined.len() > 1 {
                let _ = write!(svg, "<path class=\"thread {class}\" d=\"{}\"/>", path(&joined));
            }
        }
        for point in points {
            let ((x, y), class) = (place(point), class(point.1));
            let _ = write!(
                svg,
                "<circle class=\"faint {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"1.8\"/>"
            );
        }
        svg + "\n"
    }

    fn labels(&self) -> Labels {
        let room = (self.slot() / LETTER) as usize;
        let names = &self.x.names;
        let broken: Vec<Vec<String>> = names.iter().map(|name| broken(name, room)).collect();
        let fits = |lines: &Vec<String>| {
            lines.len() <= BROKEN && lines.iter().all(|line| line.chars().count() <= room)
        };
        match (&self.x.numbers, broken.iter().all(fits)) {
            (_, true) => Labels::Level(broken),
            (Some(_), false) => Labels::Sparse(names.clone()),
            (None, false) => self.aslant(),
        }
    }

    fn aslant(&self) -> Labels {
        let places = self.places();
        let named = || self.x.names.iter().zip(&places);
        let room = |x: f64, across: f64| ((x + NUDGE) / across / LETTER) as usize;
        let fit = |turn: &&(f64, f64, f64)| {
            named().all(|(name, x)| name.chars().count().min(ASLANT) <= room(*x, turn.1))
        };
        let (degrees, across, down) = *TURNS.iter().find(fit).unwrap_or(&TURNS[1]);
        let short = |(name, x): (&String, &f64)| shortened(name, ASLANT.min(room(*x, across)));
        Labels::Aslant { names: named().map(short).collect(), degrees, down }
    }
}

/// How the levels are written below the axis.
enum Labels {
    /// Each below its place, in so many lines.
    Level(Vec<Vec<String>>),
    /// Numbers, those left out that have no room.
    Sparse(Vec<String>),
    Aslant {
        names: Vec<String>,
        degrees: f64,
        down: f64,
    },
}

impl Labels {
    fn height(&self) -> f64 {
        22.0 + self.names() + 12.0
    }

    /// The height of the names alone.
    fn names(&self) -> f64 {
        match self {
            Labels::Level(names) => LEADING * names.iter().map(Vec::len).max().unwrap_or(1) as f64,
            Labels::Sparse(_) => LEADING,
            Labels::Aslant { names, down, .. } => {
                let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(1);
                longest as f64 * LETTER * down + 10.0
            }
        }
    }

    fn drawn(&self, of: &Panels, base: f64) -> String {
        let mut svg = String::new();
        let places = of.places();
        match self {
            Labels::Level(names) => names.iter().zip(&places).for_each(|(lines, x)| {
                for (place, line) in lines.iter().enumerate() {
                    middle(&mut svg, *x, base + 18.0 + LEADING * place as f64, line);
                }
            }),
            Labels::Sparse(names) => {
                let mut free = f64::MIN;
                for (name, x) in names.iter().zip(&places) {
                    let half = (name.chars().count() as f64 + 1.0) * LETTER / 2.0;
                    if x - half >= free {
                        middle(&mut svg, *x, base + 18.0, name);
                        free = x + half;
                    }
                }
            }
            Labels::Aslant { names, degrees, .. } => names.iter().zip(&places).for_each(|(name, x)| {
                let _ = writeln!(
                    svg,
                    "<text transform=\"translate({:.1} {:.1}) rotate(-{degrees})\" text-anchor=\"end\">{}</text>",
                    x + NUDGE,
                    base + 14.0,
                    escape(name)
                );
            }),
        }
        let _ = writeln!(
            svg,
            "<text class=\"label\" x=\"{}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            f64::midpoint(LEFT, WIDTH - RIGHT),
            base + 22.0 + self.names(),
            escape(&shortened(&of.x.label, 58))
        );
        svg
    }
}

fn middle(svg: &mut String, x: f64, y: f64, text: &str) {
    let text = escape(text);
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{text}</text>");
}

/// A name in lines of at most so many letters where its words allow it.
fn broken(name: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in name.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The frame of a panel with the ticks of its upright axis.
fn frame(svg: &mut String, axis: &Axis, label: &str, (top, base): (f64, f64)) {
    let end = WIDTH - RIGHT;
    for (value, text) in axis.ticks() {
        let y = base - axis.share(value).unwrap_or(0.0) * (base - top);
        upright_tick(svg, y, end, &text);
    }
    let letters = ((base - top) / LETTER) as usize;
    let _ = writeln!(
        svg,
        "<path class=\"frame\" d=\"M{LEFT} {top}V{base}H{end}\"/>\
         <text class=\"label\" transform=\"translate(12 {}) rotate(-90)\" \
         text-anchor=\"middle\">{}</text>",
        f64::midpoint(top, base),
        escape(&shortened(label, letters + 4))
    );
}

/// The means of a line with their intervals.
fn series(
    line: usize,
    means: &[&At],
    across: &dyn Fn(&At) -> f64,
    y: &dyn Fn(f64) -> f64,
) -> String {
    let mut places: Vec<(f64, f64)> = means.iter().map(|at| (across(at), y(at.mean))).collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut svg = format!("<g class=\"{}\">", class(line));
    if places.len() > 1 {
        let _ = write!(svg, "<path class=\"line\"{} d=\"{}\"/>", dash(line), path(&places));
    }
    for at in means {
        let x = across(at);
        if let Some((low, high)) = at.interval {
            let (low, high) = (y(low), y(high));
            let _ = write!(
                svg,
                "<path class=\"line\" d=\"M{:.1} {low:.1}h7M{x:.1} {low:.1}V{high:.1}M{:.1} {high:.1}h7\"/>",
                x - 3.5,
                x - 3.5
            );
        }
        svg += &mark(line, (x, y(at.mean)));
    }
    svg + "</g>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(names: &[&str], numbers: Option<Vec<f64>>, within: bool) -> Panels {
        let mean =
            |(level, mean)| At { level, line: 0, mean, interval: Some((mean - 1.0, mean + 1.0)) };
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let means = (0..names.len()).map(|level| mean((level, level as f64))).collect();
        let person = (0..names.len()).map(|level| (level, 0, level as f64 + 3.0)).collect();
        Panels {
            title: "t".into(),
            description: "d".into(),
            x: AxisLevels { label: "x".into(), names, numbers, within },
            y: "ms".into(),
            lines: Vec::new(),
            panels: vec![Panel { name: String::new(), means, people: vec![person] }],
        }
    }

    /// 0, 10 and 100 ms: the second lies a tenth of the way from the first to the third.
    #[test]
    fn numbers_lie_to_scale_and_words_evenly() {
        let share = |of: &Panels| {
            let places = of.places();
            (places[1] - places[0]) / (places[2] - places[0])
        };
        let scale = figure(&["0", "10", "100"], Some(vec![0.0, 10.0, 100.0]), true);
        assert!((share(&scale) - 0.1).abs() < 1e-9);
        assert!((share(&figure(&["a", "b", "c"], None, true)) - 0.5).abs() < 1e-9);
        let near = figure(&["0", "1", "100"], Some(vec![0.0, 1.0, 100.0]), true).html();
        let named = |name: &str| near.contains(&format!("text-anchor=\"middle\">{name}</text>"));
        assert_eq!(
            ["0", "1", "100"].map(named),
            [true, false, true],
            "what has no room is left out"
        );
    }

    #[test]
    fn what_is_of_one_person_is_joined_along_a_factor_within_people_alone() {
        let threads = |within| figure(&["a", "b"], None, within).html().matches("thread").count();
        assert_eq!((threads(true), threads(false)), (1, 0));
        let html = figure(&["a", "b"], None, true).html();
        assert_eq!(html.matches("class=\"faint l0\"").count(), 2);
        assert_eq!(html.matches("class=\"mark\"").count(), 2);
    }

    #[test]
    fn long_names_are_broken_between_words_or_stand_aslant() {
        let words = figure(&["midway between the tones", "with each tone", "b"], None, true);
        assert!(words.html().contains(">midway between</text>"), "{}", words.html());
        let word = figure(&["hippopotomonstrosesquippedaliophobia", "b", "c"], None, true).html();
        assert!(word.contains("rotate(-38)") && word.contains("hippopotomonstroses…<"), "{word}");
    }

    /// The name of the first level was cut by the border of the figure.
    #[test]
    fn names_aslant_begin_within_the_figure() {
        let mut names = vec!["none_at_all_as_in_a_real_piano"];
        names.extend(["70", "140", "210", "280", "350", "420", "490"]);
        let html = figure(&names, None, true).html();
        let (before, _) =
            html.split_once(") rotate(-60)\" text-anchor=\"end\">none_at_all_as_in_").unwrap();
        let place = before.rsplit_once("translate(").unwrap().1;
        let x: f64 = place.split(' ').next().unwrap().parse().unwrap();
        assert!(
            x >= 20.0 * LETTER * 0.5,
            "{x}: twenty letters at 60 degrees take half of their length"
        );
    }

    #[test]
    fn equal_values_make_a_figure_all_the_same() {
        let mut same = figure(&["1", "1"], Some(vec![1.0, 1.0]), true);
        same.panels[0].means.iter_mut().for_each(|at| (at.mean, at.interval) = (5.0, None));
        same.panels[0].people.clear();
        let html = same.html();
        assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
    }
}
