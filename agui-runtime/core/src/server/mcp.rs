//! MCP servers beside a server's agents.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing::any;
use futures_util::future::BoxFuture;
use http::request::Parts;
use http_body::Body as _;

use super::Server;
use super::limits::budget::ClientKey;
use super::limits::run_slots::RunSlot;
use super::limits::watched::{BodyWatch, PolledFrame, WatchedBody};
use super::request::input_bytes;
use super::request::reading::BodyReader;
use super::response::rejection::Rejection;
use super::settings::ServerSettings;
use crate::agent::{ResumeClaim, RunOptions, Stop};
use crate::consent::{InterruptKey, ResumedError};
use crate::manifest::AgentSource;
use crate::random;

/// An agent's tools as a service over HTTP: implemented by `agui_runtime::mcp::McpServer`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an MCP server",
    label = "not an `McpServer`",
    note = "make one from the agent: `McpServer::new(agent)`, or `McpServer::shared(&agent)` if the agent also serves AG-UI"
)]
pub trait McpHttpService: Send + 'static {
    /// Returns the agent whose tools the service exports.
    fn source(&self) -> &AgentSource;

    /// Returns the handler for requests whose host, origin and size the server has checked.
    fn into_handler(self: Box<Self>, settings: McpHttpSettings) -> McpHttpHandler;
}

/// Answers one request.
#[doc(hidden)]
pub type McpHttpHandler = Arc<dyn Fn(Request) -> BoxFuture<'static, Response> + Send + Sync>;

/// Settings for a service that many clients reach.
#[doc(hidden)]
pub struct McpHttpSettings {
    /// Time limit for one call.
    pub time: Option<Duration>,
    /// Largest request body, in bytes.
    pub body_size: usize,
    /// Pause between keep-alive comments.
    pub keep_alive: Option<Duration>,
    /// Run options for the call in a request.
    pub options: Arc<dyn Fn(&Parts) -> RunOptions + Send + Sync>,
    /// Claims a request's interrupts, if the server has a thread store.
    pub claim: Option<McpResumeClaims>,
}

/// Returns a request's claim.
#[doc(hidden)]
pub type McpResumeClaims = Arc<dyn Fn(&Parts) -> ResumeClaim + Send + Sync>;

/// The thread store's key, for interrupts that have no other.
#[derive(Clone)]
struct StoreKey(InterruptKey);

/// An agent's tools at a path.
pub(super) struct MountedMcp {
    pub(super) path: String,
    server: Box<dyn McpHttpService>,
}

impl MountedMcp {
    pub(super) fn source(&self) -> AgentSource {
        self.server.source().clone()
    }
}

impl Server {
    /// Adds an agent's tools at a path, as an MCP server over streamable HTTP (feature `mcp`; MCP, section "Streamable HTTP").
    ///
    /// The [host](Self::allow_hosts) and [origin](Self::allow_origins) checks apply, and so do the [`layer`](Self::layer)s, by
    /// which tools get their request values. A request counts as a run for the [`Limits`](crate::Limits), and as an input for the
    /// [`input_limits`](Self::input_limits). There are no sessions: a client that leaves cancels its call.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use agui_runtime::Server;
    /// use agui_runtime::mcp::McpServer;
    /// use agui_runtime::prelude::*;
    ///
    /// /// Looks up what an ingredient costs, in cents.
    /// #[tool(read_only)]
    /// async fn price(name: String) -> u32 {
    ///     180
    /// }
    ///
    /// /// Sells things.
    /// #[agent(tools = [price])]
    /// async fn shop(run: &mut Run<Shop>, _: Input<Shop>) -> Result<(), Stop> {
    ///     Ok(())
    /// }
    ///
    /// let shop = Arc::new(Shop::new());
    /// let server = Server::new().mcp("/mcp", McpServer::shared(&shop)).dyn_agent("/", shop);
    /// assert!(server.router().is_ok());
    /// ```
    pub fn mcp(mut self, path: &str, server: impl McpHttpService) -> Self {
        self.mcp.push(MountedMcp { path: path.to_owned(), server: Box::new(server) });
        self
    }
}

/// Adds each server's route.
pub(super) fn routes(mounted: Vec<MountedMcp>, router: Router, settings: &Arc<ServerSettings>) -> Router {
    mounted.into_iter().fold(router, |router, MountedMcp { path, server }| {
        let handler = server.into_handler(http_settings(Arc::clone(settings), &path));
        let settings = Arc::clone(settings);
        let admit = from_fn(move |request, next| admit(Arc::clone(&settings), request, next));
        router.merge(Router::new().route(&path, any(move |request: Request| handler(request))).layer(admit))
    })
}

/// Passes a request on that is within the body, input and run limits. The slot is free again when the response ends.
async fn admit(settings: Arc<ServerSettings>, request: Request, next: Next) -> Result<Response, Rejection> {
    let (mut parts, body) = request.into_parts();
    let identity = settings.identity(&parts);
    let share = settings.run_slots.body(ClientKey::from_request(&parts, identity.as_deref()));
    let (bytes, share) =
        input_bytes::read_body(&parts.headers, body, settings.limits.body_size, share).await?;
    let slot = settings.run_slots.take(share)?;
    let len = bytes.len();
    if len > 0 {
        settings.reading.check(bytes.clone()).await?;
    }
    // Each request is a thread of its own.
    let thread = format!("{:016x}", random::number(parts.uri.path()));
    let slot = slot.for_thread(&parts.uri.path().into(), &thread, identity).await?;
    if let Some(threads) = &settings.threads {
        threads.maintain();
        parts.extensions.insert(StoreKey(threads.interrupt_key().await?));
    }
    let answering = Box::pin(next.run(Request::from_parts(parts, Body::from(bytes))));
    let answer = begun(answering, len, &settings.reading).await?;
    Ok(answer.map(|body| Body::new(WatchedBody::new(body, McpSlotWatch { _slot: slot }))))
}

/// Polls a service for the first time where bodies are read, because the service parses the whole body then.
async fn begun<F>(
    mut answering: Pin<Box<F>>,
    len: usize,
    reading: &BodyReader,
) -> Result<F::Output, Rejection>
where
    F: Future<Output: Send> + Send + 'static,
{
    let first = move || {
        let polled = answering.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        (polled, answering)
    };
    match reading.work(len, first).await? {
        (Poll::Ready(answer), _) => Ok(answer),
        (Poll::Pending, answering) => Ok(answering.await),
    }
}

/// Holds a request's slot until the response has ended, or the client has left.
struct McpSlotWatch {
    _slot: RunSlot,
}

impl BodyWatch<Body> for McpSlotWatch {
    type Error = axum::Error;

    fn poll_frame(&mut self, body: Pin<&mut Body>, cx: &mut Context<'_>) -> PolledFrame<axum::Error> {
        body.poll_frame(cx)
    }
}

fn http_settings(settings: Arc<ServerSettings>, path: &str) -> McpHttpSettings {
    McpHttpSettings {
        time: settings.limits.run_timeout,
        body_size: settings.limits.body_size,
        keep_alive: settings.keep_alive,
        claim: claims(&settings, path),
        options: Arc::new(move |parts: &Parts| {
            let mut parts = parts.clone();
            let identity = settings.identity(&parts);
            let store_key = parts.extensions.remove::<StoreKey>();
            let options = settings.run_options(&parts);
            let options = options.or(&settings.server_options(&mut parts, identity.as_deref()));
            match store_key {
                Some(StoreKey(key)) => options.store_key(key),
                None => options,
            }
        }),
    }
}

/// Claims interrupts at the server's thread store, so that each is resumed once in all processes.
fn claims(settings: &Arc<ServerSettings>, path: &str) -> Option<McpResumeClaims> {
    let threads = settings.threads.clone()?;
    let (settings, path) = (Arc::clone(settings), Arc::<str>::from(path));
    Some(Arc::new(move |parts: &Parts| {
        let owner = settings.identity(parts).unwrap_or_default();
        let (threads, path) = (Arc::clone(&threads), Arc::clone(&path));
        Box::new(move |ids| {
            Box::pin(async move {
                for id in ids {
                    let claimed = threads.claim_interrupt(&owner, &path, &id).await.map_err(|error| {
                        Stop::error("the thread log is unavailable")
                            .with_code("storage_unavailable")
                            .with_source(error)
                    })?;
                    // A cancellation continues the agent too.
                    if !claimed {
                        return Err(ResumedError::Used { id }.into());
                    }
                }
                Ok(())
            })
        })
    }))
}

#[cfg(test)]
mod tests {
    use std::thread;

    use axum::routing::post;
    use bytes::Bytes;

    use super::super::request::input_limits::InputLimits;
    use super::*;

    /// Returns the status, and the thread on which a service reads a list of zeros with this length in bytes.
    async fn thread_of(settings: &Arc<ServerSettings>, len: usize) -> (u16, String) {
        let settings = Arc::clone(settings);
        let service = post(async |_: Bytes| format!("{:?}", thread::current().id()));
        let admit = from_fn(move |request, next| admit(Arc::clone(&settings), request, next));
        let router = Router::new().route("/", service).layer(admit);
        let body = format!("[{}0]", "0,".repeat((len - 3) / 2));
        let request = Request::post("/").header("content-length", body.len()).body(Body::from(body));
        let answer =
            tower_service::Service::call(&mut router.into_service(), request.unwrap()).await.unwrap();
        let status = answer.status().as_u16();
        let body = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
        (status, String::from_utf8_lossy(&body).into_owned())
    }

    #[tokio::test]
    async fn a_large_body_is_parsed_on_another_thread() {
        let reading = BodyReader::new(InputLimits::default().inline(101));
        let settings = Arc::new(ServerSettings { reading, ..ServerSettings::default() });
        let here = format!("{:?}", thread::current().id());
        assert_eq!(thread_of(&settings, 101).await, (200, here.clone()));
        let (status, there) = thread_of(&settings, 103).await;
        assert_eq!(status, 200, "{there}");
        assert_ne!(there, here);
    }

    #[tokio::test]
    async fn a_large_body_is_checked_as_well() {
        let reading = BodyReader::new(InputLimits::default().inline(0).nodes(10));
        let settings = Arc::new(ServerSettings { reading, ..ServerSettings::default() });
        let (status, refused) = thread_of(&settings, 103).await;
        assert!(status == 413 && refused.contains("too_many_nodes"), "{status} {refused}");
    }
}
