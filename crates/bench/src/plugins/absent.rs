//! The names of plugins in a program that was built without them: no plugin can be found, so
//! there are no instances.

use crate::plugins::PluginError;
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
    fn every_plugin_is_refused_and_named() {
        let why = Lv2::find("urn:any", 64).map(drop);
        assert!(matches!(&why, Err(PluginError::NotBuilt { uri }) if uri == "urn:any"), "{why:?}");
    }
}
