//! How often the intervals of psychometric functions hold the truth, for simulated observers. Each case
//! prints its row of the table in docs/statistics.md, and fails where another stands there:
//! `cargo test -p chronotap-analysis --test all psychometric_coverage:: -- --nocapture`.

use chronotap_analysis::estimate::Estimate;
use chronotap_analysis::psychometric::{Block, Known, Psychometric, Shape, psychometric};
use chronotap_analysis::uncertainty::coverage::LEAST;
use chronotap_engine::random::Random;
use chronotap_testkit::left_to_all;

const OBSERVERS: usize = 1_000;

/// Observers who are alike, and what is known of them.
struct Case {
    told: &'static str,
    shape: Shape,
    guess: f64,
    lapse: f64,
    is_estimated: bool,
    levels: (f64, f64, usize),
    /// Answers at each level.
    each: usize,
    m: f64,
    s: f64,
}

const TWO_CHOICES: Case = Case {
    told: "two choices, normal, m = 60, s = 20, λ = .02 estimated",
    shape: Shape::Normal,
    guess: 0.5,
    lapse: 0.02,
    is_estimated: true,
    levels: (10.0, 110.0, 6),
    each: 10,
    m: 60.0,
    s: 20.0,
};
const WHICH_IS_MORE: Case = Case {
    told: "which is more, normal, m = 0, s = 30, no lapses",
    shape: Shape::Normal,
    guess: 0.0,
    lapse: 0.0,
    is_estimated: false,
    levels: (-90.0, 90.0, 7),
    each: 4,
    m: 0.0,
    s: 30.0,
};

impl Case {
    fn share(&self, level: f64) -> f64 {
        let z = (level - self.m) / self.s;
        let f = match self.shape {
            Shape::Logistic => 1.0 / (1.0 + libm::exp(-z)),
            Shape::Normal => chronotap_analysis::student::normal_above(-z),
        };
        self.guess + (1.0 - self.guess - self.lapse) * f
    }

    fn answers(&self, random: &mut Random) -> Vec<Block> {
        let (from, to, count) = self.levels;
        let level = |k: usize| from + (to - from) * k as f64 / (count - 1) as f64;
        let mut block = |level: f64| {
            let yes = (0..self.each).filter(|_| random.uniform() < self.share(level)).count();
            Block { level, yes, of: self.each }
        };
        (0..count).map(level).map(&mut block).collect()
    }

    /// The JND that they have.
    fn jnd(&self) -> f64 {
        self.s
            * match self.shape {
                Shape::Logistic => libm::log(3.0),
                Shape::Normal => chronotap_analysis::student::normal_quantile(0.75),
            }
    }

    /// The row of the manual; a coverage below [`LEAST`] is bold there, and `held` says it beside the
    /// estimate.
    fn row(&self) -> String {
        let lapse = (!self.is_estimated).then_some(self.lapse);
        let known = Known { shape: self.shape, guess: self.guess, lapse, share: 0.5 };
        let mut random = Random::named(self.each as u64, self.told);
        let fits =
            (0..OBSERVERS).filter_map(|_| psychometric(&self.answers(&mut random), &known).ok());
        let fits: Vec<Psychometric> = fits.collect();
        let column = |of: fn(&Psychometric) -> Estimate, truth: f64| {
            let all: Vec<Estimate> = fits.iter().map(of).collect();
            let mean = all.iter().map(|one| one.value).sum::<f64>() / all.len() as f64;
            let held = all.iter().filter(|one| one.holds(truth)).count() as f64 / all.len() as f64;
            (mean, held)
        };
        let (pse, jnd) = (column(|of| of.pse, self.m), column(|of| of.jnd, self.jnd()));
        let is_doubted = fits.iter().all(|fit| fit.jnd_held().is_some());
        assert!(pse.1 >= LEAST, "{}: the PSE is held in {}", self.told, pse.1);
        assert!(jnd.1 >= LEAST || is_doubted, "{}: the JND is held in {}", self.told, jnd.1);
        let shown = |(mean, held): (f64, f64)| {
            let mark = if held < LEAST { "**" } else { "" };
            format!("{mean:.1}, {mark}{held:.3}{mark}").replace('-', "−")
        };
        let n = self.each * self.levels.2;
        let none = OBSERVERS - fits.len();
        format!(
            "| {} | {n} | {} | {} (true {:.1}) | {none} |",
            self.told,
            shown(pse),
            shown(jnd),
            self.jnd()
        )
    }
}

/// All rows are printed before one that does not stand there fails.
fn stand_in_the_manual(cases: impl IntoIterator<Item = Case>) {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/statistics.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows: Vec<String> = cases.into_iter().map(|case| case.row()).collect();
    rows.iter().for_each(|row| println!("{row}"));
    let differ: Vec<&String> = rows.iter().filter(|row| !page.contains(*row)).collect();
    assert!(
        differ.is_empty(),
        "not in docs/statistics.md, \"Psychometric functions\": {differ:#?}"
    );
}

#[test]
fn two_choices_with_an_estimated_lapse_rate() {
    if left_to_all() {
        return;
    }
    stand_in_the_manual([10, 20, 40].map(|each| Case { each, ..TWO_CHOICES }));
}

#[test]
fn two_choices_with_a_known_lapse_rate() {
    let told = "two choices, logistic, m = 60, s = 20, λ = .02 known";
    let shape = Shape::Logistic;
    stand_in_the_manual([Case { told, shape, is_estimated: false, each: 20, ..TWO_CHOICES }]);
}

#[test]
fn which_is_more() {
    if left_to_all() {
        return;
    }
    stand_in_the_manual([4, 10, 20].map(|each| Case { each, ..WHICH_IS_MORE }));
}

#[test]
fn which_is_more_by_the_logistic() {
    let told = "which is more, logistic, m = 0, s = 30, no lapses";
    let shape = Shape::Logistic;
    stand_in_the_manual([4, 20].map(|each| Case { told, shape, each, ..WHICH_IS_MORE }));
}
