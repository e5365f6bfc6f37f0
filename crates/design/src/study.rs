//! What a study is: its factors, steps, questions, settings and staircases, the columns of its
//! tables, and the studies that are ready-made. Nothing is read, drawn or judged here.

pub mod columns;
pub(crate) mod expected;
pub(crate) mod experiment;
pub(crate) mod factor;
pub(crate) mod group;
pub(crate) mod measure;
pub(crate) mod origin;
pub(crate) mod paradigms;
pub(crate) mod pictures;
pub mod question;
pub(crate) mod sections;
pub(crate) mod setting;
pub(crate) mod staircase;
pub(crate) mod step;
pub(crate) mod text;
pub(crate) mod titles;
pub(crate) mod translation;
pub(crate) mod words;
