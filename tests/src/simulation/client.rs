//! A client of one stream.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use futures::StreamExt;
use http::{Request, StatusCode};
use serde_json::Value;
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tower_service::Service;

use super::link::Process;
use super::node::{Node, Place};
use super::store::Store;
use crate::stored::Seen;

/// The kind of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RequestKind {
    /// A run of its own.
    Run,
    /// The run of a request that was sent before.
    Again,
    /// A run with the id of another, which says something else.
    Otherwise,
    /// The answer to a question, under the id of the run that asked.
    Reused,
    /// The events after those that the client saw before it lost its connection.
    Rest,
    /// The answer to a question that may be answered already.
    Answer,
    /// A run that continues an earlier one.
    Branch,
    /// The conversation, and the events that follow.
    Connect,
    /// The same without an end.
    Follow,
    /// The end of a run.
    Stop,
    /// That a thread is gone.
    Delete,
    /// One more member in a thread's metadata.
    Change,
}

/// A request of a client.
pub(super) struct Asked {
    pub(super) kind: RequestKind,
    pub(super) place: Place,
    pub(super) request: Request<Body>,
    /// The events that the client saw before.
    pub(super) before: Option<Seen>,
    pub(super) has_prelude: bool,
    /// Its input, if it is a legacy client.
    pub(super) legacy: Option<Value>,
}

/// A client, and the text that it has received.
pub(super) struct Client {
    pub(super) kind: RequestKind,
    pub(super) place: Place,
    pub(super) node: Node,
    before: Option<Seen>,
    pub(super) legacy: Option<Value>,
    seen: Arc<Mutex<Seen>>,
    status: Arc<Mutex<Option<StatusCode>>>,
    pub(super) task: JoinHandle<()>,
    /// True once the task was waited for.
    pub(super) is_read: bool,
    /// The member that a change adds.
    pub(super) fact: Option<String>,
}

impl Client {
    /// Sends a request, and reads its answer.
    pub(super) fn send(store: &Arc<Store>, node: Node, asked: Asked) -> Self {
        let Asked { kind, place, request, before, has_prelude, legacy } = asked;
        let seen = Arc::new(Mutex::new(Seen { has_prelude, text: String::new() }));
        let status = Arc::new(Mutex::new(None));
        let (store, reader, text, answered) =
            (Arc::clone(store), node.clone(), Arc::clone(&seen), Arc::clone(&status));
        let task = tokio::spawn(async move {
            let health = Arc::clone(&reader.health);
            tokio::select! {
                biased;
                () = health.until(Process::Dead) => {}
                () = read(&store, reader, (kind, place), request, &text, &answered) => {}
            }
        });
        Self { kind, place, node, before, legacy, seen, status, task, is_read: false, fact: None }
    }

    /// Returns what the client saw from this answer.
    pub(super) fn seen(&self) -> Seen {
        self.seen.lock().unwrap().clone()
    }

    /// Returns what the client saw in all, over its lost connections.
    pub(super) fn seen_in_all(&self) -> Seen {
        let seen = self.seen();
        self.before.as_ref().map_or_else(|| seen.clone(), |before| before.and(&seen))
    }

    pub(super) fn status(&self) -> Option<StatusCode> {
        *self.status.lock().unwrap()
    }
}

async fn read(
    store: &Store,
    mut node: Node,
    (kind, place): (RequestKind, Place),
    request: Request<Body>,
    seen: &Mutex<Seen>,
    answered: &Mutex<Option<StatusCode>>,
) {
    let answer = node.router.call(request).await.unwrap();
    let status = answer.status();
    *answered.lock().unwrap() = Some(status);
    let is_stream = status == StatusCode::OK
        && !matches!(kind, RequestKind::Stop | RequestKind::Delete | RequestKind::Change);
    let mut body = answer.into_body().into_data_stream();
    let mut refused = String::new();
    while let Some(Ok(bytes)) = body.next().await {
        let text = std::str::from_utf8(&bytes).unwrap();
        if is_stream {
            seen.lock().unwrap().text.push_str(text);
        } else {
            refused.push_str(text);
        }
        if store.faults.slow && !store.is_calm() && store.random.one_in(3) {
            sleep(Duration::from_millis(store.random.below(700))).await;
        }
    }
    if !status.is_success() {
        super::judge::refusal(store, kind, place, status, &refused);
    }
}
