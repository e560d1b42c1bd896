//! The bound that a run can move to another thread, with advice for a run that cannot.

/// Returns a run's or tool's future unchanged. The macros wrap each future in this function, because the compiler shows the `Send`
/// bound's line for a future that is not `Send`.
#[doc(hidden)]
pub fn may_move<F>(future: F) -> impl Future<Output = F::Output> + Send
where
    F: Future,
    F: Send, // put `Arc` in the place of `Rc`, a `Mutex` in that of a `RefCell`, or drop the value before the `.await`
{
    future
}
