//! Postgres connections, plain unless the settings ask for TLS.

use agui_runtime_core::thread::LogError;
use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

/// Returns a TLS connector if the settings ask for TLS.
#[cfg(feature = "tls")]
pub(super) fn connector(config: &Config) -> Result<tokio_postgres_rustls::MakeRustlsConnect, LogError> {
    let mut trust =
        agui_runtime_core::__leaf::shared_tls_config(requires_tls(config)).map_err(LogError::new)?;
    trust.alpn_protocols = vec![b"postgresql".to_vec()];
    Ok(tokio_postgres_rustls::MakeRustlsConnect::new(trust))
}

#[cfg(not(feature = "tls"))]
pub(super) fn connector(config: &Config) -> Result<tokio_postgres::NoTls, LogError> {
    if requires_tls(config) {
        return Err(LogError::new("the settings ask for TLS: switch on the feature `postgres-tls`"));
    }
    Ok(tokio_postgres::NoTls)
}

fn requires_tls(config: &Config) -> bool {
    config.get_ssl_mode() == SslMode::Require
}

/// Makes connections plain if the settings do not decide. Most local servers have self-signed certificates: the default `prefer`
/// would refuse such servers.
pub(super) fn decide(config: &mut Config) {
    if !requires_tls(config) {
        config.ssl_mode(SslMode::Disable);
    }
}
