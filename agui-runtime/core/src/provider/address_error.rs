//! An address that can reach no model.

/// The reason why an address can reach no model, and what to write instead.
///
/// ```
/// use agui_runtime::provider::{HostedModel, ModelAddressError, ModelConfigError};
///
/// let error = HostedModel::with_keys("localhost:8080/v1#qwen3", |_| None).unwrap_err();
/// assert!(matches!(&error, ModelConfigError::Address { problem: ModelAddressError::NoScheme { .. }, .. }));
/// assert!(error.to_string().contains("write `http://localhost:8080/v1#qwen3`"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelAddressError {
    /// The address lacks a scheme.
    #[error("has no scheme: write `{instead}`, or the same with `https://`")]
    NoScheme {
        /// The same text with a scheme.
        instead: String,
    },
    /// Only HTTP and HTTPS reach a model.
    #[error("has the scheme `{0}`: write `http://` or `https://`")]
    OtherScheme(String),
    /// The address lacks a host.
    #[error("has no host: write one behind `//`, as in `https://llm.example.com/v1`")]
    NoHost,
    /// No server listens on port 0.
    #[error("has port 0, on which no server listens: write another, or leave it out")]
    NoPort,
    /// The address contains a space, a line break or another forbidden character.
    #[error("has a space or a control character: leave it out, or write it as `%20`")]
    Whitespace,
    /// The model name behind the address is missing.
    #[error("names no model: write it behind `#`, as in `https://llm.example.com/v1#qwen3`")]
    NoModel,
    /// A model name stands before the address, and other text behind it.
    #[error("has a part behind `#`, but the model stands before `@`: leave the part out")]
    TwoModels,
    /// The address cannot be parsed.
    #[error("cannot be read ({0}): write it as `https://llm.example.com/v1`")]
    Unreadable(String),
}
