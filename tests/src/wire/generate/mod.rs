//! Random values of every wire type, for property tests. All of them are legal on the wire.

mod capabilities;
mod conversation;
mod event;
mod json;
mod part;

pub use capabilities::capabilities;
pub use conversation::{context, input, message, tool, tool_call};
pub use event::event;
pub use json::{id, metadata, non_null, object, text, value};
pub use part::{content, interrupt, patch, pointer, resume_entry, usage};

/// Strategies for structs: required members, then optional ones, each of which may be left out.
///
/// `fn name() -> Type (required: strategy, …) { optional: strategy, … }`
macro_rules! generators {
    ($(
        $(#[$doc:meta])*
        $vis:vis fn $name:ident() -> $Type:ident ($($req:ident: $from:expr),*) { $($opt:ident: $maybe:expr),* $(,)? }
    )*) => { $(
        $(#[$doc])*
        $vis fn $name() -> proptest::strategy::BoxedStrategy<$Type> {
            use proptest::strategy::{Just, Strategy as _};

            let required = (Just(()), $($from,)*);
            let optional = (Just(()), $(proptest::option::of($maybe),)*);
            (required, optional)
                .prop_map(|(((), $($req,)*), ((), $($opt,)*))| {
                    #[allow(unused_mut)]
                    let mut made = $Type::new($($req),*);
                    $(made.$opt = $opt;)*
                    made
                })
                .boxed()
        }
    )* };
}

use generators;
