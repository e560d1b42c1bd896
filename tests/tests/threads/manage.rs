//! Stopping runs; listing and deleting the threads of a caller.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::prelude::*;
use agui_runtime::thread::{LogError, Memory};
use agui_tests::http::{Request, Whole};
use agui_tests::kept::{Gate, Gated, Op, Way};
use axum::extract::Request as AxumRequest;
use axum::middleware::{Next, from_fn};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::json;

use crate::house::{Bells, Clerk, House, asking, connecting, is_legal, is_refused, request, types};

#[derive(Clone)]
struct Person(String);

/// A server that takes the caller's word for its name.
async fn identified(bells: &Bells) -> House {
    let name = from_fn(async |mut request: AxumRequest, next: Next| {
        let name = request.headers().get("x-name").map(|name| name.to_str().unwrap().to_owned());
        request.extensions_mut().extend(
            name.map(|name| {
                let mut one = http::Extensions::new();
                one.insert(Person(name));
                one
            })
            .unwrap_or_default(),
        );
        next.run(request).await
    });
    let server = Server::new().threads(Memory::new()).agent("/", Clerk::new(bells.clone()));
    House::serve(server.identity(|who: &Person| who.0.clone()).layer(name)).await
}

async fn list(house: &House, name: &str, query: &str) -> Whole {
    Request::new("GET", &format!("/threads{query}")).header("x-name", name).send(house.address).await
}

#[tokio::test]
async fn a_stop_ends_the_run_wherever_it_is() {
    let bells = Bells::default();
    let log = Memory::new();
    let [one, other] = [House::open(log.clone(), &bells).await, House::open(log, &bells).await];
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
    let house = identified(&bells).await;
    let of = |name: &str, request: Request| request.header("x-name", name);
    of("ada", request(&asking("1", "count"))).send(house.address).await;
    assert_eq!(of("bob", connecting(None)).send(house.address).await.status, 204);
    let delete = Request::new("DELETE", "/threads/t");
    is_refused(&of("bob", delete.clone()).send(house.address).await, 404, "thread_not_found");
    // The same id is another thread.
    let whole = of("bob", request(&asking("1", "hello"))).send(house.address).await;
    assert_eq!(crate::house::result(&whole)["count"], 0);
    assert_eq!(list(&house, "ada", "").await.json()["threads"].as_array().unwrap().len(), 1);
    assert_eq!(of("ada", delete.clone()).send(house.address).await.status, 204);
    is_refused(&of("ada", delete).send(house.address).await, 404, "thread_not_found");
    assert_eq!(of("ada", connecting(None)).send(house.address).await.status, 204);
    assert_eq!(of("bob", connecting(None)).send(house.address).await.status, 200, "that of bob is there");
}

#[tokio::test]
async fn a_list_has_the_threads_of_the_caller_page_by_page() {
    let bells = Bells::default();
    let house = identified(&bells).await;
    for thread in ["one", "two", "three"] {
        let mut input = asking("r", if thread == "two" { "send it" } else { "hello" });
        input["threadId"] = json!(thread);
        request(&input).header("x-name", "ada").send(house.address).await;
        // Engines know the time to the millisecond.
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    let first = list(&house, "ada", "?limit=2").await.json();
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
    let second = list(&house, "ada", &format!("?limit=2&after={next}")).await.json();
    assert_eq!((ids(&second), &second["next"]), (vec!["one".to_owned()], &json!(null)));
    assert_eq!(list(&house, "bob", "").await.json(), json!({ "threads": [] }));
    let unknown = Request::new("GET", "/threads").send(house.address).await;
    is_refused(&unknown, 403, "identity_needed");
    let odd = Request::new("DELETE", "/threads/%FF").send(house.address).await;
    is_refused(&odd, 400, "invalid_thread_id");
    is_refused(&list(&house, "ada", "?limit=many").await, 400, "invalid_limit");
    is_refused(&list(&house, "ada", "?after=%00").await, 400, "invalid_cursor");
}

#[tokio::test]
async fn deleting_a_thread_ends_its_run_and_cuts_its_readers() {
    let bells = Bells::default();
    let house = House::open(Memory::new(), &bells).await;
    let run = house.waiting("1").await;
    assert_eq!(Request::new("DELETE", "/threads/t").send(house.address).await.status, 204);
    let run = run.whole().await;
    assert!(run.cut && !types(run.text()).contains("RUN_"), "{}", run.text());
    assert_eq!(house.connect(None).await.status, 204);
    assert_eq!(house.run(&asking("1", "hello")).await.status, 200);
}

/// Greets customers alone.
#[agent]
async fn host(run: &mut Run<Host>, _input: Input<Host>, #[request] _who: &Person) -> Result<(), Stop> {
    run.say("Welcome.").await;
    Ok(())
}

#[tokio::test]
async fn a_caller_that_may_not_run_the_agent_reads_no_thread() {
    let house = House::serve(Server::new().threads(Memory::new()).agent("/", Host::new())).await;
    for request in [
        request(&asking("1", "hello")),
        connecting(None),
        Request::new("GET", "/threads/t/events"),
        Request::new("GET", "/threads"),
        Request::new("POST", "/stop/t"),
        Request::new("DELETE", "/threads/t"),
    ] {
        assert_eq!(request.send(house.address).await.status, 401, "{request:?}");
    }
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

    fn leave<'a>(&'a self, _: Op<'a>) -> BoxFuture<'a, Result<(), LogError>> {
        async { Ok(()) }.boxed()
    }
}

#[tokio::test]
async fn a_reader_of_a_deleted_thread_reads_nothing_of_the_next_one_of_that_name() {
    let (bells, log, slow) = (Bells::default(), Memory::new(), Arc::new(Slow::default()));
    let writing = House::open(log.clone(), &bells).await;
    let reading = House::open(Gated::new(Arc::new(log), Arc::clone(&slow)), &bells).await;
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
    let house = House::open(log.clone(), &bells).await;
    let other = House::open(log, &bells).await;
    house.run(&asking("1", "hello")).await;
    let mut following = Vec::new();
    for _ in 0..2 {
        let mut follower = Request::new("GET", "/threads/t/events").open(house.address).await;
        follower.until("RUN_FINISHED").await;
        following.push(follower);
    }
    // A run of another server is for another server to follow.
    let run = other.waiting("2").await;
    following[0].until("waiting").await;
    tokio::time::timeout(Duration::from_secs(2), house.close()).await.expect("it ends at once");
    bells.go_on.notify_waiters();
    run.whole().await;
}
