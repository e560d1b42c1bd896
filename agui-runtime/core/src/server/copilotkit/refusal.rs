//! Refusals in the form of CopilotKit's runtime.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Serialize;

use crate::quoted::quoted;
use crate::server::response::rejection::{Rejection, json_response};

/// A refused request.
#[derive(Debug)]
pub(super) enum CopilotRefusal {
    /// As this server refuses it elsewhere.
    Rejection(Rejection),
    /// As CopilotKit's runtime refuses it.
    Runtime { status: StatusCode, error: &'static str, message: String },
}

impl CopilotRefusal {
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::Runtime { status: StatusCode::BAD_REQUEST, error: "invalid_request", message: message.into() }
    }

    pub(super) fn no_agent(id: &str) -> Self {
        let message = format!("Agent '{}' does not exist", quoted(id));
        Self::Runtime { status: StatusCode::NOT_FOUND, error: "Agent not found", message }
    }

    pub(super) fn not_found() -> Self {
        let message = "nothing is at this path".to_owned();
        Self::Runtime { status: StatusCode::NOT_FOUND, error: "Not found", message }
    }

    /// Refuses what CopilotKit's paid platform alone serves.
    pub(super) fn platform() -> Self {
        Self::Runtime {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            error: "Missing CopilotKitIntelligence configuration",
            message: "only CopilotKit's platform serves this request".to_owned(),
        }
    }

    /// Refuses to delete all threads at once, which CopilotKit's local runtime does for developers.
    pub(super) fn clear() -> Self {
        Self::Runtime {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            error: "Threads are stored",
            message: "this server deletes threads one at a time: send `DELETE threads/{thread}`".to_owned(),
        }
    }
}

impl From<Rejection> for CopilotRefusal {
    fn from(rejection: Rejection) -> Self {
        Self::Rejection(rejection)
    }
}

impl IntoResponse for CopilotRefusal {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct RefusalBody {
            error: &'static str,
            message: String,
        }

        match self {
            Self::Rejection(rejection) => rejection.into_response(),
            Self::Runtime { status, error, message } => {
                tracing::debug!(status = status.as_u16(), error, message, "request refused");
                json_response(status, &RefusalBody { error, message })
            }
        }
    }
}
