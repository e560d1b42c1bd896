//! One server as a process of its own: this test program, which then runs the test that serves.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use agui_runtime::prelude::*;
use agui_runtime::thread::Sqlite;
use agui_runtime::{Limits, Server};
use agui_tests::outside::ExampleServer;
use tokio::time::sleep;

/// Names the file of the store to a process that is to be a server.
const STORE: &str = "AGUI_ROLLING_STORE";

/// The words of an answer, of a long one, and the time of each.
pub(super) const WORDS: usize = 20;
pub(super) const MANY_WORDS: usize = 100;
const A_WORD: Duration = Duration::from_millis(10);

/// The question that has a long answer. Its run outlasts the delay, so that it needs the grace.
pub(super) const AT_LENGTH: &str = "Speak at length.";

/// The runs that a server takes: fewer than users, even if all servers are there.
const PLACES: usize = 3;

/// The time for which a server is not ready, and still accepts: several probes of the balancer.
pub(super) const DELAY: Duration = Duration::from_millis(500);

/// Says its words, one by one.
#[agent]
async fn speaker(run: &mut Run<Speaker>, input: Input<Speaker>) -> Result<(), Stop> {
    let is_long = input.user_text().as_deref() == Some(AT_LENGTH);
    if is_long {
        println!("{AT_LENGTH}");
    }
    let words = if is_long { MANY_WORDS } else { WORDS };
    let mut text = run.message().await;
    for word in 0..words {
        text.push(format!("word-{word} ")).await;
        sleep(A_WORD).await;
    }
    text.end();
    Ok(())
}

/// Serves until SIGTERM, if this process is to be a server.
pub(super) fn serve() {
    let Some(store) = std::env::var_os(STORE) else { return };
    let limits = Limits::default()
        .runs(PLACES)
        .runs_per_client(PLACES)
        .shutdown_delay(DELAY)
        .shutdown_grace(Duration::from_secs(20));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        let log = Sqlite::open(store).unwrap();
        let server = Server::new().threads(log).agent("/", Speaker::new()).health("/health").limits(limits);
        server.serve().await.unwrap();
    });
}

pub(super) struct Node {
    pub(super) address: SocketAddr,
    process: ExampleServer,
}

impl Node {
    pub(super) fn start(store: &Path) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "rolling::as_a_server", "--nocapture"]).env(STORE, store);
        let process = ExampleServer::spawn("a node", command, super::PATIENCE).unwrap();
        let address = process.url().strip_prefix("http://").unwrap().parse().unwrap();
        Self { address, process }
    }

    /// The long answers that have begun here.
    pub(super) fn long_answers(&self) -> usize {
        self.process.output().matches(AT_LENGTH).count()
    }

    /// Sends SIGTERM.
    pub(super) fn terminate(&self) {
        let killed = Command::new("kill").args(["-TERM", &self.process.pid().to_string()]).status().unwrap();
        assert!(killed.success());
    }

    pub(super) async fn ended(&mut self) {
        while self.process.is_running() {
            sleep(Duration::from_millis(10)).await;
        }
    }
}
