//! The axum host: agents over HTTP (AG-UI 1.0, section "Transports").
//!
//! ```text
//! socket ─▶ connection ─▶ gate (origin, host) ─▶ request, accept (headers, size) ─▶ run_slots ─▶ input (admit, check)   AgUiInput
//!                              └──────────────── rejection: 4xx or 503 with a JSON body ─────────┘        │
//!            AgUiResponse                   response ◀─ body (events, heartbeats) ◀─ bounded ◀─ DynAgent::start
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `server` `mount` `serve` | [`Server`]: its settings; its agents and their paths; its lifetime |
//! | `settings` | settings for every run |
//! | `connection` | TCP connections: number, time and states |
//! | `gate` `cors` `loopback` | pages that may send requests, and hosts for which the server responds |
//! | `limits` `run_slots` `budget` `bounded` `body_time` | [`Limits`]; number of runs; body bytes; run time; body time |
//! | `routes` `run` `head` | paths; one run; a request before its body |
//! | `threads` | stored runs and their threads |
//! | `accept` `encoding` `heartbeat` | the client's transport; its events; its heartbeats |
//! | `request` `reading` `input_limits` `census` `input` `version` `admit` | clients' requests |
//! | `a2a` | agents for A2A clients |
//! | `mcp` | agents' tools for MCP clients |
//! | `webhooks` | ends of stored runs, sent to a URL |
//! | `websocket` | runs over WebSockets |
//! | `snake_case` | requests from snake_case dialect clients |
//! | `health` | responses for load balancers |
//! | `rejection` `excerpt` `panicked` | responses to refused requests, and to panics |
//! | `body` `watched` | a run as a byte stream; bodies with an observer |
//! | `metrics` `trace` | the server's metrics; a request's span |
//! | `error` `address` `shutdown` `manifest` `program` | the server's environment |

#[cfg(feature = "a2a")]
mod a2a;
mod accept;
mod address;
mod admit;
mod ag_ui_input;
mod ag_ui_reply;
mod assemble;
mod body;
mod body_time;
mod bounded;
mod budget;
mod census;
mod client_state;
mod connection;
mod cors;
mod encoding;
mod error;
mod excerpt;
mod foreign;
mod gate;
mod head;
mod health;
mod heartbeat;
mod held_text;
mod input;
mod input_limits;
mod json_path;
mod limits;
mod loopback;
mod manifest;
#[cfg(feature = "mcp")]
mod mcp;
mod metrics;
mod mount;
mod panicked;
mod program;
mod readers;
mod reading;
mod rejection;
mod request;
mod routes;
mod run;
mod run_slots;
mod serve;
#[allow(clippy::module_inception, reason = "it defines `Server`")]
mod server;
mod settings;
mod shutdown;
#[cfg(feature = "dialect")]
mod snake_case;
mod start_page;
mod threads;
mod tools;
mod trace;
mod trust;
mod unended;
mod version;
mod watched;
#[cfg(feature = "webhooks")]
mod webhooks;
#[cfg(feature = "websocket")]
mod websocket;

pub use ag_ui_input::AgUiInput;
pub use ag_ui_reply::{AgUiReply, AgUiResponse};
pub use error::Error;
pub use input_limits::InputLimits;
pub use limits::Limits;
pub use program::block_on;
pub use rejection::Rejection;
pub use server::Server;
pub use threads::{BusyThread, ClientLeaves, ThreadOptions};
#[cfg(feature = "webhooks")]
pub use webhooks::Webhooks;

use axum::Router;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use gate::Gate;
use health::Readiness;

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
    Server::new().agent("/", agent).assemble(Gate::default(), None, None, &Readiness::new(None))
}
