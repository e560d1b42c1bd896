//! `/lab/slow`: a run that ends when nobody reads it any more.
//!
//! Nothing here asks whether the client is still there: who hangs up drops the run where it stands, at an `.await`, and what it
//! holds is dropped with it.

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

/// How far the newest runs have come.
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

    fn begin(&self, run: &RunId) -> Watched<'_> {
        let mut runs = self.runs();
        runs.push_front((run.clone(), Progress::default()));
        runs.truncate(Self::KEPT);
        Watched { watch: self, run: run.clone() }
    }

    fn of(&self, run: &str) -> Option<Progress> {
        self.runs().iter().find(|(known, _)| known.as_str() == run).map(|(_, progress)| *progress)
    }

    fn runs(&self) -> MutexGuard<'_, VecDeque<(RunId, Progress)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A run that is going on, or was dropped before its end.
struct Watched<'w> {
    watch: &'w Watch,
    run: RunId,
}

impl Watched<'_> {
    fn note(&self, change: impl FnOnce(&mut Progress)) {
        if let Some((_, progress)) = self.watch.runs().iter_mut().find(|(known, _)| *known == self.run) {
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
