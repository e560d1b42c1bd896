//! A surface whose components and bindings the compiler checks.

use std::marker::PhantomData;

use serde::Serialize;

use super::catalog::{object, without_nulls};
use super::data::DataPath;
use super::{Catalog, CatalogComponent, ComponentId, ComponentList, ListPath, SurfaceData};
use crate::a2ui::{
    CreateSurface, Surface, SurfaceComponent, SurfaceError, SurfaceVersion, SurfaceVersionError,
};
use crate::agent::PublicError;
use crate::emit::{ActivityError, ActivityHandle, Emit};
use crate::protocol::JsonObject;

/// A surface with components from the catalog `C`, bound to data with the type `D`. The page about
/// [`#[derive(Catalog)]`](derive@crate::a2ui::Catalog) has an example.
///
/// Components are added children first: a parent takes the [`ComponentId`]s, so that each child exists and no cycle can be written.
#[derive(Debug)]
pub struct TypedSurface<C, D> {
    surface_id: String,
    components: Vec<SurfaceComponent>,
    failed: Option<SurfaceError>,
    types: PhantomData<fn() -> (C, D)>,
}

#[expect(clippy::needless_pass_by_value, reason = "components and lists are written where they are used")]
impl<C: Catalog, D: SurfaceData + Serialize> TypedSurface<C, D> {
    /// Returns a surface without components. The id is unique on the page.
    #[must_use]
    pub fn new(surface_id: impl Into<String>) -> Self {
        Self { surface_id: surface_id.into(), components: Vec::new(), failed: None, types: PhantomData }
    }

    /// Returns the paths into the data: a method for each field.
    #[must_use]
    pub fn data(&self) -> D::Paths {
        D::paths(DataPath::root())
    }

    /// Adds a component from the surface's catalog, and returns its id.
    pub fn add<T: CatalogComponent<C>>(&mut self, component: T) -> ComponentId {
        let id = self.next_id();
        self.push(&id, T::NAME, None, &component);
        ComponentId(id)
    }

    /// Adds a component from another catalog (new in v1.0), and returns its id.
    pub fn add_from<O: Catalog, T: CatalogComponent<O>>(&mut self, component: T) -> ComponentId {
        let id = self.next_id();
        self.push(&id, T::NAME, Some(O::ID).filter(|other| *other != C::ID), &component);
        ComponentId(id)
    }

    /// Repeats a component for each element of a list in the data. The closure adds the component, whose paths begin at the element.
    pub fn repeat<T: SurfaceData>(
        &mut self,
        list: ListPath<T>,
        component: impl FnOnce(&mut Self, T::Paths) -> ComponentId,
    ) -> ComponentList {
        let component = component(self, T::paths(DataPath::element()));
        ComponentList::template(&list.path, &component)
    }

    /// Adds the root component, and shows the surface with its data, in the version that [`SurfaceVersion::of_run`] returns:
    /// ACTIVITY_SNAPSHOT when awaited (AG-UI 1.0, section "Activity").
    ///
    /// # Errors
    /// The errors that [`finish`](Self::finish) returns, or [`TypedSurfaceError::Activity`] if the content cannot be sent.
    pub async fn show<'w, T: CatalogComponent<C>>(
        self,
        root: T,
        data: &D,
        emit: &'w Emit,
    ) -> Result<ActivityHandle<'w, Surface>, TypedSurfaceError> {
        let surface = self.finish(root, data, SurfaceVersion::of_run(emit))?;
        Ok(surface.show(emit).await?)
    }

    /// Adds the root component, and returns the surface with its data in a version. A tool that returns the surface takes the
    /// version from [`SurfaceVersion::of_run`].
    ///
    /// # Errors
    /// [`TypedSurfaceError`] if the data is not a JSON object, a component has no JSON form, or the version has no such surface.
    pub fn finish<T: CatalogComponent<C>>(
        mut self,
        root: T,
        data: &D,
        version: SurfaceVersion,
    ) -> Result<Surface, TypedSurfaceError> {
        self.push("root", T::NAME, None, &root);
        if let Some(failed) = self.failed {
            return Err(failed.into());
        }
        let data: JsonObject = object(data)?;
        let begin =
            CreateSurface::new(self.surface_id, C::ID).with_components(self.components).with_data_model(data);
        Ok(Surface::from_messages([begin.into()]).in_version(version)?)
    }

    fn next_id(&self) -> String {
        format!("c{}", self.components.len())
    }

    fn push(&mut self, id: &str, name: &str, catalog: Option<&str>, component: &impl Serialize) {
        match object(component) {
            Ok(properties) => {
                let mut component = SurfaceComponent::new(id, name);
                for (property, value) in without_nulls(properties) {
                    component = component.with(property, value);
                }
                self.components.push(match catalog {
                    Some(catalog) => component.from_catalog(catalog),
                    None => component,
                });
            }
            Err(failed) => self.failed = Some(failed),
        }
    }
}

/// A [`TypedSurface`] that cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TypedSurfaceError {
    /// The data, or a component, has no form as a JSON object.
    #[error(transparent)]
    Content(#[from] SurfaceError),
    /// The version has no such surface.
    #[error(transparent)]
    Version(#[from] SurfaceVersionError),
    /// The content cannot be sent.
    #[error(transparent)]
    Activity(#[from] ActivityError),
}

impl PublicError for TypedSurfaceError {}
