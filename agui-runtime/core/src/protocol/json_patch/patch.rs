//! JSON Patch as the protocol carries it (RFC 6902): the operations, not their application.

use serde::de::{Deserialize, Deserializer, MapAccess};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use super::operation::operation;
use super::pointer::JsonPointer;
use crate::protocol::any_json::json::JsonObject;
use crate::protocol::forms::members::{ReadMembers, found, read_new};
use crate::protocol::forms::object::{FixedMember, LiteralMember};
use crate::protocol::forms::print::JsonPrint;
#[cfg(feature = "receive")]
use crate::protocol::forms::scan::{JsonScan, JsonScanner, ScanMembers};
use crate::protocol::forms::shape::{JsonShape, MemberShape, ObjectShape, ShapedType};
use crate::protocol::forms::union::union;
use crate::protocol::forms::{members, print};

operation! {
    /// Inserts `value` at `path`, or sets the member there.
    ///
    /// ```
    /// use agui_runtime::protocol::{AddOperation, JsonPointer, PatchOperation};
    ///
    /// let place: JsonPointer = "/list/-".parse().unwrap();
    /// assert_eq!(PatchOperation::from(AddOperation::new(place.clone(), "rice")), PatchOperation::add(place, "rice"));
    /// ```
    pub struct AddOperation: "add" {
        /// The target path.
        path: JsonPointer,
        /// The value; `null` is a value.
        value: Value,
    }
}

operation! {
    /// Removes the value at `path`.
    ///
    /// ```
    /// use agui_runtime::protocol::RemoveOperation;
    ///
    /// // Members that RFC 6902 does not define are kept.
    /// let text = r#"{"op":"remove","path":"/list/0","by":"Ada"}"#;
    /// let operation: RemoveOperation = serde_json::from_str(text).unwrap();
    /// assert_eq!(operation.undefined.as_ref().unwrap()["by"], "Ada");
    /// assert_eq!(serde_json::to_string(&operation).unwrap(), text);
    ///
    /// let place = operation.path.clone();
    /// assert_eq!(RemoveOperation::new(place).undefined, None);
    /// ```
    pub struct RemoveOperation: "remove" {
        /// The target path.
        path: JsonPointer,
    }
}

operation! {
    /// Replaces the value at `path` with `value`.
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonPointer, ReplaceOperation};
    ///
    /// let operation = ReplaceOperation::new(JsonPointer::root().child("servings"), 4);
    /// assert_eq!(
    ///     serde_json::to_string(&operation).unwrap(),
    ///     r#"{"op":"replace","path":"/servings","value":4}"#,
    /// );
    /// ```
    pub struct ReplaceOperation: "replace" {
        /// The target path.
        path: JsonPointer,
        /// The value; `null` is a value.
        value: Value,
    }
}

operation! {
    /// Moves the value at `from` to `path`.
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonPointer, MoveOperation};
    ///
    /// let list = JsonPointer::root().child("list");
    /// let operation = MoveOperation::new(list.child("2"), list.child("0"));
    /// assert_eq!(
    ///     serde_json::to_string(&operation).unwrap(),
    ///     r#"{"op":"move","from":"/list/2","path":"/list/0"}"#,
    /// );
    /// ```
    pub struct MoveOperation: "move" {
        /// The old path.
        from: JsonPointer,
        /// The new path.
        path: JsonPointer,
    }
}

operation! {
    /// Copies the value at `from` to `path`.
    ///
    /// ```
    /// use agui_runtime::protocol::{CopyOperation, JsonPointer};
    ///
    /// let root = JsonPointer::root();
    /// let operation = CopyOperation::new(root.child("draft"), root.child("title"));
    /// assert_eq!(serde_json::to_string(&operation).unwrap(), r#"{"op":"copy","from":"/draft","path":"/title"}"#);
    /// ```
    pub struct CopyOperation: "copy" {
        /// The source path.
        from: JsonPointer,
        /// The target path.
        path: JsonPointer,
    }
}

operation! {
    /// Fails the patch unless the value at `path` equals `value`. Built like a [`ReplaceOperation`].
    pub struct TestOperation: "test" {
        /// The tested path.
        path: JsonPointer,
        /// The expected value; `null` is a value.
        value: Value,
    }
}

union! {
    /// One step of a patch (RFC 6902, section 4).
    ///
    /// ```
    /// use agui_runtime::protocol::{JsonPointer, PatchOperation};
    /// use serde_json::{Value, json};
    ///
    /// let operation = PatchOperation::replace(JsonPointer::root().child("umbrella"), Value::Null);
    /// assert_eq!(
    ///     serde_json::to_value(operation).unwrap(),
    ///     json!({ "op": "replace", "path": "/umbrella", "value": null }),
    /// );
    /// ```
    pub enum PatchOperation: "op" = OP, "a JSON Patch operation" {
        /// `add`
        Add(AddOperation),
        /// `remove`
        Remove(RemoveOperation),
        /// `replace`
        Replace(ReplaceOperation),
        /// `move`
        Move(MoveOperation),
        /// `copy`
        Copy(CopyOperation),
        /// `test`
        Test(TestOperation),
    }
}

impl PatchOperation {
    /// Creates a [`PatchOperation`] that inserts `value` at `path`.
    #[must_use]
    pub fn add(path: JsonPointer, value: impl Into<Value>) -> Self {
        AddOperation::new(path, value).into()
    }

    /// Creates a [`PatchOperation`] that removes the value at `path`.
    #[must_use]
    pub fn remove(path: JsonPointer) -> Self {
        RemoveOperation::new(path).into()
    }

    /// Creates a [`PatchOperation`] that replaces the value at `path` with `value`.
    #[must_use]
    pub fn replace(path: JsonPointer, value: impl Into<Value>) -> Self {
        ReplaceOperation::new(path, value).into()
    }

    /// Creates a [`PatchOperation`] that moves the value at `from` to `path`.
    #[must_use]
    pub fn move_(from: JsonPointer, path: JsonPointer) -> Self {
        MoveOperation::new(from, path).into()
    }

    /// Creates a [`PatchOperation`] that copies the value at `from` to `path`.
    #[must_use]
    pub fn copy(from: JsonPointer, path: JsonPointer) -> Self {
        CopyOperation::new(from, path).into()
    }

    /// Creates a [`PatchOperation`] that fails the patch unless the value at `path` equals `value`.
    #[must_use]
    pub fn test(path: JsonPointer, value: impl Into<Value>) -> Self {
        TestOperation::new(path, value).into()
    }

    /// Returns the path that the operation writes or tests.
    #[must_use]
    pub fn path(&self) -> &JsonPointer {
        match self {
            Self::Add(operation) => &operation.path,
            Self::Remove(operation) => &operation.path,
            Self::Replace(operation) => &operation.path,
            Self::Move(operation) => &operation.path,
            Self::Copy(operation) => &operation.path,
            Self::Test(operation) => &operation.path,
        }
    }

    /// Returns the source path for `move` or `copy`.
    pub(crate) fn source(&self) -> Option<&JsonPointer> {
        match self {
            Self::Move(operation) => Some(&operation.from),
            Self::Copy(operation) => Some(&operation.from),
            Self::Add(_) | Self::Remove(_) | Self::Replace(_) | Self::Test(_) => None,
        }
    }
}
