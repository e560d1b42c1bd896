//! The JSON text of a value whose type is not known.

use serde::Serialize;
use serde_json::Serializer;

/// A value that serde can write. Only this is compiled for each type, and what serde derives.
pub(crate) trait Written {
    fn write(&self, json: &mut Vec<u8>) -> Result<(), serde_json::Error>;
}

impl<T: Serialize> Written for T {
    fn write(&self, json: &mut Vec<u8>) -> Result<(), serde_json::Error> {
        self.serialize(&mut Serializer::new(json))
    }
}

/// Does what [`serde_json::to_string`] does.
pub(crate) fn text_of(value: &dyn Written) -> Result<String, serde_json::Error> {
    let mut json = Vec::with_capacity(128);
    value.write(&mut json)?;
    String::from_utf8(json).map_err(serde::ser::Error::custom)
}
