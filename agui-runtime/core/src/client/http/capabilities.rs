//! The request for the agent's declared capabilities.

use http::StatusCode;

use super::{HttpAgent, answer, exchange::JSON, redirect};
use crate::client::ClientError;
use crate::protocol::AgentCapabilities;
use crate::quoted::quoted;
use crate::receive::enforce::leave_out_unknown;

impl HttpAgent {
    /// Requests `/capabilities` below the agent's path, as this crate's servers and some others provide.
    pub(super) async fn declared(&self) -> Result<Option<AgentCapabilities>, ClientError> {
        let url = self.below(&["capabilities"]);
        let headers = self.headers(JSON);
        let deadlines = self.limits.start();
        let request = self.http.get(url).headers(headers).send();
        let response =
            deadlines.wait(request).await?.map_err(|error| answer::network(error, self.connect))?;
        redirect::check(&response, &self.url)?;
        let undeclared = [StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED, StatusCode::NOT_IMPLEMENTED];
        if undeclared.contains(&response.status()) {
            return Ok(None);
        }
        if !response.status().is_success() {
            return Err(answer::rejection(response, deadlines).await);
        }
        let body = answer::whole(response, deadlines, self.max_frame).await?;
        let mut declared = serde_json::from_slice(&body).map_err(ClientError::Capabilities)?;
        for place in leave_out_unknown::<AgentCapabilities>(&mut declared) {
            tracing::debug!(place = %quoted(place), "AG-UI 1.0 does not define this capability");
        }
        let declared: AgentCapabilities =
            serde_json::from_value(declared).map_err(ClientError::Capabilities)?;
        if declared.transport.as_ref().and_then(|transport| transport.resumable) == Some(true) {
            self.stores_threads();
        }
        Ok(Some(declared))
    }
}
