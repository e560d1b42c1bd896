//! TLS with the certificate of the tests, which is for `localhost` and 127.0.0.1.
#![allow(
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    reason = "test support: what goes wrong here fails the test"
)]

use std::fs::read;
use std::sync::Arc;

use agui_programs::{authority, tests_dir};
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio_rustls::TlsAcceptor;

/// Returns the server's side, which speaks these protocols of ALPN.
#[must_use]
pub fn acceptor(protocols: &[&str]) -> TlsAcceptor {
    let of_tests = |name: &str| read(tests_dir().join("fixtures/tls").join(name)).unwrap();
    let chain = CertificateDer::pem_slice_iter(&of_tests("server.pem")).collect::<Result<_, _>>().unwrap();
    let key = PrivateKeyDer::from_pem_slice(&of_tests("server.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let mut config = config.with_single_cert(chain, key).unwrap();
    config.alpn_protocols = names(protocols);
    TlsAcceptor::from(Arc::new(config))
}

/// Returns the configuration of a client that trusts the authority of the tests alone, and speaks these protocols of ALPN.
#[must_use]
pub fn trusting(protocols: &[&str]) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(authority()).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_root_certificates(roots);
    let mut config = config.with_no_client_auth();
    config.alpn_protocols = names(protocols);
    config
}

fn names(protocols: &[&str]) -> Vec<Vec<u8>> {
    protocols.iter().map(|name| name.as_bytes().to_vec()).collect()
}
