//! The axum host: agents over HTTP (AG-UI 1.0, section "Transports").
//!
//! ```text
//! request ─▶ request, accept (headers, size) ─▶ input (admit, check) ─▶ DynAgent::start ─▶ body (events, keep-alive) ─▶ response
//!                         └──────── rejection: 4xx with a JSON body ───┘
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `host` `mount` `serve` | [`Server`]: its settings; its agents and where they are; how long it lives |
//! | `routes` `run` | paths; one run |
//! | `accept` `encoding` | which transport the client reads, and events in it |
//! | `request` `reading` `input_limits` `census` `input` `version` `admit` `place` | what a client may send |
//! | `snake_case` | the same of clients that speak another contract |
//! | `rejection` `excerpt` | how it is told that it may not |
//! | `body` | a run as a stream of bytes |
//! | `address` `cors` `shutdown` `manifest` `program` | the world around |

mod accept;
mod address;
mod admit;
mod body;
mod census;
mod cors;
mod encoding;
mod excerpt;
mod host;
mod input;
mod input_limits;
mod manifest;
mod mount;
mod place;
mod program;
mod reading;
mod rejection;
mod request;
mod routes;
mod run;
mod serve;
mod shutdown;
mod snake_case;
mod version;

pub use host::Server;
pub use input_limits::InputLimits;
pub use manifest::init;
pub use program::block_on;

use axum::Router;

use cors::Origins;

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
/// ```
/// # use agui_runtime::Agent;
/// # fn example(chef: impl Agent) {
/// let app: axum::Router = axum::Router::new().nest("/chef", agui_runtime::router(chef));
/// # }
/// ```
pub fn router(agent: impl Agent) -> Router {
    // One agent at `/` and the default origins leave nothing to check.
    Server::new().agent("/", agent).assemble(Some(Origins::Any), None)
}
