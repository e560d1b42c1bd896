//! Our server and its peers, which make the same runs.

mod ag_ui;
mod ag_ui_server;
mod by_hand;
mod encoded;
mod floor;
mod frames;
mod ours;
mod raw;

use axum::Router;
use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;

use crate::process::Fault;
use crate::shape::Shape;

/// The servers, ours first.
pub const SERVERS: [&str; 7] = [OURS, ENCODED, HYPER, "ag-ui", "ag-ui-server", "axum + serde", "floor"];

pub const OURS: &str = "ours";
/// axum, which writes frames that were encoded before.
pub const ENCODED: &str = "axum encoded";
/// hyper, which writes the same frames.
pub const HYPER: &str = "hyper";

/// Serves until the process ends.
pub async fn serve(server: &str, shape: Shape, listener: TcpListener) -> Result<(), Fault> {
    match server {
        OURS => ours::serve(shape, listener).await,
        ENCODED => encoded::serve(shape, listener).await,
        HYPER => raw::serve(shape, listener).await,
        "ag-ui" => ag_ui::serve(shape, listener).await,
        "ag-ui-server" => ag_ui_server::serve(shape, listener).await,
        "axum + serde" => by_hand::serve(shape, listener).await,
        "floor" => floor::serve(shape, listener).await,
        other => Err(format!("no server `{other}`").into()),
    }
}

/// Serves a router of axum. Every event is sent at once, as other servers of streams do.
async fn serve_router(router: Router, listener: TcpListener) -> Result<(), Fault> {
    let listener = listener.tap_io(|socket| {
        // A connection that has ended already.
        let _ = socket.set_nodelay(true);
    });
    Ok(axum::serve(listener, router).await?)
}
