//! Stopping runs; listing and deleting the threads of a caller.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agui_runtime::prelude::*;
use agui_runtime::thread::{LogAppend, LogError, LogPosition, Memory, ThreadKey, ThreadLog};
use agui_runtime::{Limits, Server};
use agui_tests::http::{Request, Whole};
use agui_tests::stored::{Gate, Gated, Op, Way};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::json;

use crate::thread_server;
use crate::thread_server::{
    Bells, Clerk, Person, ThreadServer, asking, connecting, is_legal, is_refused, request, types,
};

/// A server that takes the caller's word for its name.
async fn identified(bells: &Bells) -> ThreadServer {
    identified_on(Memory::new(), bells).await
}

async fn identified_on(log: Memory, bells: &Bells) -> ThreadServer {
    identified_within(Limits::default(), log, bells).await
}

async fn identified_within(limits: Limits, log: Memory, bells: &Bells) -> ThreadServer {
    let server = Server::new().threads(log).limits(limits).agent("/", Clerk::new(bells.clone()));
    ThreadServer::serve(thread_server::identified(server)).await
}

async fn list(server: &ThreadServer, name: &str, query: &str) -> Whole {
    Request::new("GET", &format!("/threads{query}")).header("x-name", name).send(server.address).await
}

#[tokio::test]
async fn a_stop_ends_the_run_wherever_it_is() {
    let bells = Bells::default();
    let log = Memory::new();
    let [one, other] = [ThreadServer::open(log.clone(), &bells).await, ThreadServer::open(log, &bells).await];
    let run = one.waiting("1").await;
    let stopped = Request::new("POST", "/stop/t").send(other.address).await;
    assert_eq!((stopped.status, stopped.json()), (200, json!({ "stopped": true })));
    let run = run.whole().await;
    assert!(run.text().contains(r#""outcome":{"type":"cancelled"}"#), "{}", run.text());
    let again = Request::new("POST", "/stop/t").send(other.address).await;
    assert_eq!(again.json(), json!({ "stopped": false }));
    is_legal(one.connect(None).await.text());
}

#[tokio::test]
async fn a_thread_of_another_is_not_found() {
    let bells = Bells::default();
    let server = identified(&bells).await;
    let of = |name: &str, request: Request| request.header("x-name", name);
    of("ada", request(&asking("1", "count"))).send(server.address).await;
    assert_eq!(of("bob", connecting(None)).send(server.address).await.status, 204);
    let delete = Request::new("DELETE", "/threads/t");
    is_refused(&of("bob", delete.clone()).send(server.address).await, 404, "thread_not_found");
    // The same id is another thread.
    let whole = of("bob", request(&asking("1", "hello"))).send(server.address).await;
    assert_eq!(crate::thread_server::result(&whole)["count"], 0);
    assert_eq!(list(&server, "ada", "").await.json()["threads"].as_array().unwrap().len(), 1);
    assert_eq!(of("ada", delete.clone()).send(server.address).await.status, 204);
    is_refused(&of("ada", delete).send(server.address).await, 404, "thread_not_found");
    assert_eq!(of("ada", connecting(None)).send(server.address).await.status, 204);
    assert_eq!(of("bob", connecting(None)).send(server.address).await.status, 200, "that of bob is there");
}

#[tokio::test]
async fn a_list_has_the_threads_of_the_caller_page_by_page() {
    let bells = Bells::default();
    let server = identified(&bells).await;
    for thread in ["one", "two", "three"] {
        let mut input = asking("r", if thread == "two" { "send it" } else { "hello" });
        input["threadId"] = json!(thread);
        request(&input).header("x-name", "ada").send(server.address).await;
        // Engines know the time to the millisecond.
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    let first = list(&server, "ada", "?limit=2").await.json();
    let ids = |page: &serde_json::Value| {
        let threads = page["threads"].as_array().unwrap().clone();
        threads.into_iter().map(|thread| thread["threadId"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&first), ["three", "two"], "the last changed first");
    assert_eq!(first["threads"][0]["running"], false);
    assert_eq!(first["threads"][0]["lastRunId"], "r");
    assert_eq!(first["threads"][0]["openInterrupts"], json!([]));
    assert_eq!(first["threads"][1]["openInterrupts"].as_array().unwrap().len(), 1);
    let next = first["next"].as_str().unwrap();
    let second = list(&server, "ada", &format!("?limit=2&after={next}")).await.json();
    assert_eq!((ids(&second), &second["next"]), (vec!["one".to_owned()], &json!(null)));
    assert_eq!(list(&server, "bob", "").await.json(), json!({ "threads": [] }));
    let unknown = Request::new("GET", "/threads").send(server.address).await;
    is_refused(&unknown, 403, "identity_needed");
    let odd = Request::new("DELETE", "/threads/%FF").send(server.address).await;
    is_refused(&odd, 400, "invalid_thread_id");
    is_refused(&list(&server, "ada", "?limit=many").await, 400, "invalid_limit");
    is_refused(&list(&server, "ada", "?after=%00").await, 400, "invalid_cursor");
}

/// A newer version may have written a note that this one cannot read.
#[tokio::test]
async fn a_list_names_a_thread_that_cannot_be_read_and_has_the_others() {
    let (bells, log) = (Bells::default(), Memory::new());
    let server = identified_on(log.clone(), &bells).await;
    request(&asking("1", "hello")).header("x-name", "ada").send(server.address).await;
    let odd = LogAppend {
        at: LogPosition::default(),
        epoch: 1,
        records: vec!["of another version".into()],
        note: Some("of another version".into()),
        lease: None,
    };
    log.append(&ThreadKey::new("ada", "/", "odd"), odd).await.unwrap();
    let listed = list(&server, "ada", "").await;
    assert_eq!(listed.status, 200, "{}", listed.text());
    let threads = listed.json()["threads"].as_array().unwrap().clone();
    let unreadable = |id: &str| {
        let thread = threads.iter().find(|thread| thread["threadId"] == id).unwrap();
        thread.get("unreadable").cloned()
    };
    assert_eq!((unreadable("odd"), unreadable("t")), (Some(json!(true)), None));
    let delete = Request::new("DELETE", "/threads/odd").header("x-name", "ada");
    assert_eq!(delete.send(server.address).await.status, 204, "it can be deleted");
}

/// A thread may be deleted and begun again within a millisecond: the appends of its last owner must not fit to it.
#[tokio::test]
async fn claims_at_one_time_have_epochs_of_their_own() {
    let log = Memory::new();
    let server = ThreadServer::open(log.clone(), &Bells::default()).await;
    let threads: Vec<_> = (0..64).map(|thread| thread.to_string()).collect();
    let runs = threads.iter().map(|thread| {
        let mut input = asking("1", "hello");
        input["threadId"] = json!(thread);
        let address = server.address;
        async move { request(&input).send(address).await }
    });
    futures::future::join_all(runs).await;
    let mut epochs = std::collections::HashSet::new();
    for thread in &threads {
        epochs.insert(log.head(&ThreadKey::new("", "/", thread)).await.unwrap().at.epoch);
    }
    assert_eq!(epochs.len(), threads.len());
}

#[tokio::test]
async fn deleting_a_thread_ends_its_run_and_cuts_its_readers() {
    let bells = Bells::default();
    let server = ThreadServer::open(Memory::new(), &bells).await;
    let run = server.waiting("1").await;
    assert_eq!(Request::new("DELETE", "/threads/t").send(server.address).await.status, 204);
    let run = run.whole().await;
    assert!(run.cut && !types(run.text()).contains("RUN_"), "{}", run.text());
    assert_eq!(server.connect(None).await.status, 204);
    assert_eq!(server.run(&asking("1", "hello")).await.status, 200);
}

/// Greets customers alone.
#[agent]
async fn host(run: &mut Run<Host>, _input: Input<Host>, #[request] _who: &Person) -> Result<(), Stop> {
    run.say("Welcome.").await;
    Ok(())
}

#[tokio::test]
async fn a_caller_that_may_not_run_the_agent_reads_no_thread() {
    let server = ThreadServer::serve(Server::new().threads(Memory::new()).agent("/", Host::new())).await;
    for request in [
        request(&asking("1", "hello")),
        connecting(None),
        Request::new("GET", "/threads/t/events"),
        Request::new("GET", "/threads"),
        Request::new("POST", "/stop/t"),
        Request::new("DELETE", "/threads/t"),
    ] {
        assert_eq!(request.send(server.address).await.status, 401, "{request:?}");
    }
}

/// A store that gives no notices.
#[derive(Debug)]
struct Silent;

impl Gate for Silent {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        async move {
            if matches!(op, Op::Changed) {
                std::future::pending::<()>().await;
            }
            Ok(Way::Through)
        }
        .boxed()
    }
}

#[tokio::test]
async fn a_run_whose_thread_was_deleted_is_not_read_in_the_next_one_of_that_name() {
    let (bells, log) = (Bells::default(), Memory::new());
    let unaware = ThreadServer::open(Gated::new(Arc::new(log.clone()), Arc::new(Silent)), &bells).await;
    let other = ThreadServer::open(log, &bells).await;
    let _waits = unaware.waiting("1").await;
    Request::new("DELETE", "/threads/t").send(other.address).await;
    let whole = other.run(&asking("2", "many")).await;
    // The same request on the server whose run still goes on.
    let again = unaware.run(&asking("2", "many")).await;
    assert_eq!(again.text(), whole.text());
}

/// A store whose reads wait.
#[derive(Debug, Default)]
struct Slow(AtomicBool);

impl Gate for Slow {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        let is_read = matches!(op, Op::Read);
        async move {
            while is_read && self.0.load(Ordering::SeqCst) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            Ok(Way::Through)
        }
        .boxed()
    }
}

#[tokio::test]
async fn a_reader_of_a_deleted_thread_reads_nothing_of_the_next_one_of_that_name() {
    let (bells, log, slow) = (Bells::default(), Memory::new(), Arc::new(Slow::default()));
    let writing = ThreadServer::open(log.clone(), &bells).await;
    let reading = ThreadServer::open(Gated::new(Arc::new(log), Arc::clone(&slow)), &bells).await;
    writing.run(&asking("1", "hello")).await;
    let mut follower = Request::new("GET", "/threads/t/events").open(reading.address).await;
    follower.until("RUN_FINISHED").await;
    slow.0.store(true, Ordering::SeqCst);
    Request::new("DELETE", "/threads/t").send(writing.address).await;
    for run in ["1", "2", "3"] {
        writing.run(&asking(run, "hello")).await;
    }
    slow.0.store(false, Ordering::SeqCst);
    let rest = follower.whole().await;
    assert!(rest.cut, "the client must connect again");
    assert_eq!(types(rest.text()), "");
}

#[tokio::test]
async fn a_server_that_ends_does_not_wait_for_clients_that_follow_a_thread() {
    let (bells, log) = (Bells::default(), Memory::new());
    let server = ThreadServer::open(log.clone(), &bells).await;
    let other = ThreadServer::open(log, &bells).await;
    server.run(&asking("1", "hello")).await;
    let mut following = Vec::new();
    for _ in 0..2 {
        let mut follower = Request::new("GET", "/threads/t/events").open(server.address).await;
        follower.until("RUN_FINISHED").await;
        following.push(follower);
    }
    // A run of another server is for another server to follow.
    let run = other.waiting("2").await;
    following[0].until("waiting").await;
    tokio::time::timeout(Duration::from_secs(2), server.close()).await.expect("it ends at once");
    bells.go_on.notify_waiters();
    run.whole().await;
}

#[tokio::test]
async fn readers_of_lists_have_limits_too() {
    let (bells, log) = (Bells::default(), Memory::new());
    let server = identified_within(Limits::default().readers_per_client(0), log.clone(), &bells).await;
    is_refused(&list(&server, "ada", "").await, 429, "too_many_readers");
    assert_eq!(list(&identified_on(log, &bells).await, "ada", "").await.status, 200);
}

#[tokio::test]
async fn a_run_with_a_long_id_is_refused_at_its_start() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    let answer = server.run(&asking(&"x".repeat(1_025), "hello")).await;
    is_refused(&answer, 400, "invalid_run_id");
    assert_eq!(answer.json()["error"]["path"], "runId");
    assert_eq!(server.run(&asking(&"x".repeat(1_024), "hello")).await.status, 200);
}

#[tokio::test]
async fn a_thread_that_no_path_can_name_is_refused_at_its_start() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    for (id, is_refused_at_start) in [
        (String::new(), true),
        ("x".repeat(100_000), true),
        ("x".repeat(1_025), true),
        ("ü".repeat(512), false),
    ] {
        let mut input = asking("1", "hello");
        input["threadId"] = json!(id);
        let answer = server.run(&input).await;
        if is_refused_at_start {
            is_refused(&answer, 400, "invalid_thread_id");
            assert_eq!(answer.json()["error"]["path"], "threadId");
        } else {
            assert_eq!(answer.status, 200);
            let path = format!("/threads/{}", id.replace('ü', "%C3%BC"));
            assert_eq!(Request::new("DELETE", &path).send(server.address).await.status, 204);
        }
    }
}
