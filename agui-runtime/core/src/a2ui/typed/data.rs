//! Paths into a surface's data, by the fields of Rust types.

use std::marker::PhantomData;

use serde_json::Value;

use super::DynamicValue;
use crate::protocol::JsonObject;

/// Data that components show, with a path for each field. Implemented by [`#[derive(SurfaceData)]`](derive@crate::a2ui::SurfaceData), for texts, numbers, `bool`, JSON,
/// and for `Option` and `Vec` with such a type.
///
/// [`TypedSurface::data`](super::TypedSurface::data) returns the paths: a path that the data does not have does not compile.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no data of a surface",
    label = "has no paths for components",
    note = "add `#[derive(SurfaceData)]` to the type, which also needs `serde::Serialize`"
)]
pub trait SurfaceData {
    /// The paths: a method for each field, a [`BoundPath`] or a [`ListPath`].
    type Paths;

    /// Returns the paths below this one.
    #[doc(hidden)]
    fn paths(at: DataPath) -> Self::Paths;
}

/// A place in the data. Only a surface makes the first one.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct DataPath {
    text: String,
    is_relative: bool,
}

impl DataPath {
    pub(super) fn root() -> Self {
        Self { text: String::new(), is_relative: false }
    }

    pub(super) fn element() -> Self {
        Self { text: String::new(), is_relative: true }
    }

    /// Returns the path of a member (RFC 6901).
    #[must_use]
    pub fn member(&self, name: &str) -> Self {
        let name = name.replace('~', "~0").replace('/', "~1");
        let slash = if self.is_relative && self.text.is_empty() { "" } else { "/" };
        Self { text: format!("{}{slash}{name}", self.text), is_relative: self.is_relative }
    }

    fn into_text(self) -> String {
        let is_root = self.text.is_empty() && !self.is_relative;
        if is_root { "/".to_owned() } else { self.text }
    }
}

/// The path to a value with the type `T` in the data, from [`TypedSurface::data`](super::TypedSurface::data).
#[derive(Debug, Clone)]
pub struct BoundPath<T> {
    path: String,
    value: PhantomData<fn() -> T>,
}

impl<T> BoundPath<T> {
    /// Returns a property that shows the value at the path, and in an input field also changes it.
    #[must_use]
    pub fn bind(&self) -> DynamicValue<T> {
        DynamicValue::at(self.path.clone())
    }

    /// Returns the path as JSON Pointer (RFC 6901), or relative to a list's element.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.path
    }
}

/// The path to a list, for [`TypedSurface::repeat`](super::TypedSurface::repeat).
#[derive(Debug, Clone)]
pub struct ListPath<T> {
    pub(super) path: String,
    element: PhantomData<fn() -> T>,
}

impl<T: SurfaceData> SurfaceData for Vec<T> {
    type Paths = ListPath<T>;

    fn paths(at: DataPath) -> ListPath<T> {
        ListPath { path: at.into_text(), element: PhantomData }
    }
}

/// A missing value has the path of the value.
impl<T: SurfaceData> SurfaceData for Option<T> {
    type Paths = T::Paths;

    fn paths(at: DataPath) -> T::Paths {
        T::paths(at)
    }
}

macro_rules! values {
    ($($Value:ty),*) => {
        $(impl SurfaceData for $Value {
            type Paths = BoundPath<$Value>;

            fn paths(at: DataPath) -> BoundPath<$Value> {
                BoundPath { path: at.into_text(), value: PhantomData }
            }
        })*
    };
}

values!(String, bool, u8, u16, u32, u64, i8, i16, i32, i64, f32, f64, Value, JsonObject);
