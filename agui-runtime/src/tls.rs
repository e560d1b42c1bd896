//! TLS with a working default: cryptography by ring, trust by the system's certificates.

use std::sync::Arc;
#[cfg(any(feature = "a2a", feature = "mcp", feature = "postgres-tls", feature = "providers"))]
use std::sync::{Mutex, PoisonError};

use rustls::{ClientConfig, Error, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

/// Returns the TLS configuration. A machine without certificates can trust no server; that must not prevent
/// plain connections, so it is an error only if TLS is needed.
pub(crate) fn config(needed: bool) -> Result<ClientConfig, Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = || {
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider));
        builder.with_safe_default_protocol_versions()
    };
    let mut config = match builder()?.with_platform_verifier() {
        Ok(builder) => builder.with_no_client_auth(),
        Err(error) if needed => return Err(error),
        Err(error) => {
            tracing::debug!(%error, "no certificates: only plain connections can be made");
            builder()?.with_root_certificates(RootCertStore::empty()).with_no_client_auth()
        }
    };
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// Returns the same, made once: the certificates of the system are read from files.
#[cfg(any(feature = "a2a", feature = "mcp", feature = "postgres-tls", feature = "providers"))]
pub(crate) fn shared_config(needed: bool) -> Result<ClientConfig, Error> {
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
