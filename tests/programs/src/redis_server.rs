//! A Redis of a test.

use crate::service::{OwnServer, unprivileged};
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
        let (program, _) = REDIS.find()?;
        Ok(Self::start("redis", "Ready to accept connections", |folder, port| {
            let mut server = unprivileged(&program);
            server.args(["--bind", "127.0.0.1", "--port", &port.to_string(), "--dir"]).arg(folder);
            server.args(["--appendonly", "yes", "--appendfsync", "always", "--save", ""]);
            server.args(["--databases", "1000"]);
            server
        }))
    }

    /// The URL of a database, through this port.
    #[must_use]
    pub fn redis_url(port: u16, database: u64) -> String {
        format!("redis://127.0.0.1:{port}/{database}")
    }
}
