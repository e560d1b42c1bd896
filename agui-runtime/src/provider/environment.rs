//! The model that the environment names.

use super::config::ModelConfigError;
use super::hosted::HostedModel;
use crate::model::Model;

impl Model {
    /// Returns the model that the environment names in `AGUI_MODEL`, such as `openai:gpt-5-mini`, with the key of its
    /// provider. The [module](crate::provider) lists the providers.
    ///
    /// # Errors
    /// [`ModelConfigError`] if the variable is not set or has another form, the address can never be asked, or the key is missing.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), agui_runtime::provider::ModelConfigError> {
    /// let model = agui_runtime::model::Model::from_env()?;
    /// # drop(model);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_env() -> Result<Self, ModelConfigError> {
        match spec_of_env() {
            Some(spec) => Self::named(&spec),
            None => Err(ModelConfigError::Unset),
        }
    }

    /// Returns the model that the environment names, or the other one if `AGUI_MODEL` is not set: so that a program runs
    /// without a key. A variable that is wrong, or whose key is missing, is an error all the same.
    ///
    /// # Errors
    /// As [`from_env`](Self::from_env), except that the variable may be unset.
    ///
    /// ```no_run
    /// use agui_runtime::model::{Model, Reply, ScriptedModel};
    ///
    /// # fn main() -> Result<(), agui_runtime::provider::ModelConfigError> {
    /// let model = Model::from_env_or(ScriptedModel::from_fn(|_| Reply::text("Hello!")))?;
    /// # drop(model);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_env_or(other: impl Into<Self>) -> Result<Self, ModelConfigError> {
        match spec_of_env() {
            Some(spec) => Self::named(&spec),
            None => Ok(other.into()),
        }
    }

    /// Returns the model that a text names, with the key from the environment. [`HostedModel::named`] has options.
    ///
    /// # Errors
    /// [`ModelConfigError`] if the text has another form, the address can never be asked, or the key is missing.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), agui_runtime::provider::ModelConfigError> {
    /// let model = agui_runtime::model::Model::named("anthropic:claude-sonnet-4-5")?;
    /// # drop(model);
    /// # Ok(())
    /// # }
    /// ```
    pub fn named(spec: &str) -> Result<Self, ModelConfigError> {
        HostedModel::named(spec).map(Self::from)
    }
}

fn spec_of_env() -> Option<String> {
    std::env::var("AGUI_MODEL").ok().map(|spec| spec.trim().to_owned()).filter(|spec| !spec.is_empty())
}
