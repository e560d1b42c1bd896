//! Mutants that forget to wake a task, or take the lock twice, which loom finds among the orders of the threads.

/// By name: the function, the change, and its ordinal among the same changes in that function.
pub const FORGETFUL: &[(&str, &str, &str, usize)] = &[
    ("call_not_passed_on", "KernelHub::leave", "never `may_write`", 1),
    ("batch_not_given_back", "EventBatch::fill", "skip `give_back`", 1),
    ("sleeping_reader_calls_nobody", "KernelHub::wait_for_event", "always `arrived`", 1),
    ("reader_not_woken", "HubState::due", "never `calls_reader`", 2),
    ("end_wakes_nobody", "KernelHub::end", "skip `for_each`", 1),
    ("restaters_not_woken", "RunKernel::take", "skip `closed =`", 1),
    // These two are about the time between two locks, so that no test on one thread sees them.
    ("room_made_before_it_waits", "KernelHub::poll_turn", "never `let Some`", 2),
    ("lock_taken_twice", "KernelHub::poll_turn", "skip `drop`", 1),
];
