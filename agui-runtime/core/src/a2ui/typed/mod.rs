//! Surfaces from Rust types: catalogs, components, data paths and functions that the compiler checks.

mod catalog;
mod data;
mod property;
mod surface;

pub use catalog::{AgentFunction, Catalog, CatalogComponent, CatalogFunction, TypedCall};
pub use data::{BoundPath, DataPath, ListPath, SurfaceData};
pub use property::{ComponentId, ComponentList, DynamicValue, SurfaceAction};
pub use surface::{TypedSurface, TypedSurfaceError};

#[doc(hidden)]
pub use catalog::{agent_function, catalog, component, component_source, function, function_source};
