//! Models of what was measured, each with its intervals.

pub mod alignment;
pub mod beat_tracking;
pub mod circular;
pub mod correction;
pub mod curve;
pub mod detection;
pub mod ensemble;
pub mod fluctuation;
pub mod following;
pub mod isolated;
pub mod metre;
pub mod perturbation;
pub mod proportion;
pub mod psychometric;
pub mod reproduction;
pub mod rhythm;
pub mod sensitivity;
pub mod tracking;
pub mod uncertainty;
pub mod wing_kristofferson;
