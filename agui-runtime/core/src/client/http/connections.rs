//! Addresses and connections.

use std::time::Duration;

use reqwest::{Client, ClientBuilder, Url};

use super::redirect;
use crate::client::ClientError;
use crate::tls;

/// The default time limit for connecting.
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
    build(url, connect, Client::builder().redirect(redirect::policy(redirects)))
}

/// Creates an HTTP client for sockets, which begin as requests over HTTP/1.1.
#[cfg(feature = "websocket")]
pub(super) fn client_of_sockets(url: &Url, connect: Option<Duration>) -> Result<Client, ClientError> {
    build(url, connect, Client::builder().http1_only().redirect(redirect::policy(0)))
}

fn build(url: &Url, connect: Option<Duration>, builder: ClientBuilder) -> Result<Client, ClientError> {
    let mut builder = builder.tls_backend_preconfigured(
        tls::config(url.scheme() == "https").map_err(|error| ClientError::Tls(Box::new(error)))?,
    );
    if let Some(limit) = connect {
        builder = builder.connect_timeout(limit);
    }
    builder.build().map_err(|error| ClientError::Tls(Box::new(error)))
}
