//! The names of plugins in a program that was built without them: no plugin can be found, so
//! there are no instances.

use crate::PluginError;
use std::convert::Infallible;

/// A plugin; there is none.
#[derive(Clone, Debug)]
pub struct Lv2(Infallible);

/// An instance; there is none.
#[derive(Debug)]
pub struct Instance(Infallible);

impl Lv2 {
    /// Refuses.
    ///
    /// # Errors
    /// [`PluginError::NotBuilt`], always.
    pub fn find(uri: &str, _: u32) -> Result<Lv2, PluginError> {
        Err(PluginError::NotBuilt { uri: uri.into() })
    }

    /// Cannot be called.
    ///
    /// # Errors
    /// None.
    pub fn instance(&self, _: u32) -> Result<Instance, PluginError> {
        match self.0 {}
    }
}

impl Instance {
    /// Cannot be called.
    pub fn process(&mut self, _: &[f32]) {
        match self.0 {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plugin_is_refused_with_what_has_to_be_installed() {
        let why = Lv2::find("urn:any", 64).map(drop).map_err(|error| error.to_string());
        let why = why.expect_err("there are no plugins");
        assert!(why.contains("lv2:urn:any") && why.contains("--features lv2"), "{why}");
        assert!(why.contains("liblilv-dev"), "{why}");
    }
}
