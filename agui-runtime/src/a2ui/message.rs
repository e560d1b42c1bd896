//! A message of A2UI: a version, and an operation of that version.

use agui_macros::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SurfaceOperation;
use super::operation::NAMES;
use crate::protocol::JsonObject;

const VERSION: &str = "version";

/// A message of A2UI to the page: a version, and an operation of that version (A2UI, section "Envelope Message Structure").
///
/// It keeps the JSON as it came. So a message of another version passes through unchanged: nothing reads it, and nothing is lost.
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
    /// The version of the messages that [`new`](Self::new) makes, and of those that [`operation`](Self::operation) reads.
    ///
    /// ```
    /// assert_eq!(agui_runtime::a2ui::SurfaceMessage::VERSION, "v0.9");
    /// ```
    pub const VERSION: &'static str = "v0.9";

    /// Returns the message of an operation.
    ///
    /// ```
    /// use agui_runtime::a2ui::{DeleteSurface, SurfaceMessage};
    ///
    /// let gone = SurfaceMessage::new(DeleteSurface::new("flights"));
    /// assert_eq!(gone.version(), Some("v0.9"));
    /// ```
    #[must_use]
    pub fn new(operation: impl Into<SurfaceOperation>) -> Self {
        let (name, members) = operation.into().into_member();
        let version = (VERSION.to_owned(), Self::VERSION.into());
        Self(JsonObject::from_iter([version, (name.to_owned(), members.into())]))
    }

    /// Returns the version, if it is a text.
    ///
    /// ```
    /// use agui_runtime::a2ui::SurfaceMessage;
    ///
    /// let message: SurfaceMessage = serde_json::from_str(r#"{"version":"v1.0"}"#)?;
    /// assert_eq!(message.version(), Some("v1.0"));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.0.get(VERSION)?.as_str()
    }

    /// Reads the operation. `None` if the message is of another version, or if it is not exactly one operation of v0.9.
    ///
    /// ```
    /// use agui_runtime::a2ui::{DeleteSurface, SurfaceMessage, SurfaceOperation};
    ///
    /// let message = SurfaceMessage::new(DeleteSurface::new("flights"));
    /// assert!(matches!(message.operation(), Some(SurfaceOperation::DeleteSurface(_))));
    /// ```
    #[must_use]
    pub fn operation(&self) -> Option<SurfaceOperation> {
        if self.version() != Some(Self::VERSION) {
            return None;
        }
        let mut operations = self.0.iter().filter(|(name, _)| *name != VERSION);
        let (Some((name, value)), None) = (operations.next(), operations.next()) else { return None };
        SurfaceOperation::read(name, value)
    }

    /// Returns the id of the surface that an operation of v0.9 names; `None` for messages of other versions.
    ///
    /// ```
    /// use agui_runtime::a2ui::{DeleteSurface, SurfaceMessage};
    ///
    /// assert_eq!(SurfaceMessage::new(DeleteSurface::new("flights")).surface_id(), Some("flights"));
    /// ```
    #[must_use]
    pub fn surface_id(&self) -> Option<&str> {
        if self.version() != Some(Self::VERSION) {
            return None;
        }
        NAMES.iter().find_map(|name| self.0.get(*name)?.get("surfaceId")?.as_str())
    }

    /// Returns the message as JSON.
    ///
    /// ```
    /// use agui_runtime::a2ui::{DeleteSurface, SurfaceMessage};
    ///
    /// let gone = SurfaceMessage::new(DeleteSurface::new("flights"));
    /// assert_eq!(gone.json()["deleteSurface"]["surfaceId"], "flights");
    /// ```
    #[must_use]
    pub fn json(&self) -> &JsonObject {
        &self.0
    }

    /// Returns true if it is of v0.9 and has the operation of this name.
    pub(super) fn is(&self, name: &str) -> bool {
        self.version() == Some(Self::VERSION) && self.0.contains_key(name)
    }
}

impl<O: Into<SurfaceOperation>> From<O> for SurfaceMessage {
    fn from(operation: O) -> Self {
        Self::new(operation)
    }
}

/// A message of any version, as it is.
impl From<JsonObject> for SurfaceMessage {
    fn from(message: JsonObject) -> Self {
        Self(message)
    }
}
