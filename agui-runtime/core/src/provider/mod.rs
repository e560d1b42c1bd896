//! Model specs: the errors, and the way from a spec to a model (feature `model`). The protocols come with the feature
//! `providers`.

mod address_error;
mod config_error;
mod environment;
pub(crate) mod model_source;

pub use address_error::ModelAddressError;
pub use config_error::ModelConfigError;
