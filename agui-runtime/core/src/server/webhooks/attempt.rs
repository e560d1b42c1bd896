//! One signed request (Standard Webhooks, section "Webhook headers").

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use http::{StatusCode, header};
use reqwest::Client;
use reqwest::redirect::Policy;
use rustls::ClientConfig;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::{self, PemObject as _};

use super::address::PublicResolver;
use super::options::Webhooks;
use crate::agent::BoxError;
use crate::causes::Causes;
use crate::server::Error;
use crate::tls;
use crate::webhook::{ID, SIGNATURE, TIMESTAMP};

/// Authority certificates that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the certificates of `Webhooks::root_certificates` cannot be read")]
struct UnreadableAuthorities(#[source] BoxError);

/// The outcome of an attempt.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum AttemptOutcome {
    Delivered,
    /// The receiver wants no more messages.
    Unwanted,
    /// A later attempt may succeed.
    Failed(String),
}

/// Returns the HTTP client for all attempts.
pub(super) fn client(webhooks: &Webhooks) -> Result<Client, Error> {
    let mut builder = Client::builder()
        .tls_backend_preconfigured(
            trust(&webhooks.authorities, !webhooks.is_private_allowed).map_err(Error::WebhookClient)?,
        )
        .redirect(Policy::none())
        // A proxy would connect to an address that is not checked here.
        .no_proxy()
        .https_only(!webhooks.is_private_allowed)
        .timeout(webhooks.timeout)
        // The answer that matters is a status.
        .pool_max_idle_per_host(0);
    if !webhooks.is_private_allowed {
        builder = builder.dns_resolver(Arc::new(PublicResolver));
    }
    builder.build().map_err(|error| Error::WebhookClient(Box::new(error)))
}

/// Trusts the system's authorities and the given PEM authorities. Where plain targets are allowed, a system without authorities is
/// no error.
fn trust(authorities: &[Vec<u8>], is_needed: bool) -> Result<ClientConfig, BoxError> {
    if authorities.is_empty() {
        return Ok(tls::config(is_needed)?);
    }
    let certificates = certificates(authorities).map_err(|error| UnreadableAuthorities(error.into()))?;
    // With these, it does not matter if the system has none.
    Ok(tls::config_with(certificates).map_err(|error| UnreadableAuthorities(error.into()))?)
}

/// Returns the certificates in PEM texts, at least one per text.
fn certificates(texts: &[Vec<u8>]) -> Result<Vec<CertificateDer<'static>>, pem::Error> {
    let mut all = Vec::new();
    for text in texts {
        let known = all.len();
        for certificate in CertificateDer::pem_slice_iter(text) {
            all.push(certificate?);
        }
        if all.len() == known {
            return Err(pem::Error::NoItemsFound);
        }
    }
    Ok(all)
}

/// Sends a message once.
pub(super) async fn attempt(
    client: &Client,
    webhooks: &Webhooks,
    url: &str,
    id: &str,
    body: &str,
) -> AttemptOutcome {
    // The settings may be stricter than those of the server that admitted the target.
    let url = match webhooks.admit(url) {
        Ok(url) => url,
        Err(reason) => return AttemptOutcome::Failed(reason),
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let signatures: Vec<String> =
        webhooks.secrets.iter().map(|secret| secret.sign(id, now, body.as_bytes())).collect();
    let request = client
        .post(url)
        .header(header::CONTENT_TYPE, "application/json")
        .header(ID, id)
        .header(TIMESTAMP, now)
        .header(SIGNATURE, signatures.join(" "))
        .body(body.to_owned());
    match request.send().await {
        // The body is not read: it may have no end.
        Ok(response) => match response.status() {
            status if status.is_success() => AttemptOutcome::Delivered,
            StatusCode::GONE => AttemptOutcome::Unwanted,
            status => {
                AttemptOutcome::Failed(format!("the receiver answered with status {}", status.as_u16()))
            }
        },
        // Targets may contain secrets.
        Err(error) => AttemptOutcome::Failed(Causes(&error.without_url()).to_string()),
    }
}
