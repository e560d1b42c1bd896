//! Traits that stand for several others, with one message where a type lacks any of them.

/// A bound that no type meets.
pub trait Unmet<T: ?Sized> {}

/// A type without traits.
pub enum Nothing {}

/// Implements a trait for all types that have these others. A type that lacks one, or all, is one error, in the words of
/// the trait's own message: without the second impl, the compiler would look into the only impl there is, and report each
/// of its bounds in the words of serde and schemars.
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
