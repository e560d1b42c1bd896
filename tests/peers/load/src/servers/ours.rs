//! Our server, with the typed API.

use std::future::pending;

use agui_runtime::prelude::*;
use agui_runtime::{Limits, Server};
use tokio::net::TcpListener;
use tokio::time::Instant;

use crate::process::Fault;
use crate::shape::{Shape, token};

/// Says its tokens.
#[agent]
async fn counter(run: &mut Run<Counter>, _: Input<Counter>, shape: &Shape) -> Result<(), Stop> {
    let begun = Instant::now();
    let mut text = run.message().await;
    for delta in 0..shape.deltas {
        shape.wait(begun, delta).await;
        text.push(token(delta)).await;
    }
    text.end();
    Ok(())
}

pub async fn serve(shape: Shape, listener: TcpListener) -> Result<(), Fault> {
    let many = 100_000;
    let limits = Limits::default().connections(many).runs(many).runs_per_client(many);
    let server = Server::new().limits(limits).agent("/", Counter::new(shape));
    Ok(server.serve_on(listener, pending()).await?)
}
