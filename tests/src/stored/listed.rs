//! Ten thousand threads in the list of one identity, on any engine: by the agent's route, and as CopilotKit's pages ask.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::prelude::*;
use agui_runtime::thread::{LogAppend, LogPosition, ThreadKey, ThreadLog};
use futures::{StreamExt, stream};
use serde_json::Value;
use tokio::time::timeout;

use super::Served;
use crate::http::Request;
use crate::identified::identified;

const THREADS: usize = 10_000;

/// Appends at once: engines that write for many callers in one go are as fast as they can be.
const WRITERS: usize = 64;

/// The time for one whole list, of a hundred requests.
const LIST_TIME: Duration = Duration::from_secs(60);

/// Says nothing.
#[agent]
async fn silent(_: &mut Run<Silent>, _: Input<Silent>) -> Result<(), Infallible> {
    Ok(())
}

/// Every thousandth thread is open, all others are archived.
const fn is_open(number: usize) -> bool {
    number % 1_000 == 7
}

fn id(number: usize) -> String {
    format!("{number:05}")
}

async fn write(log: &Arc<dyn ThreadLog>, number: usize) {
    let archived = if is_open(number) { "" } else { r#","description":{"archived":true}"# };
    let note = format!(r#"{{"born":1,"runs":[{{"id":"r","request":"x","first":1,"last":1}}]{archived}}}"#);
    let append = LogAppend {
        at: LogPosition::default(),
        epoch: 1,
        records: vec![r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#.into()],
        note: Some(note.into()),
        lease: None,
    };
    log.append(&ThreadKey::new("lister", "/", id(number)), append).await.unwrap();
}

/// A list, and the names of its members.
#[derive(Clone, Copy)]
struct Route {
    path: &'static str,
    id: &'static str,
    cursor: &'static str,
    next: &'static str,
}

const OWN: Route = Route { path: "/threads?", id: "threadId", cursor: "after", next: "next" };
const COPILOTKIT: Route = Route {
    path: "/api/copilotkit/threads?agentId=default&limit=100&",
    id: "id",
    cursor: "cursor",
    next: "nextCursor",
};

/// Pages through a list. Returns the ids in their order, and the number of pages.
async fn all(server: &Served, route: Route, query: &str) -> (Vec<String>, usize) {
    let (mut ids, mut after, mut pages) = (Vec::new(), String::new(), 0);
    let read = async {
        loop {
            let path = format!("{}{query}{after}", route.path);
            let page = Request::new("GET", &path).header("x-name", "lister").send(server.address).await;
            assert_eq!(page.status, 200, "{path}: {}", page.text());
            let page = page.json();
            pages += 1;
            let threads = page["threads"].as_array().unwrap();
            assert!(threads.len() <= 100, "{path}: {}", threads.len());
            ids.extend(threads.iter().map(|thread| thread[route.id].as_str().unwrap().to_owned()));
            let Some(next) = page[route.next].as_str() else { break };
            after = format!("&{}={next}", route.cursor);
        }
    };
    timeout(LIST_TIME, read).await.expect("the list takes too long");
    (ids, pages)
}

fn sorted(mut ids: Vec<String>) -> Vec<String> {
    ids.sort_unstable();
    ids
}

/// Lists ten thousand threads whole, and the ten among them that are not archived: a page is short rather than late, and no thread is
/// missed.
pub async fn among_ten_thousand_threads_the_ten_open_ones_are_found(log: Arc<dyn ThreadLog>) {
    stream::iter(0..THREADS).for_each_concurrent(WRITERS, |number| write(&log, number)).await;
    let log = crate::gated::Gated::open(log);
    let server = Server::new().threads(log).agent("/", Silent::new()).copilotkit("/api/copilotkit");
    let server = Served::start(identified(server)).await;
    let open: Vec<_> = (0..THREADS).filter(|number| is_open(*number)).map(id).collect();
    let every: Vec<_> = (0..THREADS).map(id).collect();
    for route in [OWN, COPILOTKIT] {
        let (found, pages) = all(&server, route, "").await;
        assert_eq!(sorted(found), open, "{}", route.path);
        assert!(
            (10..=12).contains(&pages),
            "{}, {pages} pages: each request reads a bounded number",
            route.path
        );
        let (found, pages) = all(&server, route, "includeArchived=true").await;
        assert_eq!(sorted(found), every, "{}", route.path);
        // After a full page there may be more.
        assert!((100..=101).contains(&pages), "{}, {pages} pages: each one is full", route.path);
    }
    let foreign = Request::new("GET", "/threads?includeArchived=true").header("x-name", "other");
    assert_eq!(foreign.send(server.address).await.json()["threads"], Value::Array(vec![]));
}
