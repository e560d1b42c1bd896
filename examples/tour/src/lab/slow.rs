//! `/lab/slow`: a run that ends when its client leaves.
//!
//! The agent does not check the connection: if the client hangs up, the run is dropped at an `.await`, with all that it
//! holds.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agui_runtime::prelude::*;
use agui_runtime::protocol::RunId;
use axum::extract::{Query, State as Shared};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router, http::StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::pace::Pace;

const PIECES: u32 = 100;

/// Counts to a hundred, slowly.
#[agent]
pub async fn slow(run: &mut Run<Slow>, input: Input<Slow>, watch: &Watch, pace: &Pace) -> Result<(), Stop> {
    let watched = watch.begin(&input.run_id);
    let mut message = run.message().await;
    for piece in 1..=PIECES {
        message.push(format!("{piece} ")).await;
        watched.note(|progress| progress.sent = piece);
        pace.pause(0.1).await;
    }
    message.end();
    watched.note(|progress| progress.completed = true);
    Ok(())
}

/// The progress of the newest runs.
#[derive(Clone, Debug, Default)]
pub struct Watch(Arc<Mutex<VecDeque<(RunId, Progress)>>>);

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Progress {
    sent: u32,
    stopped: bool,
    completed: bool,
}

impl Watch {
    /// Older runs are forgotten.
    const KEPT: usize = 1000;

    /// The longest id of a run that is kept, in bytes: a client may send one of megabytes.
    const ID: usize = 200;

    fn begin(&self, run: &RunId) -> Watched<'_> {
        let kept = (run.as_str().len() <= Self::ID).then(|| run.clone());
        if let Some(run) = &kept {
            let mut runs = self.runs();
            runs.push_front((run.clone(), Progress::default()));
            runs.truncate(Self::KEPT);
        }
        Watched { watch: self, run: kept }
    }

    fn of(&self, run: &str) -> Option<Progress> {
        self.runs().iter().find(|(known, _)| known.as_str() == run).map(|(_, progress)| *progress)
    }

    fn runs(&self) -> MutexGuard<'_, VecDeque<(RunId, Progress)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A run that is active, or was dropped before its end.
struct Watched<'w> {
    watch: &'w Watch,
    /// `None` for an id that is too long.
    run: Option<RunId>,
}

impl Watched<'_> {
    fn note(&self, change: impl FnOnce(&mut Progress)) {
        let Some(run) = &self.run else { return };
        if let Some((_, progress)) = self.watch.runs().iter_mut().find(|(known, _)| known == run) {
            change(progress);
        }
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        self.note(|progress| progress.stopped = !progress.completed);
    }
}

#[derive(Deserialize)]
struct Asked {
    #[serde(rename = "runId")]
    run: String,
}

/// `GET /lab/slow/status?runId=`
pub fn status(watch: Watch) -> Router {
    Router::new().route("/lab/slow/status", get(progress)).with_state(watch)
}

async fn progress(Shared(watch): Shared<Watch>, Query(Asked { run }): Query<Asked>) -> Response {
    match watch.of(&run) {
        Some(progress) => Json(progress).into_response(),
        None => {
            let error =
                json!({ "error": { "code": "not_found", "message": format!("there was no run `{run}`") } });
            (StatusCode::NOT_FOUND, Json(error)).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_ids_are_kept() {
        let watch = Watch::default();
        for (id, kept) in [("x".repeat(Watch::ID), true), ("x".repeat(Watch::ID + 1), false)] {
            watch.begin(&RunId::from(id.clone())).note(|progress| progress.sent = 1);
            assert_eq!(
                watch.of(&id).map(|progress| (progress.sent, progress.stopped)),
                kept.then_some((1, true))
            );
        }
        assert_eq!(watch.runs().len(), 1);
    }
}
