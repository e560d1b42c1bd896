//! Tool facts that clients may show or act on.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::protocol::metadata::Metadata;

/// Metadata key on a declared tool.
const KEY: &str = "agui-rust/annotations";

/// A tool's title and behaviour hints, with the names and meanings in the Model Context Protocol's `ToolAnnotations`: written by
/// the keys `title`, `read_only`, `destructive`, `idempotent` and `closed_world` in `#[tool]`.
///
/// Annotations are claims by the agent's author, for clients that choose what to show or when to warn. The agent enforces no hint.
/// An absent hint means unknown; a careful client then assumes the worst, as MCP says: a tool that is destructive, not idempotent,
/// and open to the world.
///
/// ```
/// use agui_runtime::prelude::*;
///
/// /// Looks up an order.
/// #[tool(title = "Order", read_only, closed_world)]
/// async fn order(
///     /// number on the invoice
///     number: u64,
/// ) -> bool {
///     true
/// }
///
/// let annotations = serde_json::to_string(&order::ANNOTATIONS).unwrap();
/// assert_eq!(annotations, r#"{"title":"Order","readOnlyHint":true,"openWorldHint":false}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct ToolAnnotations {
    /// Tool name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'static, str>>,
    /// True if the tool changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// True if the tool may destroy data, false if the tool only adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// True if a repeated call with the same arguments has no further effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// True if the tool reaches systems outside the agent's own, such as the web; false for a closed world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

impl ToolAnnotations {
    /// No title and no hints.
    pub const NONE: Self = Self::declared(None, None, None, None, None);

    #[doc(hidden)]
    #[must_use]
    pub const fn declared(
        title: Option<&'static str>,
        read_only_hint: Option<bool>,
        destructive_hint: Option<bool>,
        idempotent_hint: Option<bool>,
        open_world_hint: Option<bool>,
    ) -> Self {
        let title = match title {
            Some(title) => Some(Cow::Borrowed(title)),
            None => None,
        };
        Self { title, read_only_hint, destructive_hint, idempotent_hint, open_world_hint }
    }

    /// True if both title and hints are absent.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::NONE
    }

    /// Returns the given hints by MCP name, in a fixed order.
    #[must_use]
    pub fn hints(&self) -> Vec<(&'static str, bool)> {
        let all = [
            ("readOnlyHint", self.read_only_hint),
            ("destructiveHint", self.destructive_hint),
            ("idempotentHint", self.idempotent_hint),
            ("openWorldHint", self.open_world_hint),
        ];
        all.into_iter().filter_map(|(name, hint)| Some((name, hint?))).collect()
    }

    /// Returns the annotations as metadata for AG-UI's [`Tool`](crate::protocol::Tool), which has no member for them: the entry
    /// `agui-rust/annotations`; `None` without annotations. In this form an agent's capabilities carry them.
    ///
    /// ```
    /// use agui_runtime::protocol::ToolAnnotations;
    ///
    /// let mut annotations = ToolAnnotations::NONE;
    /// assert_eq!(annotations.to_metadata(), None);
    /// annotations.read_only_hint = Some(true);
    /// let metadata = annotations.to_metadata().unwrap();
    /// assert_eq!(metadata["agui-rust/annotations"]["readOnlyHint"], true);
    /// ```
    #[must_use]
    pub fn to_metadata(&self) -> Option<Metadata> {
        if self.is_empty() {
            return None;
        }
        // Plain data, which can always be written.
        let value = serde_json::to_value(self).unwrap_or_default();
        Some(Metadata::from_iter([(KEY, value)]))
    }
}
