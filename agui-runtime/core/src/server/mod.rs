//! The axum host: agents over HTTP (AG-UI 1.0, section "Transports").
//!
//! ```text
//! socket ─▶ connection ─▶ gate (origin, host) ─▶ request, accept (headers, size) ─▶ run_slots ─▶ input (admit, check)   AgUiInput
//!                              └──────────────── rejection: 4xx or 503 with a JSON body ─────────┘        │
//!            AgUiResponse                   response ◀─ body (events, heartbeats) ◀─ bounded ◀─ DynAgent::start
//! ```
//!
//! | module | content |
//! |---|---|
//! | `server` `mount` `assemble` `routes` `run` | [`Server`]: its agents, their paths, the checks before it listens, the routes |
//! | `settings` `tools` `trust` | settings for every run; backend tools; trusted pages, hosts and resume entries |
//! | `origins` | pages and hosts that may send requests |
//! | `limits` | [`Limits`]: time, memory, numbers |
//! | `request` `response` | from a request's headers to a checked input; event streams and refusals |
//! | `lifetime` | address, connections, health, shutdown |
//! | `threads` | stored runs and their threads |
//! | `websocket` `webhooks` | runs over WebSockets; ends of stored runs, sent to a URL |
//! | `a2a` `mcp` `snake_case` | agents for A2A clients; tools for MCP clients; the snake_case dialect |
//! | `copilotkit` | agents for CopilotKit's pages |
//! | `metrics` `trace` `manifest` `start_page` `error` | metrics, request spans, the manifest over HTTP, the development page, errors |

#[cfg(feature = "a2a")]
mod a2a;
mod assemble;
mod copilotkit;
mod error;
mod lifetime;
mod limits;
mod manifest;
#[cfg(feature = "tool-servers")]
mod mcp;
mod metrics;
mod mount;
mod origins;
mod request;
mod response;
mod routes;
mod run;
#[allow(clippy::module_inception, reason = "it defines `Server`")]
mod server;
mod settings;
#[cfg(feature = "dialect")]
mod snake_case;
mod start_page;
mod threads;
mod tools;
mod trace;
mod trust;
#[cfg(feature = "webhooks")]
mod webhooks;
#[cfg(feature = "websocket")]
mod websocket;

pub use error::Error;
pub use lifetime::program::block_on;
pub use limits::server_limits::Limits;
#[cfg(feature = "tool-servers")]
#[doc(hidden)]
pub use mcp::{McpHttpHandler, McpHttpService, McpHttpSettings};
pub use request::ag_ui_input::AgUiInput;
pub use request::input_limits::InputLimits;
pub use response::ag_ui_reply::{AgUiReply, AgUiResponse};
pub use response::rejection::Rejection;
pub use server::Server;
#[cfg(feature = "model")]
pub use threads::ModelTitles;
pub use threads::{BusyThread, ClientLeaves, FirstExchange, ThreadOptions, ThreadTitles};
#[cfg(feature = "webhooks")]
pub use webhooks::Webhooks;

use axum::Router;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use lifetime::health::ServerReadiness;
use origins::gate::RequestGate;

use crate::agent::Agent;

/// Serves one agent at `/`, until SIGINT or SIGTERM: [`Server`] with its defaults.
///
/// The address is taken from `AGUI_ADDR`, by default `127.0.0.1:8000`, and printed. Warnings and errors go to standard error,
/// unless the program has a tracing subscriber.
///
/// ```no_run
/// # use agui_runtime::Agent;
/// # async fn example(chef: impl Agent) -> Result<(), agui_runtime::Error> {
/// agui_runtime::serve(chef).await
/// # }
/// ```
///
/// # Errors
/// As [`Server::serve`].
pub fn serve(agent: impl Agent) -> BoxFuture<'static, Result<(), Error>> {
    // Not an `async fn`: for it, the compiler reports a value that is not an agent three times.
    Server::new().agent("/", agent).serve().boxed()
}

/// Returns a router with one agent at `/`, to be nested into an axum application of your own: [`Server`] with its defaults.
///
/// Nested at `/chef`, the agent is served at `/chef` and not at `/chef/`: axum nests this way.
///
/// Runs start for every `Host`, because your application's address is not known here. A page from the same host is admitted over
/// `https`, or if the host is an address or a loopback name. If users open your application by a name over plain HTTP, or programs
/// read capabilities by a name, list the name with [`Server::allow_hosts`] and use [`Server::router`] instead. See [Pages that may
/// talk to a server](crate::guide::security#pages-that-may-talk-to-a-server).
///
/// ```
/// use axum::Router;
/// # use agui_runtime::prelude::*;
/// # use axum::extract::Request;
/// # use tower_service::Service;
/// #
/// # /// Cooks with you.
/// # #[agent]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
/// #     Ok(())
/// # }
///
/// # fn main() {
/// let app: Router = Router::new().nest("/chef", agui_runtime::router(Chef::new()));
/// # let mut app = app;
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// #     let request = Request::get("/chef/capabilities").body(axum::body::Body::empty()).unwrap();
/// #     assert_eq!(app.call(request).await.unwrap().status(), 200);
/// # });
/// # }
/// ```
pub fn router(agent: impl Agent) -> Router {
    // One agent at `/` without names leaves nothing to check.
    Server::new().agent("/", agent).assemble(RequestGate::default(), None, None, &ServerReadiness::new(None))
}
