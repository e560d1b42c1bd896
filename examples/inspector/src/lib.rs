//! A page that runs agents and shows everything that they send: `GET /` of `cargo run -p tour`, and
//! `cargo run -p agui-cli -- inspect http://127.0.0.1:8000/` for any AG-UI server.
//!
//! The program forwards each run of the page to the agent, reads the answer as an AG-UI client does, and writes what it
//! found about each event beside it. The page therefore needs no permission of the agent's server (CORS), and the
//! verifier is the one of `agui_runtime`.
//!
//! ```text
//! page ──POST /inspector/run──▶ run ──▶ Upstream: mounted (this program), or HTTP ──▶ agent
//! page ◀──one line of JSON an event── judge ◀── frames ◀──────────────────────────┘
//! ```
//!
//! | file | holds together |
//! |---|---|
//! | `agents` | the agents that the page may run, and no others |
//! | `mounted` | the agents of this program, called without a socket |
//! | `judge` `note` | the findings about each event; the lines that the page reads |
//! | `run` `file` | the answer to a run; the answer to a recording |
//! | `page` | the files of the page |
//! | `own_page` | the check that a request comes from it |

#![cfg_attr(docsrs, feature(doc_cfg))]

mod agents;
mod file;
mod judge;
mod mounted;
mod note;
mod own_page;
mod page;
mod run;

pub use agents::{Agent, Agents};
pub use mounted::Mounted;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

/// The longest input of a run, in bytes.
const MAX_INPUT: usize = 4 << 20;

/// Returns the page at `/`, and its requests below `/inspector`.
///
/// Serve them with [`agui_runtime::Server::routes`], which checks the host and the origin of each request.
///
/// ```
/// use agui_runtime::Server;
/// use agui_runtime::client::HttpAgent;
/// use agui_inspector::{Agent, Agents};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let url = "http://127.0.0.1:8000/";
/// let agents = Agents::new([Agent::new(url, HttpAgent::new(url)?)]);
/// let server = Server::new().routes(agui_inspector::routes(agents));
/// assert!(server.router().is_ok());
/// # Ok(())
/// # }
/// ```
pub fn routes(agents: Agents) -> Router {
    Router::new()
        .route("/inspector/agents", get(agents::list))
        .route("/inspector/capabilities", get(agents::capabilities))
        .route("/inspector/run", post(run::run).layer(DefaultBodyLimit::max(MAX_INPUT)))
        .route("/inspector/read", post(file::read).layer(DefaultBodyLimit::max(judge::MAX_STREAM)))
        .with_state(Arc::new(agents))
        .layer(axum::middleware::from_fn(own_page::check))
        .merge(page::routes())
}
