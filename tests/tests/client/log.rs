//! Text from a server is escaped and bounded in the client's log.

use agui_runtime::client::{HttpAgent, Session, middleware};
use agui_tests::log::Log;
use tracing::Level;

use crate::script::Scripted;
use crate::{in_time, sse_of};

#[tokio::test]
async fn a_server_forges_no_line_of_the_log() {
    let forged = r"x\r\n2026-01-01 ERROR forged\u001b[31m\u009b2J\u2028";
    let long = "y".repeat(100_000);
    let body = format!(
        "{{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\",\"{forged}\":1,\"protocolVersion\":\"{forged}\"}}\n\
         {{\"type\":\"{forged}\"}}\n\
         {{\"type\":\"{long}\"}}\n\
         {{\"type\":\"STEP_STARTED\",\"stepName\":\"s\",\"{long}\":1}}\n\
         {{\"type\":\"STEP_FINISHED\",\"stepName\":\"{forged}\"}}\n",
    );
    let server = Scripted::streaming(sse_of(&body)).await;
    let (log, _recording) = Log::record(Level::TRACE);
    let agent = HttpAgent::new(&server.url).unwrap();
    let mut session: Session = Session::new(agent).with_thread_id("t\n\u{1b}").with(middleware::log);
    in_time(session.run()).await.unwrap_err();
    let lines: Vec<_> =
        log.take().into_iter().filter(|line| line.contains("forged") || line.contains("yyy")).collect();
    assert!(lines.len() >= 5, "{lines:#?}");
    for line in &lines {
        assert!(!line.contains(|letter: char| letter.is_control() || letter == '\u{2028}'), "{line:?}");
        assert!(line.len() < 1_000, "{} bytes", line.len());
    }
}
