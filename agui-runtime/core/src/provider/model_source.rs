//! The package that opens the models of providers.

use super::config_error::ModelConfigError;
use crate::model::Model;

/// Opens the model that a spec names. The package of providers submits one to `inventory`, because this package cannot name that
/// one, which depends on this one.
pub struct ModelSource {
    /// Opens a model, with the keys of the environment. The number of retries is the package's default if it is `None`.
    pub open: fn(&str, Option<u32>) -> Result<Model, ModelConfigError>,
}

inventory::collect!(ModelSource);
