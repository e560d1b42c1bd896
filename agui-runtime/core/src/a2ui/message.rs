//! An A2UI message: a version, and an operation of that version.

use agui_runtime_macros::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SurfaceOperation;
use super::operation::NAMES;
use crate::protocol::JsonObject;

const VERSION: &str = "version";

/// An A2UI message to the page: a version, and an operation of that version (A2UI, section "Envelope Message Structure").
///
/// The JSON is kept as received, so a message with another version passes through unread and complete.
///
/// ```
/// use agui_runtime::a2ui::{SurfaceMessage, UpdateDataModel};
/// use serde_json::json;
///
/// let known = SurfaceMessage::new(UpdateDataModel::set("flights", "/note", "Sold out"));
/// assert_eq!(known.version(), Some("v0.9"));
/// assert!(known.operation().is_some());
///
/// let later = json!({ "version": "v7", "morphSurface": { "surfaceId": "flights" } });
/// let later: SurfaceMessage = serde_json::from_value(later)?;
/// assert_eq!(later.version(), Some("v7"));
/// assert_eq!(later.operation(), None);
/// assert_eq!(serde_json::to_string(&later)?, r#"{"version":"v7","morphSurface":{"surfaceId":"flights"}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, State, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct SurfaceMessage(JsonObject);

impl SurfaceMessage {
    /// The version that [`new`](Self::new) writes and [`operation`](Self::operation) reads.
    pub const VERSION: &'static str = "v0.9";

    /// Wraps an operation in a message with the version [`VERSION`](Self::VERSION).
    #[must_use]
    pub fn new(operation: impl Into<SurfaceOperation>) -> Self {
        let (name, members) = operation.into().into_member();
        let version = (VERSION.to_owned(), Self::VERSION.into());
        Self(JsonObject::from_iter([version, (name.to_owned(), members.into())]))
    }

    /// Returns the version, if the member is a string.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.0.get(VERSION)?.as_str()
    }

    /// Reads the operation. `None` if the version is not v0.9, or if the message is not exactly one v0.9 operation.
    #[must_use]
    pub fn operation(&self) -> Option<SurfaceOperation> {
        if self.version() != Some(Self::VERSION) {
            return None;
        }
        let mut operations = self.0.iter().filter(|(name, _)| *name != VERSION);
        let (Some((name, value)), None) = (operations.next(), operations.next()) else { return None };
        SurfaceOperation::read(name, value)
    }

    /// Returns the surface id in a v0.9 operation; `None` for messages with another version.
    #[must_use]
    pub fn surface_id(&self) -> Option<&str> {
        if self.version() != Some(Self::VERSION) {
            return None;
        }
        NAMES.iter().find_map(|name| self.0.get(*name)?.get("surfaceId")?.as_str())
    }

    /// Returns the message as JSON.
    #[must_use]
    pub fn json(&self) -> &JsonObject {
        &self.0
    }

    /// True if the message has version v0.9 and an operation with this name.
    pub(super) fn has_operation(&self, name: &str) -> bool {
        self.version() == Some(Self::VERSION) && self.0.contains_key(name)
    }
}

impl<O: Into<SurfaceOperation>> From<O> for SurfaceMessage {
    fn from(operation: O) -> Self {
        Self::new(operation)
    }
}

/// Takes a message with any version, unchanged.
impl From<JsonObject> for SurfaceMessage {
    fn from(message: JsonObject) -> Self {
        Self(message)
    }
}
