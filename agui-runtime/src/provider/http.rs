//! The connections to a provider.

use std::time::Duration;

use super::config::ModelConfigError;
use crate::tls;

/// Returns the client for a provider. Redirects are not followed, because a key must not go to another address.
pub(super) fn client(address: &str) -> Result<genai::Client, ModelConfigError> {
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| ModelConfigError::Client(error);
    let trust = tls::shared_config(address.starts_with("https:")).map_err(|error| failed(Box::new(error)))?;
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(trust)
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(10))
        .build()
        .map_err(|error| failed(Box::new(error)))?;
    genai::Client::builder().with_reqwest(client).build().map_err(|error| failed(Box::new(error)))
}
