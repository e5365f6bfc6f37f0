//! One file per command, each with one entry of the same name.

pub mod analyze;
pub mod backup;
pub mod check;
pub mod demo;
pub mod doctor;
pub mod import_ftap;
pub mod level;
pub mod load;
pub mod monitor;
pub mod new;
pub mod plan;
pub mod ports;
pub mod recover;
pub mod render;
pub mod replay;
pub mod run;
pub mod simulate;
pub mod status;
pub mod study;
pub mod summary;
pub mod timing;
pub mod verify;
pub mod withdraw;
