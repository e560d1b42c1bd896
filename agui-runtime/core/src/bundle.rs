//! Traits that stand for several others, with one message where a type lacks any of them.

/// A bound that no type meets.
pub trait Unmet<T: ?Sized> {}

/// A type without traits.
pub enum Nothing {}

/// Implements a trait for all types with these other traits. A type that lacks some of them is one error, with the
/// message of the trait itself. Without the second impl, the compiler would report each bound of the only impl, with
/// the messages of serde and schemars.
macro_rules! bundle {
    ($Bundle:ident: $($bounds:tt)+) => {
        impl<T: $($bounds)+> $Bundle for T {}

        #[doc(hidden)]
        impl<T> $Bundle for T
        where
            for<'never> $crate::bundle::Nothing: $crate::bundle::Unmet<&'never ()>,
            T: $Bundle,
        {
        }
    };
}

pub(crate) use bundle;
