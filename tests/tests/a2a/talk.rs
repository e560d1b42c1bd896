//! A server with the desk, and a client that writes requests by hand.

use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::a2a::{A2aServer, AgentInterface};
use agui_tests::http::{Answer, Request, Whole};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::desk::{Bells, Desk};

pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        tokio::time::timeout(Duration::from_secs(60), future).await.expect("the test takes too long")
    })
}

/// A server on a port of its own, which ends when it is dropped.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    pub(crate) bells: Bells,
    _stop: oneshot::Sender<()>,
}

impl TestServer {
    pub(crate) async fn open() -> Self {
        Self::with(|server| server).await
    }

    pub(crate) async fn with(change: impl FnOnce(Server) -> Server) -> Self {
        let bells = Bells::default();
        let desk = A2aServer::new(Desk::new(bells.clone())).card(|card| {
            card.default_input_modes.push("image/*".to_owned());
        });
        Self::serve(change(Server::new().a2a("/a2a", desk)), bells).await
    }

    /// Serves the desk at `/a2a`, and at `/rest` with a card that names the HTTP+JSON binding alone.
    pub(crate) async fn with_both() -> Self {
        let bells = Bells::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/rest", listener.local_addr().unwrap());
        let desk = || A2aServer::new(Desk::new(bells.clone()));
        let rest = desk().card(|card| card.supported_interfaces.push(AgentInterface::http_json(url)));
        Self::on(listener, Server::new().a2a("/a2a", desk()).a2a("/rest", rest), bells)
    }

    pub(crate) async fn serve(server: Server, bells: Bells) -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").await.unwrap(), server, bells)
    }

    fn on(listener: TcpListener, server: Server, bells: Bells) -> Self {
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let served = server.serve_on(listener, async { stopped.await.unwrap_or(()) });
        tokio::spawn(async move { served.await.unwrap() });
        Self { address, bells, _stop: stop }
    }

    /// Sends a request, and returns its result.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        let response = self.respond(method, params).await;
        assert!(response.get("error").is_none(), "{response}");
        response["result"].clone()
    }

    /// Sends a request, and returns the code of its error.
    pub(crate) async fn refused(&self, method: &str, params: Value) -> i64 {
        let response = self.respond(method, params).await;
        let code = response["error"]["code"].as_i64();
        code.unwrap_or_else(|| panic!("no error: {response}"))
    }

    pub(crate) async fn respond(&self, method: &str, params: Value) -> Value {
        let whole = rpc(method, params).send(self.address).await;
        assert_eq!(whole.status, 200, "{}", whole.text());
        let response = whole.json();
        assert_eq!((&response["jsonrpc"], &response["id"]), (&json!("2.0"), &json!(7)), "{response}");
        response
    }

    /// Sends a message, and returns the task when it has ended or waits.
    pub(crate) async fn say(&self, message: Value) -> Value {
        self.ask("SendMessage", json!({ "message": message })).await["task"].clone()
    }

    /// Sends a message, and returns the items of the stream.
    pub(crate) async fn stream(&self, message: Value) -> Vec<Value> {
        items(&rpc("SendStreamingMessage", json!({ "message": message })).send(self.address).await)
    }

    /// Starts a task that waits, and reads until it does.
    pub(crate) async fn waiting(&self, id: &str) -> (String, Answer) {
        let request = rpc("SendStreamingMessage", json!({ "message": message(id, "wait") }));
        let mut answer = request.open(self.address).await;
        let task = begun(&answer.until("waiting").await);
        (task["id"].as_str().unwrap().to_owned(), answer)
    }
}

pub(crate) fn rpc(method: &str, params: Value) -> Request {
    rpc_at("/a2a", method, params)
}

/// Returns a request to the agent at a path.
pub(crate) fn rpc_at(path: &str, method: &str, params: Value) -> Request {
    let mut body = json!({ "jsonrpc": "2.0", "id": 7, "method": method });
    body["params"] = params;
    Request::run(path, body.to_string()).header("a2a-version", "1.0")
}

/// Returns the task with which a stream of JSON-RPC begins.
pub(crate) fn begun(stream: &str) -> Value {
    let first = stream.split("\n\n").next().unwrap().strip_prefix("data: ").unwrap();
    let first: Value = serde_json::from_str(first).unwrap();
    first["result"]["task"].clone()
}

pub(crate) fn message(id: &str, text: &str) -> Value {
    json!({ "messageId": id, "role": "ROLE_USER", "parts": [{ "text": text }] })
}

/// Returns a message to a task.
pub(crate) fn reply(task: &Value, id: &str, part: Value) -> Value {
    let mut message = json!({ "messageId": id, "role": "ROLE_USER", "taskId": task["id"] });
    message["parts"] = vec![part].into();
    message
}

/// Returns the results of a stream.
pub(crate) fn items(whole: &Whole) -> Vec<Value> {
    assert_eq!(whole.header("content-type"), Some("text/event-stream"), "{}", whole.text());
    let events = whole.events();
    events
        .into_iter()
        .map(|event| {
            assert_eq!((&event["jsonrpc"], &event["id"]), (&json!("2.0"), &json!(7)), "{event}");
            assert!(event.get("error").is_none(), "{event}");
            event["result"].clone()
        })
        .collect()
}

pub(crate) fn state(task: &Value) -> &str {
    task["status"]["state"].as_str().unwrap()
}

/// Returns the artifact with a name.
pub(crate) fn named<'t>(task: &'t Value, name: &str) -> &'t Value {
    let artifacts = task["artifacts"].as_array().unwrap();
    artifacts.iter().find(|artifact| artifact["name"] == name).unwrap_or_else(|| panic!("no {name}: {task}"))
}

/// Returns the texts of a task.
pub(crate) fn texts(task: &Value) -> Vec<&str> {
    let artifacts = task["artifacts"].as_array().unwrap();
    artifacts.iter().filter_map(|artifact| artifact["parts"][0]["text"].as_str()).collect()
}
