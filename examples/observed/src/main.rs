//! An agent that is observed: `cargo run -p observed`, then ask it for a dish.
//!
//! `GET /metrics` has the metrics for Prometheus. With `OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318`, traces go to a
//! collector there.
//!
//! | file | shows |
//! |---|---|
//! | `cook.rs` | the agent: nothing in it is about observing |
//! | `telemetry.rs` | the recorder of metrics, the layer of traces, and the parent of each request |

mod cook;
mod telemetry;

use std::time::Duration;

use agui_runtime::{Limits, Server};

use crate::cook::{Cook, model};
use crate::telemetry::{Telemetry, TelemetryError};

#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Server(#[from] agui_runtime::Error),
    #[error(transparent)]
    Telemetry(#[from] TelemetryError),
}

#[agui_runtime::main]
async fn main() -> Result<(), Failure> {
    // Before the server, which finds its counters when it is built.
    let telemetry = Telemetry::install()?;
    let limits = Limits::default().shutdown_delay(Duration::from_secs(2));
    Server::new()
        .agent("/", Cook::new(model()))
        .health("/health")
        .limits(limits)
        .routes(telemetry.metrics())
        .request_span(telemetry::connect)
        .serve()
        .await?;
    // The agent has served all that it was asked: a collector that hangs is no failure of it.
    if let Err(error) = telemetry.flush() {
        tracing::warn!(%error, "the last traces may be lost: the collector does not answer");
    }
    Ok(())
}
