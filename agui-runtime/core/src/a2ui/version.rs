//! The A2UI versions that surfaces are written in.

use std::fmt;

use super::convert::is_call;
use super::setting::surface_setting;
use super::{ComponentCatalog, RendererCapabilities, SurfaceMessage};
use crate::emit::Emit;
use crate::protocol::RunAgentInput;

/// A version of A2UI that this crate reads and writes.
///
/// A client names its versions in `forwardedProps`: in its capabilities (`a2uiRendererCapabilities`, or `a2uiClientCapabilities` of
/// v0.9), or in the message with the user's action. [`of_client`](Self::of_client) reads both. Most pages name no version, and draw
/// v0.9: the default, unless [`RunOptions::surface_version`](crate::RunOptions::surface_version) sets another.
///
/// [`Surface::show`](super::Surface::show) and [`TypedSurface::show`](super::TypedSurface::show) choose by themselves. An agent whose
/// content depends on the version asks [`of_run`](Self::of_run).
///
/// ```
/// use agui_runtime::a2ui::{ComponentCatalog, Surface, SurfaceComponent, SurfaceVersion};
/// use agui_runtime::prelude::*;
///
/// /// Greets.
/// #[agent]
/// async fn greeter(run: &mut Run<Greeter>, _: Input<Greeter>) -> Result<(), Stop> {
///     let version = SurfaceVersion::of_run(run);
///     let text = SurfaceComponent::new("root", "Text").with("text", format!("Hello in A2UI {version}!"));
///     Surface::new("hello", ComponentCatalog::BASIC, [text]).show(run).await?;
///     Ok(())
/// }
/// # use serde_json::json;
/// # let mut input = agui_runtime::testing::input("?");
/// # input.forwarded_props = agui_runtime::protocol::NonNull::new(json!({
/// #     "a2uiRendererCapabilities": { "v1.0": { "supportedCatalogIds": [] } },
/// # }));
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Greeter::new(), input));
/// # let sent = serde_json::to_string(&events[1]).unwrap();
/// # assert!(sent.contains(r#""version":"v1.0""#) && sent.contains("Hello in A2UI v1.0!"), "{events:?}");
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
        Self::named_by_client(input).into_iter().max()
    }

    /// Returns the version for surfaces in a run: the newest that the client names, otherwise the run's
    /// [setting](crate::RunOptions::surface_version), otherwise v0.9.
    #[must_use]
    pub fn of_run(emit: &Emit) -> Self {
        Self::of_client(emit.input()).or_else(|| surface_setting(emit)).unwrap_or_default()
    }

    /// Returns the version that the messages of a surface must get before the surface is shown; `None` if the client reads the
    /// messages as they are, or said nothing in a run without a setting.
    pub(super) fn to_show(emit: &Emit, messages: &[SurfaceMessage]) -> Option<Self> {
        let mut named = Self::named_by_client(emit.input());
        if named.is_empty() {
            named.extend(surface_setting(emit));
        }
        let mut is_read = true;
        for message in messages {
            // A message that this crate does not read is for a client that knows more.
            let (operation, version) = (message.operation()?, message.known_version()?);
            is_read &= is_call(&operation) || named.contains(&version);
        }
        named.into_iter().max().filter(|_| !is_read)
    }

    /// Returns the versions that the client names.
    fn named_by_client(input: &RunAgentInput) -> Vec<Self> {
        let props = input.forwarded_props.as_ref().and_then(|props| props.as_object());
        if let Some(props) = props {
            let capabilities =
                RendererCapabilities::MEMBERS.iter().filter_map(|name| props.get(*name)?.as_object());
            let names = capabilities.flat_map(|versions| versions.keys());
            let named: Vec<_> = names.filter_map(|name| Self::named(name)).collect();
            if !named.is_empty() {
                return named;
            }
            let action = || props.get("a2uiAction")?.get("version")?.as_str();
            if let Some(named) = action().and_then(Self::named) {
                return vec![named];
            }
        }
        let catalog = ComponentCatalog::from_context(input.context()).ok().flatten();
        catalog.and_then(|catalog| catalog.version()).into_iter().collect()
    }
}

impl fmt::Display for SurfaceVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
