//! A Redis of a test.

use super::Missing;
use super::program::Program;
use super::service::{Service, unprivileged};

const REDIS: Program = Program {
    name: "redis-server",
    variable: "AGUI_REDIS",
    at_least: (6, 2),
    how_to_get_it: "install Redis (redis-server on Debian)",
};

/// A server of its own that syncs each write to the disk, and listens on the loopback interface.
#[derive(Debug)]
pub struct RedisServer(Service);

impl RedisServer {
    /// Starts a server with its data in a temporary folder. It ends with the value or the process.
    ///
    /// # Errors
    /// [`Missing`] if Redis is not on the machine; see [`need!`](crate::need).
    pub fn start() -> Result<Self, Missing> {
        let (program, _) = REDIS.find()?;
        Ok(Self(Service::start("redis", "Ready to accept connections", |folder, port| {
            let mut server = unprivileged(&program);
            server.args(["--bind", "127.0.0.1", "--port", &port.to_string(), "--dir"]).arg(folder);
            server.args(["--appendonly", "yes", "--appendfsync", "always", "--save", ""]);
            server.args(["--databases", "1000"]);
            server
        })))
    }

    /// The port on the loopback interface.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.0.port()
    }

    /// The URL of a database, through this port.
    #[must_use]
    pub fn url(port: u16, database: u64) -> String {
        format!("redis://127.0.0.1:{port}/{database}")
    }

    /// Ends it with SIGKILL.
    pub fn kill(&self) {
        self.0.kill();
    }

    /// Starts it again after [`kill`](Self::kill).
    pub fn start_again(&self) {
        self.0.start_again();
    }

    /// Stops it; it keeps its connections and does not answer.
    pub fn pause(&self) {
        self.0.pause();
    }

    /// Lets it go on after [`pause`](Self::pause).
    pub fn resume(&self) {
        self.0.resume();
    }
}
