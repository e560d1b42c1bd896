//! The tour: one server with every feature, and all clients that visit it.
//!
//! | module | subject |
//! |---|---|
//! | `raw` | every event of every route, exactly, for clients of 1.0 and older ones; also the Python models and validator |
//! | `clients` | both generations of the official client: messages, state, no complaint; the binary transport |
//! | `own` `peer` | our own client, over both transports, as a current and as an old one; the client of crate `ag-ui` |
//! | `mcp` | the agent with an MCP server: its question, its progress, and a tool that comes later |
//! | `refused` `slow` | requests that start no run: malformed inputs, other origins, capabilities; clients that hang up |
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod case;
mod clients;
mod demo;
mod lab;
mod mcp;
mod own;
mod peer;
mod raw;
mod refused;
mod seen;
mod slow;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use agui_tests::outside::ExampleServer;

/// The factor of every pause: programs need none.
const PACE: &str = "0.02";

/// The server that all tests share, while one of them holds it.
fn tour() -> Arc<ExampleServer> {
    static RUNNING: Mutex<Weak<ExampleServer>> = Mutex::new(Weak::new());
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(server) = running.upgrade() {
        return server;
    }
    let server = Arc::new(ExampleServer::start_with("tour", &[("TOUR_PACE", PACE)]));
    *running = Arc::downgrade(&server);
    server
}

fn address(server: &ExampleServer) -> SocketAddr {
    server.url().strip_prefix("http://").unwrap().parse().unwrap()
}
