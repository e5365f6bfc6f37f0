//! The timing tests: of the literature ([`studies`]), with the ways of Linux to wait and to be
//! interrupted that they compare ([`mechanisms`]) and LV2 plugins as a load ([`plugins`]); and of
//! one's own machine and ports, with what every test needs ([`timing`]).

pub mod mechanisms;
pub mod plugins;
pub mod studies;
pub mod timing;
