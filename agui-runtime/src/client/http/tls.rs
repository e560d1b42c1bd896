//! Connections that work out of the box: ring for the cryptography, the system's certificates for trust.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::client::ClientError;

/// What secure connections are made with. On a machine without certificates nobody can be trusted, which is no reason not to talk
/// without encryption to those who ask for none.
pub(super) fn config(needed: bool) -> Result<ClientConfig, ClientError> {
    let tls = |error: rustls::Error| ClientError::Tls(Box::new(error));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = || {
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider));
        builder.with_safe_default_protocol_versions().map_err(tls)
    };
    let mut config = match builder()?.with_platform_verifier() {
        Ok(builder) => builder.with_no_client_auth(),
        Err(error) if needed => return Err(tls(error)),
        Err(error) => {
            tracing::debug!(%error, "no certificates: only plain connections can be made");
            builder()?.with_root_certificates(RootCertStore::empty()).with_no_client_auth()
        }
    };
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}
