//! The connections of Postgres, which are plain unless the settings ask for TLS.

use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

use crate::thread::LogError;

/// Connects over TLS if the settings ask for it.
#[cfg(feature = "postgres-tls")]
pub(super) fn connector(config: &Config) -> Result<tokio_postgres_rustls::MakeRustlsConnect, LogError> {
    let mut trust = crate::tls::shared_config(is_asked_for(config)).map_err(LogError::new)?;
    trust.alpn_protocols = vec![b"postgresql".to_vec()];
    Ok(tokio_postgres_rustls::MakeRustlsConnect::new(trust))
}

#[cfg(not(feature = "postgres-tls"))]
pub(super) fn connector(config: &Config) -> Result<tokio_postgres::NoTls, LogError> {
    if is_asked_for(config) {
        return Err(LogError::new("the settings ask for TLS: switch on the feature `postgres-tls`"));
    }
    Ok(tokio_postgres::NoTls)
}

fn is_asked_for(config: &Config) -> bool {
    config.get_ssl_mode() == SslMode::Require
}

/// Makes connections plain whose settings leave it open. Most local servers have a certificate that they signed themselves:
/// with `prefer`, the default, these could not be used.
pub(super) fn decide(config: &mut Config) {
    if !is_asked_for(config) {
        config.ssl_mode(SslMode::Disable);
    }
}
