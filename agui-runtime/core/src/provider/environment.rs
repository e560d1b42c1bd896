//! The model that the environment names.

use super::config_error::ModelConfigError;
use super::model_source::ModelSource;
use crate::model::{Model, ModelFallback};

impl Model {
    /// Returns the model that `AGUI_MODEL` names, such as `openai:gpt-5-mini`, with its provider's key from the environment. The
    /// module `agui_runtime::provider` lists the providers. Several specs, separated by commas, make a
    /// [`ModelFallback`](crate::model::ModelFallback).
    ///
    /// # Errors
    /// [`ModelConfigError`] if the variable is unset or malformed, the address can reach no model, or the key is missing.
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

    /// Returns the model that `AGUI_MODEL` names, or `other` if the variable is unset, so that a program runs without a key. A
    /// malformed variable or a missing key is still an error.
    ///
    /// # Errors
    /// The errors that [`from_env`](Self::from_env) returns, except for an unset variable.
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

    /// Returns the model that a spec names, with the key from the environment. `provider::HostedModel::named` takes options too.
    /// Several specs, separated by commas, make a [`ModelFallback`](crate::model::ModelFallback): a request that the first model
    /// fails goes to the next. A comma in an address is written `%2C`.
    ///
    /// # Errors
    /// [`ModelConfigError`] if a spec is malformed, the address can reach no model, or the key is missing.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), agui_runtime::provider::ModelConfigError> {
    /// let model = agui_runtime::model::Model::named("anthropic:claude-sonnet-4-5")?;
    /// # drop(model);
    /// # Ok(())
    /// # }
    /// ```
    pub fn named(spec: &str) -> Result<Self, ModelConfigError> {
        let source =
            inventory::iter::<ModelSource>.into_iter().next().ok_or(ModelConfigError::NoProviders)?;
        let mut models = spec.split(',').map(|spec| (source.open)(spec.trim()));
        let first = models.next().unwrap_or_else(|| (source.open)(spec))?;
        let Some(second) = models.next() else { return Ok(first) };
        let both = ModelFallback::new(first).then(second?);
        let all = models.try_fold(both, |fallback, next| Ok::<_, ModelConfigError>(fallback.then(next?)))?;
        Ok(all.into())
    }
}

fn spec_of_env() -> Option<String> {
    std::env::var("AGUI_MODEL").ok().map(|spec| spec.trim().to_owned()).filter(|spec| !spec.is_empty())
}
