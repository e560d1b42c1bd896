//! The bound that refuses async closures where a change happens in one step.

/// A closure that changes a value at once and returns `R`.
///
/// A future from an `async` closure or block borrows the value, and the compiler would report a lifetime. Such a future is not
/// `Unpin`, and types are checked before lifetimes, so the compiler reports this bound instead.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`update` does not wait, because no other change may come between: await before, and give it a plain closure",
    label = "this closure returns a future"
)]
pub trait PlainEdit<R> {}

#[diagnostic::do_not_recommend]
impl<F, R: Unpin> PlainEdit<R> for F {}
