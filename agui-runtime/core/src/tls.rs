//! TLS with a working default: cryptography by ring, trust by the system's certificates.

use std::sync::Arc;
use std::sync::{Mutex, PoisonError};

use rustls::client::WantsClientCert;
#[cfg(feature = "webhooks")]
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, ConfigBuilder, Error, WantsVerifier};

/// Returns the TLS configuration. A machine without certificates can trust no server; that must not prevent
/// plain connections, so it is an error only if TLS is needed.
pub(crate) fn config(needed: bool) -> Result<ClientConfig, Error> {
    use rustls_platform_verifier::BuilderVerifierExt as _;

    match builder()?.with_platform_verifier() {
        Ok(trusting) => Ok(finished(trusting)),
        Err(error) if needed => Err(error),
        Err(error) => {
            tracing::debug!(%error, "no certificates: only plain connections can be made");
            Ok(finished(builder()?.with_root_certificates(rustls::RootCertStore::empty())))
        }
    }
}

/// Returns the TLS configuration that trusts these authorities, and those of the system.
#[cfg(feature = "webhooks")]
pub(crate) fn config_with(authorities: Vec<CertificateDer<'static>>) -> Result<ClientConfig, Error> {
    let builder = builder()?;
    let verifier = rustls_platform_verifier::Verifier::new_with_extra_roots(
        authorities,
        Arc::clone(builder.crypto_provider()),
    )?;
    Ok(finished(builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))))
}

fn builder() -> Result<ConfigBuilder<ClientConfig, WantsVerifier>, Error> {
    ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
}

fn finished(trusting: ConfigBuilder<ClientConfig, WantsClientCert>) -> ClientConfig {
    let mut config = trusting.with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    config
}

/// Returns the configuration for clients, made once: the certificates of the system are read from files.
///
/// # Errors
///
/// If `needed`, and no certificate of the system can be trusted; or the cryptography does not work.
pub fn shared_config(needed: bool) -> Result<ClientConfig, Error> {
    static KNOWN: Mutex<Option<ClientConfig>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(config) = &*known {
        return Ok(config.clone());
    }
    match config(true) {
        Ok(config) => Ok(known.insert(config).clone()),
        Err(error) if needed => Err(error),
        Err(_) => config(false),
    }
}
