//! The Rust client's requests for stored threads.

use std::time::{Duration, SystemTime};

use agui_runtime::Server;
use agui_runtime::client::{ClientError, HttpAgent, Session, StoredThread, ThreadChange, ThreadQuery};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Role;
use agui_runtime::thread::Memory;
use agui_tests::identified::identified;
use serde_json::json;
use tokio::net::TcpListener;

/// Repeats what the user says.
#[agent]
async fn parrot(run: &mut Run<Parrot>, input: Input<Parrot>) -> Result<(), Stop> {
    run.say(input.user_text().unwrap_or_default()).await;
    Ok(())
}

async fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let server = identified(Server::new().threads(Memory::new()).agent("/", Parrot::new()));
    tokio::spawn(server.serve_on(listener, std::future::pending()));
    url
}

fn status<T: std::fmt::Debug>(answer: Result<T, ClientError>) -> u16 {
    match answer.unwrap_err() {
        ClientError::Status { status, .. } => status,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn threads_are_listed_changed_and_deleted() {
    let url = serve().await;
    let agent = HttpAgent::new(&url).unwrap().header("x-name", "ada").unwrap();
    for id in ["one", "a/../b c%", "three"] {
        let mut session: Session = Session::new(agent.clone()).with_thread_id(id);
        session.say(format!("This is {id}."));
        session.run().await.unwrap();
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    let first = agent.threads(&ThreadQuery::new().limit(2)).await.unwrap();
    let ids = |threads: &[StoredThread]| {
        threads.iter().map(|thread| thread.thread_id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&first.threads), ["three", "a/../b c%"]);
    let second = agent.threads(&ThreadQuery::new().limit(2).after(first.next.unwrap())).await.unwrap();
    assert_eq!((ids(&second.threads), second.next), (vec!["one".to_owned()], None));
    let thread = &second.threads[0];
    let last = thread.last_message.as_ref().unwrap();
    assert_eq!((last.role, &*last.text), (Role::Assistant, "This is one."));
    assert_eq!((&thread.title, thread.archived, thread.running), (&None, false, false));
    let day = Duration::from_secs(86_400);
    assert!(SystemTime::now() < thread.created_at + day && thread.created_at <= thread.updated_at);

    let id = &first.threads[1].thread_id;
    let facts = json!({ "colour": "red" }).as_object().unwrap().clone();
    let change = ThreadChange::new().title("Two").archived(true).metadata(facts.clone());
    let changed = agent.change_thread(id, &change).await.unwrap();
    assert_eq!((changed.title.as_deref(), changed.archived, &changed.metadata), (Some("Two"), true, &facts));
    assert_eq!(agent.thread(id).await.unwrap(), changed);
    assert_eq!(ids(&agent.threads(&ThreadQuery::new()).await.unwrap().threads), ["three", "one"]);
    let all = agent.threads(&ThreadQuery::new().with_archived()).await.unwrap();
    assert_eq!(ids(&all.threads), ["a/../b c%", "three", "one"]);
    let named = agent.change_thread(id, &ThreadChange::new().archived(false).without_title()).await.unwrap();
    assert_eq!((named.title, named.archived, named.metadata), (None, false, facts));
    agent.delete_thread(id).await.unwrap();
    assert_eq!(status(agent.thread(id).await), 404);
    assert_eq!(status(agent.delete_thread(id).await), 404);

    let refused = agent.change_thread(&"one".into(), &ThreadChange::new().title("x".repeat(201))).await;
    assert_eq!(status(refused), 400);
    let stranger = HttpAgent::new(&url).unwrap();
    assert_eq!(status(stranger.threads(&ThreadQuery::new()).await), 403);
    assert_eq!(status(stranger.change_thread(&"one".into(), &ThreadChange::new()).await), 404);
}
