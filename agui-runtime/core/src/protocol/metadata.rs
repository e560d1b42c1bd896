//! Metadata: the open object that events, messages, calls, tools and interrupts may carry.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::any_json::json::{JsonObject, object};
use super::any_json::lazy::LazyJson;
use super::forms::print::JsonPrint;
#[cfg(feature = "receive")]
use super::forms::scan::{JsonScan, JsonScanner};
use super::forms::shape::{JsonShape, ShapedType};

/// Free data beside the protocol's own members; any key, any value, `null` included.
///
/// The key `ag-ui` belongs to the protocol; give other keys a vendor prefix (AG-UI 1.0, section "Fields of every event").
///
/// ```
/// use agui_runtime::protocol::Metadata;
/// use serde_json::{Value, json};
///
/// let mut metadata = Metadata::from_iter([("acme/finish", json!("stop"))]);
/// metadata.merge(Metadata::from_iter([("acme/finish", Value::Null)]));
/// assert_eq!(metadata.get("acme/finish"), Some(&Value::Null));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Metadata(LazyJson<JsonObject>);

impl Metadata {
    /// Creates [`Metadata`] without entries, which differs from absent metadata.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the entries in `newer`, key by key; a later value replaces an earlier one as a whole.
    ///
    /// ```
    /// use agui_runtime::protocol::Metadata;
    ///
    /// let mut metadata = Metadata::from_iter([("acme/a", 1.into()), ("acme/b", 1.into())]);
    /// metadata.merge(Metadata::from_iter([("acme/b", 2.into())]));
    /// assert_eq!(metadata, Metadata::from_iter([("acme/a", 1.into()), ("acme/b", 2.into())]));
    /// ```
    pub fn merge(&mut self, newer: Self) {
        self.0.extend(newer.0.into_inner());
    }
}

impl ShapedType for Metadata {
    const SHAPE: JsonShape = JsonShape::Open;
}

impl JsonPrint for Metadata {
    fn print(&self, out: &mut Vec<u8>) {
        self.0.print(out);
    }
}

#[cfg(feature = "receive")]
impl JsonScan for Metadata {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        LazyJson::scan(scanner).map(Self)
    }
}

impl Deref for Metadata {
    type Target = JsonObject;

    fn deref(&self) -> &JsonObject {
        &self.0
    }
}

impl DerefMut for Metadata {
    fn deref_mut(&mut self) -> &mut JsonObject {
        &mut self.0
    }
}

impl From<JsonObject> for Metadata {
    fn from(object: JsonObject) -> Self {
        Self(object.into())
    }
}

impl From<Metadata> for JsonObject {
    fn from(metadata: Metadata) -> Self {
        metadata.0.into_inner()
    }
}

impl<K: Into<String>> FromIterator<(K, Value)> for Metadata {
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(entries: I) -> Self {
        object(entries.into_iter().map(|(key, value)| (key.into(), value))).into()
    }
}
