//! A process with an agent, which gets a signal at one of its writes.
//!
//! A test binary runs itself: the test that calls [`serve`] is the process of the tests that kill it.

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{self, Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use agui_runtime::thread::{LogError, ThreadKey, ThreadLog};
use futures::FutureExt;
use futures::future::{BoxFuture, pending};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::time::sleep;

use super::nodes::LEASE;
use super::scribe::Steady;
use super::{Conversation, GOES_ON, Gate, Gated, Ledger, Op, Scribe, Seen, Way, ask};
use crate::http::{Piece, Request};

/// The orders of a process, in JSON.
const ORDERS: &str = "AGUI_KEPT_PROCESS";

/// The beginning of the line with which it says its address.
const LISTENS: &str = "listens at ";

/// A fault of a process at one of its writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The number of the write, and whether the store has it.
    pub(super) write: usize,
    pub(super) is_after: bool,
    /// The name of the signal that the process gets: `KILL` or `STOP`.
    pub(super) signal: &'static str,
}

/// Returns the orders of a process that serves a thread.
pub(super) fn orders(store: &str, thread: &str, effects: &Path, fault: Option<Fault>) -> Value {
    let fault = fault.map(|Fault { write, is_after, signal }| json!([write, is_after, signal]));
    json!({ "store": store, "thread": thread, "effects": effects, "fault": fault })
}

/// Counts the writes of one thread, and sends its own process a signal at one of them.
#[derive(Debug)]
struct Killer {
    thread: String,
    /// The number of the write, and whether the store has it.
    at: Option<(usize, bool)>,
    signal: String,
    writes: AtomicUsize,
    entered: AtomicUsize,
    /// The number of writes of all threads that are under way.
    under_way: AtomicUsize,
    /// True while no write may begin.
    is_closed: AtomicBool,
}

impl Killer {
    fn new(orders: &Value) -> Self {
        let fault = &orders["fault"];
        Self {
            thread: orders["thread"].as_str().unwrap().to_owned(),
            at: fault[0].as_u64().map(|write| (write as usize, fault[1] == true)),
            signal: fault[2].as_str().unwrap_or_default().to_owned(),
            writes: AtomicUsize::new(0),
            entered: AtomicUsize::new(0),
            under_way: AtomicUsize::new(0),
            is_closed: AtomicBool::new(false),
        }
    }

    /// Sends the signal at the write, before the store has it or after.
    async fn pass(&self, op: Op<'_>, count: &AtomicUsize, is_after: bool) {
        let is_of_thread = matches!(op, Op::Append(key, _) if key.thread() == self.thread);
        if !is_of_thread || self.at != Some((count.fetch_add(1, Ordering::SeqCst), is_after)) {
            return;
        }
        if self.signal == "STOP" {
            self.close().await;
        }
        signal(&self.signal, process::id());
        // On a busy machine a process runs on for a moment after the signal.
        sleep(Duration::from_millis(500)).await;
        self.is_closed.store(false, Ordering::SeqCst);
    }

    /// Waits until no write is under way. A process that stands still in the middle of one keeps the lock of SQLite, and no other
    /// process can write.
    async fn close(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
        // A write that was given up does not say when it ends.
        for _ in 0..100 {
            if self.under_way.load(Ordering::SeqCst) == 0 {
                return;
            }
            sleep(Duration::from_millis(5)).await;
        }
    }
}

fn is_write(op: Op<'_>) -> bool {
    matches!(op, Op::Append(..) | Op::Renew(_) | Op::Trim(_) | Op::Delete(_))
}

impl Gate for Killer {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        async move {
            self.pass(op, &self.entered, false).await;
            while is_write(op) && self.is_closed.load(Ordering::SeqCst) {
                sleep(Duration::from_millis(1)).await;
            }
            self.under_way.fetch_add(usize::from(is_write(op)), Ordering::SeqCst);
            Ok(Way::Through)
        }
        .boxed()
    }

    fn leave<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<(), LogError>> {
        async move {
            self.under_way.fetch_sub(usize::from(is_write(op)), Ordering::SeqCst);
            self.pass(op, &self.writes, true).await;
            Ok(())
        }
        .boxed()
    }
}

/// Sends a process a signal.
fn signal(name: &str, pid: u32) {
    drop(Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status());
}

/// Serves an agent until the process is killed; does nothing in a process without orders.
pub fn serve(open: impl Fn(&str) -> Arc<dyn ThreadLog>) {
    let Ok(orders) = env::var(ORDERS) else { return };
    let orders: Value = serde_json::from_str(&orders).unwrap();
    let ledger = Arc::new(Ledger::in_file(orders["effects"].as_str().unwrap().into()));
    let log = Gated::new(open(orders["store"].as_str().unwrap()), Arc::new(Killer::new(&orders)));
    Runtime::new().unwrap().block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        eprintln!("{LISTENS}{}", listener.local_addr().unwrap());
        let options = ThreadOptions::default().lease(LEASE);
        let scribe = Scribe::<true>::new(ledger, Arc::new(Steady));
        let server = Server::new().threads(log).thread_options(options).agent(GOES_ON, scribe);
        server.serve_on(listener, pending()).await.unwrap();
    });
}

/// A process that serves.
pub(super) struct Process {
    child: Child,
    pub(super) address: SocketAddr,
}

impl Process {
    pub(super) fn start(test: &str, orders: &Value) -> Self {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", test, "--nocapture"]).env(ORDERS, orders.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut lines = lines.map(Result::unwrap);
        let address = lines.find_map(|line| line.strip_prefix(LISTENS)?.parse().ok());
        let address = address.unwrap_or_else(|| panic!("the process ended"));
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    pub(super) fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Returns true if it stands still after SIGSTOP.
    pub(super) fn is_stopped(&self) -> bool {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T'))
    }

    /// Lets it go on.
    pub(super) fn resume(&self) {
        signal("CONT", self.child.id());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The first message of a conversation.
pub(super) const SAYS: &str = "c30 s t3 t2 q";

/// Sends the request of a client that has seen a part of a run to a process, and gives its answer to `add`, until that ends.
pub(super) async fn go_on(
    address: SocketAddr,
    thread: &str,
    input: &Value,
    session: &Seen,
    mut add: impl FnMut(&str),
) {
    let request = match session.last_id() {
        // A client that got no answer sends its request again.
        None => Request::run(GOES_ON, input.to_string()),
        Some(cursor) => Request::run(&format!("{GOES_ON}/connect"), ask::connect(thread).to_string())
            .header("last-event-id", cursor),
    };
    let Some(mut answer) = request.open_if_alive(address).await else { return };
    assert!([200, 204, 503].contains(&answer.status), "{thread} was refused with {}", answer.status);
    while let Piece::Bytes(bytes) = answer.next().await {
        if answer.status == 200 {
            add(std::str::from_utf8(&bytes).unwrap());
        }
    }
}

/// Judges a conversation of three runs that all went on to their ends. Returns it, and the number of calls that ran again.
pub(super) async fn judge(
    log: &dyn ThreadLog,
    thread: &str,
    effects: &Path,
    seen: &[Seen],
) -> (Conversation, usize) {
    let key = ThreadKey::new("", GOES_ON, thread);
    let page = log.read(&key, 0, usize::MAX).await.unwrap();
    let whole = Conversation::read(&page.records).unwrap_or_else(|error| panic!("{thread}: {error}"));
    whole.has_ended().unwrap();
    whole.goes_on().unwrap();
    assert_eq!((whole.succeeded.len(), whole.lost.len()), (3, 0), "{thread}: {:?}", whole.runs);
    for seen in seen {
        seen.is_part_of(&whole).unwrap_or_else(|error| panic!("{thread}: {error}\n{}", seen.text));
    }
    assert_eq!(
        whole.consumed.values().collect::<Vec<_>>(),
        ["r2"],
        "{thread}: the runs that used answers up"
    );
    let again = Ledger::read(effects).of(thread).judge(std::slice::from_ref(&whole));
    (whole, again)
}
