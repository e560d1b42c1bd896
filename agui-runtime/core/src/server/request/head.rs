//! A run request, before and after its body is read.

use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use http::HeaderMap;
use http::request::Parts;

use super::ag_ui_input::AgUiInput;
use super::input::ParsedInput;
use super::{accept, input, input_bytes};
use crate::agent::RunOptions;
use crate::kernel::Peer;
use crate::protocol::any_json::allowance::{MemoryAllowance, MemoryShare};
use crate::protocol::forms::scan::JsonScanner;
use crate::protocol::{JsonObject, MessageId};
use crate::server::limits::budget::ClientKey;
use crate::server::mount::RouteProtocol;
use crate::server::response::ag_ui_reply::AgUiReply;
use crate::server::response::encoding::StreamEncoding;
use crate::server::response::rejection::Rejection;
use crate::server::settings::ServerSettings;
#[cfg(feature = "dialect")]
use crate::server::snake_case;
use crate::server::threads::BusyThread;
use crate::server::threads::conversation::note::ThreadNote;

/// A run request whose body has not been read yet.
pub(in crate::server) struct RunRequestHead {
    headers: HeaderMap,
    path: Arc<str>,
    identity: Option<String>,
    client: Option<ClientKey>,
    options: RunOptions,
    server: RunOptions,
    encoding: StreamEncoding,
    protocol: RouteProtocol,
    settings: Arc<ServerSettings>,
    /// The URL that receives the run's end.
    webhook: Option<String>,
}

/// A run request for a stored thread.
pub(in crate::server) struct ThreadRequest {
    pub(in crate::server) input: AgUiInput,
    /// The caller; empty without an identity.
    pub(in crate::server) owner: String,
    /// The last event that the client claims to have received.
    pub(in crate::server) cursor: Option<String>,
    /// The URL that receives the run's end.
    pub(in crate::server) webhook: Option<String>,
    /// The policy for a busy thread, if not the server's.
    pub(in crate::server) busy: Option<BusyThread>,
    /// Set for a message that steered an earlier run and that no run has taken.
    pub(in crate::server) waiting: Option<WaitingMessage>,
    /// Returns false if the thread has changed so that the request is refused. Called with the thread that the run claims.
    pub(in crate::server) still: Option<ThreadCondition>,
}

/// A message that waits for a run, and begins the next one unless another run takes the message before.
#[derive(Clone)]
pub(in crate::server) struct WaitingMessage {
    pub(in crate::server) id: MessageId,
    /// The digest of the request that brought the message.
    pub(in crate::server) request: String,
}

/// A request's condition on its thread.
pub(in crate::server) type ThreadCondition = Box<dyn Fn(&ThreadNote) -> bool + Send + Sync>;

impl RunRequestHead {
    pub(in crate::server) fn read(
        mut parts: Parts,
        protocol: RouteProtocol,
        settings: Arc<ServerSettings>,
    ) -> Result<Self, Rejection> {
        input_bytes::check_content_type(&parts.headers).map_err(|rejection| protocol.malformed(rejection))?;
        let encoding = match protocol {
            RouteProtocol::AgUi => accept::choose(&parts.headers),
            // The dialect has one encoding, and no way to refuse a client that does not accept it.
            #[cfg(feature = "dialect")]
            RouteProtocol::SnakeCase => StreamEncoding::SnakeCase,
        };
        let (path, identity) = (parts.uri.path().into(), settings.identity(&parts));
        let client = ClientKey::from_request(&parts, identity.as_deref());
        let options = settings.run_options(&parts);
        let webhook = settings.webhook(&parts)?;
        let server = settings.server_options(&mut parts, identity.as_deref());
        let options = options.or(&server);
        Ok(Self {
            headers: parts.headers,
            path,
            identity,
            client,
            options,
            server,
            encoding,
            protocol,
            settings,
            webhook,
        })
    }

    pub(in crate::server) fn options(&self) -> &RunOptions {
        &self.options
    }

    pub(in crate::server) async fn input(self, body: Body) -> Result<AgUiInput, Rejection> {
        let (path, identity) = (Arc::clone(&self.path), self.identity.clone());
        let (mut input, _) = self.parsed(body).await?;
        input.reply.slot =
            input.reply.slot.for_thread(&path, input.input.thread_id.as_str(), identity).await?;
        Ok(input)
    }

    /// Reads the request for a stored thread: the log decides if another run on the thread is active.
    pub(in crate::server) async fn on_thread(mut self, body: Body) -> Result<ThreadRequest, Rejection> {
        let (identity, header) = (self.identity.clone(), self.last_event_id());
        let webhook = self.webhook.take();
        let (input, bytes) = self.parsed(body).await?;
        let cursor = header.or_else(|| last_seen(&bytes));
        Ok(ThreadRequest {
            input,
            owner: identity.unwrap_or_default(),
            cursor,
            webhook,
            busy: None,
            waiting: None,
            still: None,
        })
    }

    /// Returns the last id that the client received. An empty id counts as missing (HTML standard, section "Server-sent events").
    fn last_event_id(&self) -> Option<String> {
        let header = self.headers.get("last-event-id")?;
        let id = String::from_utf8_lossy(header.as_bytes());
        (!id.is_empty()).then(|| id.into_owned())
    }

    /// Reads the input, whose slot is not yet counted for the thread and identity.
    async fn parsed(self, body: Body) -> Result<(AgUiInput, Bytes), Rejection> {
        let Self { headers, client, options, server, encoding, protocol, settings, .. } = self;
        let malformed = |rejection| protocol.malformed(rejection);
        let (limit, share) = (settings.limits.body_size, settings.run_slots.body(client));
        let (bytes, share) = input_bytes::read_body(&headers, body, limit, share).await.map_err(malformed)?;
        // Parsing takes many times the memory of the bytes, so no more bodies are parsed than runs may go on.
        let slot = settings.run_slots.take(share)?;
        let read = match protocol {
            RouteProtocol::AgUi => input::read,
            #[cfg(feature = "dialect")]
            RouteProtocol::SnakeCase => snake_case::read,
        };
        let text = bytes.clone();
        let ParsedInput { input, trees } = settings.reading.read(bytes, read).await.map_err(malformed)?;
        slot.body().grow(excess_bytes(trees, text.len()))?;
        let peer = match input.protocol_version {
            Some(_) => Peer::from_input(&input),
            None => settings.assumed_peer,
        };
        let allowance = MemoryAllowance::new(Arc::clone(slot.body()) as Arc<dyn MemoryShare>);
        let server = server.peer(peer).allowance(allowance.clone());
        let state = input.state.clone();
        let reply = AgUiReply { peer, encoding, protocol, slot, settings, state, allowance };
        Ok((AgUiInput { input, options, server, reply }, text))
    }
}

/// Returns the last event that the client received, from the body; an empty text if the member is not text.
fn last_seen(body: &[u8]) -> Option<String> {
    const MEMBER: &str = "lastSeenEventId";
    let text = std::str::from_utf8(body).ok()?;
    if let Some(cursor) = JsonScanner::checked(text).string_member(MEMBER) {
        return Some(cursor.into_owned());
    }
    // Only bodies that may have the member are read a second time.
    let member = || serde_json::from_str::<JsonObject>(text).ok()?.remove(MEMBER);
    let found = text.contains(MEMBER).then(member).flatten();
    found.filter(|value| !value.is_null()).map(|_| String::new())
}

/// Returns the budget bytes for trees that take more memory than the body stands for, which is eight body lengths. The rest of the
/// input takes three body lengths.
fn excess_bytes(trees: usize, len: usize) -> usize {
    trees.saturating_sub(len.saturating_mul(5)).div_ceil(8)
}
