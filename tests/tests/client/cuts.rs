//! Streams that are cut anywhere: a run that the server stores is delivered once and in order.

use std::time::Duration;

use agui_runtime::client::middleware::Retry;
use agui_runtime::client::{ClientError, HttpAgent, RunOutcome, Session, Turn, TurnUpdate};
use agui_runtime::protocol::Event;
use agui_tests::cut_server::CutServer;
use agui_tests::is_exhaustive;
use agui_tests::tls::trusting;
use futures::{StreamExt, stream};
use serde_json::{Value, json};

use crate::script::{Scripted, Step, head};
use crate::{in_time, lines_of, sse_of};

fn pool() -> reqwest::Client {
    reqwest::Client::builder().tls_backend_preconfigured(trusting(&[])).build().unwrap()
}

fn soon() -> Retry {
    Retry::times(4).first_pause(Duration::from_millis(1)).longest_pause(Duration::from_secs(5))
}

fn agent(server: &CutServer, path: &str) -> HttpAgent {
    HttpAgent::new(server.url(path)).unwrap().reconnect(soon())
}

/// An agent of this client. To make a client for each cut would take most of the time.
fn pooled(pool: &reqwest::Client, server: &CutServer, path: &str) -> HttpAgent {
    HttpAgent::with_client(server.url(path), pool.clone()).unwrap().reconnect(soon())
}

/// All places with `AGUI_EXHAUSTIVE`, as in CI, otherwise every seventh: an odd share meets each place of an event.
fn share<T>(all: Vec<T>) -> Vec<T> {
    let every = if is_exhaustive() { 1 } else { 7 };
    all.into_iter().step_by(every).collect()
}

const SSE: &str = "content-type: text/event-stream\r\n";

/// The id of the first run of a session of this test.
const RUN: &str = "run-x-1";

fn session(agent: HttpAgent) -> Session {
    Session::new(agent).with_thread_id("t").with_fixed_ids("x")
}

async fn delivered(mut turn: Turn<'_, Value>) -> Result<(Vec<Event>, RunOutcome), ClientError> {
    let mut events = Vec::new();
    while let Some(update) = turn.next().await? {
        if let TurnUpdate::Event { event, .. } = update {
            events.push(event);
        }
    }
    Ok((events, turn.finish().await?.outcome))
}

/// Runs the agent at a path; what was delivered, and what the session has at the end.
async fn run(server: &CutServer, path: &str) -> Result<(Vec<Event>, Value), ClientError> {
    run_of(agent(server, path), path).await
}

async fn run_of(agent: HttpAgent, path: &str) -> Result<(Vec<Event>, Value), ClientError> {
    let mut session = session(agent);
    let (events, outcome) = in_time(delivered(session.start())).await?;
    assert!(matches!(outcome, RunOutcome::Success { .. }), "{path}: {outcome:?}");
    Ok((events, json!([session.messages(), session.state_value()])))
}

#[tokio::test]
async fn a_run_that_is_cut_at_any_byte_is_delivered_as_if_it_were_not() {
    let server = CutServer::start();
    let whole = run(&server, "/whole").await.unwrap();
    assert_eq!(whole.0.len(), CutServer::EVENTS);
    let (first, all) = (CutServer::first_bytes(RUN), CutServer::bytes(RUN));
    let ways = ["abort", "close", "busy"];
    let places = share(ways.iter().flat_map(|way| (0..=all).map(move |at| (way, at))).collect());
    let expected = places.len();
    let cuts = places.into_iter().map(|(way, at)| (format!("/{way}/{at}"), at));
    let (server, whole, pool) = (&server, &whole, &pool());
    let results = stream::iter(cuts).map(|(path, at)| async move {
        let agent = pooled(pool, server, &path);
        // Before the first id, only a client that knows the server asks again.
        let agent = if at < first { agent.resumable() } else { agent };
        (run_of(agent, &path).await, path)
    });
    let count = results
        .buffer_unordered(16)
        .map(|(result, path)| {
            assert_eq!(&result.unwrap_or_else(|error| panic!("{path}: {error}")), whole, "{path}");
        })
        .count()
        .await;
    eprintln!("{count} cuts");
    assert_eq!(count, expected);
}

#[tokio::test]
async fn a_client_continues_after_the_last_event_that_it_has() {
    let server = CutServer::start();
    let whole = run(&server, "/whole").await.unwrap();
    assert_eq!(run(&server, "/each").await.unwrap(), whole);
    let asked = server.asked("/each");
    let cursors: Vec<Option<String>> = asked.iter().map(|asked| asked.cursor.clone()).collect();
    let expected = (0..CutServer::EVENTS).map(|seq| (seq > 0).then(|| format!("{RUN}.{seq}")));
    assert_eq!(cursors, expected.collect::<Vec<_>>());
    assert!(asked.iter().all(|each| each.path == "/each" && each.body == asked[0].body), "{asked:?}");
}

#[tokio::test]
async fn missed_events_that_are_not_kept_are_replaced_by_the_conversation() {
    let server = CutServer::start();
    let (_, whole) = run(&server, "/whole").await.unwrap();
    let all = (1..CutServer::EVENTS).flat_map(|cut| (cut..=CutServer::EVENTS).map(move |kept| (cut, kept)));
    let gaps = share(all.collect());
    let pool = pool();
    for (cut, kept) in &gaps {
        let path = format!("/trimmed/{cut}/{kept}");
        let agent = pooled(&pool, &server, &path);
        let (events, found) = run_of(agent, &path).await.unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(found, whole, "{path}");
        let starts = events.iter().filter(|event| matches!(event, Event::RunStarted(_))).count();
        assert_eq!(starts, 1, "{path}");
        let asked = server.asked(&path);
        let [lost, refused, connected] = &asked[..] else { panic!("{asked:?}") };
        assert_eq!((lost.path.as_str(), refused.path.as_str()), (path.as_str(), path.as_str()));
        assert_eq!(connected.path, format!("{path}/connect"));
    }
    eprintln!("{} gaps", gaps.len());
}

#[tokio::test]
async fn a_thread_is_continued_from_any_place() {
    let server = CutServer::start();
    let (_, whole) = run(&server, "/whole").await.unwrap();
    let pool = pool();
    for joined in 1..=CutServer::EVENTS {
        let mut session = session(pooled(&pool, &server, &format!("/late/{joined}")));
        session.say("A draft that was not sent.");
        let turn = in_time(session.connect()).await.unwrap().expect("the thread has a run");
        let (_, outcome) = in_time(delivered(turn)).await.unwrap();
        assert!(matches!(outcome, RunOutcome::Success { .. }), "{joined}: {outcome:?}");
        assert_eq!(json!([session.messages(), session.state_value()]), whole, "{joined}");
    }
    let mut empty = session(agent(&server, "/empty"));
    empty.say("Hello");
    assert!(in_time(empty.connect()).await.unwrap().is_none());
    assert_eq!(empty.messages().len(), 1, "nothing changed");
}

#[tokio::test]
async fn a_run_that_cannot_be_continued_fails_with_its_reason() {
    let server = CutServer::start();
    for status in [400, 401, 404, 409] {
        let error = run(&server, &format!("/refused/{status}")).await.unwrap_err();
        assert_eq!(error.code(), Some("refused"));
        assert!(matches!(error, ClientError::Status { status: found, .. } if found == status), "{error:?}");
        assert_eq!(server.asked(&format!("/refused/{status}")).len(), 2);
    }
    let error = run(&server, "/refused/503").await.unwrap_err();
    let ClientError::Lost { attempts: 4, last } = &error else { panic!("{error:?}") };
    assert!(matches!(**last, ClientError::Status { status: 503, .. }), "{last:?}");
    assert_eq!(server.asked("/refused/503").len(), 5, "one connection, four attempts");
    let error = run(&server, "/gone").await.unwrap_err();
    assert!(matches!(error, ClientError::Lost { attempts: 4, .. }), "{error:?}");

    let never = agent(&server, "/abort/700").reconnect(Retry::times(0));
    let error = in_time(session(never).run()).await.unwrap_err();
    assert!(matches!(error, ClientError::Network(_)), "{error:?}");
}

#[tokio::test]
async fn nothing_is_sent_twice_to_a_server_that_stores_no_threads() {
    let server = CutServer::start();
    for path in ["/counted/700", "/plain/700"] {
        match in_time(session(agent(&server, path)).run()).await {
            Ok(done) => assert_eq!(done.outcome, RunOutcome::Truncated),
            Err(error) => assert!(matches!(error, ClientError::Refused(_)), "half a frame: {error:?}"),
        }
    }
    let done = in_time(session(agent(&server, "/plain/0")).run()).await.unwrap();
    assert_eq!(done.outcome, RunOutcome::Truncated);
    let error = in_time(session(agent(&server, "/abort/7")).run()).await.unwrap_err();
    assert!(matches!(error, ClientError::Network(_)), "{error:?}");
    for path in ["/counted/700", "/plain/700", "/plain/0", "/abort/7"] {
        assert_eq!(server.asked(path).len(), 1, "{path}");
    }
    let plain = agent(&server, "/plain/701").resumable();
    assert!(in_time(session(plain).run()).await.is_err());
    assert_eq!(server.asked("/plain/701").len(), 1, "what was delivered without ids is not asked for again");
}

#[tokio::test]
async fn a_client_learns_from_the_capabilities_that_threads_are_kept() {
    let body = r#"{"transport":{"resumable":true}}"#;
    let json = "content-type: application/json\r\n";
    let mut declares = Scripted::start(vec![
        vec![Step::Send(head("200 OK", json)), Step::Send(body.as_bytes().to_vec())],
        vec![],
        vec![Step::Send(head("200 OK", SSE)), Step::Send(sse_of(&lines_of("r", &["Hi"])).into_bytes())],
    ])
    .await;
    let mut session = session(HttpAgent::new(&declares.url).unwrap().reconnect(soon()));
    assert!(in_time(session.capabilities()).await.unwrap().is_some());
    assert_eq!(in_time(session.run()).await.unwrap().text(), "Hi");
    let (_, first, second) = (declares.asked().await, declares.asked().await, declares.asked().await);
    assert_eq!(first.body, second.body);
}

#[tokio::test]
async fn a_run_is_stopped_by_the_name_of_its_thread() {
    let json = "content-type: application/json\r\n";
    let mut server = Scripted::answering("200 OK", json, r#"{"stopped":true}"#).await;
    let session = session(HttpAgent::new(&server.url).unwrap()).with_thread_id("a/b c");
    assert!(in_time(session.stop()).await.unwrap());
    assert!(server.asked().await.head.starts_with("POST /agent/stop/a%2Fb%20c?key=1 "));
}

#[tokio::test]
async fn a_dropped_turn_makes_no_attempt_any_more() {
    let server = CutServer::start();
    let slow = Retry::times(9).first_pause(Duration::from_secs(60)).longest_pause(Duration::from_secs(60));
    let mut session = session(agent(&server, "/abort/700").reconnect(slow));
    let mut turn = session.start();
    let cut = tokio::time::timeout(Duration::from_millis(300), async {
        while turn.next().await.unwrap().is_some() {}
    });
    assert!(cut.await.is_err(), "the client waits before it connects again");
    drop(turn);
    assert_eq!(server.asked("/abort/700").len(), 1);
}
