//! An A2UI message: a version, and an operation of that version.

use agui_runtime_macros::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::operation::NAMES;
use super::{SurfaceOperation, SurfaceVersion};
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
/// let unread: SurfaceMessage = serde_json::from_value(later.clone())?;
/// assert_eq!(unread.version(), Some("v7"));
/// assert_eq!(unread.operation(), None);
/// assert_eq!(serde_json::to_value(&unread)?, later);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, State, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct SurfaceMessage(JsonObject);

impl SurfaceMessage {
    /// Wraps an operation in a message of the oldest version that has the operation with its members: v0.9, or v1.0 for function
    /// calls and for a surface that is created with components, data or extensions.
    /// [`Surface::in_version`](super::Surface::in_version) writes another version.
    #[must_use]
    pub fn new(operation: impl Into<SurfaceOperation>) -> Self {
        let operation = operation.into();
        Self::of(operation.version(), operation)
    }

    pub(super) fn of(version: SurfaceVersion, operation: SurfaceOperation) -> Self {
        let (name, members) = operation.into_member(version);
        let version = (VERSION.to_owned(), version.as_str().into());
        Self(JsonObject::from_iter([version, (name.to_owned(), members.into())]))
    }

    /// Returns the version, if the member is a string.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.0.get(VERSION)?.as_str()
    }

    /// Reads the operation. `None` if this crate does not know the version, or if the message is not exactly one operation of that
    /// version.
    #[must_use]
    pub fn operation(&self) -> Option<SurfaceOperation> {
        let version = self.known_version()?;
        let mut operations = self.0.iter().filter(|(name, _)| *name != VERSION);
        let (Some((name, value)), None) = (operations.next(), operations.next()) else { return None };
        SurfaceOperation::read(version, name, value)
    }

    /// Returns the surface id in an operation on a surface; `None` for messages with an unknown version.
    #[must_use]
    pub fn surface_id(&self) -> Option<&str> {
        self.known_version()?;
        NAMES.iter().find_map(|name| self.0.get(*name)?.get("surfaceId")?.as_str())
    }

    pub(super) fn known_version(&self) -> Option<SurfaceVersion> {
        SurfaceVersion::named(self.version()?)
    }

    /// Returns the message as JSON.
    #[must_use]
    pub fn json(&self) -> &JsonObject {
        &self.0
    }

    /// Returns the operation with this name, if this crate knows the version.
    pub(super) fn operation_json(&self, name: &str) -> Option<&JsonObject> {
        self.known_version()?;
        self.0.get(name)?.as_object()
    }

    /// Replaces a member of the operation that creates the surface, if the operation has the member.
    pub(super) fn replace_first(&mut self, member: &str, value: &mut Value) -> bool {
        let first = self.0.get_mut("createSurface").and_then(|begin| begin.get_mut(member));
        let is_there = first.is_some();
        if let Some(first) = first {
            std::mem::swap(first, value);
        }
        is_there
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
