//! Signposts: methods with the names people reach for where the protocol forbids what they would do. Calling one is a compile
//! error whose headline is the rule, with what to write instead.
//!
//! A signpost is bound by a trait that nothing implements, for `Here`. Three things make it one error and no more: the bound
//! names a parameter, be it a lifetime's, or rustc refuses the method itself; it is no `async fn`, or rustc says everything three times; and it
//! takes `&self` and gives a named future that is never ready, so that what is written around the call fits.

mod call;
mod conversation;
mod reasoning;
mod reserved;
mod state;
mod text;

pub use call::Answers;

/// The place of the call, in which nothing is allowed.
pub enum Here {}

/// One rule, and the methods of one type that would break it.
///
/// - `fn name(text);` takes anything, `fn name(id, text);` two things of any kind.
/// - `fn name();` takes nothing. With `-> Output` awaiting it gives that, otherwise a `Result<(), Stop>`.
/// - `fn name(|S|);` takes a closure that edits an `S`.
macro_rules! signpost {
    (
        $message:literal, $label:literal, $note:literal;
        impl [$($generics:tt)*] $On:ty {
            $(fn $name:ident $arguments:tt $(-> $Output:ty)?;)+
        }
    ) => {
        const _: () = {
            #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
            pub trait Allows<T: ?Sized> {}

            #[allow(private_bounds, clippy::unused_self, clippy::needless_pass_by_value)]
            impl<$($generics)*> $On {
                $($crate::emit::signpost::signpost!(@method $name $arguments $(-> $Output)?);)+
            }
        };
    };
    (@method $name:ident ()) => {
        $crate::emit::signpost::signpost!(@method $name () -> ::std::result::Result<(), $crate::Stop>);
    };
    (@method $name:ident () -> $Output:ty) => {
        #[doc(hidden)]
        pub fn $name(&self) -> ::std::future::Pending<$Output>
        where
            for<'here> $crate::emit::signpost::Here: Allows<&'here ()>,
        {
            ::std::future::pending()
        }
    };
    (@method $name:ident ($one:ident)) => {
        #[doc(hidden)]
        pub fn $name<One>(&self, _: One) -> ::std::future::Pending<::std::result::Result<(), $crate::Stop>>
        where
            $crate::emit::signpost::Here: Allows<One>,
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
        ) -> ::std::future::Pending<::std::result::Result<(), $crate::Stop>>
        where
            $crate::emit::signpost::Here: Allows<One>,
        {
            ::std::future::pending()
        }
    };
    (@method $name:ident (|$S:ty|)) => {
        #[doc(hidden)]
        pub fn $name<R, F: ::std::ops::FnOnce(&mut $S) -> R>(
            &self,
            _: F,
        ) -> ::std::future::Pending<::std::result::Result<R, $crate::StateError>>
        where
            $crate::emit::signpost::Here: Allows<F>,
        {
            ::std::future::pending()
        }
    };
}

use signpost;
