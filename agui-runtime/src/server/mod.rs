//! The axum host: agents over HTTP (AG-UI 1.0, section "Transports").
//!
//! ```text
//! socket ─▶ connection ─▶ gate (origin, host) ─▶ request, accept (headers, size) ─▶ places ─▶ input (admit, check)   AgUiInput
//!                              └───────────── rejection: 4xx or 503 with a JSON body ─────────┘        │
//!            AgUiResponse                response ◀─ body (events, heartbeats) ◀─ bounded ◀─ DynAgent::start
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `host` `mount` `serve` | [`Server`]: how it is set up; its agents and where they are; how long it lives |
//! | `settings` | what it decides about every run |
//! | `connection` | TCP connections: how many, how long, in which states |
//! | `gate` `cors` `loopback` | the pages that may talk to a server, and the names it answers to |
//! | `limits` `places` `bounded` `body_time` | [`Limits`]; how many runs; how long a run; how long a body |
//! | `routes` `run` `handler` | paths; one run; the same for handlers of users |
//! | `accept` `encoding` `heartbeat` | which transport the client reads; events in it; signs of life in it |
//! | `request` `reading` `input_limits` `census` `input` `version` `admit` `place` | what a client may send |
//! | `snake_case` | the same of clients that speak another contract |
//! | `rejection` `excerpt` | how it is told that it may not |
//! | `body` | a run as a stream of bytes |
//! | `metrics` | the names of all metrics |
//! | `address` `shutdown` `manifest` `program` | the world around |

mod accept;
mod address;
mod admit;
mod body;
mod body_time;
mod bounded;
mod census;
mod connection;
mod cors;
mod encoding;
mod excerpt;
mod gate;
mod handler;
mod heartbeat;
mod host;
mod input;
mod input_limits;
mod limits;
mod loopback;
mod manifest;
mod metrics;
mod mount;
mod place;
mod places;
mod program;
mod reading;
mod rejection;
mod request;
mod routes;
mod run;
mod serve;
mod settings;
mod shutdown;
mod snake_case;
mod version;

pub use handler::{AgUiInput, AgUiReply, AgUiResponse};
pub use host::Server;
pub use input_limits::InputLimits;
pub use limits::Limits;
pub use manifest::init;
pub use program::block_on;
pub use rejection::Rejection;

use axum::Router;

use body_time::BodyTime;
use cors::Origins;
use gate::{Gate, Hosts};

use crate::{Agent, Error};

/// Serves one agent at `/`, until SIGINT or SIGTERM: [`Server`] with its defaults.
///
/// The address is taken from `AGUI_ADDR`, by default `127.0.0.1:8000`, and printed.
///
/// ```no_run
/// # use agui_runtime::Agent;
/// # async fn example(chef: impl Agent) -> Result<(), agui_runtime::Error> {
/// agui_runtime::serve(chef).await
/// # }
/// ```
///
/// # Errors
/// Those of [`Server::serve`].
pub async fn serve(agent: impl Agent) -> Result<(), Error> {
    Server::new().agent("/", agent).serve().await
}

/// One agent at `/` of a router, to be nested into an axum application of your own: [`Server`] with its defaults.
///
/// Nested at `/chef`, the agent answers at `/chef` and not at `/chef/`: that is how axum nests.
///
/// It answers to every `Host`, because the address of your application is not known here. Where that is a loopback address, name the
/// hosts with [`Server::allow_hosts`] and [`Server::router`] instead, against DNS rebinding.
///
/// ```
/// # use agui_runtime::Agent;
/// # fn example(chef: impl Agent) {
/// let app: axum::Router = axum::Router::new().nest("/chef", agui_runtime::router(chef));
/// # }
/// ```
pub fn router(agent: impl Agent) -> Router {
    // One agent at `/` and no names leave nothing to check.
    let gate = Gate {
        origins: Origins::Named(Vec::new()),
        hosts: Hosts::Any,
        body_time: BodyTime::new(Limits::default().body_timeout),
    };
    Server::new().agent("/", agent).assemble(gate, None)
}
