//! Values from a run's request, keyed by type.

use std::any::{Any, TypeId, type_name};
use std::fmt;
use std::sync::Arc;

/// At most one value of each type. Clones share the values.
#[derive(Clone, Default)]
pub struct RequestValues(Vec<RequestValue>);

#[derive(Clone)]
struct RequestValue {
    ty: TypeId,
    type_name: &'static str,
    value: Arc<dyn Any + Send + Sync>,
}

impl RequestValues {
    /// Adds a value, or replaces the value of the same type.
    pub(crate) fn put<T: Send + Sync + 'static>(&mut self, value: T) {
        let held =
            RequestValue { ty: TypeId::of::<T>(), type_name: type_name::<T>(), value: Arc::new(value) };
        match self.0.iter_mut().find(|other| other.ty == held.ty) {
            Some(other) => *other = held,
            None => self.0.push(held),
        }
    }

    /// Adds values from another request whose types are missing here.
    #[cfg(any(feature = "server", feature = "tool-servers"))]
    pub(crate) fn or(mut self, other: &Self) -> Self {
        for held in &other.0 {
            if self.0.iter().all(|own| own.ty != held.ty) {
                self.0.push(held.clone());
            }
        }
        self
    }

    pub(crate) fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        let held = self.0.iter().find(|held| held.ty == TypeId::of::<T>())?;
        Arc::clone(&held.value).downcast().ok()
    }
}

/// Shows only type names, because a value may be a secret.
impl fmt::Debug for RequestValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|held| held.type_name)).finish()
    }
}
