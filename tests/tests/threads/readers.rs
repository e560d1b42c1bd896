//! The budget of readers on the engines without a server of their own.

use std::sync::Arc;

use agui_runtime::a2a::A2aServer;
use agui_runtime::thread::{Memory, Sqlite, ThreadLog};
use agui_runtime::{Limits, Server};
use agui_tests::folder::Folder;
use agui_tests::http::Request;
use agui_tests::stored::reader_limits;
use serde_json::json;

use crate::thread_server::{Bells, Clerk, ThreadServer, is_refused};

#[test]
fn readers_of_threads_in_memory_have_limits() {
    reader_limits::hold(&(Arc::new(Memory::new()) as Arc<dyn ThreadLog>));
}

#[test]
fn readers_of_threads_in_a_file_have_limits() {
    let folder = Folder::new("readers");
    let log = Sqlite::open(folder.0.join("threads.db")).unwrap();
    reader_limits::hold(&(Arc::new(log) as Arc<dyn ThreadLog>));
}

#[tokio::test]
async fn readers_of_tasks_have_limits_too() {
    let clerk = || Clerk::new(Bells::default());
    let server = Server::new().threads(Memory::new()).limits(Limits::default().readers_per_client(0));
    let server = server.agent("/", clerk()).a2a("/a2a", A2aServer::new(clerk()));
    let server = ThreadServer::serve(server).await;
    let said = json!({ "message": {
        "messageId": "m", "contextId": "c", "role": "ROLE_USER", "parts": [{ "text": "hello" }],
    } });
    let send = || Request::run("/a2a/message:send", said.to_string());
    let begun = send().header("a2a-version", "1.0").send(server.address).await;
    assert_eq!(begun.status, 200, "{}", begun.text());
    let id = begun.json()["task"]["id"].as_str().unwrap().to_owned();
    for request in [
        Request::new("GET", "/a2a/tasks?contextId=c"),
        Request::new("GET", &format!("/a2a/tasks/{id}")),
        Request::run(&format!("/a2a/tasks/{id}:cancel"), "{}".to_owned()),
        Request::run(&format!("/a2a/tasks/{id}:subscribe"), "{}".to_owned()),
        // The same message again begins no run.
        send(),
    ] {
        let refused = request.header("a2a-version", "1.0").send(server.address).await;
        is_refused(&refused, 429, "too_many_readers");
        assert_eq!(refused.header("retry-after"), Some("1"));
    }
}
