//! Paths in a JSON document (RFC 6901).

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::protocol::forms::shape::{JsonShape, ShapedType};

/// A path in a JSON document: empty for the root, else `/`-separated segments (RFC 6901).
///
/// ```
/// use agui_runtime::protocol::JsonPointer;
///
/// let pointer = JsonPointer::root().child("a/b").child("0");
/// assert_eq!(pointer.as_str(), "/a~1b/0");
/// assert_eq!(pointer.segments().collect::<Vec<_>>(), ["a/b", "0"]);
/// assert!("a/b".parse::<JsonPointer>().is_err());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JsonPointer(String);

/// Error for text that is not a [`JsonPointer`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a JSON Pointer: it must be empty or start with `/`, and `~` may only stand in `~0` and `~1`"
)]
pub struct InvalidPointer(String);

impl JsonPointer {
    /// Returns the [`JsonPointer`] to the whole document.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// Returns the pointer to a member or element below this path. The segment is given unescaped.
    ///
    /// ```
    /// use agui_runtime::protocol::JsonPointer;
    ///
    /// assert_eq!(JsonPointer::root().child("a/b").as_str(), "/a~1b");
    /// ```
    #[must_use]
    pub fn child(&self, segment: &str) -> Self {
        let escaped = segment.replace('~', "~0").replace('/', "~1");
        Self(format!("{}/{escaped}", self.0))
    }

    /// Returns the pointer as text, with escapes.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the unescaped segments; none for the root.
    pub fn segments(&self) -> impl Iterator<Item = String> {
        self.0.split('/').skip(1).map(|segment| segment.replace("~1", "/").replace("~0", "~"))
    }
}

pub(crate) fn is_pointer(text: &str) -> bool {
    let escapes = text.split('~').skip(1).all(|after| after.starts_with(['0', '1']));
    (text.is_empty() || text.starts_with('/')) && escapes
}

impl TryFrom<String> for JsonPointer {
    type Error = InvalidPointer;

    fn try_from(text: String) -> Result<Self, InvalidPointer> {
        if is_pointer(&text) { Ok(Self(text)) } else { Err(InvalidPointer(text)) }
    }
}

impl FromStr for JsonPointer {
    type Err = InvalidPointer;

    fn from_str(text: &str) -> Result<Self, InvalidPointer> {
        Self::try_from(text.to_owned())
    }
}

impl fmt::Display for JsonPointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ShapedType for JsonPointer {
    const SHAPE: JsonShape = JsonShape::Pointer;
}

impl Serialize for JsonPointer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for JsonPointer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}
