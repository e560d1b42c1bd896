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

/// Checks the results of a page's attempts.
type Check = Box<dyn FnOnce(&[Value]) + Send>;

/// A page that makes its attempts.
struct Page {
    name: &'static str,
    url: String,
    job: Value,
    check: Check,
}

/// One browser for all pages: its start takes longer than their attempts.
#[tokio::test(flavor = "multi_thread")]
async fn foreign_pages_read_and_start_only_where_they_are_let_in() {
    let chromium = need!(Chromium::ready());
    let mut pages = vec![a_foreign_page_reads_nothing_and_starts_nothing().await];
    pages.push(a_rebound_page_starts_nothing_where_hosts_are_not_known().await);
    pages.extend(a_page_that_is_let_in_reads_and_starts().await);
    let body = asking("hello").to_string();
    let jobs: Vec<_> = pages
        .iter()
        .map(|page| {
            let mut job = page.job.clone();
            job["body"] = json!(body);
            (page.name, page.url.clone(), job)
        })
        .collect();
    let browse = move || chromium.browse_each("foreign-page.mjs", HOSTS, &jobs);
    let reports: Vec<BrowserReport> = tokio::task::spawn_blocking(browse).await.unwrap();
    for (page, report) in pages.into_iter().zip(reports) {
        println!("{}", page.name);
        report.assert_ok();
        (page.check)(report.value.as_array().unwrap());
    }
}

async fn a_foreign_page_reads_nothing_and_starts_nothing() -> Page {
    let page = page().await;
    let (served, runs) = agent(Server::new()).await;
    let port = served.address.port();
    let job = json!({
        "refused": true,
        "agents": [format!("http://127.0.0.1:{port}/"), format!("http://localhost:{port}/")],
        "rebound": [format!("http://evil.example:{port}/")],
    });
    let check = move |results: &[Value]| {
        let _served = served;
        assert_eq!(results.len(), 24);
        for result in results {
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
    };
    Page { name: "foreign-page", url: format!("http://evil.example:{page}/"), job, check: Box::new(check) }
}

/// A router does not know its host names. A page of a rebound name can send only requests without an `Origin`, and
/// starts nothing.
async fn a_rebound_page_starts_nothing_where_hosts_are_not_known() -> Page {
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
    let check = move |results: &[Value]| {
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
    };
    Page { name: "rebound-page", url: format!("http://evil.example:{page}/"), job, check: Box::new(check) }
}

/// The server makes the attempts above fail: for an allowed page they succeed.
async fn a_page_that_is_let_in_reads_and_starts() -> [Page; 2] {
    const READ: usize = 2;
    let port = page().await;
    let open = agent(Server::new().allow_any_origin()).await;
    let default = agent(Server::new()).await;
    let let_in = |name, host: &str, (served, runs): (Served, Arc<AtomicUsize>)| {
        let job = json!({ "agents": [format!("http://{}/", served.address)] });
        let check = move |results: &[Value]| {
            let _served = served;
            let with_cookies = |result: &&Value| result["what"].as_str().unwrap().contains("with cookies");
            let texts: Vec<_> = results
                .iter()
                .filter(|result| !with_cookies(result))
                .filter_map(|result| result["text"].as_str())
                .collect();
            let reads = texts.iter().filter(|text| text.contains("RUN_FINISHED"));
            assert_eq!(reads.count(), READ, "{results:#?}");
            assert!(runs.load(Ordering::Relaxed) >= READ);
            assert!(texts.iter().any(|text| text.contains("cook")));
        };
        Page { name, url: format!("http://{host}:{port}/"), job, check: Box::new(check) }
    };
    [let_in("foreign-page-open", "evil.example", open), let_in("local-page", "localhost", default)]
}
