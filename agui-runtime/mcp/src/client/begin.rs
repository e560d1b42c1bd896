//! Opening a connection: detects the server's protocol generation.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitationCapability, ExtensionCapabilities,
    FormElicitationCapability, Implementation, ProtocolVersion, UrlElicitationCapability,
};
use rmcp::service::{ClientInitializeError, RunningService};
use rmcp::transport::Transport;
use rmcp::{ClientCacheConfig, ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::json;
use tokio::time::{Instant, timeout_at};

use super::generation::{McpGeneration, ServerFingerprint};
use super::handler::McpServerMessages;
use super::watched::{McpNotifications, WatchedTransport};
use super::{HttpFailure, McpClient, McpConnectOptions};
use crate::McpError;
use crate::error::BoxError;
use agui_runtime_core::__leaf::quoted;
use agui_runtime_core::protocol::JsonObject;

/// Time limit for the first response. A package manager may have to download the server first.
const START: Duration = Duration::from_secs(120);

/// Time after which a server that is silent in both generations is started or contacted again.
const FIRST_TRY: Duration = Duration::from_secs(60);

type McpClientService = RunningService<RoleClient, McpServerMessages>;

/// A route to a server that can be opened repeatedly.
pub(super) trait McpServerRoute: Send {
    type Transport: Transport<RoleClient> + 'static;

    /// Starts the server, or prepares HTTP requests.
    fn open(&mut self) -> impl Future<Output = Result<Self::Transport, BoxError>> + Send;

    /// True if another attempt can end differently.
    fn may_help(&self, error: &BoxError) -> bool;

    /// Explains why all attempts failed, if a further request can find out.
    fn explain(&self) -> impl Future<Output = Option<BoxError>> + Send {
        async { None }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("it is another server than before")]
struct ServerReplacedError;

/// Both attempts failed.
#[derive(Debug, thiserror::Error)]
#[error("{second}; before that, {first}")]
struct TwoAttemptsError {
    first: BoxError,
    #[source]
    second: BoxError,
}

enum AttemptFailure {
    Late,
    Failed(BoxError),
}

/// Connects to a server that can be started or contacted again.
pub(super) async fn begin(
    server: String,
    known: ServerFingerprint,
    wish: McpConnectOptions,
    mut way: impl McpServerRoute,
) -> Result<McpClient, McpError> {
    let end = Instant::now() + START;
    let is_older = known.is_older();
    let first = match (wish.generation, is_older) {
        (Some(generation), _) => lifecycle(generation),
        (None, true) => lifecycle(McpGeneration::Handshake),
        (None, false) => both(),
    };
    let is_last = wish.generation.is_some();
    let first_end = if is_last { end } else { Instant::now() + FIRST_TRY };
    let mut is_replaced = false;
    let first = match attempt(&server, &mut way, first, &wish, first_end).await {
        Ok(running) if wish.generation.is_none() && is_older && !known.is_same(about(&running)) => {
            // Another server is at the place of the known server, or a newer version of this server.
            drop(running.cancel().await);
            is_replaced = true;
            AttemptFailure::Failed(ServerReplacedError.into())
        }
        Ok(running) => {
            remember(known, &running);
            return Ok(connected(server, running).await);
        }
        Err(failure) => failure,
    };
    let may_help = match &first {
        AttemptFailure::Late => true,
        AttemptFailure::Failed(error) => way.may_help(error),
    };
    if is_last || !may_help {
        return Err(refused(server, first, &way).await);
    }
    let second = if is_older { both() } else { lifecycle(McpGeneration::Handshake) };
    if let AttemptFailure::Failed(error) = &first {
        tracing::debug!(error = %quoted(error), server, "an MCP server is asked once more, in the other generation of the protocol");
    }
    let mut second = attempt(&server, &mut way, second, &wish, end).await;
    if is_replaced && second.is_err() {
        // It is a newer version that speaks as the older one did, and has just been asked what ends it.
        second = attempt(&server, &mut way, lifecycle(McpGeneration::Handshake), &wish, end).await;
    }
    match second {
        Ok(running) => {
            remember(known, &running);
            Ok(connected(server, running).await)
        }
        Err(AttemptFailure::Failed(second)) => {
            let failure = match first {
                AttemptFailure::Failed(first) => TwoAttemptsError { first, second }.into(),
                AttemptFailure::Late => second,
            };
            Err(refused(server, AttemptFailure::Failed(failure), &way).await)
        }
        Err(AttemptFailure::Late) => Err(McpError::Timeout { server, timeout: START }),
    }
}

/// Connects over a transport that exists once.
pub(super) async fn begin_once(
    server: String,
    wish: McpConnectOptions,
    transport: impl Transport<RoleClient> + 'static,
) -> Result<McpClient, McpError> {
    let lifecycle = wish.generation.map_or_else(both, lifecycle);
    let (messages, transport) = watched(&server, wish.has_apps, transport);
    let starting = messages.serve_with_lifecycle(transport, lifecycle);
    match tokio::time::timeout(START, starting).await {
        Ok(Ok(running)) => Ok(connected(server, running).await),
        Ok(Err(error)) => Err(McpError::Connect { server, source: cause(error) }),
        Err(_) => Err(McpError::Timeout { server, timeout: START }),
    }
}

async fn attempt(
    server: &str,
    way: &mut impl McpServerRoute,
    lifecycle: ClientLifecycleMode,
    wish: &McpConnectOptions,
    end: Instant,
) -> Result<McpClientService, AttemptFailure> {
    let starting = async {
        let (messages, transport) = watched(server, wish.has_apps, way.open().await?);
        messages.serve_with_lifecycle(transport, lifecycle).await.map_err(cause)
    };
    match timeout_at(end, starting).await {
        Ok(begun) => begun.map_err(AttemptFailure::Failed),
        Err(_) => Err(AttemptFailure::Late),
    }
}

async fn refused(server: String, failure: AttemptFailure, way: &impl McpServerRoute) -> McpError {
    match failure {
        AttemptFailure::Late => McpError::Timeout { server, timeout: START },
        AttemptFailure::Failed(error) => {
            let is_explained = HttpFailure::find_in(error.as_ref()).is_some_and(HttpFailure::is_advice);
            let source = if is_explained { error } else { way.explain().await.unwrap_or(error) };
            McpError::Connect { server, source }
        }
    }
}

/// Remembers a server that made a handshake.
fn remember(known: ServerFingerprint, running: &McpClientService) {
    let version = running.peer().peer_info().map(|info| info.protocol_version.clone());
    match version {
        Some(version) if version < ProtocolVersion::V_2026_07_28 => known.remember_older(about(running)),
        _ => known.forget(),
    }
}

/// Returns the server info as JSON.
fn about(running: &McpClientService) -> String {
    let info = running.peer().peer_info();
    info.and_then(|info| serde_json::to_string(&info.server_info).ok()).unwrap_or_default()
}

async fn connected(server: String, running: McpClientService) -> McpClient {
    // A list that is kept would hide that the server has another one, or is gone.
    running.peer().set_response_cache_config(ClientCacheConfig::disabled()).await;
    McpClient::from_service(server, running)
}

fn lifecycle(generation: McpGeneration) -> ClientLifecycleMode {
    match generation {
        McpGeneration::Handshake => ClientLifecycleMode::Initialize,
        McpGeneration::Discover => ClientLifecycleMode::Discover { preferred_versions: preferred_versions() },
    }
}

/// Tries both generations. A handshake server refuses the first request, and gets the handshake over the same connection. A server
/// that knows the request, but no newer version, gets a second request with the earlier version.
fn both() -> ClientLifecycleMode {
    ClientLifecycleMode::Auto {
        preferred_versions: preferred_versions(),
        legacy_version: Some(ProtocolVersion::V_2025_11_25),
    }
}

fn preferred_versions() -> Vec<ProtocolVersion> {
    vec![ProtocolVersion::V_2026_07_28, ProtocolVersion::V_2025_11_25]
}

/// Returns the handler of a server's messages, and the transport that gives the handler the server's notifications.
fn watched<T>(server: &str, has_apps: bool, transport: T) -> (McpServerMessages, WatchedTransport<T>) {
    let notifications = Arc::new(McpNotifications::new(server));
    let transport = WatchedTransport::new(transport, &notifications);
    let this = Implementation::new("agui-runtime", env!("CARGO_PKG_VERSION"));
    let config = ClientConfig::new(capabilities(has_apps), this);
    let config = config.with_protocol_version(ProtocolVersion::V_2025_11_25);
    (McpServerMessages::new(config, notifications), transport)
}

/// Client capabilities, with or without apps.
fn capabilities(has_apps: bool) -> ClientCapabilities {
    let mut capabilities = ClientCapabilities::default();
    let asks = ElicitationCapability::new().with_form(FormElicitationCapability::default());
    capabilities.elicitation = Some(asks.with_url(UrlElicitationCapability::default()));
    if has_apps {
        let pages = JsonObject::from_iter([("mimeTypes".to_owned(), json!(["text/html;profile=mcp-app"]))]);
        let extension = ("io.modelcontextprotocol/ui".to_owned(), pages);
        capabilities.extensions = Some(ExtensionCapabilities::from_iter([extension]));
    }
    capabilities
}

/// Unwraps a transport failure, if that is the reason.
fn cause(error: ClientInitializeError) -> BoxError {
    match error {
        ClientInitializeError::TransportError { error, .. } => error.error,
        ClientInitializeError::LegacyFallbackFailed { discover, fallback } => {
            TwoAttemptsError { first: cause(*discover), second: cause(*fallback) }.into()
        }
        other => other.into(),
    }
}
