//! Addresses and connections.

use std::time::Duration;

use reqwest::{Client, Url};

use super::redirect;
use crate::client::ClientError;
use crate::tls;

/// The default time limit of connecting.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Parses an http or https URL.
pub(super) fn address(text: &str) -> Result<Url, ClientError> {
    let unusable = |reason: &str| ClientError::Url { url: text.to_owned(), reason: reason.to_owned() };
    let url = Url::parse(text).map_err(|error| unusable(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(unusable("its scheme is neither http nor https"));
    }
    Ok(url)
}

/// Creates an HTTP client for one agent. It follows up to `redirects` redirects.
pub(super) fn client(url: &Url, connect: Option<Duration>, redirects: usize) -> Result<Client, ClientError> {
    let mut builder = Client::builder()
        .tls_backend_preconfigured(
            tls::config(url.scheme() == "https").map_err(|error| ClientError::Tls(Box::new(error)))?,
        )
        .redirect(redirect::policy(redirects));
    if let Some(limit) = connect {
        builder = builder.connect_timeout(limit);
    }
    builder.build().map_err(|error| ClientError::Tls(Box::new(error)))
}
