//! The side on which a tool runs: the agent or the user interface.

use serde::{Deserialize, Serialize};

/// The wire side on which a tool runs.
///
/// ```
/// use agui_runtime::protocol::ToolSide;
///
/// assert_eq!(serde_json::to_string(&ToolSide::Frontend).unwrap(), r#""frontend""#);
/// assert_eq!(serde_json::from_str::<ToolSide>(r#""backend""#).unwrap(), ToolSide::Backend);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToolSide {
    /// In the agent: the call and its result travel in the same run.
    Backend,
    /// In the user interface: the run ends with the call pending, and the next run brings the result.
    Frontend,
}

impl Serialize for ToolSide {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Backend => "backend",
            Self::Frontend => "frontend",
        })
    }
}

impl<'de> Deserialize<'de> for ToolSide {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "backend" => Ok(Self::Backend),
            "frontend" => Ok(Self::Frontend),
            other => Err(serde::de::Error::unknown_variant(other, &["backend", "frontend"])),
        }
    }
}
