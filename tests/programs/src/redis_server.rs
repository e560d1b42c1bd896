//! A Redis of a test.

use std::path::Path;
use std::process::Command;

use crate::service::{OwnServer, unprivileged};
use crate::tls::write_certificate;
use crate::{Missing, Program};

const REDIS: Program = Program {
    name: "redis-server",
    variable: "AGUI_REDIS",
    at_least: (6, 2),
    how_to_get_it: "install Redis (redis-server on Debian)",
};

impl OwnServer {
    /// Starts a server with its data in a temporary folder. It ends with the value or the process.
    ///
    /// # Errors
    /// [`Missing`] if Redis is not on the machine; see [`need!`](crate::need).
    pub fn redis() -> Result<Self, Missing> {
        Self::redis_with(|server, port, _| {
            server.args(["--port", port]);
        })
    }

    /// Does the same, and answers only over TLS, with the certificate of the tests.
    ///
    /// # Errors
    /// As [`redis`](Self::redis).
    pub fn redis_over_tls() -> Result<Self, Missing> {
        Self::redis_with(|server, port, folder| {
            let (certificate, key) = write_certificate(folder);
            server.args(["--port", "0", "--tls-port", port, "--tls-auth-clients", "no", "--tls-cert-file"]);
            server.arg(certificate).arg("--tls-key-file").arg(key);
        })
    }

    fn redis_with(listens: impl FnOnce(&mut Command, &str, &Path)) -> Result<Self, Missing> {
        let (program, _) = REDIS.find()?;
        Ok(Self::start("redis", "Ready to accept connections", |folder, port| {
            let mut server = unprivileged(&program);
            listens(&mut server, &port.to_string(), folder);
            server.args(["--bind", "127.0.0.1", "--dir"]).arg(folder);
            server.args(["--appendonly", "yes", "--appendfsync", "always", "--save", ""]);
            server.args(["--databases", "1000"]);
            server
        }))
    }

    /// Starts a replica of a running server.
    ///
    /// # Errors
    /// As [`redis`](Self::redis).
    pub fn redis_replica(primary: &Self) -> Result<Self, Missing> {
        let primary = primary.port().to_string();
        Self::redis_with(|server, port, _| {
            server.args(["--port", port, "--replicaof", "127.0.0.1", &primary]);
        })
    }

    /// The URL of a database, through this port.
    #[must_use]
    pub fn redis_url(port: u16, database: u64) -> String {
        format!("redis://127.0.0.1:{port}/{database}")
    }
}
