//! A server as a service of tower in hosts of others, and a run as bytes in a host that has neither tower nor an executor.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use agui_runtime::runs::start_bytes;
use agui_runtime::{RunOptions, Server};
use agui_tests::http::Request;
use axum::body::Body;
use futures::StreamExt;
use http::Response;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tower_service::Service;

use crate::kitchen::{Cook, Report, asking};

/// A layer as a stack of tower has it: it counts requests of any body.
#[derive(Clone)]
struct Counted<S>(S, Arc<AtomicUsize>);

impl<B, S> Service<http::Request<B>> for Counted<S>
where
    S: Service<http::Request<B>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        self.1.fetch_add(1, Ordering::SeqCst);
        Box::pin(self.0.call(request))
    }
}

#[tokio::test]
async fn it_serves_under_plain_hyper_within_a_stack_of_tower() {
    let (cook, mut reports) = Cook::new();
    let server = Server::new().agent("/cook", cook).health("/health");
    let count = Arc::new(AtomicUsize::new(0));
    let service = Counted(server.router().unwrap(), Arc::clone(&count));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let service = TowerToHyperService::new(service.clone());
            let connection = async move {
                let builder = Builder::new(TokioExecutor::new());
                drop(builder.serve_connection(TokioIo::new(stream), service).await);
            };
            tokio::spawn(connection);
        }
    });
    let events = Request::run("/cook", asking("who").to_string()).send(address).await.events();
    assert_eq!(events.last().unwrap()["result"], "cook");
    assert_eq!(Request::new("GET", "/health/ready").send(address).await.status, 200);
    // A client that leaves ends its run there too.
    let mut answer = Request::run("/cook", asking("wait").to_string()).open(address).await;
    answer.until("waiting").await;
    drop(answer);
    assert_eq!(reports.recv().await, Some(Report::Dropped));
    assert_eq!(count.load(Ordering::SeqCst), 3);
}

fn body(text: &str) -> Vec<u8> {
    asking(text).to_string().into_bytes()
}

/// No runtime of tokio is there.
#[test]
fn a_run_is_a_stream_of_bytes_without_an_executor() {
    let pieces = start_bytes(Arc::new(Cook::named("chef")), &body("who"), RunOptions::default()).unwrap();
    let bytes = futures::executor::block_on(pieces.collect::<Vec<_>>()).concat();
    let text = String::from_utf8(bytes).unwrap();
    let events: Vec<Value> = text
        .split_terminator("\n\n")
        .map(|record| serde_json::from_str(record.strip_prefix("data: ").unwrap()).unwrap())
        .collect();
    let types: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!((types, &events[1]["result"]), (vec!["RUN_STARTED", "RUN_FINISHED"], &json!("chef")));
}

#[test]
fn a_piece_has_what_is_ready_and_no_event_waits() {
    let (cook, mut reports) = Cook::new();
    let bell = Arc::clone(&cook.bell);
    let mut pieces = start_bytes(Arc::new(cook), &body("wait"), RunOptions::default()).unwrap();
    let waker = futures::task::noop_waker();
    let mut cx = Context::from_waker(&waker);
    let Poll::Ready(Some(piece)) = pieces.poll_next_unpin(&mut cx) else { panic!("nothing is ready") };
    assert!(String::from_utf8(piece).unwrap().contains("waiting"));
    assert!(pieces.poll_next_unpin(&mut cx).is_pending());
    bell.notify_one();
    let rest = futures::executor::block_on(pieces.collect::<Vec<_>>()).concat();
    assert!(String::from_utf8(rest).unwrap().contains("RUN_FINISHED"));
    assert!(reports.try_recv().is_err());

    // Dropping it cancels the run.
    let (cook, mut reports) = Cook::new();
    let mut pieces = start_bytes(Arc::new(cook), &body("wait"), RunOptions::default()).unwrap();
    assert!(pieces.poll_next_unpin(&mut cx).is_ready());
    drop(pieces);
    assert_eq!(reports.try_recv(), Ok(Report::Dropped));
}

#[test]
fn a_body_that_is_no_input_is_refused_with_its_place() {
    for (body, path) in [
        (&b""[..], "."),
        (b"{", "."),
        (b"[]", "."),
        (br#"{"threadId":"t","runId":7,"messages":[]}"#, "runId"),
        (br#"{"threadId":"t","runId":"r","messages":[{"role":"user"}]}"#, "messages[0]"),
        (br#"{"threadId":"t","runId":"r","messages":[]} more"#, "."),
    ] {
        let error = start_bytes(Arc::new(Cook::named("chef")), body, RunOptions::default()).unwrap_err();
        let shown = String::from_utf8_lossy(body);
        assert!(error.path().starts_with(path), "{shown}: {error}");
    }
    let long = format!(r#"{{"threadId":"t","runId":"r","messages":"{}"}}"#, "x".repeat(100_000));
    let error =
        start_bytes(Arc::new(Cook::named("chef")), long.as_bytes(), RunOptions::default()).unwrap_err();
    assert!(error.to_string().len() < 1_000, "{error}");
}
