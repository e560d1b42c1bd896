//! The frames for runs over one WebSocket, as both ends read and write them: `docs/websocket.md` specifies the protocol.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The name in `Sec-WebSocket-Protocol`; changes with every change that an earlier end cannot read.
pub(crate) const SUBPROTOCOL: &str = "agui-runtime.v1";

/// The socket's path, below the server's path.
pub(crate) const PATH: &str = "/agui/ws";

/// The longest run id on a socket: binary frames write the id length as one byte.
#[cfg(feature = "server")]
pub(crate) const MAX_ID: usize = u8::MAX as usize;

/// The kind of a frame from the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ClientFrameKind {
    Run,
    Cancel,
    Window,
}

/// A frame from the client. Members that belong to another kind are ignored, like unknown members.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClientFrame<'f> {
    #[serde(rename = "type")]
    pub(crate) kind: ClientFrameKind,
    #[serde(borrow)]
    pub(crate) id: Cow<'f, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<Cow<'f, str>>,
    /// The event format; JSON by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) format: Option<Format>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_event_id: Option<Cow<'f, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) headers: Option<BTreeMap<Cow<'f, str>, Cow<'f, str>>>,
    /// The number of frames that the server may send ahead of the reader; unlimited by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) window: Option<u32>,
    /// The number of further frames that the server may send.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) more: Option<u32>,
    /// Last, because the input is the longest member.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) input: Option<&'f RawValue>,
}

/// A run's event format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Format {
    #[default]
    Json,
    /// AG-UI's binary transport.
    Binary,
}

/// The kind of a frame from the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ServerFrameKind {
    Open,
    Event,
    Heartbeat,
    End,
}

/// A frame from the server.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ServerFrame<'f> {
    #[serde(rename = "type")]
    pub(crate) kind: ServerFrameKind,
    #[serde(borrow)]
    pub(crate) id: Cow<'f, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u16>,
    /// The response headers that a page may read.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) headers: Option<BTreeMap<Cow<'f, str>, Cow<'f, str>>>,
    /// The response body for a refused run: JSON, or a text.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) body: Option<&'f RawValue>,
    /// Why a stream ended early.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Broken<'f>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) event_id: Option<Cow<'f, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<&'f RawValue>,
}

/// Why a stream ended early.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Broken<'f> {
    #[serde(borrow)]
    pub(crate) code: Cow<'f, str>,
    #[serde(borrow)]
    pub(crate) message: Cow<'f, str>,
}
