//! Thread requests other than runs.

use http::StatusCode;
use reqwest::Url;
use serde::Deserialize;

use super::{HttpAgent, answer, exchange::JSON, redirect};
use crate::client::ClientError;
use crate::protocol::ThreadId;

/// The response to a stop request.
#[derive(Deserialize)]
struct Stopped {
    stopped: bool,
}

impl HttpAgent {
    /// Returns an address below the agent's address.
    pub(super) fn below(&self, segments: &[&str]) -> Url {
        let mut url = self.url.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        url
    }

    pub(super) async fn stop_thread(&self, thread: &ThreadId) -> Result<bool, ClientError> {
        let deadlines = self.limits.start();
        let url = self.below(&["stop", thread.as_str()]);
        let request = self.http.post(url).headers(self.headers(JSON)).send();
        let response =
            deadlines.wait(request).await?.map_err(|error| answer::network(error, self.connect))?;
        redirect::check(&response, &self.url)?;
        if response.status() == StatusCode::NO_CONTENT {
            return Ok(false);
        }
        if !response.status().is_success() {
            return Err(answer::rejection(response, deadlines).await);
        }
        let body = answer::whole(response, deadlines, self.max_frame).await?;
        let answer: Stopped = serde_json::from_slice(&body).map_err(ClientError::other)?;
        Ok(answer.stopped)
    }
}
