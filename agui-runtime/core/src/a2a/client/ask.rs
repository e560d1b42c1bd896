//! The client's operations in both bindings.

use reqwest::{Client, RequestBuilder, Url};
use serde::Serialize;
use serde_json::json;

use crate::a2a::wire::{HTTP_JSON, JSON_RPC, SendMessage};

/// An interface's protocol binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum A2aBinding {
    JsonRpc,
    HttpJson,
}

impl A2aBinding {
    /// Parses a binding name from a card; `None` for a binding that the client does not speak.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            JSON_RPC => Some(Self::JsonRpc),
            HTTP_JSON => Some(Self::HttpJson),
            _ => None,
        }
    }
}

/// An operation with parameters. Tasks are given by id.
#[derive(Clone, Copy)]
pub(super) enum A2aOperation<'a> {
    Send(&'a SendMessage),
    SendStreaming(&'a SendMessage),
    /// The task without history.
    Get(&'a str),
    Cancel(&'a str),
    Subscribe(&'a str),
    SubscribeByGet(&'a str),
}

/// JSON-RPC parameters; in HTTP+JSON, a message is the body.
#[derive(Serialize)]
#[serde(untagged)]
enum OperationParams<'a> {
    Message(&'a SendMessage),
    Task {
        id: &'a str,
        #[serde(rename = "historyLength", skip_serializing_if = "Option::is_none")]
        history: Option<u32>,
    },
}

/// A JSON-RPC request.
#[derive(Serialize)]
struct JsonRpcRequest<'a> {
    jsonrpc: &'static str,
    id: u64,
    method: &'static str,
    params: OperationParams<'a>,
}

impl<'a> A2aOperation<'a> {
    /// Builds the HTTP request for an interface.
    pub(super) fn request(
        self,
        client: &Client,
        binding: A2aBinding,
        url: &Url,
        number: u64,
    ) -> RequestBuilder {
        match binding {
            A2aBinding::JsonRpc => {
                let (method, params) = self.rpc();
                let call = JsonRpcRequest { jsonrpc: "2.0", id: number, method, params };
                with_body(client.post(url.clone()), &call)
            }
            A2aBinding::HttpJson => self.http(client, url.clone()),
        }
    }

    /// Returns the JSON-RPC method and parameters.
    fn rpc(self) -> (&'static str, OperationParams<'a>) {
        let task = |id| OperationParams::Task { id, history: None };
        match self {
            Self::Send(message) => ("SendMessage", OperationParams::Message(message)),
            Self::SendStreaming(message) => ("SendStreamingMessage", OperationParams::Message(message)),
            Self::Get(id) => ("GetTask", OperationParams::Task { id, history: Some(0) }),
            Self::Cancel(id) => ("CancelTask", task(id)),
            Self::Subscribe(id) | Self::SubscribeByGet(id) => ("SubscribeToTask", task(id)),
        }
    }

    /// Builds the HTTP+JSON request.
    fn http(self, client: &Client, base: Url) -> RequestBuilder {
        let none = json!({});
        match self {
            Self::Send(message) => with_body(client.post(below(base, ["message:send"])), message),
            Self::SendStreaming(message) => with_body(client.post(below(base, ["message:stream"])), message),
            Self::Get(task) => {
                let mut url = below(base, ["tasks", task]);
                url.query_pairs_mut().append_pair("historyLength", "0");
                client.get(url)
            }
            Self::Cancel(task) => {
                with_body(client.post(below(base, ["tasks", &format!("{task}:cancel")])), &none)
            }
            Self::Subscribe(task) => {
                with_body(client.post(below(base, ["tasks", &format!("{task}:subscribe")])), &none)
            }
            Self::SubscribeByGet(task) => client.get(below(base, ["tasks", &format!("{task}:subscribe")])),
        }
    }
}

/// Appends path segments, escaped: a task id may be any text.
fn below<const N: usize>(mut url: Url, names: [&str; N]) -> Url {
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(names);
    }
    url
}

fn with_body(request: RequestBuilder, body: &impl Serialize) -> RequestBuilder {
    let text = serde_json::to_string(body).unwrap_or_default();
    request.header(http::header::CONTENT_TYPE, "application/json").body(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_task_stays_one_segment() {
        for (base, task, path) in [
            ("http://a", "t-1", "/tasks/t-1"),
            ("http://a/x/", "t-1", "/x/tasks/t-1"),
            ("http://a/x?y=1", "../a/b?c#d e", "/x/tasks/..%2Fa%2Fb%3Fc%23d%20e"),
            ("http://a/x", "t:1", "/x/tasks/t:1"),
        ] {
            assert_eq!(below(Url::parse(base).unwrap(), ["tasks", task]).path(), path);
        }
    }
}
