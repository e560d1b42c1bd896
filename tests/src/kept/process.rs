//! A process with an agent, which is killed with SIGKILL at one of its writes and started again.
//!
//! A test binary runs itself: the test that calls [`serve`] is the process of the test that calls [`kill_at_every_write`].

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use agui_runtime::thread::{LogError, ThreadKey, ThreadLog};
use futures::FutureExt;
use futures::future::{BoxFuture, join_all, pending};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::time::{sleep, timeout};

use super::scribe::Steady;
use super::{Conversation, GOES_ON, Gate, Gated, Ledger, Op, Scribe, Seen, Way, ask};
use crate::http::{Piece, Request};

/// The orders of a process, in JSON.
const ORDERS: &str = "AGUI_KEPT_PROCESS";

/// The beginning of the line with which it says its address.
const LISTENS: &str = "listens at ";

/// The number of writes whose processes are killed at once.
const AT_ONCE: usize = 4;

const LIMIT: Duration = Duration::from_secs(60);

/// A temporary folder.
#[derive(Debug)]
pub struct Folder(pub PathBuf);

impl Folder {
    /// Makes a folder.
    #[must_use]
    pub fn new(name: &str) -> Self {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("agui-killed-{name}-{}-{number}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A rest stays in the system's folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Counts the writes of one thread, and kills the process at one of them.
#[derive(Debug)]
struct Killer {
    thread: String,
    /// The number of the write, and whether the store has it.
    at: Option<(usize, bool)>,
    writes: AtomicUsize,
    entered: AtomicUsize,
}

impl Killer {
    fn is_write(&self, op: Op<'_>) -> bool {
        matches!(op, Op::Append(key, _) if key.thread() == self.thread)
    }

    /// Ends this process without another step.
    async fn kill<T>(&self) -> T {
        drop(Command::new("kill").args(["-KILL", &process::id().to_string()]).status());
        pending().await
    }
}

impl Gate for Killer {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        async move {
            if self.is_write(op) && self.at == Some((self.entered.fetch_add(1, Ordering::SeqCst), false)) {
                self.kill::<()>().await;
            }
            Ok(Way::Through)
        }
        .boxed()
    }

    fn leave<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<(), LogError>> {
        async move {
            if self.is_write(op) && self.at == Some((self.writes.fetch_add(1, Ordering::SeqCst), true)) {
                self.kill::<()>().await;
            }
            Ok(())
        }
        .boxed()
    }
}

/// Serves an agent until the process is killed; does nothing in a process without orders.
pub fn serve(open: impl Fn(&str) -> Arc<dyn ThreadLog>) {
    let Ok(orders) = env::var(ORDERS) else { return };
    let orders: Value = serde_json::from_str(&orders).unwrap();
    let text = |name: &str| orders[name].as_str().unwrap().to_owned();
    let at = orders["write"].as_u64().map(|write| (write as usize, orders["after"] == true));
    let killer =
        Killer { thread: text("thread"), at, writes: AtomicUsize::new(0), entered: AtomicUsize::new(0) };
    let ledger = Arc::new(Ledger::in_file(text("effects").into()));
    let log = Gated::new(open(&text("store")), Arc::new(killer));
    Runtime::new().unwrap().block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        eprintln!("{LISTENS}{}", listener.local_addr().unwrap());
        let options = ThreadOptions::default().lease(Duration::from_secs(1));
        let scribe = Scribe::<true>::new(ledger, Arc::new(Steady));
        let server = Server::new().threads(log).thread_options(options).agent(GOES_ON, scribe);
        server.serve_on(listener, pending()).await.unwrap();
    });
}

/// A process that serves.
struct Process {
    child: Child,
    address: SocketAddr,
}

impl Process {
    fn start(test: &str, orders: &Value) -> Self {
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

    fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One conversation with a process that is killed.
struct Case<'c> {
    test: &'c str,
    store: String,
    thread: String,
    effects: PathBuf,
    process: Process,
    kills: usize,
}

impl Case<'_> {
    fn orders(store: &str, thread: &str, effects: &Path) -> Value {
        json!({ "store": store, "thread": thread, "effects": effects })
    }

    /// Starts the process again once it has ended.
    fn revive(&mut self) {
        if self.process.has_ended() {
            self.kills += 1;
            self.process = Process::start(self.test, &Self::orders(&self.store, &self.thread, &self.effects));
        }
    }

    /// Sends a request, and adds what its answer says. Returns the status of one that was answered.
    async fn read(&self, path: &str, input: &Value, cursor: Option<&str>, seen: &mut Seen) -> Option<u16> {
        let mut request = Request::run(path, input.to_string());
        if let Some(cursor) = cursor {
            request = request.header("last-event-id", cursor);
        }
        let mut answer = request.open_if_alive(self.process.address).await?;
        while let Piece::Bytes(bytes) = answer.next().await {
            if answer.status == 200 {
                seen.text.push_str(&String::from_utf8(bytes).unwrap());
            }
        }
        Some(answer.status)
    }

    /// Starts a run, and follows it to its end over all processes.
    async fn follow(&mut self, input: &Value) -> Seen {
        let mut session = Seen::default();
        loop {
            let mut seen = Seen::default();
            let status = match session.last_id() {
                None => self.read(GOES_ON, input, None, &mut seen).await,
                Some(cursor) => {
                    let path = format!("{GOES_ON}/connect");
                    self.read(&path, &ask::connect(&self.thread), Some(cursor), &mut seen).await
                }
            };
            assert!(
                status.is_none_or(|status| [200, 204, 503].contains(&status)),
                "{} was refused with {status:?}",
                self.thread
            );
            session = session.and(&seen);
            if session.has_end() {
                return session;
            }
            sleep(Duration::from_millis(20)).await;
            self.revive();
        }
    }

    /// Talks, and returns what the client saw.
    async fn talk(&mut self) -> Vec<Seen> {
        let thread = self.thread.clone();
        let asked = self.follow(&ask::run(&thread, "r1", "s t3 c5 t2 q")).await;
        let question = asked.question().unwrap_or_else(|| panic!("no question: {}", asked.text));
        let answered = self.follow(&ask::answer(&thread, "r2", &question)).await;
        vec![asked, answered, self.follow(&ask::run(&thread, "r3", "t1")).await]
    }
}

/// Holds a conversation with a process that is killed at a write. Returns the number of kills, and of calls that ran again.
async fn converse(
    test: &str,
    store: String,
    log: Arc<dyn ThreadLog>,
    at: Option<(usize, bool)>,
) -> [usize; 2] {
    let folder = Folder::new("effects");
    let effects = folder.0.join("effects");
    let thread = format!("{at:?}");
    let mut orders = Case::orders(&store, &thread, &effects);
    if let Some((write, after)) = at {
        orders["write"] = write.into();
        orders["after"] = after.into();
    }
    let process = Process::start(test, &orders);
    let mut case = Case { test, store, thread, effects, process, kills: 0 };
    let seen = timeout(LIMIT, case.talk()).await.unwrap_or_else(|_| panic!("{at:?} hangs"));
    let key = ThreadKey::new("", GOES_ON, &*case.thread);
    let page = log.read(&key, 0, usize::MAX).await.unwrap();
    let whole = Conversation::read(&page.records).unwrap_or_else(|error| panic!("{at:?}: {error}"));
    whole.has_ended().unwrap();
    whole.goes_on().unwrap();
    assert_eq!((whole.succeeded.len(), whole.lost.len()), (3, 0), "{at:?}: {:?}", whole.runs);
    for seen in &seen {
        seen.is_part_of(&whole).unwrap_or_else(|error| panic!("{at:?}: {error}\n{}", seen.text));
    }
    [case.kills, Ledger::read(&case.effects).judge(&[whole])]
}

/// Kills a process at each write of a conversation, before the store has it and after. Returns the counts as text.
pub fn kill_at_every_write(
    test: &str,
    stores: impl Iterator<Item = String>,
    open: impl Fn(&str) -> Arc<dyn ThreadLog>,
) -> String {
    let runtime = Runtime::new().unwrap();
    let mut stores = stores;
    let (mut kills, mut again, mut write) = (0, 0, 0);
    // The writes after the last one kill nothing.
    loop {
        let faults = (write..write + AT_ONCE).flat_map(|write| [(write, false), (write, true)]);
        let cases = faults.map(|at| {
            let store = stores.next().unwrap();
            let log = open(&store);
            converse(test, store, log, Some(at))
        });
        let cases: Vec<_> = cases.collect();
        let judged = runtime.block_on(join_all(cases));
        kills += judged.iter().map(|[kills, _]| kills).sum::<usize>();
        again += judged.iter().map(|[_, again]| again).sum::<usize>();
        if judged.iter().rev().take(2).all(|[kills, _]| *kills == 0) {
            break;
        }
        write += AT_ONCE;
    }
    assert!(kills >= 12 && again > 0, "{kills} kills, {again} calls ran again");
    format!("{kills} kills at as many writes, {again} calls ran again")
}
