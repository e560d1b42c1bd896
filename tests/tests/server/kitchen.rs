//! An agent that follows the last message, and a server around it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agui_runtime::manifest::AgentSource;
use agui_runtime::{Agent, Error, FinishedRun, Input, Run, Server, Stop};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::JoinHandle;

/// The agent's reports about its runs to the test.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Report {
    /// A run that waited was dropped.
    Dropped,
}

/// Ids differ between runs, so this agent sends only texts that its test expects word by word.
pub(crate) struct Cook {
    name: &'static str,
    /// Lets waiting runs go on.
    pub(crate) bell: Arc<Notify>,
    reports: mpsc::UnboundedSender<Report>,
    /// The number of runs that were started.
    pub(crate) runs: Arc<AtomicUsize>,
}

struct Guard(Option<mpsc::UnboundedSender<Report>>);

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(reports) = self.0.take() {
            reports.send(Report::Dropped).ok();
        }
    }
}

impl Cook {
    pub(crate) fn new() -> (Self, mpsc::UnboundedReceiver<Report>) {
        let (reports, receiver) = mpsc::unbounded_channel();
        (Self { name: "cook", bell: Arc::default(), reports, runs: Arc::default() }, receiver)
    }

    /// Answers `who` with its name.
    pub(crate) fn named(name: &'static str) -> Self {
        Self { name, ..Self::new().0 }
    }
}

impl Agent for Cook {
    type State = ();
    type Request = ();
    type Output = Value;

    async fn run<'r>(
        &self,
        run: &'r mut Run<Self>,
        input: Input<Self>,
    ) -> Result<FinishedRun<'r, Value>, Stop> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        let result = match input.user_text().as_deref().unwrap_or_default() {
            "who" => json!(self.name),
            "input" => serde_json::to_value(&*input)?,
            "hello" => {
                let mut text = run.message().await;
                text.push("Hello ").await;
                text.push("naïve 🦀\u{2028}\n").await;
                text.end();
                Value::Null
            }
            "too long" => {
                run.say("x".repeat(11 << 20)).await;
                Value::Null
            }
            "two at once" => {
                let mut first = run.message().await;
                let mut second = run.message().await;
                second.push("second").await;
                first.push("first").await;
                first.end();
                second.end();
                Value::Null
            }
            "many" => {
                let mut text = run.message().await;
                for number in 0..2000 {
                    text.push(format!("{number} ")).await;
                }
                text.end();
                Value::Null
            }
            "wait" => {
                let mut text = run.message().await;
                text.push("waiting").await;
                let mut guard = Guard(Some(self.reports.clone()));
                self.bell.notified().await;
                guard.0 = None;
                text.push(" is over").await;
                text.end();
                Value::Null
            }
            "endless" => {
                let _guard = Guard(Some(self.reports.clone()));
                let mut text = run.message().await;
                let piece = "x".repeat(4096);
                loop {
                    text.push(piece.as_str()).await;
                    // Only the reader's room stops it, and its runtime has others to serve.
                    tokio::task::yield_now().await;
                }
            }
            "fail" => return Err(Stop::error("no flour").with_code("OUT_OF_STOCK")),
            "panic" => panic!("deliberate"),
            "cancel" => return Err(Stop::cancelled()),
            other => return Err(Stop::error(format!("what is `{other}`?"))),
        };
        Ok(run.finish(result))
    }

    fn source() -> AgentSource {
        AgentSource {
            description: "Does what it is told",
            version: "1.2.3",
            rust_path: "kitchen::Cook",
            ..AgentSource::new("cook")
        }
    }
}

/// A server on a port of its own.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<Result<(), Error>>,
}

impl Served {
    pub(crate) async fn start(server: Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(server.serve_on(listener, async {
            // A test that ends early takes its server with it.
            if stopped.await.is_err() {
                std::future::pending::<()>().await;
            }
        }));
        Self { address, stop: Some(stop), task }
    }

    /// One cook at `/`, whose errors clients do not see, as in a release build.
    pub(crate) async fn cook() -> Self {
        // The cook repeats the answers it understood, also to questions that it never asked.
        let server = Server::new().agent("/", Cook::new().0);
        Self::start(server.unsigned_interrupts(true).reveal_errors(false)).await
    }

    /// Asks the server to end.
    pub(crate) fn stop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }

    /// Waits until it has ended.
    pub(crate) async fn ended(self) -> Result<(), Error> {
        self.task.await.unwrap()
    }
}

/// An input whose only message says `text`.
pub(crate) fn asking(text: &str) -> Value {
    json!({
        "threadId": "t-1",
        "runId": "r-1",
        "protocolVersion": "1.0",
        "messages": [{ "id": "u-1", "role": "user", "content": text }],
    })
}

/// The same from a legacy client.
pub(crate) fn asking_as_before(text: &str) -> Value {
    let mut input = asking(text);
    input.as_object_mut().unwrap().remove("protocolVersion");
    input
}
