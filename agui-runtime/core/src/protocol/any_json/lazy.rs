//! Free-form JSON, kept as text until the first read.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde::ser::{Serialize, Serializer};
use serde_json::Value;
use serde_json::de::StrRead;

use super::json::JsonObject;
use super::meter::JsonMeter;
use super::transcode;
use crate::protocol::forms::print::JsonPrint;
#[cfg(feature = "receive")]
use crate::protocol::forms::scan::{JsonScan, JsonScanner};
use crate::protocol::forms::shape::{JsonShape, ShapedType};

/// Error for a value that does not fit a type, with the JSON location.
pub(crate) type JsonReadError = serde_path_to_error::Error<serde_json::Error>;

/// A JSON value that is parsed on the first read, and never without a read.
///
/// Dereferences to the value. A server keeps an input's free-form members as text, because a parsed `serde_json::Value` can take a
/// hundred times the text's memory. Clones share the text and the parsed value. Serializing does not parse.
///
/// ```
/// use agui_runtime::protocol::{ActivityMessage, JsonObject};
/// use serde_json::json;
///
/// let content = JsonObject::from_iter([("done".to_owned(), json!(["umbrella"]))]);
/// let mut message = ActivityMessage::new("a-1", "PACKING", content);
/// message.content.insert("left".to_owned(), json!(2));
/// assert_eq!(message.content["left"], 2);
/// ```
pub struct LazyJson<T>(Arc<LazyJsonShared<T>>);

#[derive(Clone)]
struct LazyJsonShared<T> {
    /// The value, if it did not come as text or was changed since.
    own: Option<Box<T>>,
    /// Otherwise the text, which was checked to parse.
    text: Box<str>,
    parsed: OnceLock<Box<T>>,
}

impl<T> LazyJson<T> {
    /// Returns the text, unless the value came without text or was changed.
    pub(crate) fn text(&self) -> Option<&str> {
        self.0.own.is_none().then_some(&self.0.text)
    }
}

impl<T: DeserializeOwned + Default> LazyJson<T> {
    /// Wraps text that is known to parse as a `T`.
    pub(in crate::protocol) fn from_checked_text(text: &str) -> Self {
        // A line break would end a frame of an event stream. Inside a string a line break is always
        // escaped, so only whitespace is replaced here.
        let text = match memchr::memchr2(b'\n', b'\r', text.as_bytes()) {
            Some(_) => text.replace(['\n', '\r'], " ").into(),
            None => text.into(),
        };
        Self(Arc::new(LazyJsonShared { own: None, text, parsed: OnceLock::new() }))
    }

    /// Reads the value as the type `R`, from the text if present, else from the parsed value.
    pub(crate) fn read<R: DeserializeOwned>(&self) -> Result<R, JsonReadError>
    where
        for<'v> &'v T: Deserializer<'v, Error = serde_json::Error>,
    {
        match self.text() {
            Some(text) => whole(text, |json| serde_path_to_error::deserialize(json)),
            None => serde_path_to_error::deserialize(&**self),
        }
    }

    /// Reads the value and measures the untyped values that the text becomes; [`JsonMeter::excess`] reports if their number is too
    /// large. A parsed value takes no more memory.
    pub(crate) fn read_measured<R: DeserializeOwned>(&self, meter: &JsonMeter) -> Result<R, JsonReadError>
    where
        for<'v> &'v T: Deserializer<'v, Error = serde_json::Error>,
    {
        match self.text() {
            Some(text) => whole(text, |json| meter.read(json)),
            None => self.read(),
        }
    }
}

/// Reads a text to the end: serde_json reads 128-bit integers up to the first character that is no digit.
fn whole<R: DeserializeOwned>(
    text: &str,
    read: impl FnOnce(&mut serde_json::Deserializer<StrRead<'_>>) -> Result<R, JsonReadError>,
) -> Result<R, JsonReadError> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = read(&mut json)?;
    match json.end() {
        Ok(()) => Ok(value),
        // An error with the place of the whole value.
        Err(error) => serde_path_to_error::deserialize(UnreadableJson(error)),
    }
}

/// A value that no type reads.
struct UnreadableJson(serde_json::Error);

impl<'de> Deserializer<'de> for UnreadableJson {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, serde_json::Error> {
        Err(self.0)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<T: DeserializeOwned + Default> LazyJsonShared<T> {
    fn parse(&self) -> Box<T> {
        serde_json::from_str(&self.text).unwrap_or_else(|error| {
            tracing::error!(%error, "checked JSON does not parse: this is a bug in agui-runtime");
            Box::default()
        })
    }
}

impl<T: DeserializeOwned + Default> Deref for LazyJson<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.0.own {
            Some(own) => own,
            None => self.0.parsed.get_or_init(|| self.0.parse()),
        }
    }
}

impl<T: DeserializeOwned + Default + Clone> DerefMut for LazyJson<T> {
    fn deref_mut(&mut self) -> &mut T {
        let held = Arc::make_mut(&mut self.0);
        let LazyJsonShared { own, text, parsed } = held;
        if own.is_none() {
            *own = parsed.take();
        }
        let text = std::mem::take(text);
        own.get_or_insert_with(|| LazyJsonShared { own: None, text, parsed: OnceLock::new() }.parse())
    }
}

impl<T: DeserializeOwned + Default + Clone> LazyJson<T> {
    /// Returns the owned value.
    #[must_use]
    pub fn into_inner(mut self) -> T {
        std::mem::take(&mut *self)
    }
}

impl<T> From<T> for LazyJson<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(LazyJsonShared {
            own: Some(Box::new(value)),
            text: Box::default(),
            parsed: OnceLock::new(),
        }))
    }
}

impl<T: Default> Default for LazyJson<T> {
    fn default() -> Self {
        T::default().into()
    }
}

impl<T> Clone for LazyJson<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: DeserializeOwned + Default + PartialEq> PartialEq for LazyJson<T> {
    fn eq(&self, other: &Self) -> bool {
        let same_text = || matches!((self.text(), other.text()), (Some(a), Some(b)) if a == b);
        Arc::ptr_eq(&self.0, &other.0) || same_text() || **self == **other
    }
}

impl<T: DeserializeOwned + Default + Eq> Eq for LazyJson<T> {}

impl<T: DeserializeOwned + Default + fmt::Debug> fmt::Debug for LazyJson<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text() {
            Some(text) => f.write_str(text),
            None => (**self).fmt(f),
        }
    }
}

impl<T: DeserializeOwned + Default + Serialize> Serialize for LazyJson<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.text() {
            Some(text) => transcode::serialize(text, serializer),
            None => (**self).serialize(serializer),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for LazyJson<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::from)
    }
}

impl<T: DeserializeOwned + Default + JsonPrint> JsonPrint for LazyJson<T> {
    fn print(&self, out: &mut Vec<u8>) {
        match self.text() {
            Some(text) => out.extend_from_slice(text.as_bytes()),
            None => T::print(self, out),
        }
    }
}

impl ShapedType for LazyJson<JsonObject> {
    const SHAPE: JsonShape = JsonShape::Open;
}

#[cfg(feature = "receive")]
impl JsonScan for LazyJson<JsonObject> {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        if !scanner.is_checked() {
            return JsonObject::scan(scanner).map(Self::from);
        }
        scanner.value_text().filter(|text| text.starts_with('{')).map(Self::from_checked_text)
    }
}

#[cfg(feature = "receive")]
impl JsonScan for LazyJson<Value> {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        if !scanner.is_checked() {
            return Value::scan(scanner).map(Self::from);
        }
        scanner.value_text().map(Self::from_checked_text)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(json: &str) -> LazyJson<Value> {
        LazyJson::from_checked_text(json)
    }

    #[test]
    fn a_number_is_read_to_its_end() {
        fn same<T: DeserializeOwned + PartialEq + fmt::Debug>(json: &str) {
            let whole = serde_json::from_str::<T>(json).map_err(|error| error.to_string());
            let read = text(json).read::<T>();
            assert_eq!(read.map_err(|error| error.inner().to_string()), whole, "{json}");
        }
        for json in ["7", "-7", "1e18", "2.9", "-2.5", "-0", "1.0", "\"7\"", "[1e3]"] {
            same::<u128>(json);
            same::<Option<i128>>(json);
            same::<std::num::NonZeroU128>(json);
            same::<Vec<u128>>(json);
            same::<u64>(json);
            same::<f64>(json);
        }
    }

    #[test]
    fn text_equals_its_value_and_is_parsed_once() {
        let lazy = text("{\"a\":\r\n[1]}");
        let clone = lazy.clone();
        assert_eq!(lazy.text(), Some("{\"a\":  [1]}"));
        assert!(std::ptr::eq(&*lazy, &*clone));
        assert_eq!(lazy, json!({ "a": [1] }).into());
        assert_ne!(lazy, json!({ "a": [2] }).into());
        let mut printed = Vec::new();
        lazy.print(&mut printed);
        assert_eq!(printed, b"{\"a\":  [1]}");
        assert_eq!(serde_json::to_string(&lazy).unwrap(), r#"{"a":[1]}"#);
    }

    #[test]
    fn a_change_does_not_affect_clones() {
        for look_first in [false, true] {
            let mut changed = text("[1]");
            let clone = changed.clone();
            if look_first {
                assert_eq!(*clone, json!([1]));
            }
            changed.as_array_mut().unwrap().push(json!(2));
            assert_eq!((&*changed, changed.text()), (&json!([1, 2]), None));
            assert_eq!((&*clone, clone.text()), (&json!([1]), Some("[1]")));
            assert_eq!(changed.into_inner(), json!([1, 2]));
        }
    }

    #[test]
    fn a_read_error_has_the_path_of_the_value() {
        assert_eq!(text("[1,2]").read::<Vec<u8>>().unwrap(), [1, 2]);
        assert_eq!(text("[1,-2]").read::<Vec<u8>>().unwrap_err().path().to_string(), "[1]");
        assert_eq!(LazyJson::from(json!([1, -2])).read::<Vec<u8>>().unwrap_err().path().to_string(), "[1]");
    }
}
