//! `POST /inspector/run`: a run of an agent, one line an event.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agui_runtime::client::Frames;
use agui_runtime::protocol::RunAgentInput;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use http::{StatusCode, header};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;

use crate::agents::Agents;
use crate::judge::{self, Judge};
use crate::note::Refusal;

/// The longest run.
const MAX_TIME: Duration = Duration::from_secs(3600);

#[derive(Deserialize)]
pub(crate) struct Asked {
    agent: String,
    input: Value,
}

pub(crate) async fn run(
    State(agents): State<Arc<Agents>>,
    Json(asked): Json<Asked>,
) -> Result<Response, Refusal> {
    let agent = agents.at(&asked.agent)?;
    let input: RunAgentInput = serde_path_to_error::deserialize(asked.input).map_err(|error| {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_input", error.to_string())
    })?;
    let place = Arc::clone(&agents.runs).try_acquire_owned().map_err(|_| {
        Refusal::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too_many_runs",
            "the inspector runs as many agents as it may",
        )
    })?;
    let judge = Judge::answering(&input);
    Ok(lines(judged(judge, agent.upstream.open(input), place)))
}

/// The answer with these lines.
pub(crate) fn lines(lines: impl Stream<Item = Bytes> + Send + 'static) -> Response {
    let body = Body::from_stream(lines.map(Ok::<_, std::convert::Infallible>));
    (
        [
            (header::CONTENT_TYPE, "application/x-ndjson"),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::CACHE_CONTROL, "no-cache"),
        ],
        body,
    )
        .into_response()
}

/// The parts of a run that goes on; dropping them cancels it.
struct Running {
    judge: Judge,
    frames: Frames,
    begun: Instant,
    _place: OwnedSemaphorePermit,
}

fn judged(judge: Judge, frames: Frames, place: OwnedSemaphorePermit) -> impl Stream<Item = Bytes> + Send {
    let running = Running { judge, frames, begun: Instant::now(), _place: place };
    stream::unfold(Some(running), |running| async {
        let mut running = running?;
        let left = MAX_TIME.saturating_sub(running.begun.elapsed());
        let frame = tokio::time::timeout(left, running.frames.next()).await;
        let at = Some(running.begun.elapsed().as_secs_f64() * 1000.0);
        let broken = match frame {
            Ok(Some(Ok(frame))) => match running.judge.event(&frame, at) {
                Ok(line) => return Some((line, Some(running))),
                Err(finding) => Some(finding),
            },
            Ok(Some(Err(error))) => Some(judge::broken(&error)),
            Ok(None) => None,
            Err(_) => Some(judge::late(MAX_TIME)),
        };
        Some((running.judge.end(at, broken), None))
    })
}
