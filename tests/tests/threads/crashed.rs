//! A server on SQLite that is killed and started again: its runs do not wait until their leases are over.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use agui_runtime::prelude::*;
use agui_runtime::thread::Sqlite;
use agui_tests::folder::Folder;
use agui_tests::http::{Answer, Request};
use agui_tests::outside::ExampleServer;
use serde_json::json;
use tokio::time::sleep;

use crate::thread_server::{asking, events, frames, is_legal, types};

/// Names the file of the store to a process that is to be a server.
const STORE: &str = "AGUI_CRASHED_STORE";

/// Far longer than each wait of the tests.
const LEASE: Duration = Duration::from_secs(600);

/// The longest wait for a lost run.
const AT_ONCE: Duration = Duration::from_secs(LEASE.as_secs() / 60);

const PATIENCE: Duration = Duration::from_secs(30);

/// A file that lets all runs go on.
fn go(store: &Path) -> PathBuf {
    store.with_extension("go")
}

/// The file for which runs wait.
#[derive(Clone)]
struct GoFile(PathBuf);

impl GoFile {
    async fn wait(&self) {
        while !self.0.exists() {
            sleep(Duration::from_millis(10)).await;
        }
    }
}

/// Waits. Its run ends with its server.
#[agent]
async fn waiter(run: &mut Run<Waiter>, _: Input<Waiter>, file: &GoFile) -> Result<(), Stop> {
    let mut text = run.message().await;
    text.push("waiting").await;
    file.wait().await;
    text.push(" is over").await;
    text.end();
    Ok(())
}

/// Waits. Its run goes on without its server.
#[agent(restart)]
async fn stayer(run: &mut Run<Stayer>, _: Input<Stayer>, file: &GoFile) -> Result<(), Stop> {
    run.say("waiting").await;
    file.wait().await;
    run.say("It is over.").await;
    Ok(())
}

/// One server, if this process was started as one.
#[test]
fn as_a_server() {
    let Some(store) = std::env::var_os(STORE).map(PathBuf::from) else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = Server::new()
            .threads(Sqlite::open(&store).unwrap())
            .thread_options(ThreadOptions::default().lease(LEASE))
            .agent("/", Waiter::new(GoFile(go(&store))))
            .agent("/again", Stayer::new(GoFile(go(&store))));
        server.serve().await.unwrap();
    });
}

fn start(store: &Path) -> ExampleServer {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "crashed::as_a_server", "--nocapture"]).env(STORE, store);
    ExampleServer::spawn("a server", command, PATIENCE).unwrap()
}

fn address(server: &ExampleServer) -> SocketAddr {
    server.url().strip_prefix("http://").unwrap().parse().unwrap()
}

/// Starts a run at an agent, and reads until it waits.
async fn begin(server: &ExampleServer, path: &str) -> (Answer, String) {
    let mut answer = Request::run(path, asking("1", "wait").to_string()).open(address(server)).await;
    let seen = answer.until("waiting").await;
    (answer, seen)
}

/// Connects to the thread of an agent after the events that were seen.
fn connect(path: &str, seen: &str) -> Request {
    let last = frames(seen).pop().unwrap().0.unwrap();
    let mut input = asking("connect", "");
    (input["messages"], input["lastSeenEventId"]) = (json!([]), json!(last));
    Request::run(path, input.to_string())
}

async fn kill(mut server: ExampleServer) {
    let killed = Command::new("kill").args(["-KILL", &server.pid().to_string()]).status().unwrap();
    assert!(killed.success());
    while server.is_running() {
        sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn the_runs_of_a_server_that_was_killed_end_or_go_on_as_soon_as_it_is_there_again() {
    let folder = Folder::new("crashed");
    let store = folder.0.join("threads.db");
    let first = start(&store);
    let (_, waits) = begin(&first, "/").await;
    let (_, stays) = begin(&first, "/again").await;
    kill(first).await;

    let begun = Instant::now();
    let second = start(&store);
    let rest = connect("/connect", &waits).send(address(&second)).await;
    assert_eq!(types(rest.text()), "TEXT_MESSAGE_END RUN_ERROR");
    assert_eq!(events(rest.text())[1]["code"], "node_lost");
    is_legal(&(waits + rest.text()));

    let mut goes_on = connect("/again/connect", &stays).open(address(&second)).await;
    let mut again = goes_on.until("waiting").await;
    assert!(begun.elapsed() < AT_ONCE, "{:?} of {LEASE:?}", begun.elapsed());
    fs::write(go(&store), "").unwrap();
    again.push_str(goes_on.whole().await.text());
    is_legal(&(stays + &again));
    assert_eq!(events(&again).pop().unwrap()["type"], "RUN_FINISHED");
}

/// The second may be a server that replaces the first, which ends its runs in peace.
#[tokio::test]
async fn a_second_server_on_the_file_ends_no_run_of_the_first() {
    let folder = Folder::new("crashed");
    let store = folder.0.join("threads.db");
    let first = start(&store);
    let (own, waits) = begin(&first, "/").await;
    let (own_again, stays) = begin(&first, "/again").await;
    // Its first look at the store for lost runs comes before its first answer.
    let second = start(&store);
    let other = connect("/connect", &waits).open(address(&second)).await;
    let other_again = connect("/again/connect", &stays).open(address(&second)).await;
    fs::write(go(&store), "").unwrap();
    for (seen, own, other) in [(waits, own, other), (stays, own_again, other_again)] {
        let (own, other) = (own.whole().await, other.whole().await);
        assert_eq!(events(own.text()).pop().unwrap()["type"], "RUN_FINISHED", "{}", own.text());
        is_legal(&(seen + other.text()));
        assert_eq!(own.text(), other.text(), "both servers tell the same");
    }
}
