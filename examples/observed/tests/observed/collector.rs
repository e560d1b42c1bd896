//! A collector of traces: OTLP over HTTP, as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::post;
use serde_json::Value;
use tokio::net::TcpListener;

/// The kinds of spans in OTLP.
pub(crate) const SERVER: i64 = 2;
pub(crate) const CLIENT: i64 = 3;

/// A span that was exported.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) trace: String,
    pub(crate) id: String,
    pub(crate) parent: String,
    pub(crate) name: String,
    pub(crate) kind: i64,
    /// Nanoseconds since 1970.
    pub(crate) begin: u64,
    pub(crate) end: u64,
    pub(crate) is_error: bool,
    pub(crate) attributes: BTreeMap<String, String>,
}

type Spans = Arc<Mutex<Vec<Span>>>;

pub(crate) struct Collector {
    pub(crate) url: String,
    spans: Spans,
}

impl Collector {
    pub(crate) async fn start() -> Self {
        let spans = Spans::default();
        let app = Router::new().route("/v1/traces", post(take)).with_state(Arc::clone(&spans));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { url, spans }
    }

    pub(crate) fn spans(&self) -> Vec<Span> {
        self.spans.lock().unwrap().clone()
    }
}

async fn take(State(spans): State<Spans>, body: Bytes) -> &'static str {
    let batch: Value = serde_json::from_slice(&body).unwrap();
    for resource in batch["resourceSpans"].as_array().unwrap() {
        for scope in resource["scopeSpans"].as_array().unwrap() {
            spans.lock().unwrap().extend(scope["spans"].as_array().unwrap().iter().map(read));
        }
    }
    "{}"
}

fn read(span: &Value) -> Span {
    let text = |name: &str| span[name].as_str().unwrap_or_default().to_owned();
    let attributes = span["attributes"].as_array().into_iter().flatten().map(|attribute| {
        let value = attribute["value"].as_object().and_then(|value| value.values().next()).unwrap();
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        (attribute["key"].as_str().unwrap().to_owned(), value)
    });
    Span {
        trace: text("traceId"),
        id: text("spanId"),
        parent: text("parentSpanId"),
        name: text("name"),
        kind: span["kind"].as_i64().unwrap(),
        begin: text("startTimeUnixNano").parse().unwrap(),
        end: text("endTimeUnixNano").parse().unwrap(),
        is_error: span["status"]["code"] == 2,
        attributes: attributes.collect(),
    }
}

/// Returns the spans below a parent with their depth, those that began first first.
pub(crate) fn below(spans: &[Span], parent: &str, depth: usize) -> Vec<(usize, Span)> {
    let mut children: Vec<_> = spans.iter().filter(|span| span.parent == parent).collect();
    // Calls of one turn begin together.
    children.sort_by_key(|span| (span.begin / 5_000_000, span.name.clone()));
    let with_their_own = |span: &Span| {
        let own = below(spans, &span.id, depth + 1);
        [vec![(depth, span.clone())], own].concat()
    };
    children.into_iter().flat_map(with_their_own).collect()
}

/// Returns the names of the spans, each below its parent.
pub(crate) fn tree(spans: &[Span], root: &str) -> String {
    let mut drawn = String::new();
    for (depth, span) in below(spans, root, 0) {
        writeln!(drawn, "{}{}", "  ".repeat(depth), span.name).unwrap();
    }
    drawn
}
