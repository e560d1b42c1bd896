//! Values that a tool borrows and that exist for one call.

use std::any::Any;
use std::fmt;
use std::sync::OnceLock;

/// Values with different types, each created when first borrowed.
#[derive(Default)]
pub(super) struct KeptValues(OnceLock<Box<KeptValue>>);

struct KeptValue {
    value: Box<dyn Any + Send + Sync>,
    next: KeptValues,
}

impl KeptValues {
    /// Returns the value with this type.
    pub(super) fn get<T: Any + Send + Sync>(&self, make: impl Fn() -> T) -> &T {
        let mut place = self;
        loop {
            let kept = place
                .0
                .get_or_init(|| Box::new(KeptValue { value: Box::new(make()), next: KeptValues::default() }));
            match kept.value.downcast_ref() {
                Some(value) => return value,
                None => place = &kept.next,
            }
        }
    }
}

impl fmt::Debug for KeptValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptValues").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_one_value() {
        let kept = KeptValues::default();
        assert_eq!((kept.get(|| 1_u8), kept.get(|| "two"), kept.get(|| 3_u8)), (&1, &"two", &1));
    }
}
