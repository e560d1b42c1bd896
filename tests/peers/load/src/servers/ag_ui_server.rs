//! Crate `ag-ui-server`, with its router for axum.

use ag_ui_server::axum::agent_router;
use ag_ui_server::protocol::RunAgentInput;
use ag_ui_server::{Agent, AgentError, EventEmitter, RunOutcome};
use tokio::net::TcpListener;
use tokio::time::Instant;

use super::serve_router;
use crate::process::Fault;
use crate::shape::{Shape, token};

struct Counter(Shape);

impl Agent for Counter {
    async fn run(&self, _: RunAgentInput, emitter: EventEmitter) -> Result<RunOutcome, AgentError> {
        let begun = Instant::now();
        let text = emitter.start_text_message().await?;
        for delta in 0..self.0.deltas {
            self.0.wait(begun, delta).await;
            text.content(token(delta)).await?;
        }
        text.end().await?;
        Ok(RunOutcome::success())
    }
}

pub async fn serve(shape: Shape, listener: TcpListener) -> Result<(), Fault> {
    serve_router(agent_router(Counter(shape)), listener).await
}
