//! The connections to a provider.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustls::ClientConfig;

use super::config::ModelConfigError;
use crate::tls;

/// Returns the client for a provider. Redirects are not followed, because a key must not go to another address.
pub(super) fn client(address: &str) -> Result<genai::Client, ModelConfigError> {
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| ModelConfigError::Client(error);
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(trust(address.starts_with("https:"))?)
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(10))
        .build()
        .map_err(|error| failed(Box::new(error)))?;
    genai::Client::builder().with_reqwest(client).build().map_err(|error| failed(Box::new(error)))
}

/// Returns the TLS configuration, made once: the certificates of the system are read from files.
fn trust(needed: bool) -> Result<ClientConfig, ModelConfigError> {
    static KNOWN: Mutex<Option<ClientConfig>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(config) = &*known {
        return Ok(config.clone());
    }
    let setup = |error: rustls::Error| ModelConfigError::Client(Box::new(error));
    match tls::config(true) {
        Ok(config) => Ok(known.insert(config).clone()),
        Err(error) if needed => Err(setup(error)),
        Err(_) => tls::config(false).map_err(setup),
    }
}
