//! A2UI v0.9 and v1.0: interfaces that the agent describes and the page draws (feature `a2ui`).
//!
#![doc = include_str!("../docs/generative_ui.md")]

mod capabilities;
mod catalog;
mod component;
mod convert;
mod function;
mod message;
mod operation;
mod pending;
mod setting;
mod surface;
pub(crate) mod typed;
mod user_action;
mod validate;
mod version;

#[doc(inline)]
#[doc = include_str!("../docs/catalog.md")]
pub use agui_runtime_macros::Catalog;
#[doc(inline)]
#[doc = include_str!("../docs/surface_data.md")]
pub use agui_runtime_macros::SurfaceData;

pub use capabilities::RendererCapabilities;
pub use catalog::{CatalogError, ComponentCatalog};
pub use component::SurfaceComponent;
pub use convert::SurfaceVersionError;
pub use function::{CallRendererFunction, FunctionCall, FunctionError, FunctionResponse};
pub use message::SurfaceMessage;
pub use operation::{
    CreateSurface, DeleteSurface, SurfaceMetadata, SurfaceOperation, UpdateComponents, UpdateDataModel,
};
pub use pending::{PendingFunctionCall, PendingFunctionCalls, ResponseError};
pub use surface::{Surface, SurfaceError};
pub use typed::{
    AgentFunction, BoundPath, Catalog, CatalogComponent, CatalogFunction, ComponentId, ComponentList,
    DynamicValue, ListPath, SurfaceAction, SurfaceData, TypedCall, TypedSurface, TypedSurfaceError,
};
pub use user_action::{A2uiProps, AgentFunctionCall, ContextError, RendererError, UserAction};
pub use validate::{ComponentProblem, InvalidComponents, ProblemCode, validate};
pub use version::SurfaceVersion;
