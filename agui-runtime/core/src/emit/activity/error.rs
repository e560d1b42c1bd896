//! Failures in sending an activity.

use crate::state::StateError;

/// An activity's content could not be sent.
///
/// ```
/// use agui_runtime::events::ActivityError;
///
/// let error = ActivityError::NotAnObject { activity: "PLAN" };
/// assert_eq!(error.to_string(), "the content of activity `PLAN` is not a JSON object");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ActivityError {
    /// The content has no JSON form; nothing was sent, and the next update tries again.
    #[error("the content of activity `{activity}` has no JSON form")]
    Json {
        /// The activity type on the wire.
        activity: &'static str,
        /// The reason.
        source: StateError,
    },
    /// The content is JSON but not an object, which AG-UI 1.0 requires; nothing was sent.
    #[error("the content of activity `{activity}` is not a JSON object")]
    NotAnObject {
        /// The activity type on the wire.
        activity: &'static str,
    },
    /// The content has no form in a version that the client reads, such as an A2UI surface with several catalogs for a client of
    /// v0.9; nothing was sent.
    #[error("the content of activity `{activity}` has no form that the client reads")]
    Version {
        /// The activity type on the wire.
        activity: &'static str,
        /// The reason.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}
