//! The generated clients with a server that stores its threads, and cuts its streams anywhere.

mod compression;
mod listed;
mod python;
mod react;
mod steering;
mod stored;
mod typescript;

use agui_tests::cut_server::CutServer;
use serde_json::{Value, json};

/// The run that the clients ask for.
const RUN: &str = "r";

/// The facts about the server that the scripts need.
fn job(server: &CutServer) -> Value {
    json!({
        "base": server.url(""),
        "first": CutServer::first_bytes(RUN),
        "bytes": CutServer::bytes(RUN),
        "events": CutServer::EVENTS,
    })
}

/// Checks the report of a client.
fn check(report: &Value) {
    assert_eq!(report["wrong"], json!([]), "{:#}", report["wrong"]);
    let gaps = CutServer::EVENTS * (CutServer::EVENTS + 1) / 2 - 1;
    let expected = json!({
        "cuts": 2 * (CutServer::bytes(RUN) + 1),
        "gaps": gaps,
        "joins": CutServer::EVENTS,
        "delivered": CutServer::EVENTS,
        "refused": [400, 401, 404, 409],
        "code": "refused",
        "lost": 2,
        "empty": 0,
        "plain": ["failed", "failed"],
        "stopped": true,
        "left": true,
    });
    assert_eq!(report["counts"], expected, "{report:#}");
}

/// Checks the requests of a client.
fn check_requests(server: &CutServer) {
    let cursors: Vec<_> = server.asked("/each").into_iter().map(|asked| asked.cursor).collect();
    let expected = (0..CutServer::EVENTS).map(|seq| (seq > 0).then(|| format!("{RUN}.{seq}")));
    assert_eq!(cursors, expected.collect::<Vec<_>>());
    let bodies: Vec<_> = server.asked("/each").into_iter().map(|asked| asked.body).collect();
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
    // Servers without threads are asked once, and a client that left asks no more.
    for path in ["/counted/700", "/plain/700", "/abort/700/left"] {
        assert_eq!(server.asked(path).len(), 1, "{path}");
    }
    assert_eq!(server.asked("/refused/503").len(), 5, "one connection, four attempts");
}
