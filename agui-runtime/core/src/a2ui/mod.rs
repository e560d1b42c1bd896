//! A2UI v0.9: interfaces that the agent describes and the page draws (feature `a2ui`).
//!
#![doc = include_str!("../docs/generative_ui.md")]

mod catalog;
mod component;
mod message;
mod operation;
mod surface;
mod user_action;
mod validate;

pub use catalog::{CatalogError, ComponentCatalog};
pub use component::SurfaceComponent;
pub use message::SurfaceMessage;
pub use operation::{CreateSurface, DeleteSurface, SurfaceOperation, UpdateComponents, UpdateDataModel};
pub use surface::{Surface, SurfaceError};
pub use user_action::{A2uiProps, ContextError, RendererError, UserAction};
pub use validate::{ComponentProblem, InvalidComponents, ProblemCode, validate};
