#![forbid(unsafe_code)]
//! Tables, plots and self-contained pages from results.
//!
//! The pages of timing tests are made of [`chronotap_timing::Results`], those of recorded
//! trials of what `chronotap-data` read; nothing is measured. What is shown of a series
//! depends on its quantity and its conditions, never on the test that made it, so that a new
//! test needs no change here.

mod comparison;
mod csv;
mod environment;
mod figures;
mod fragments;
mod handed;
mod history;
mod html;
mod methods;
mod pad;
mod page;
mod panels;
mod spoken;
mod summary;
mod trials;
mod vignati;
mod words;

use chronotap_drawing::plot;

pub use chronotap_drawing::timeline;
pub use comparison::comparison_text;
pub use csv::{comparison_csv, histogram_csv, statistics_csv};
pub use figures::{Figure, figures};
pub use handed::{ComparedEffect, effects_page};
pub use html::TRIALS_MARK;
pub use methods::methods;
pub use page::{comparison_page, page};
pub use spoken::Spoken;
pub use summary::{summary, test_summary, verdict_text};
pub use trials::{RecordedTrials, came_out, study, trials_page};
pub use vignati::Vignati;
