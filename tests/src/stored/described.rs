//! Titles, archive marks and metadata of threads on two servers of one store, on any engine.

use std::sync::Arc;
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::prelude::*;
use agui_runtime::thread::{LogAppend, LogPosition, ThreadKey, ThreadLog};
use futures::future::join_all;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::time::sleep;

use super::Served;
use crate::http::{Request, Whole};

/// Counts up to the number that the user names, a word every five milliseconds.
#[agent]
async fn counter(run: &mut Run<Counter>, input: Input<Counter>) -> Result<(), Stop> {
    let most: u32 = input.user_text().unwrap_or_default().parse().unwrap_or(1);
    let mut text = run.message().await;
    for number in 1..=most {
        text.push(format!("{number} ")).await;
        sleep(Duration::from_millis(5)).await;
    }
    text.end();
    Ok(())
}

/// The note as a version before titles knew it. Members that it does not know are kept.
#[derive(Serialize, Deserialize)]
struct OlderNote {
    born: u64,
    runs: Vec<Value>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// Two servers of one store.
pub struct TwoServers {
    logs: [Arc<dyn ThreadLog>; 2],
    servers: [Served; 2],
}

impl TwoServers {
    pub async fn start(logs: [Arc<dyn ThreadLog>; 2]) -> Self {
        let start = async |log: &Arc<dyn ThreadLog>| {
            let log = crate::gated::Gated::open(Arc::clone(log));
            Served::start(Server::new().threads(log).agent("/", Counter::new())).await
        };
        let servers = [start(&logs[0]).await, start(&logs[1]).await];
        Self { logs, servers }
    }

    async fn send(&self, server: usize, request: Request) -> Whole {
        request.send(self.servers[server].address).await
    }

    pub async fn run(&self, server: usize, thread: &str, run: &str, most: u32) -> Whole {
        let input = json!({
            "threadId": thread, "runId": run, "protocolVersion": "1.0",
            "messages": [{ "id": format!("u-{run}"), "role": "user", "content": most.to_string() }],
        });
        self.send(server, Request::run("/", input.to_string())).await
    }

    pub async fn change(&self, server: usize, thread: &str, change: &Value) -> Whole {
        let request = Request::new("PATCH", &format!("/threads/{thread}"));
        self.send(server, request.header("content-type", "application/json").body(change.to_string())).await
    }

    pub async fn entry(&self, server: usize, thread: &str) -> Value {
        let entry = self.send(server, Request::new("GET", &format!("/threads/{thread}"))).await;
        assert_eq!(entry.status, 200, "{}", entry.text());
        entry.json()
    }
}

/// A version that knows no titles writes a thread; after a change, that version writes again.
pub async fn an_older_version_keeps_what_it_does_not_know(logs: [Arc<dyn ThreadLog>; 2]) {
    let two = TwoServers::start(logs).await;
    let (log, key) = (&two.logs[0], ThreadKey::new("", "/", "older"));
    let run = |run: &str, user: &str| {
        [
            format!(r#"{{"control":"claimed","run":"{run}","nonce":"n-{run}"}}"#),
            format!(
                r#"{{"type":"RUN_STARTED","threadId":"older","runId":"{run}","input":{{"threadId":"older","runId":"{run}","messages":[{{"id":"{user}","role":"user","content":"7"}}],"tools":[],"context":[]}}}}"#
            ),
            format!(r#"{{"type":"RUN_FINISHED","threadId":"older","runId":"{run}"}}"#),
        ]
    };
    let written = async |at: LogPosition, epoch: u64, records: [String; 3], note: &OlderNote| {
        let records = records.into_iter().map(Into::into).collect();
        let note = Some(serde_json::to_vec(note).unwrap().into());
        log.append(&key, LogAppend { at, epoch, records, note, lease: None }).await.unwrap()
    };
    let noted = |id: &str, first: u64| json!({ "id": id, "request": "x", "first": first, "last": first + 2 });
    let first = OlderNote { born: 1 << 20, runs: vec![noted("r1", 1)], rest: Map::new() };
    written(LogPosition::default(), 1 << 20, run("r1", "u-1"), &first).await;
    let entry = two.entry(1, "older").await;
    assert_eq!(
        (&entry["title"], &entry["archived"], entry.get("metadata"), &entry["lastMessage"]),
        (&json!(null), &json!(false), None, &json!(null))
    );
    let change = json!({ "title": "Tea", "archived": true, "metadata": { "colour": "red" } });
    let changed = two.change(1, "older", &change).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    let head = log.head(&key).await.unwrap();
    assert_eq!(head.at.seq, 3, "a change at rest is no record");

    // The older version runs once more, with the note that it can read.
    let mut older: OlderNote = serde_json::from_slice(&head.note).unwrap();
    older.runs.push(noted("r2", 4));
    written(head.at, head.at.epoch + 1, run("r2", "u-2"), &older).await;
    for server in [0, 1] {
        let entry = two.entry(server, "older").await;
        assert_eq!(
            (&entry["title"], &entry["archived"], &entry["metadata"]),
            (&change["title"], &change["archived"], &change["metadata"])
        );
    }
    // And a version that knows titles.
    let run = two.run(0, "older", "r3", 2).await;
    assert_eq!(run.status, 200, "{}", run.text());
    let entry = two.entry(1, "older").await;
    assert_eq!((&entry["title"], &entry["lastMessage"]["text"]), (&json!("Tea"), &json!("1 2")));
}

/// Many changes at once, on both servers: each one counts.
pub async fn of_changes_at_once_all_count(logs: [Arc<dyn ThreadLog>; 2]) {
    const CHANGES: usize = 12;
    let two = TwoServers::start(logs).await;
    two.run(0, "at-once", "r", 1).await;
    let changes = (0..CHANGES).map(|number| {
        let change = json!({ "metadata": { number.to_string(): number } });
        let two = &two;
        async move { two.change(number % 2, "at-once", &change).await.status }
    });
    assert_eq!(join_all(changes).await, [200; CHANGES]);
    let entry = two.entry(0, "at-once").await;
    assert_eq!(entry["metadata"].as_object().unwrap().len(), CHANGES, "{entry}");
}

/// Changes by the other server before, during and at the end of a run: the run's owner keeps them, and its client sees nothing.
pub async fn a_change_during_a_run_stays(logs: [Arc<dyn ThreadLog>; 2]) {
    let two = TwoServers::start(logs).await;
    for thread in 0..8_u64 {
        let name = format!("during-{thread}");
        two.run(0, &name, "r1", 1).await;
        let changes = async {
            // A run of 20 words takes 100 ms: the last changes meet its end.
            for number in 0..12 {
                sleep(Duration::from_millis(8 + thread)).await;
                let change = json!({ "title": format!("Title {number}"), "metadata": { "number": number } });
                let changed = two.change(1, &name, &change).await;
                assert_eq!((changed.status, &changed.json()["title"]), (200, &change["title"]));
            }
        };
        let (run, ()) = futures::join!(two.run(0, &name, "r2", 20), changes);
        assert!(run.text().contains("RUN_FINISHED") && !run.text().contains("Title"), "{}", run.text());
        for server in [0, 1] {
            let entry = two.entry(server, &name).await;
            assert_eq!(
                (&entry["title"], &entry["metadata"], &entry["running"]),
                (&json!("Title 11"), &json!({ "number": 11 }), &json!(false))
            );
            assert_eq!(entry["lastMessage"]["role"], "assistant");
            assert!(entry["lastMessage"]["text"].as_str().unwrap().ends_with("19 20"), "{entry}");
        }
        // The thread is whole: a client that joins reads it, and the next run begins.
        let next = two.run(1, &name, "r3", 1).await;
        assert!(next.text().contains("RUN_FINISHED"), "{}", next.text());
        assert_eq!(two.entry(0, &name).await["title"], "Title 11");
    }
}

/// All of them.
pub async fn all(logs: impl Fn() -> [Arc<dyn ThreadLog>; 2]) {
    an_older_version_keeps_what_it_does_not_know(logs()).await;
    of_changes_at_once_all_count(logs()).await;
    a_change_during_a_run_stays(logs()).await;
}
