//! JSON text for values with unknown types.

use serde::Serialize;
use serde_json::Serializer;

/// A value that serde can write. Only this trait and serde's derive are compiled for each type.
pub(crate) trait WritableValue {
    fn write(&self, json: &mut Vec<u8>) -> Result<(), serde_json::Error>;
}

impl<T: Serialize> WritableValue for T {
    fn write(&self, json: &mut Vec<u8>) -> Result<(), serde_json::Error> {
        self.serialize(&mut Serializer::new(json))
    }
}

/// Same as [`serde_json::to_string`].
pub(crate) fn text_of(value: &dyn WritableValue) -> Result<String, serde_json::Error> {
    let mut json = Vec::with_capacity(128);
    value.write(&mut json)?;
    String::from_utf8(json).map_err(serde::ser::Error::custom)
}
