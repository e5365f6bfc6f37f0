//! [`this_program`]: what is running, for whoever starts it once more beside itself.

use anyhow::{Context, Result};
use std::path::PathBuf;

/// Where this program lies.
pub fn this_program() -> Result<PathBuf> {
    std::env::current_exe().context("the program cannot be found")
}
