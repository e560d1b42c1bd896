//! The desk over A2A, at `/a2a` beside its agent.

#[allow(dead_code, reason = "the tests count runs")]
mod desk;

use std::sync::Arc;
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::a2a::A2aServer;
use desk::{Bells, Desk};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let desk = Arc::new(Desk::new(Bells::default()));
    let served =
        A2aServer::new(Arc::clone(&desk)).card(|card| card.default_input_modes.push("image/*".to_owned()));
    // The official clients must read comments.
    let server = Server::new().keep_alive(Duration::from_millis(20));
    server.a2a("/a2a", served).dyn_agent("/", desk).serve().await?;
    Ok(())
}
