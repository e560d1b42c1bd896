//! A server that knows how much memory it holds: `GET /live` answers with the bytes that are allocated and not freed. The
//! system's figure of a process also includes freed memory that its allocator keeps. `GET /counted/{name}` answers with a
//! metric, and sets it back to zero; `GET /tasks` with the number of tasks. At `/kept` it stores threads for a second; at `/` it stores
//! them in the place that `COUNTED_STORE` names: `memory`, or a file.

use std::alloc::System;
use std::time::Duration;

use agui_runtime::http::ThreadOptions;
use agui_runtime::manifest::AgentSource;
use agui_runtime::thread::{Memory, Sqlite};
use agui_runtime::{Agent, Error, FinishedRun, Input, Run, Server, Stop};
use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;
use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use metrics_util::debugging::{DebugValue, DebuggingRecorder, Snapshotter};
use serde_json::Value;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

struct Target;

impl Agent for Target {
    type State = ();
    type Request = ();
    type Output = Value;

    async fn run<'r>(
        &self,
        run: &'r mut Run<Self>,
        input: Input<Self>,
    ) -> Result<FinishedRun<'r, Value>, Stop> {
        let result = match input.user_text().as_deref() {
            Some("wait") => std::future::pending().await,
            Some("flood") => {
                let mut text = run.message().await;
                loop {
                    text.push("water ").await;
                }
            }
            Some("talk") => {
                let mut text = run.message().await;
                for number in 0..50 {
                    tokio::time::sleep(Duration::from_millis(2)).await;
                    text.push(format!("{number} ")).await;
                }
                text.end();
                Value::Null
            }
            Some("echo") => serde_json::to_value(&*input)?,
            _ => Value::Null,
        };
        run.say("Welcome!").await;
        Ok(run.finish(result))
    }

    fn source() -> AgentSource {
        AgentSource {
            description: "Is attacked",
            version: "1.0.0",
            rust_path: std::any::type_name::<Self>(),
            ..AgentSource::new("target")
        }
    }
}

/// Keeps counters and gauges. The recorder in it keeps every value of a histogram, which would look like memory that the server
/// does not give back.
struct Counts(DebuggingRecorder);

impl Recorder for Counts {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, metadata: &Metadata<'_>) -> Counter {
        self.0.register_counter(key, metadata)
    }

    fn register_gauge(&self, key: &Key, metadata: &Metadata<'_>) -> Gauge {
        self.0.register_gauge(key, metadata)
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

async fn live() -> String {
    let stats = COUNTED.stats();
    stats.bytes_allocated.saturating_sub(stats.bytes_deallocated).to_string()
}

async fn tasks() -> String {
    tokio::runtime::Handle::current().metrics().num_alive_tasks().to_string()
}

/// The metrics are read all at once, because reading resets them.
async fn counted(State(metrics): State<Snapshotter>, Path(name): Path<String>) -> String {
    let all = metrics.snapshot().into_vec().into_iter();
    let counts = all.filter_map(|(key, _, _, value)| match value {
        DebugValue::Counter(count) if key.key().name() == name => Some(count as f64),
        DebugValue::Gauge(level) if key.key().name() == name => Some(level.into_inner()),
        _ => None,
    });
    counts.sum::<f64>().to_string()
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let recorder = Counts(DebuggingRecorder::new());
    let counts = Router::new().route("/counted/{name}", get(counted)).with_state(recorder.0.snapshotter());
    metrics::set_global_recorder(recorder).expect("there is no other recorder");
    let options = ThreadOptions::default().delete_after(Duration::from_secs(1));
    let kept = Server::new().agent("/", Target).threads(Memory::new()).thread_options(options).router()?;
    let routes = counts.route("/live", get(live)).route("/tasks", get(tasks)).nest("/kept", kept);
    let server = Server::new().websocket().agent("/", Target).routes(routes);
    let server = match std::env::var("COUNTED_STORE").ok().as_deref() {
        None => server,
        Some("memory") => server.threads(Memory::new()),
        Some(file) => server.threads(Sqlite::open(file).expect("a file for threads")),
    };
    server.serve().await
}
