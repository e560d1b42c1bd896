//! The limit of the bytes in the bodies of all runs.

use std::time::Duration;

use agui_runtime::{Limits, Server};
use agui_tests::http::{Answer, Connection, Request, Whole};
use axum::extract::Request as AxumRequest;
use axum::middleware::{Next, from_fn};
use futures::future::join_all;
use http::HeaderValue;
use serde_json::json;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::timeout;

use crate::kitchen::{Cook, Report, Served, asking};

const PATIENCE: Duration = Duration::from_secs(20);

/// Three quarters of the total are for large bodies: three of these, with their overhead, leave a few hundred bytes.
const TOTAL: usize = 1 << 20;
const LARGE: usize = (256 << 10) - 250;

fn input(text: &str, thread: &str, padding: usize) -> String {
    let mut input = asking(text);
    input["threadId"] = json!(thread);
    input["state"] = json!("x".repeat(padding));
    input.to_string()
}

fn large(thread: &str) -> Request {
    Request::run("/", input("wait", thread, LARGE))
}

async fn serving() -> (Served, UnboundedReceiver<Report>) {
    let (cook, reports) = Cook::new();
    let spoken = Cook::named("spoken");
    let limits = Limits::default().body_size(512 << 10).total_body_size(TOTAL).body_size_per_client(TOTAL);
    let server = Server::new().agent("/", cook).snake_case_agent("/spoken", spoken);
    (Served::start(server.limits(limits)).await, reports)
}

async fn started(served: &Served, thread: &str) -> Answer {
    let mut answer = large(thread).open(served.address).await;
    assert_eq!(answer.status, 200);
    answer.until("waiting").await;
    answer
}

fn is_refused(answer: &Whole) {
    assert_eq!((answer.status, &answer.json()["error"]["code"]), (503, &json!("server_busy")));
    assert_eq!(answer.header("retry-after"), Some("1"));
}

async fn small_is_served(served: &Served) {
    let answer = Request::run("/", input("who", "small", 10_000)).send(served.address).await;
    assert_eq!(answer.events().last().unwrap()["result"], "cook");
}

#[tokio::test]
async fn large_bodies_beyond_the_budget_are_refused_while_small_ones_are_served_and_the_budget_returns() {
    let (served, mut reports) = serving().await;
    // Twice, so that nothing of the first round may stay reserved.
    for round in 0..2 {
        let requests: Vec<_> = (0..12).map(|number| large(&format!("{round}-{number}"))).collect();
        let answers = join_all(requests.iter().map(|request| request.open(served.address)));
        let (answers, ()) = tokio::join!(answers, async {
            for _ in 0..20 {
                small_is_served(&served).await;
            }
        });
        let (mut running, mut refused) = (Vec::new(), 0);
        for mut answer in answers {
            if answer.status == 200 {
                answer.until("waiting").await;
                running.push(answer);
            } else {
                is_refused(&answer.whole().await);
                refused += 1;
            }
        }
        assert!(running.len() <= 3 && refused >= 9, "{} runs, {refused} refused", running.len());
        // Bodies that compete for it while they arrive may all be refused, so it is filled one by one.
        for number in running.len()..3 {
            running.push(started(&served, &format!("{round}-more-{number}")).await);
        }
        is_refused(&large("one-more").send(served.address).await);
        small_is_served(&served).await;
        drop(running);
        for _ in 0..3 {
            assert_eq!(timeout(PATIENCE, reports.recv()).await.unwrap(), Some(Report::Dropped));
        }
    }
}

/// Bodies that drip fill a quarter of the total, and no more: other clients have room for large bodies meanwhile.
#[tokio::test]
async fn large_bodies_of_one_client_do_not_keep_out_those_of_others() {
    let identity = |mut request: AxumRequest, next: Next| async move {
        let name = request.headers().get("x-name").cloned();
        request.extensions_mut().insert(name.unwrap_or(HeaderValue::from_static("none")));
        next.run(request).await
    };
    for told_apart in [false, true] {
        let limits = Limits::default().body_size(256 << 10).total_body_size(2 << 20);
        let server = Server::new().agent("/", Cook::named("cook")).limits(limits).layer(from_fn(identity));
        let server =
            if told_apart { server.identity(|name: &HeaderValue| format!("{name:?}")) } else { server };
        let served = Served::start(server).await;
        // Two fit into a quarter: an incomplete one, and one whose run goes on.
        let mut dripping = Connection::open(served.address).await;
        dripping.send(&large("drip").header("x-name", "mallory").head()).await;
        dripping.send(&vec![b' '; LARGE - 1]).await;
        let mut running = Request::run("/", input("wait", "run", LARGE))
            .header("x-name", "mallory")
            .open(served.address)
            .await;
        running.until("waiting").await;
        let more = |name: &str| Request::run("/", input("who", "more", LARGE)).header("x-name", name);
        let refused = async {
            loop {
                let answer = more("mallory").send(served.address).await;
                if answer.status != 200 {
                    return answer;
                }
            }
        };
        let answer = timeout(PATIENCE, refused).await.expect("it takes all that it likes");
        assert_eq!((answer.status, &answer.json()["error"]["code"]), (429, &json!("client_busy")));
        assert_eq!(answer.header("retry-after"), Some("1"));
        small_is_served(&served).await;
        let answer = more("ada").send(served.address).await;
        if told_apart {
            assert_eq!(answer.events().last().unwrap()["result"], "cook");
        } else {
            assert_eq!(answer.status, 429, "one address");
        }
    }
}

#[tokio::test]
async fn a_body_that_announces_nothing_takes_what_arrives() {
    let (served, _told) = serving().await;
    let mut running = Vec::new();
    for number in 0..3 {
        running.push(started(&served, &number.to_string()).await);
    }
    let mut connection = Connection::open(served.address).await;
    let head = Request::new("POST", "/")
        .header("content-type", "application/json")
        .header("transfer-encoding", "chunked");
    connection.send(&head.head()).await;
    let body = input("wait", "chunked", LARGE);
    for piece in body.as_bytes().chunks(50_000) {
        connection.send(format!("{:x}\r\n", piece.len()).as_bytes()).await;
        connection.send(piece).await;
        connection.send(b"\r\n").await;
    }
    connection.send(b"0\r\n\r\n").await;
    is_refused(&timeout(PATIENCE, connection.answer()).await.unwrap().whole().await);
}

#[tokio::test]
async fn a_body_for_which_there_is_no_room_is_refused_before_it_is_sent() {
    let (served, _told) = serving().await;
    let mut running = Vec::new();
    for number in 0..3 {
        running.push(started(&served, &number.to_string()).await);
    }
    // The dialect has another status for a wrong request, and this one is not wrong.
    for path in ["/", "/spoken"] {
        let request = Request::run(path, input("who", "asking", LARGE)).header("expect", "100-continue");
        let mut connection = Connection::open(served.address).await;
        connection.send(&request.head()).await;
        is_refused(&timeout(PATIENCE, connection.answer()).await.unwrap().whole().await);
    }
}

#[tokio::test]
async fn a_body_that_is_announced_and_not_sent_takes_nothing() {
    let (served, _told) = serving().await;
    let mut liars = Vec::new();
    for number in 0..20 {
        let mut liar = Connection::open(served.address).await;
        liar.send(&large(&number.to_string()).head()).await;
        liar.send(b"{").await;
        liars.push(liar);
    }
    let mut running = Vec::new();
    for number in 0..3 {
        running.push(started(&served, &format!("honest-{number}")).await);
    }
}

#[tokio::test]
async fn a_run_that_ends_gives_back_what_its_body_took() {
    let (served, _told) = serving().await;
    for _ in 0..12 {
        let answer = Request::run("/", input("who", "t", LARGE)).send(served.address).await;
        assert_eq!(answer.events().last().unwrap()["result"], "cook");
        // Refused after it was read, and cut off while it was read.
        let refused = Request::run("/", vec![b'x'; LARGE]).send(served.address).await;
        assert_eq!(refused.status, 400);
        let mut cut = Connection::open(served.address).await;
        cut.send(&large("cut").head()).await;
        cut.send(&vec![b' '; LARGE / 2]).await;
        drop(cut);
    }
}
