//! The limits of runs and connections, and the answer to one more.

use std::pin::pin;
use std::time::Duration;

use agui_runtime::{Limits, Peer, Server};
use agui_tests::http::{Answer, Connection, Piece, Request, Whole};
use axum::Router;
use axum::extract::Request as AxumRequest;
use axum::middleware::{Next, from_fn};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::kitchen::{Cook, Report, Served, asking};

fn waiting(thread: &str) -> Request {
    let mut input = asking("wait");
    input["threadId"] = json!(thread);
    Request::run("/", input.to_string())
}

async fn started(served: &Served, request: &Request) -> Answer {
    let mut answer = request.open(served.address).await;
    answer.until("waiting").await;
    answer
}

fn is_refused(answer: &Whole, status: u16, code: &str, retry_after: Option<&str>) {
    assert_eq!((answer.status, &answer.json()["error"]["code"]), (status, &json!(code)), "{}", answer.text());
    assert_eq!(answer.header("retry-after"), retry_after);
}

#[tokio::test]
async fn one_run_more_than_the_server_takes_is_refused_until_one_ends() {
    let (cook, mut reports) = Cook::new();
    let served = Served::start(Server::new().agent("/", cook).limits(Limits::default().runs(2))).await;
    let first = started(&served, &waiting("a")).await;
    let _second = started(&served, &waiting("b")).await;
    is_refused(&waiting("c").send(served.address).await, 503, "server_busy", Some("1"));
    // Its body is not even parsed.
    is_refused(&Request::run("/", "{").send(served.address).await, 503, "server_busy", Some("1"));
    drop(first);
    assert_eq!(reports.recv().await, Some(Report::Dropped));
    let _third = started(&served, &waiting("c")).await;
}

#[tokio::test]
async fn runs_are_limited_per_thread_and_agent() {
    let (cook, _told) = Cook::new();
    let (other, _other_told) = Cook::new();
    let limits = Limits::default().runs_per_thread(1);
    let served = Served::start(Server::new().agent("/", cook).agent("/other", other).limits(limits)).await;
    let _first = started(&served, &waiting("a")).await;
    is_refused(&waiting("a").send(served.address).await, 409, "thread_busy", None);
    let _other_thread = started(&served, &waiting("b")).await;
    let mut input = asking("wait");
    input["threadId"] = json!("a");
    let _other_agent = started(&served, &Request::run("/other", input.to_string())).await;
}

#[tokio::test]
async fn a_client_may_abort_a_run_and_start_the_next_at_once() {
    let (cook, _told) = Cook::new();
    let served =
        Served::start(Server::new().agent("/", cook).limits(Limits::default().runs_per_thread(1))).await;
    let mut last = started(&served, &waiting("a")).await;
    for _ in 0..5 {
        let next = waiting("a");
        // It arrives while the run before it is still there.
        let mut next = pin!(started(&served, &next));
        assert!(timeout(Duration::from_millis(100), next.as_mut()).await.is_err(), "two runs at once");
        drop(last);
        last = next.await;
    }
}

#[derive(Clone)]
struct Customer(String);

/// A server with authenticated clients.
async fn with_customers(limits: Limits) -> std::net::SocketAddr {
    let agents = Server::new()
        .agent("/", Cook::new().0)
        .identity(|who: &Customer| who.0.clone())
        .limits(limits)
        .router()
        .unwrap();
    let app = Router::new().merge(agents).layer(from_fn(|mut request: AxumRequest, next: Next| async move {
        let who = request.headers().get("x-customer").map(|who| Customer(who.to_str().unwrap().to_owned()));
        request.extensions_mut().extend(
            who.map(|who| {
                let mut extensions = http::Extensions::new();
                extensions.insert(who);
                extensions
            })
            .unwrap_or_default(),
        );
        next.run(request).await
    }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

#[tokio::test]
async fn runs_are_limited_per_identity() {
    let address = with_customers(Limits::default().runs_per_identity(1)).await;
    let open = async |request: Request| {
        let mut answer = request.open(address).await;
        answer.until("waiting").await;
        answer
    };
    let _first = open(waiting("a").header("x-customer", "ada")).await;
    let refused = waiting("b").header("x-customer", "ada").send(address).await;
    is_refused(&refused, 429, "identity_busy", Some("1"));
    let _other = open(waiting("b").header("x-customer", "bob")).await;
    let _unknown = open(waiting("b")).await;
    let _unknown_too = open(waiting("b")).await;
}

#[tokio::test]
async fn one_client_does_not_take_the_places_of_all_others() {
    let limits = Limits::default().runs_per_client(2);
    let served = Served::start(Server::new().agent("/", Cook::new().0).limits(limits)).await;
    let open = async |request: Request| {
        let mut answer = request.open(served.address).await;
        answer.until("waiting").await;
        answer
    };
    let first = open(waiting("a")).await;
    let _second = open(waiting("b")).await;
    let third = timeout(Duration::from_secs(10), waiting("c").send(served.address)).await;
    is_refused(&third.expect("the third run is not refused"), 429, "client_busy", Some("1"));
    let _other = open(waiting("c").from([127, 0, 0, 2].into())).await;
    // A slot is free again when its run is gone.
    drop(first);
    let again = async {
        while waiting("d").open(served.address).await.status != 200 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(10), again).await.expect("the slot stays taken");
}

#[tokio::test]
async fn threads_of_two_identities_are_two_threads() {
    let address = with_customers(Limits::default().runs_per_thread(1)).await;
    let mut first = waiting("a").header("x-customer", "ada").open(address).await;
    first.until("waiting").await;
    let mut second = waiting("a").header("x-customer", "bob").open(address).await;
    second.until("waiting").await;
    let refused = waiting("a").header("x-customer", "ada").send(address).await;
    is_refused(&refused, 409, "thread_busy", None);
}

#[tokio::test]
async fn a_run_that_takes_too_long_ends_with_an_error() {
    for (peer, answers) in [(Peer::CURRENT, "1.0"), (Peer::Legacy, "0.x")] {
        let (cook, mut reports) = Cook::new();
        let limits = Limits::default().run_timeout(Duration::from_millis(100));
        let served = Served::start(Server::new().agent("/", cook).limits(limits).assume_peer(peer)).await;
        let mut input = asking("wait");
        input.as_object_mut().unwrap().remove("protocolVersion");
        let events = Request::run("/", input.to_string()).send(served.address).await.events();
        assert_eq!(reports.recv().await, Some(Report::Dropped));
        let error = events.last().unwrap();
        assert_eq!(
            (&error["type"], &error["code"]),
            (&json!("RUN_ERROR"), &json!("run_timeout")),
            "{answers}"
        );
        let types: Vec<_> = events.iter().filter_map(|event| event["type"].as_str()).collect();
        let open = ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"];
        assert_eq!(types[..3], open, "{answers}");
        // A legacy client refuses a run that fails while a message is open.
        assert!(types.ends_with(&["TEXT_MESSAGE_END", "RUN_ERROR"]), "{answers}: {types:?}");
    }
}

#[tokio::test]
async fn an_agent_that_never_waits_is_ended_too() {
    let (cook, mut reports) = Cook::new();
    let limits = Limits::default().run_timeout(Duration::from_millis(100));
    let served = Served::start(Server::new().agent("/", cook).limits(limits)).await;
    let answer = Request::run("/", asking("endless").to_string()).send(served.address).await;
    assert!(answer.text().contains("run_timeout") && !answer.cut);
    assert_eq!(reports.recv().await, Some(Report::Dropped));
}

#[tokio::test]
async fn a_run_whose_client_does_not_read_is_ended_in_time_and_frees_its_place() {
    let (cook, mut reports) = Cook::new();
    let limits = Limits::default().runs(1).run_timeout(Duration::from_millis(100)).write_timeout(None);
    let served = Served::start(Server::new().agent("/", cook).limits(limits)).await;
    let unread = Request::run("/", asking("endless").to_string()).open(served.address).await;
    let dropped = timeout(Duration::from_secs(20), reports.recv()).await;
    assert_eq!(dropped.unwrap(), Some(Report::Dropped));
    let again = async {
        while Request::run("/", asking("who").to_string()).send(served.address).await.status != 200 {}
    };
    // The slot is free while the answer is still unread.
    timeout(Duration::from_secs(20), again).await.unwrap();
    drop(unread);
}

#[tokio::test]
async fn a_connection_beyond_the_limit_is_refused_if_all_have_a_run() {
    let (cook, _told) = Cook::new();
    let limits = Limits::default().connections(2);
    let served = Served::start(Server::new().agent("/", cook).limits(limits)).await;
    let first = started(&served, &waiting("a")).await;
    let _second = started(&served, &waiting("b")).await;
    is_refused(&waiting("c").send(served.address).await, 503, "too_many_connections", Some("1"));
    drop(first);
    let again = async {
        loop {
            let answer = Request::run("/", asking("who").to_string()).send(served.address).await;
            if answer.status == 200 {
                return answer.events();
            }
        }
    };
    let events: Vec<Value> = timeout(Duration::from_secs(20), again).await.unwrap();
    assert_eq!(events.last().unwrap()["result"], "cook");
}

#[tokio::test]
async fn a_connection_that_waits_gives_way_to_a_new_one() {
    let (cook, _told) = Cook::new();
    let bell = cook.bell.clone();
    let limits = Limits::default().connections(4);
    let served = Served::start(Server::new().agent("/", cook).limits(limits)).await;
    let mut running = started(&served, &waiting("a")).await;
    for _ in 0..20 {
        let mut half = Connection::open(served.address).await;
        half.send(b"POST / HTTP/1.1\r\nhost: loc").await;
        std::mem::forget(half);
        let answer = Request::run("/", asking("who").to_string()).send(served.address).await;
        assert_eq!(answer.status, 200);
    }
    bell.notify_one();
    running.until("RUN_FINISHED").await;
    assert_eq!(running.next().await, Piece::End);
}

#[tokio::test]
async fn a_head_too_long_is_refused() {
    let limits = Limits::default().header_size(8 * 1024);
    let served = Served::start(Server::new().agent("/", Cook::new().0).limits(limits)).await;
    let long = Request::run("/", asking("who").to_string()).header("x-long", &"x".repeat(9 * 1024));
    let mut connection = Connection::open(served.address).await;
    connection.send(&long.head()).await;
    assert_eq!(connection.answer().await.status, 431);
    let short = Request::run("/", asking("who").to_string()).header("x-long", &"x".repeat(6 * 1024));
    assert_eq!(short.send(served.address).await.status, 200);
}

#[tokio::test]
async fn a_head_a_bit_too_long_is_refused_however_it_arrives() {
    let served = Served::start(Server::new().agent("/", Cook::new().0)).await;
    for (length, status) in [(31, 200), (33, 431), (40, 431), (200, 431)] {
        let request =
            Request::run("/", asking("who").to_string()).header("x-long", &"x".repeat(length * 1024));
        for piece in [usize::MAX, 20 * 1024, 3 * 1024] {
            let mut connection = Connection::open(served.address).await;
            for bytes in request.head().chunks(piece) {
                connection.send(bytes).await;
            }
            if status == 200 {
                connection.send(asking("who").to_string().as_bytes()).await;
            }
            assert_eq!(connection.answer().await.status, status, "{length} KiB in pieces of {piece}");
        }
    }
}
