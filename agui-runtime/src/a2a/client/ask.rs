//! The operations that the client asks for, in the form of each binding.

use reqwest::{Client, RequestBuilder, Url};
use serde::Serialize;
use serde_json::{Value, json};

use crate::a2a::wire::{HTTP_JSON, JSON_RPC, SendMessage};

/// The binding of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    JsonRpc,
    HttpJson,
}

impl Binding {
    /// Returns the binding that a card names; `None` for one that the client does not speak.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            JSON_RPC => Some(Self::JsonRpc),
            HTTP_JSON => Some(Self::HttpJson),
            _ => None,
        }
    }
}

/// An operation with its parameters. A task is named by its id.
#[derive(Clone, Copy)]
pub(super) enum Ask<'a> {
    Send(&'a SendMessage),
    SendStreaming(&'a SendMessage),
    /// The task without its history.
    Get(&'a str),
    Cancel(&'a str),
    Subscribe(&'a str),
    SubscribeByGet(&'a str),
}

impl Ask<'_> {
    /// Returns the request to an interface, with its body.
    pub(super) fn request(self, client: &Client, binding: Binding, url: &Url, number: u64) -> RequestBuilder {
        match binding {
            Binding::JsonRpc => {
                let (method, params) = self.rpc();
                let body = json!({ "jsonrpc": "2.0", "id": number, "method": method, "params": params });
                with_body(client.post(url.clone()), &body)
            }
            Binding::HttpJson => self.http(client, url.clone()),
        }
    }

    /// Returns the method of JSON-RPC and its parameters.
    fn rpc(self) -> (&'static str, Value) {
        let written = |message| serde_json::to_value(message).unwrap_or_default();
        match self {
            Self::Send(message) => ("SendMessage", written(message)),
            Self::SendStreaming(message) => ("SendStreamingMessage", written(message)),
            Self::Get(task) => ("GetTask", json!({ "id": task, "historyLength": 0 })),
            Self::Cancel(task) => ("CancelTask", json!({ "id": task })),
            Self::Subscribe(task) | Self::SubscribeByGet(task) => ("SubscribeToTask", json!({ "id": task })),
        }
    }

    /// Returns the request of HTTP+JSON.
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

/// Returns an address with more segments. Other characters of a segment are escaped: the id of a task may be any text.
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
