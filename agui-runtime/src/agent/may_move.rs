//! The bound that a run can move to another thread, with the advice for one that cannot.

/// Returns the future of a run or a tool. The macros put it around each. The compiler shows the line of the bound `Send` where the future has not got it.
#[doc(hidden)]
pub fn may_move<F>(future: F) -> impl Future<Output = F::Output> + Send
where
    F: Future,
    F: Send, // put `Arc` in the place of `Rc`, a `Mutex` in that of a `RefCell`, or drop the value before the `.await`
{
    future
}
