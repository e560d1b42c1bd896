//! JSON that may exist as text already: the state engine's output is sent without parsing.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::protocol::forms::print::JsonPrint;
use crate::protocol::forms::shape::{JsonShape, ShapedType};
use crate::protocol::json_patch::patch::PatchOperation;

/// A value in its Rust form or as JSON text.
#[derive(Clone)]
enum JsonOrText<T> {
    Parsed(T),
    Text(Box<RawValue>),
}

impl<T: for<'de> Deserialize<'de>> JsonOrText<T> {
    fn read(text: &RawValue) -> Result<T, serde_json::Error> {
        serde_json::from_str(text.get())
    }
}

impl<T> JsonOrText<T> {
    fn from_text(text: String) -> Result<Self, serde_json::Error> {
        RawValue::from_string(text).map(Self::Text)
    }

    fn as_text(&self) -> Option<&str> {
        match self {
            Self::Parsed(_) => None,
            Self::Text(text) => Some(text.get()),
        }
    }
}

impl<T: PartialEq + for<'de> Deserialize<'de>> PartialEq for JsonOrText<T> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Parsed(a), Self::Parsed(b)) => a == b,
            (Self::Text(a), Self::Text(b)) if a.get() == b.get() => true,
            (Self::Text(a), Self::Text(b)) => {
                matches!((Self::read(a), Self::read(b)), (Ok(a), Ok(b)) if a == b)
            }
            (Self::Parsed(parsed), Self::Text(text)) | (Self::Text(text), Self::Parsed(parsed)) => {
                Self::read(text).is_ok_and(|read| read == *parsed)
            }
        }
    }
}

impl<T: Serialize> Serialize for JsonOrText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Parsed(parsed) => parsed.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
        }
    }
}

impl<T: JsonPrint> JsonPrint for JsonOrText<T> {
    fn print(&self, out: &mut Vec<u8>) {
        match self {
            Self::Parsed(parsed) => parsed.print(out),
            Self::Text(text) => out.extend_from_slice(text.get().as_bytes()),
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for JsonOrText<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parsed(parsed) => parsed.fmt(f),
            Self::Text(text) => f.write_str(text.get()),
        }
    }
}

/// Operations that are applied one after the other (RFC 6902).
///
/// A typed state's operations are text and are parsed only when read. Patches are equal if their operations are.
///
/// ```
/// use agui_runtime::protocol::{JsonPatch, JsonPointer, PatchOperation};
///
/// let patch = JsonPatch::from(vec![PatchOperation::add(JsonPointer::root().child("title"), "Risotto")]);
/// assert_eq!(patch.operations()?.len(), 1);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct JsonPatch(JsonOrText<Vec<PatchOperation>>);

impl Eq for JsonPatch {}

impl JsonPatch {
    /// Wraps text that the state engine wrote.
    pub(crate) fn from_text(text: String) -> Result<Self, serde_json::Error> {
        JsonOrText::from_text(text).map(Self)
    }

    /// Returns the operations, parsed from the text if the patch is text.
    ///
    /// # Errors
    /// If a value in the text is nested deeper than serde_json reads.
    pub fn operations(&self) -> Result<Cow<'_, [PatchOperation]>, serde_json::Error> {
        match &self.0 {
            JsonOrText::Parsed(operations) => Ok(Cow::Borrowed(operations)),
            JsonOrText::Text(text) => JsonOrText::read(text).map(Cow::Owned),
        }
    }

    /// Returns the text, if the patch was written as text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        self.0.as_text()
    }
}

impl Default for JsonPatch {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl From<Vec<PatchOperation>> for JsonPatch {
    fn from(operations: Vec<PatchOperation>) -> Self {
        Self(JsonOrText::Parsed(operations))
    }
}

impl<const N: usize> From<[PatchOperation; N]> for JsonPatch {
    fn from(operations: [PatchOperation; N]) -> Self {
        Vec::from(operations).into()
    }
}

impl FromIterator<PatchOperation> for JsonPatch {
    fn from_iter<I: IntoIterator<Item = PatchOperation>>(operations: I) -> Self {
        Vec::from_iter(operations).into()
    }
}

/// A whole document: any JSON value, `null` included.
///
/// A typed state's document is text and is parsed only when read. Documents are equal if their values are.
///
/// ```
/// use agui_runtime::protocol::JsonDocument;
/// use serde_json::json;
///
/// let document = JsonDocument::from(json!({ "title": "Risotto" }));
/// assert_eq!(document.value()?["title"], "Risotto");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct JsonDocument(JsonOrText<Value>);

impl Eq for JsonDocument {}

impl JsonDocument {
    /// Wraps text that the state engine wrote.
    pub(crate) fn from_text(text: String) -> Result<Self, serde_json::Error> {
        JsonOrText::from_text(text).map(Self)
    }

    /// Returns the value, parsed from the text if the document is text.
    ///
    /// # Errors
    /// If the text is nested deeper than serde_json reads.
    pub fn value(&self) -> Result<Cow<'_, Value>, serde_json::Error> {
        match &self.0 {
            JsonOrText::Parsed(value) => Ok(Cow::Borrowed(value)),
            JsonOrText::Text(text) => JsonOrText::read(text).map(Cow::Owned),
        }
    }

    /// Returns the text, if the document was written as text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        self.0.as_text()
    }
}

impl From<Value> for JsonDocument {
    fn from(value: Value) -> Self {
        Self(JsonOrText::Parsed(value))
    }
}

macro_rules! transparent {
    ($($Name:ident: $Parsed:ty;)*) => {$(
        impl Serialize for $Name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.serialize(serializer)
            }
        }

        impl JsonPrint for $Name {
            fn print(&self, out: &mut Vec<u8>) {
                self.0.print(out);
            }
        }

        impl<'de> Deserialize<'de> for $Name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$Parsed>::deserialize(deserializer).map(Self::from)
            }
        }

        impl fmt::Debug for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

transparent! {
    JsonPatch: Vec<PatchOperation>;
    JsonDocument: Value;
}

impl ShapedType for JsonPatch {
    const SHAPE: JsonShape = <Vec<PatchOperation>>::SHAPE;
}

impl ShapedType for JsonDocument {
    const SHAPE: JsonShape = JsonShape::Any;
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::protocol::{Event, StateDeltaEvent, StateSnapshotEvent};

    #[test]
    fn text_is_written_unchanged_and_equals_its_operations() {
        let text = r#"[{"op":"add","path":"/a","value":0.10}]"#;
        let written = JsonPatch::from_text(text.to_owned()).unwrap();
        let event = Event::from(StateDeltaEvent::new(written.clone()));
        assert_eq!(
            serde_json::to_string(&event).unwrap(),
            format!(r#"{{"type":"STATE_DELTA","delta":{text}}}"#)
        );
        let read: Event = serde_json::from_str(&serde_json::to_string(&event).unwrap()).unwrap();
        assert_eq!(read, event);
        assert_eq!(written.operations().unwrap().len(), 1);
        assert_ne!(written, JsonPatch::default());
        assert_eq!(serde_json::to_value(&event).unwrap()["delta"][0]["value"], json!(0.1));
    }

    #[test]
    fn documents_are_compared_by_value() {
        let written = JsonDocument::from_text(r#"{"a":1, "b":null}"#.to_owned()).unwrap();
        assert_eq!(written, json!({"a": 1, "b": null}).into());
        assert_ne!(written, json!({"a": 1}).into());
        let event = Event::from(StateSnapshotEvent::new(written));
        assert_eq!(serde_json::to_value(&event).unwrap()["snapshot"], json!({"a": 1, "b": null}));
    }
}
