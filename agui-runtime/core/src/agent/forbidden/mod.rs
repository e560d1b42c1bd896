//! Methods with names that users try where the protocol forbids the operation. Calling such a method is a compile error: the
//! headline is the rule, and the error says what to write instead.
//!
//! A forbidden method is bound by a trait that nothing implements, for [`ForbiddenCall`](super::here::Here). Three properties make the call
//! exactly one error. The bound names a parameter, if only a lifetime, or rustc would refuse the method itself. The method is no
//! `async fn`, or rustc would report everything three times. The method takes `&self` and returns a named future that is never
//! ready, so that the code around the call type-checks.

mod call;
mod conversation;
mod helper;
mod reasoning;
mod reserved;
mod state;
mod text;

// rustc labels the method in its note only if the method and the bound below are on lines of different numbers, in whatever
// files they are. Its headline, label and note do not depend on that, so moving a line here may change the end of a message.
/// Defines one rule, and the methods on one type that would break the rule.
///
/// - `fn name(text);` takes any value, `fn name(id, text);` two values with any types.
/// - `fn name();` takes nothing. With `-> Output`, awaiting returns that type, otherwise a `Result<(), Stop>`.
/// - `fn name(|S|);` takes a closure that edits an `S`.
/// - `fn name(payload) -> Stop;` takes a value, and is no future.
macro_rules! forbidden {
    (
        $message:literal, $label:literal, $note:literal;
        impl [$($generics:tt)*] $On:ty {
            $(fn $name:ident $arguments:tt $(-> $($Output:ident)::+)?;)+
        }
    ) => {
        const _: () = {
            #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
            pub trait Allows<T: ?Sized> {}

            #[allow(private_bounds, clippy::unused_self, clippy::needless_pass_by_value)]
            impl<$($generics)*> $On {
                $($crate::agent::forbidden::forbidden!(@method $name $arguments $(-> $($Output)::+)?);)+
            }
        };
    };
    (@method $name:ident ()) => {
        $crate::agent::forbidden::forbidden!(@method $name () -> ::std::result::Result<(), $crate::agent::Stop>);
    };
    (@method $name:ident () -> $Output:ty) => {
        #[doc(hidden)]
        pub fn $name(&self) -> ::std::future::Pending<$Output>
        where
            for<'here> $crate::agent::here::ForbiddenCall: Allows<&'here ()>,
        {
            ::std::future::pending()
        }
    };
    (@method $name:ident ($one:ident) -> Stop) => {
        #[doc(hidden)]
        pub fn $name<One>(&self, _: One) -> $crate::agent::Stop
        where
            $crate::agent::here::ForbiddenCall: Allows<One>,
        {
            $crate::agent::Stop::error(concat!("uncallable: ", stringify!($name)))
        }
    };
    (@method $name:ident ($one:ident)) => {
        #[doc(hidden)]
        pub fn $name<One>(&self, _: One) -> ::std::future::Pending<::std::result::Result<(), $crate::agent::Stop>>
        where
            $crate::agent::here::ForbiddenCall: Allows<One>,
        {
            ::std::future::pending()
        }
    };
    (@method $name:ident ($one:ident, $other:ident)) => {
        #[doc(hidden)]
        pub fn $name<One, Other>(
            &self,
            _: One,
            _: Other,
        ) -> ::std::future::Pending<::std::result::Result<(), $crate::agent::Stop>>
        where
            $crate::agent::here::ForbiddenCall: Allows<One>,
        {
            ::std::future::pending()
        }
    };
    (@method $name:ident (|$S:ty|)) => {
        #[doc(hidden)]
        pub fn $name<R, F: ::std::ops::FnOnce(&mut $S) -> R>(
            &self,
            _: F,
        ) -> ::std::future::Pending<::std::result::Result<R, $crate::state::StateError>>
        where
            $crate::agent::here::ForbiddenCall: Allows<F>,
        {
            ::std::future::pending()
        }
    };
}

use forbidden;
