//! Component catalogs in the manifest: the components that a page draws, and the functions on both sides, in the form that the page's
//! code sees.

mod build;
mod def;
mod source;

pub(super) use build::{catalogs, contradiction};
pub use def::{CatalogDef, CatalogFunctionDef, ComponentDef};
pub use source::{CatalogFunctionSource, CatalogSource, ComponentSource};

/// The definitions path by which the types of component properties know that a manifest asks for their schema.
pub(crate) const RENDERED: &str = "/catalogs";

/// The keyword that marks a schema in [`CatalogDef`] as a part of A2UI. The values:
///
/// | value | the page's code sees |
/// |---|---|
/// | `value` | the value that the schema describes, or none while the data has none; on the wire a path or a call may stand for the value |
/// | `action` | a function that tells the agent, or calls a function |
/// | `component` | a component to draw |
/// | `components` | components to draw, in order |
///
/// ```
/// assert_eq!(agui_runtime::manifest::SURFACE_PART, "x-agui-surface");
/// ```
pub const SURFACE_PART: &str = "x-agui-surface";
