//! A page of another origin, in a real browser.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agui_runtime::Server;
use agui_tests::need;
use agui_tests::outside::{BrowserReport, Chromium};
use axum::Router;
use axum::response::Html;
use axum::routing::get;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::kitchen::{Cook, Served, asking};

/// The host of the attacker, on this machine for the browser.
const HOSTS: &str = "MAP evil.example 127.0.0.1";

/// A web server with an empty page; gives its port.
async fn page() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let page = Router::new().route("/", get(|| async { Html("<!doctype html><link rel=icon href=data:,>") }));
    tokio::spawn(async move { axum::serve(listener, page).await });
    port
}

async fn agent(server: Server) -> (Served, Arc<AtomicUsize>) {
    let cook = Cook::new().0;
    let runs = Arc::clone(&cook.runs);
    (Served::start(server.agent("/", cook)).await, runs)
}

/// The results of the attempts that a page at `url` could read.
async fn attempts(chromium: &Chromium, name: &'static str, url: String, job: Value) -> Vec<Value> {
    let (chromium, mut job) = (chromium.clone(), job);
    job["hosts"] = json!(HOSTS);
    job["body"] = json!(asking("hello").to_string());
    let report: BrowserReport =
        tokio::task::spawn_blocking(move || chromium.browse(name, "foreign-page.mjs", &url, &job))
            .await
            .unwrap();
    report.assert_ok();
    report.value.as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_page_reads_nothing_and_starts_nothing() {
    let chromium = need!(Chromium::ready());
    let page = page().await;
    let (served, runs) = agent(Server::new()).await;
    let port = served.address.port();
    let job = json!({
        "refused": true,
        "agents": [format!("http://127.0.0.1:{port}/"), format!("http://localhost:{port}/")],
        "rebound": [format!("http://evil.example:{port}/")],
    });
    let results = attempts(&chromium, "foreign-page", format!("http://evil.example:{page}/"), job).await;
    assert_eq!(results.len(), 24);
    for result in &results {
        let text = result["text"].as_str().unwrap_or_default();
        let is_rebound = result["what"].as_str().unwrap().contains("evil.example");
        if is_rebound {
            // To the browser these are requests to the page's own server, so it shows the answer: a refusal.
            assert_eq!(result["status"], 403, "{result}");
            assert!(text.contains("host_not_allowed"), "{result}");
        } else {
            assert_eq!(text, "", "{result}");
        }
    }
    assert_eq!(runs.load(Ordering::Relaxed), 0, "a run was started");
}

/// A router does not know its host names. A page of a rebound name can send only requests without an `Origin`, and
/// starts nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_rebound_page_starts_nothing_where_hosts_are_not_known() {
    let chromium = need!(Chromium::ready());
    let page = page().await;
    let cook = Cook::new().0;
    let runs = Arc::clone(&cook.runs);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, agui_runtime::router(cook)).await });
    let job = json!({
        "refused": true,
        "agents": [format!("http://127.0.0.1:{port}/")],
        "rebound": [format!("http://evil.example:{port}/")],
    });
    let results = attempts(&chromium, "rebound-page", format!("http://evil.example:{page}/"), job).await;
    let posts = ["asks first", "token", "plain", "without a type", "reads nothing", "cookies"];
    let is_post = |result: &&Value| {
        let what = result["what"].as_str().unwrap();
        what.contains("evil.example") && posts.iter().any(|post| what.contains(post))
    };
    assert_eq!(results.iter().filter(is_post).count(), posts.len(), "{results:#?}");
    for result in results.iter().filter(is_post) {
        assert_eq!(result["status"], 403, "{result}");
    }
    assert_eq!(runs.load(Ordering::Relaxed), 0, "a run was started");
}

/// The server makes the attempts above fail: for an allowed page they succeed.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_let_in_reads_and_starts() {
    let chromium = need!(Chromium::ready());
    let page = page().await;
    let (open, open_runs) = agent(Server::new().allow_any_origin()).await;
    let (default, default_runs) = agent(Server::new()).await;
    let rows = [
        ("foreign-page-open", format!("http://evil.example:{page}/"), open.address, open_runs, 2),
        ("local-page", format!("http://localhost:{page}/"), default.address, default_runs, 2),
    ];
    for (name, url, address, runs, expected) in rows {
        let job = json!({ "agents": [format!("http://{address}/")] });
        let mut results = attempts(&chromium, name, url, job).await;
        results.retain(|result| !result["what"].as_str().unwrap().contains("with cookies"));
        let reads = results
            .iter()
            .filter(|result| result["text"].as_str().is_some_and(|text| text.contains("RUN_FINISHED")));
        assert_eq!(reads.count(), expected, "{results:#?}");
        assert!(runs.load(Ordering::Relaxed) >= expected);
        assert!(
            results.iter().any(|result| result["text"].as_str().is_some_and(|text| text.contains("cook")))
        );
    }
}
