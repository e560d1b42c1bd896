//! Our servers and their peers, with the databases that they use.

use std::path::PathBuf;
use std::time::Duration;

use agui_programs::{Missing, OwnServer, installed, tests_dir};
use tokio::process::Command;

use crate::process::{Fault, ServerProcess};

/// The stores of our server; `none` is the server without one.
pub const STORES: [&str; 5] = ["none", "memory", "sqlite", "postgres", "redis"];

/// The peers.
pub const PEERS: [&str; 2] = ["xadd", "resumable-stream"];

/// Postgres, Redis and a folder for files.
pub struct Databases {
    postgres: OwnServer,
    redis: OwnServer,
    folder: PathBuf,
}

impl Databases {
    /// Starts them in temporary folders.
    pub fn start() -> Result<Self, Missing> {
        let folder = std::env::temp_dir().join(format!("agui-peers-threads-{}", std::process::id()));
        let made = std::fs::create_dir_all(&folder);
        assert!(made.is_ok(), "{}: {made:?}", folder.display());
        Ok(Self { postgres: OwnServer::postgres()?, redis: OwnServer::redis()?, folder })
    }

    /// The path for a new file of SQLite.
    pub fn new_file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn database_of(&self, name: &str) -> Option<&OwnServer> {
        match name {
            "postgres" => Some(&self.postgres),
            "redis" | "xadd" | "resumable-stream" => Some(&self.redis),
            _ => None,
        }
    }
}

impl Drop for Databases {
    fn drop(&mut self) {
        // A folder that stays behind is a temporary one.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A server under measurement.
pub struct Contender<'d> {
    pub name: &'static str,
    pub server: ServerProcess,
    database: Option<&'d OwnServer>,
}

impl<'d> Contender<'d> {
    pub async fn start(name: &'static str, databases: &'d Databases) -> Result<Self, Fault> {
        let server = match name {
            "resumable-stream" => ServerProcess::start(node(databases)?).await?,
            "sqlite" => {
                let file = databases.new_file(&format!("{name}-{}.db", unique()));
                ServerProcess::ours(name, &file.display().to_string()).await?
            }
            "postgres" => {
                let url = OwnServer::postgres_url(databases.postgres.port(), "public");
                ServerProcess::ours(name, &url).await?
            }
            "redis" => ServerProcess::ours(name, &OwnServer::redis_url(databases.redis.port(), 0)).await?,
            "xadd" => ServerProcess::ours(name, &OwnServer::redis_url(databases.redis.port(), 1)).await?,
            _ => ServerProcess::ours(name, "").await?,
        };
        Ok(Self { name, server, database: databases.database_of(name) })
    }

    /// The processor time of the database until now.
    pub fn database_time(&self) -> Duration {
        self.database.map_or(Duration::ZERO, |database| database.processes().processor_time())
    }
}

fn node(databases: &Databases) -> Result<Command, Fault> {
    let here = tests_dir().join("peers/threads/node");
    let (node, packages) = installed("threads", &here, &[]).map_err(|missing| missing.to_string())?;
    let mut command = Command::new(node);
    command.arg("--import").arg(tests_dir().join("node/packages.mjs")).arg(here.join("server.mjs"));
    command.env("AGUI_NODE_PACKAGES", packages);
    command.env("REDIS_URL", OwnServer::redis_url(databases.redis.port(), 2));
    Ok(command)
}

/// A text that no other thread or file of the run has.
pub fn unique() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}
