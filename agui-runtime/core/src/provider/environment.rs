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
    /// fails goes to the next, and only the last model is asked again after a failure that may pass. A comma in an address is
    /// written `%2C`.
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
        let mut specs = split(spec);
        let last = (source.open)(specs.pop().unwrap_or(spec).trim(), None)?;
        // A model that has another one behind it is not asked again.
        let mut earlier = specs.into_iter().map(|spec| (source.open)(spec.trim(), Some(0)));
        let Some(first) = earlier.next() else { return Ok(last) };
        let first = ModelFallback::new(first?);
        let most =
            earlier.try_fold(first, |fallback, next| Ok::<_, ModelConfigError>(fallback.then(next?)))?;
        Ok(most.then(last).into())
    }
}

/// Splits specs at commas, except for commas in the user information of an address, which may be a password.
fn split(specs: &str) -> Vec<&str> {
    let (mut split, mut rest, mut from) = (Vec::new(), specs, 0);
    while let Some(at) = rest.get(from..).and_then(|rest| rest.find(',')).map(|at| from + at) {
        let (before, after) = rest.split_at(at);
        let is_in_authority =
            before.rsplit_once("://").is_some_and(|(_, authority)| !authority.contains(['/', '?', '#', '@']));
        let ends_user = |end: usize| after.get(end..).is_some_and(|rest| rest.starts_with('@'));
        if is_in_authority && after.find(['@', '/', '?', '#']).is_some_and(ends_user) {
            from = at + 1;
            continue;
        }
        split.push(before);
        (rest, from) = (after.get(1..).unwrap_or_default(), 0);
    }
    split.push(rest);
    split
}

fn spec_of_env() -> Option<String> {
    std::env::var("AGUI_MODEL").ok().map(|spec| spec.trim().to_owned()).filter(|spec| !spec.is_empty())
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn specs_are_split_at_commas_outside_of_passwords() {
        for (specs, expected) in [
            ("openai:a", vec!["openai:a"]),
            ("openai:a, ollama:b,c:d", vec!["openai:a", " ollama:b", "c:d"]),
            ("openai:a,", vec!["openai:a", ""]),
            ("https://user:pa,s,s@host/v1#m,ollama:b", vec!["https://user:pa,s,s@host/v1#m", "ollama:b"]),
            (
                "openai:a@https://u:p,w@h/v1,https://h/v1#m",
                vec!["openai:a@https://u:p,w@h/v1", "https://h/v1#m"],
            ),
            ("https://h/v1#a,b@c", vec!["https://h/v1#a", "b@c"]),
            ("ä,ö,", vec!["ä", "ö", ""]),
        ] {
            assert_eq!(split(specs), expected, "{specs}");
        }
    }
}
