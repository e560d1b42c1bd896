//! Crate `ag-ui`, with its router for axum.

use ag_ui::RunOutcome;
use ag_ui::axum::RouterExt as _;
use ag_ui::server::{Agent, Result, RunContext};
use axum::Router;
use tokio::net::TcpListener;
use tokio::time::Instant;

use super::serve_router;
use crate::process::Fault;
use crate::shape::{Shape, token};

struct Counter(Shape);

impl Agent for Counter {
    type State = ();

    async fn run(&self, context: &mut RunContext<()>) -> Result<RunOutcome> {
        let begun = Instant::now();
        let mut text = context.assistant_message()?;
        for delta in 0..self.0.deltas {
            self.0.wait(begun, delta).await;
            text.delta(token(delta))?;
        }
        text.end()?;
        Ok(RunOutcome::Success)
    }
}

pub async fn serve(shape: Shape, listener: TcpListener) -> std::result::Result<(), Fault> {
    serve_router(Router::new().route_agui("/", Counter(shape)), listener).await
}
