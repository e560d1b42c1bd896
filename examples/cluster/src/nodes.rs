//! The nodes as processes, and their random deaths.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use std::{env, io};

use fastrand::Rng;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::sleep;

use crate::error::ClusterError;
use crate::postgres::Database;
use crate::proxy::Proxy;
use crate::screen::note;

pub struct Nodes {
    database: String,
    proxy: Arc<Proxy>,
    nodes: [Option<Node>; 2],
    pub kills: u32,
    pub cuts: u32,
}

struct Node {
    process: Child,
    port: u16,
}

impl Nodes {
    pub async fn start(database: &str, proxy: &Arc<Proxy>) -> Result<Self, ClusterError> {
        let (database, proxy) = (database.to_owned(), Arc::clone(proxy));
        let mut nodes = Self { database, proxy, nodes: [None, None], kills: 0, cuts: 0 };
        nodes.mend().await?;
        Ok(nodes)
    }

    /// Starts the nodes that do not live.
    pub async fn mend(&mut self) -> Result<(), ClusterError> {
        for (number, node) in (1..).zip(&mut self.nodes) {
            if node.is_none() {
                let started = Node::start(number, &self.database).await?;
                self.proxy.add(started.port);
                note(&format!("node {number} is up (pid {})", started.pid()));
                *node = Some(started);
            }
        }
        Ok(())
    }

    /// Kills one node, both nodes or Postgres, or cuts the connections, at random times, without an end.
    pub async fn trouble(&mut self, database: &mut Database, random: &mut Rng) -> Result<(), ClusterError> {
        loop {
            pause(random, 500..3_000).await;
            let mut without_database = false;
            match random.u8(0..7) {
                0 => {
                    self.cuts += 1;
                    note("cut all connections");
                    self.proxy.cut();
                }
                1 => self.kill(|_| true).await?,
                2 => without_database = database.kill()?,
                other => self.kill(|number| number == 1 + usize::from(other) % 2).await?,
            }
            pause(random, 200..1_500).await;
            // A node starts only with its database.
            database.ready().await?;
            if without_database {
                note("Postgres is up");
            }
            self.mend().await?;
        }
    }

    async fn kill(&mut self, chosen: impl Fn(usize) -> bool) -> io::Result<()> {
        for (number, slot) in (1..).zip(&mut self.nodes).filter(|(number, _)| chosen(*number)) {
            let Some(mut node) = slot.take() else { continue };
            self.kills += 1;
            note(&format!("killed node {number} (pid {})", node.pid()));
            self.proxy.remove(node.port);
            // SIGKILL: it can finish nothing.
            node.process.kill().await?;
        }
        Ok(())
    }
}

impl Node {
    async fn start(number: usize, database: &str) -> Result<Self, ClusterError> {
        let mut command = Command::new(env::current_exe()?);
        command.arg("node").env("DATABASE_URL", database).env("AGUI_ADDR", "127.0.0.1:0");
        // The nodes sign with the secret of the store.
        command.env_remove("AGUI_SECRET").env_remove("AGUI_SECRET_PREVIOUS");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut process = command.spawn()?;
        let ended = || ClusterError::NodeEnded { number };
        let mut lines = BufReader::new(process.stdout.take().ok_or_else(ended)?).lines();
        let line = lines.next_line().await?.ok_or_else(ended)?;
        let port = line.rsplit(':').next().and_then(|port| port.parse().ok()).ok_or_else(ended)?;
        Ok(Self { process, port })
    }

    fn pid(&self) -> u32 {
        self.process.id().unwrap_or_default()
    }
}

async fn pause(random: &mut Rng, milliseconds: std::ops::Range<u64>) {
    sleep(Duration::from_millis(random.u64(milliseconds))).await;
}
