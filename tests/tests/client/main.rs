//! The client over real sockets, with agents of this program, and beside the official one.
#![allow(clippy::needless_pass_by_value, reason = "`json!` makes values that nobody needs again")]

mod cuts;
mod flat;
mod history;
mod http;
mod interrupts;
mod log;
mod middleware;
mod official;
mod redirects;
mod script;
mod served;
mod state;
mod stored;
mod subscribers;
mod threads;
mod tools;
mod versions;
mod warnings;
mod websocket;
mod websocket_script;
mod websocket_tls;

use std::future::Future;
use std::time::Duration;

/// The limit of every wait in a test.
const PATIENCE: Duration = Duration::from_secs(20);

/// The result of some work, if it is done in time.
async fn in_time<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, work).await.expect("nothing hangs")
}

/// The text of a run with these messages.
fn lines_of(run: &str, texts: &[&str]) -> String {
    let mut lines = format!("{{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"{run}\"}}\n");
    for (at, text) in texts.iter().enumerate() {
        let text = serde_json::to_string(text).unwrap();
        let chunk = format!(r#"{{"type":"TEXT_MESSAGE_CHUNK","messageId":"{run}-{at}","delta":{text}}}"#);
        lines.push_str(&chunk);
        lines.push('\n');
    }
    lines + &format!("{{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"{run}\"}}\n")
}

/// The same as the body of a response.
fn sse_of(lines: &str) -> String {
    lines.lines().map(|line| format!("data: {line}\n\n")).collect()
}
