//! Titles, archive marks and metadata of threads: the routes, and the list.

use std::future::ready;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use agui_runtime::thread::{LogError, Memory, ThreadLog};
use agui_tests::http::{Request, Whole};
use agui_tests::stored::file::two_on_sqlite;
use agui_tests::stored::{Gate, Gated, Op, Way, described, listed};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::thread_server::{
    Bells, Clerk, ThreadServer, asking, identified, is_legal, is_refused, request, result, types,
};

async fn server(log: &Memory) -> ThreadServer {
    let server = Server::new().threads(log.clone()).agent("/", Clerk::new(Bells::default()));
    ThreadServer::serve(identified(server)).await
}

async fn send(server: &ThreadServer, name: &str, method: &str, path: &str, body: &str) -> Whole {
    let request = Request::new(method, path).header("x-name", name);
    let request = match body {
        "" => request,
        body => request.header("content-type", "application/json").body(body),
    };
    request.send(server.address).await
}

async fn change(server: &ThreadServer, thread: &str, change: Value) -> Whole {
    send(server, "ada", "PATCH", &format!("/threads/{thread}"), &change.to_string()).await
}

async fn entry(server: &ThreadServer, thread: &str) -> Value {
    let entry = send(server, "ada", "GET", &format!("/threads/{thread}"), "").await;
    assert_eq!(entry.status, 200, "{}", entry.text());
    entry.json()
}

async fn run(server: &ThreadServer, thread: &str, run: &str, text: &str) -> Whole {
    let mut input = asking(run, text);
    input["threadId"] = json!(thread);
    request(&input).header("x-name", "ada").send(server.address).await
}

/// Pages through a list. Returns the ids and the number of pages.
async fn all(server: &ThreadServer, query: &str) -> (Vec<String>, usize) {
    let (mut ids, mut after, mut pages) = (Vec::new(), String::new(), 0);
    loop {
        let page = send(server, "ada", "GET", &format!("/threads?{query}{after}"), "").await.json();
        pages += 1;
        let threads = page["threads"].as_array().unwrap();
        ids.extend(threads.iter().map(|thread| thread["threadId"].as_str().unwrap().to_owned()));
        let Some(next) = page["next"].as_str() else { return (ids, pages) };
        after = format!("&after={next}");
    }
}

#[tokio::test]
async fn on_two_servers_in_memory() {
    let log: Arc<dyn ThreadLog> = Arc::new(Memory::new());
    described::all(|| [Arc::clone(&log), Arc::clone(&log)]).await;
}

#[tokio::test]
async fn on_two_servers_with_one_file() {
    let (_folder, logs) = two_on_sqlite();
    described::all(|| logs.clone()).await;
}

#[tokio::test]
async fn ten_thousand_threads_in_memory_are_listed() {
    listed::among_ten_thousand_threads_the_ten_open_ones_are_found(Arc::new(Memory::new())).await;
}

#[tokio::test]
async fn ten_thousand_threads_in_one_file_are_listed() {
    let (_folder, [log, _]) = two_on_sqlite();
    listed::among_ten_thousand_threads_the_ten_open_ones_are_found(log).await;
}

#[tokio::test]
async fn a_thread_has_a_title_an_archive_mark_metadata_and_a_last_message() {
    let server = server(&Memory::new()).await;
    run(&server, "t", "1", "hello").await;
    let plain = entry(&server, "t").await;
    assert_eq!(
        (&plain["title"], &plain["archived"], plain.get("metadata")),
        (&json!(null), &json!(false), None)
    );
    assert_eq!(
        (&plain["lastMessage"]["role"], &plain["lastMessage"]["text"]),
        (&json!("assistant"), &json!("Good day."))
    );
    assert!(plain["createdAt"].as_u64() <= plain["updatedAt"].as_u64() && plain["createdAt"] != 0, "{plain}");

    let named =
        change(&server, "t", json!({ "title": " Good day ", "metadata": { "a": 1, "b": { "c": [] } } }))
            .await;
    let named = named.json();
    assert_eq!(
        (&named["title"], &named["metadata"]),
        (&json!("Good day"), &json!({ "a": 1, "b": { "c": [] } }))
    );
    assert_eq!(named, entry(&server, "t").await);
    let merged =
        change(&server, "t", json!({ "metadata": { "a": null, "b": { "d": 2 } }, "archived": true })).await;
    assert_eq!(merged.json()["metadata"], json!({ "b": { "c": [], "d": 2 } }));
    assert_eq!((&merged.json()["title"], &merged.json()["archived"]), (&json!("Good day"), &json!(true)));
    for nothing in [json!(null), json!("")] {
        change(&server, "t", json!({ "title": "Again" })).await;
        assert_eq!(change(&server, "t", json!({ "title": nothing })).await.json()["title"], json!(null));
    }
    assert_eq!(change(&server, "t", json!({})).await.status, 200, "nothing changes");

    // A change moves no cursor, and the conversation goes on.
    let connect = request(&asking("2", "count")).header("x-name", "ada").send(server.address).await;
    is_legal(connect.text());
    assert_eq!(result(&connect)["messages"].as_array().unwrap().len(), 3);
    assert_eq!(entry(&server, "t").await["archived"], true, "a run is no reason to open an archived thread");
    // A question has no text: the user's stays.
    run(&server, "t", "3", "send  it\n now").await;
    let asked = entry(&server, "t").await;
    assert_eq!(
        (&asked["lastMessage"]["role"], &asked["lastMessage"]["text"]),
        (&json!("user"), &json!("send it now"))
    );
    assert_eq!(asked["openInterrupts"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_change_that_cannot_be_is_refused_with_its_name() {
    let server = server(&Memory::new()).await;
    run(&server, "t", "1", "hello").await;
    let long = "ü".repeat(201);
    for (wrong, path) in [
        (json!({ "titel": "Tea" }), "titel"),
        (json!({ "threadId": "u" }), "threadId"),
        (json!({ "title": 7 }), "title"),
        (json!({ "title": long }), "title"),
        (json!({ "title": "two\nlines" }), "title"),
        (json!({ "title": "\u{0}" }), "title"),
        (json!({ "archived": "true" }), "archived"),
        (json!({ "archived": null }), "archived"),
        (json!({ "metadata": null }), "metadata"),
        (json!({ "metadata": [] }), "metadata"),
        (json!({ "metadata": { "a": "x".repeat(4 * 1024) } }), "metadata"),
        (json!([]), "."),
        (json!("title"), "."),
    ] {
        let refused = change(&server, "t", wrong.clone()).await;
        is_refused(&refused, 400, "invalid_thread");
        assert_eq!(refused.json()["error"]["path"], path, "{wrong}");
    }
    for broken in ["{", "{\"title\":}", "\u{1}", "{} {}"] {
        let refused = send(&server, "ada", "PATCH", "/threads/t", broken).await;
        is_refused(&refused, 400, "invalid_json");
    }
    let large = change(&server, "t", json!({ "metadata": { "a": "x".repeat(40_000) } })).await;
    assert_eq!(large.status, 413, "{}", large.text());
    let form =
        Request::new("PATCH", "/threads/t").header("x-name", "ada").body("{}").send(server.address).await;
    is_refused(&form, 415, "unsupported_media_type");
    let deep =
        format!(r#"{{"metadata":{}{}}}"#, r#"{"a":"#.repeat(2_000), "1".to_owned() + &"}".repeat(2_000));
    is_refused(&send(&server, "ada", "PATCH", "/threads/t", &deep).await, 400, "invalid_json");
    // In the note the metadata lies deeper than in the request.
    for depth in [31, 32, 33, 124, 125, 126, 127, 128] {
        for (begin, end) in [(r#"{"a":"#, "}"), ("[", "]")] {
            let (begin, end) = (begin.repeat(depth - 1), end.repeat(depth - 1));
            let body = format!(r#"{{"metadata":{{"m":{begin}0{end}}}}}"#);
            let answer = send(&server, "ada", "PATCH", "/threads/t", &body).await;
            match (depth, answer.status) {
                (..=32, 200) => {}
                (33.., 400) => {
                    let error = &answer.json()["error"];
                    let is_unread = depth > 126 && error["code"] == "invalid_json";
                    assert!(
                        is_unread
                            || (&error["code"], &error["path"])
                                == (&json!("invalid_thread"), &json!("metadata")),
                        "{depth}: {error}"
                    );
                }
                (_, status) => panic!("{depth}: {status}"),
            }
            entry(&server, "t").await;
        }
    }
    change(&server, "t", json!({ "metadata": { "m": null } })).await;
    // Together they are too large, one by one they are not.
    for name in ["a", "b"] {
        let half = json!({ "metadata": { name: "x".repeat(2_100) } });
        assert_eq!(change(&server, "t", half).await.status, if name == "a" { 200 } else { 400 });
    }
    let kept = entry(&server, "t").await;
    assert_eq!((&kept["title"], kept["metadata"].as_object().unwrap().len()), (&json!(null), 1));
    assert_eq!(change(&server, "t", json!({ "title": "ü".repeat(200) })).await.status, 200);
}

#[tokio::test]
async fn a_thread_of_another_is_not_found_whatever_its_name() {
    let server = server(&Memory::new()).await;
    run(&server, "t", "1", "hello").await;
    for thread in ["t", "nothing", "a%2F..%2Fb", "..%2f", "%25", "%252F", "%E2%80%AE", &"x".repeat(10_000)] {
        for (method, body) in [("GET", ""), ("PATCH", r#"{"title":"Tea"}"#), ("DELETE", "")] {
            let answer = send(&server, "bob", method, &format!("/threads/{thread}"), body).await;
            is_refused(&answer, 404, "thread_not_found");
        }
    }
    for (method, body) in [("GET", ""), ("PATCH", "{}")] {
        is_refused(&send(&server, "ada", method, "/threads/%FF", body).await, 400, "invalid_thread_id");
        let anonymous =
            Request::new(method, "/threads/t").header("content-type", "application/json").body(body);
        is_refused(&anonymous.send(server.address).await, 404, "thread_not_found");
    }
    assert_eq!(entry(&server, "t").await["title"], json!(null));
    // The same characters name a thread that is there.
    for (thread, path) in [("a/../b", "a%2F..%2Fb"), ("100%", "100%25"), ("%2F", "%252F"), ("..", "%2E%2E")] {
        run(&server, thread, "1", "hello").await;
        assert_eq!(change(&server, path, json!({ "title": thread })).await.json()["threadId"], thread);
        assert_eq!(entry(&server, path).await["title"], thread);
    }
}

#[tokio::test]
async fn a_list_has_no_archived_threads_unless_they_are_asked_for() {
    let log = Memory::new();
    let server = server(&log).await;
    for thread in 0..6 {
        run(&server, &thread.to_string(), "1", "hello").await;
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    for thread in ["1", "4", "5"] {
        change(&server, thread, json!({ "archived": true })).await;
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    // A change is a change: the last is the first.
    assert_eq!(all(&server, "includeArchived=true").await.0, ["5", "4", "1", "3", "2", "0"]);
    for query in ["", "limit=1", "limit=2", "limit=3", "includeArchived=false"] {
        assert_eq!(all(&server, query).await.0, ["3", "2", "0"], "{query}");
    }
    let first = send(&server, "ada", "GET", "/threads?limit=2", "").await.json();
    assert_eq!(first["threads"].as_array().unwrap().len(), 2, "a page is full, whatever is between");
}

/// The server that ran it is lost: the thread can be changed before and after another finds out.
#[test]
fn a_thread_whose_owner_is_lost_is_changed_and_its_last_message_is_known() {
    let (log, bells) = (Memory::new(), Bells::default());
    let serving = |log: &Memory| {
        let options = ThreadOptions::default().lease(Duration::from_secs(1));
        Server::new().threads(log.clone()).thread_options(options).agent("/", Clerk::new(bells.clone()))
    };
    let doomed = Runtime::new().unwrap();
    doomed.block_on(async {
        let server = ThreadServer::serve(serving(&log)).await;
        drop(server.waiting("1").await);
        std::mem::forget(server);
    });
    doomed.shutdown_background();
    Runtime::new().unwrap().block_on(async {
        let server = ThreadServer::serve(serving(&log)).await;
        let rename = |title: &str| {
            let body = json!({ "title": title }).to_string();
            Request::new("PATCH", "/threads/t").header("content-type", "application/json").body(body)
        };
        // Changes do not keep the run of the lost server alive: they wait for the end of its lease.
        for number in 0..30 {
            let changed = rename(&format!("Title {number}")).send(server.address).await;
            assert_eq!(changed.status, 200, "{}", changed.text());
            if changed.json()["running"] == false {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let entry = rename("Lost").send(server.address).await.json();
        assert_eq!((&entry["title"], &entry["running"]), (&json!("Lost"), &json!(false)));
        assert_eq!(
            (&entry["lastMessage"]["role"], &entry["lastMessage"]["text"]),
            (&json!("assistant"), &json!("waiting"))
        );
        let rest = server.connect(None).await;
        assert_eq!(types(rest.text()).split(' ').next_back(), Some("RUN_ERROR"));
        let next = server.run(&asking("2", "hello")).await;
        is_legal(next.text());
        assert_eq!(server.connect(None).await.status, 200);
    });
}

/// A store that loses the answer to every third append.
#[derive(Debug, Default)]
struct Forgetful(AtomicUsize);

impl Gate for Forgetful {
    fn enter<'a>(&'a self, _: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        ready(Ok(Way::Through)).boxed()
    }

    fn leave<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<(), LogError>> {
        let is_lost = matches!(op, Op::Append(..)) && self.0.fetch_add(1, Ordering::SeqCst) % 3 == 2;
        ready(if is_lost { Err(LogError::new("the answer is lost")) } else { Ok(()) }).boxed()
    }
}

/// Neither the changes nor the run know whether their appends took place.
#[tokio::test(flavor = "multi_thread")]
async fn changes_and_a_run_whose_acknowledgements_are_lost_keep_each_other() {
    let log = Memory::new();
    let open = async || {
        let gated = Gated::new(Arc::new(log.clone()), Arc::new(Forgetful::default()));
        let server = Server::new().threads(gated).agent("/", Clerk::new(Bells::default()));
        ThreadServer::serve(identified(server)).await
    };
    let (one, other) = (open().await, open().await);
    for thread in ["a", "b", "c"] {
        run(&one, thread, "1", "hello").await;
        let changes = async {
            for number in 0..20 {
                let title = json!(format!("Title {number}"));
                let changed =
                    change(&other, thread, json!({ "title": title, "metadata": { "n": number } })).await;
                assert_eq!((changed.status, &changed.json()["title"]), (200, &title), "{}", changed.text());
            }
        };
        let (answer, ()) = futures::join!(run(&one, thread, "2", "many"), changes);
        is_legal(answer.text());
        let entry = entry(&one, thread).await;
        assert_eq!((&entry["title"], &entry["metadata"]["n"]), (&json!("Title 19"), &json!(19)));
        assert_eq!(entry["running"], false);
        let connect = json!({ "threadId": thread, "runId": "c", "protocolVersion": "1.0", "messages": [] });
        let joined = Request::run("/connect", connect.to_string()).header("x-name", "ada");
        is_legal(joined.send(other.address).await.text());
    }
}
