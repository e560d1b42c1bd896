//! A server of this crate with its client: its capabilities, and both of its encodings.

use std::sync::{Arc, Mutex};

use agui_runtime::client::{Accept, ClientError, Frame, HttpAgent, LocalAgent, Session, middleware};
use agui_runtime::prelude::*;
use agui_runtime::router;

use crate::in_time;
use crate::script::Scripted;

/// Greets.
#[agent]
async fn greeter(run: &mut Run<Greeter>, _: Input<Greeter>) -> Result<(), Stop> {
    run.say("Hello").await;
    Ok(())
}

async fn greeter_at_home() -> HttpAgent {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router(Greeter::new())).await });
    HttpAgent::new(url).unwrap()
}

#[tokio::test]
async fn both_encodings_carry_the_same_events() {
    let agent = greeter_at_home().await;
    for (accept, is_binary) in [(Accept::Sse, false), (Accept::Binary, true)] {
        let kinds = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&kinds);
        let mut session: Session =
            Session::new(agent.clone().accept(accept)).with(middleware::inspect(move |frame| {
                seen.lock().unwrap().push(matches!(frame, Frame::Binary(_)));
            }));
        assert_eq!(in_time(session.run()).await.unwrap().text(), "Hello");
        assert_eq!(*kinds.lock().unwrap(), [is_binary; 5]);
    }
}

#[tokio::test]
async fn a_server_of_ours_declares_what_a_local_agent_does() {
    let served: Session = Session::new(greeter_at_home().await);
    let declared = in_time(served.capabilities()).await.unwrap().unwrap();
    let local: Session = Session::new(LocalAgent::new(Greeter::new()));
    let mut expected = in_time(local.capabilities()).await.unwrap().unwrap();
    // The server adds its transports.
    expected.transport.clone_from(&declared.transport);
    assert_eq!(declared, expected);
    assert_eq!(declared.identity.unwrap().name.as_deref(), Some("greeter"));
}

#[tokio::test]
async fn unknown_parts_are_left_out_and_malformed_ones_are_errors() {
    let declared = async |status: &str, body: &str| {
        let mut server = Scripted::answering(status, "content-type: application/json\r\n", body).await;
        let session: Session = Session::new(HttpAgent::new(&server.url).unwrap());
        let declared = in_time(session.capabilities()).await;
        let seen = server.asked().await;
        assert!(seen.head.starts_with("GET /agent/capabilities?key=1 "), "{}", seen.head);
        assert_eq!(seen.header("accept"), ["application/json"]);
        declared
    };
    let known = declared("200 OK", r#"{"tools":{"supported":true,"magic":1},"mood":"good"}"#).await;
    assert_eq!(known.unwrap().unwrap().tools.unwrap().supported, Some(true));
    let malformed = declared("200 OK", r#"{"tools":{"supported":"yes"}}"#).await;
    assert!(matches!(malformed, Err(ClientError::Capabilities(_))), "{malformed:?}");
    assert!(declared("404 Not Found", "").await.unwrap().is_none());
    assert!(matches!(declared("500 Oh", "").await, Err(ClientError::Status { status: 500, .. })));
}
