//! A spec that names no usable model.

use super::address_error::ModelAddressError;

/// The error for a spec that names no usable model.
///
/// ```
/// use agui_runtime::provider::{HostedModel, ModelConfigError};
///
/// let error = HostedModel::with_keys("anthropic:claude-sonnet-4-5", |_| None).unwrap_err();
/// assert_eq!(error.to_string(), "the model of `anthropic` needs a key in ANTHROPIC_API_KEY");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelConfigError {
    /// `AGUI_MODEL` is not set.
    #[error("AGUI_MODEL is not set: write `openai:…`, `anthropic:…`, `gemini:…`, `ollama:…` or an address")]
    Unset,
    /// The spec is malformed.
    #[error("`{0}` names no model: write `provider:model`, `provider:model@https://…` or `https://…#model`")]
    Malformed(String),
    /// The address can reach no model.
    #[error("the address `{address}` {problem}")]
    Address {
        /// The address as written, with `…` for its user information; or `OLLAMA_HOST=` and that variable's value.
        address: String,
        /// The reason.
        problem: ModelAddressError,
    },
    /// The provider is unknown.
    #[error("there is no model provider `{name}`: there are `{}`, and addresses `https://…#model`", known.join("`, `"))]
    UnknownProvider {
        /// The name in the spec.
        name: String,
        /// The providers that have a name.
        known: Vec<&'static str>,
    },
    /// The provider's address depends on the account.
    #[error("the model of `{provider}` needs an address in {variable}")]
    MissingAddress {
        /// The provider name.
        provider: String,
        /// The variable that must hold the address, or the region.
        variable: &'static str,
    },
    /// The provider needs a key.
    #[error("the model of `{provider}` needs a key in {variable}")]
    MissingKey {
        /// The provider name.
        provider: String,
        /// The variable that must hold the key.
        variable: &'static str,
    },
    /// No provider package is registered. With the feature `providers`, the package registers itself before `main`, except where
    /// no code runs before `main`, as in WebAssembly modules whose constructors are not called.
    #[error(
        "no model provider is registered: switch on the feature `providers` of agui-runtime; where no code runs before `main`, \
         as in WebAssembly, write `Model::from(agui_runtime::provider::HostedModel::named(…)?)`"
    )]
    NoProviders,
    /// The HTTP client cannot be set up.
    #[error("the connection to the model provider cannot be set up")]
    Client(#[source] Box<dyn std::error::Error + Send + Sync>),
}
