//! The A2UI versions that surfaces are written in.

use std::fmt;

use super::{ComponentCatalog, RendererCapabilities};
use crate::protocol::RunAgentInput;

/// A version of A2UI that this crate reads and writes.
///
/// A client names its versions in `forwardedProps`: in its capabilities (`a2uiRendererCapabilities`, or `a2uiClientCapabilities` of
/// v0.9), or in the message with the user's action. [`of_client`](Self::of_client) reads both. Most pages name no version, and draw
/// v0.9: the default. An agent whose silent clients draw another version says so with `unwrap_or`.
///
/// ```
/// use agui_runtime::a2ui::{ComponentCatalog, Surface, SurfaceComponent, SurfaceVersion};
/// use agui_runtime::prelude::*;
///
/// /// Greets in the version that the page draws.
/// #[agent]
/// async fn greeter(run: &mut Run<Greeter>, input: Input<Greeter>) -> Result<(), Stop> {
///     let version = SurfaceVersion::of_client(&input).unwrap_or(SurfaceVersion::V0_9);
///     let text = SurfaceComponent::new("root", "Text").with("text", "Hello!");
///     let hello = Surface::new("hello", ComponentCatalog::BASIC, [text]);
///     hello.in_version(version)?.show(run).await?;
///     Ok(())
/// }
/// # use serde_json::json;
/// # let mut input = agui_runtime::testing::input("?");
/// # input.forwarded_props = agui_runtime::protocol::NonNull::new(json!({
/// #     "a2uiRendererCapabilities": { "v1.0": { "supportedCatalogIds": [] } },
/// # }));
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Greeter::new(), input));
/// # assert!(serde_json::to_string(&events[1]).unwrap().contains(r#""version":"v1.0""#), "{events:?}");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum SurfaceVersion {
    /// A2UI v0.9, which v0.9.1 reads too. Messages with `v0.9.1` are read the same.
    #[default]
    V0_9,
    /// A2UI v1.0.
    V1_0,
}

impl SurfaceVersion {
    /// Returns the version as messages write it.
    ///
    /// ```
    /// assert_eq!(agui_runtime::a2ui::SurfaceVersion::V1_0.as_str(), "v1.0");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V0_9 => "v0.9",
            Self::V1_0 => "v1.0",
        }
    }

    /// Returns the version with this name; `None` for names unknown to this crate.
    ///
    /// ```
    /// use agui_runtime::a2ui::SurfaceVersion;
    ///
    /// assert_eq!(SurfaceVersion::named("v0.9.1"), Some(SurfaceVersion::V0_9));
    /// assert_eq!(SurfaceVersion::named("v7"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "v0.9" | "v0.9.1" => Some(Self::V0_9),
            "v1.0" => Some(Self::V1_0),
            _ => None,
        }
    }

    /// Returns the newest version that the client names; `None` if the client names none, or only versions unknown to this crate.
    ///
    /// The capabilities count first, then the version in the message with the user's action, then the catalog in the context.
    #[must_use]
    pub fn of_client(input: &RunAgentInput) -> Option<Self> {
        let props = input.forwarded_props.as_ref().and_then(|props| props.as_object());
        let stated = props.and_then(|props| {
            let capabilities =
                RendererCapabilities::MEMBERS.iter().filter_map(|name| props.get(*name)?.as_object());
            let newest =
                capabilities.flat_map(|versions| versions.keys()).filter_map(|name| Self::named(name)).max();
            newest.or_else(|| Self::named(props.get("a2uiAction")?.get("version")?.as_str()?))
        });
        stated.or_else(|| {
            let catalog = ComponentCatalog::from_context(input.context()).ok()??;
            catalog.version()
        })
    }
}

impl fmt::Display for SurfaceVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
