//! Mutants that no check can kill, because their change cannot be seen, each with the reason. Reviewed by hand: an entry that is
//! killed, or that names no mutant, fails the test.

pub struct Equivalent {
    pub function: &'static str,
    pub operator: &'static str,
    pub ordinal: usize,
    pub reason: &'static str,
}

const fn same(
    function: &'static str,
    operator: &'static str,
    ordinal: usize,
    reason: &'static str,
) -> Equivalent {
    Equivalent { function, operator, ordinal, reason }
}

pub const EQUIVALENT: &[Equivalent] = &[
    same(
        "RunKernel::forward_activity",
        "without arm `ActivityDelta`",
        1,
        "it then marks an activity as found that was not lost",
    ),
    same("RunKernel::end_cut_off", "`take` leaves it", 1, "it is called once in a run"),
    same(
        "ClientConversation::from_input",
        "`0` is `1`",
        1,
        "the places of messages are only compared with each other",
    ),
    same(
        "ClientConversation::learn",
        "`0` is `1`",
        1,
        "the place of a message that is not of the input is not read",
    ),
    same("ClientConversation::learn_span", "no `by`", 2, "the author of a thought is not read"),
    same("ClientConversation::learn_span", "no `by`", 3, "the author of an activity is not read"),
    same("RunKernel::end", "`take` leaves it", 1, "nothing reads it after the end of the run"),
    same(
        "RunKernel::end",
        "always `matches!`",
        2,
        "a run with calls that were cut off fails, or was cancelled, and then none are left",
    ),
    same("RunKernel::end", "`take` leaves it", 2, "nothing reads it after the end of the run"),
    same("RunKernel::terminal_event", "`take` leaves it", 1, "nothing reads it after the end of the run"),
    same("RunKernel::success", "`take` leaves it", 1, "nothing reads it after the end of the run"),
    same("RunKernel::new", "`0` is `1`", 2, "the number of events is only compared with an earlier one"),
    same("RunKernel::new", "never `is_silent`", 1, "the long way does the same as the short one"),
    same("RunKernel::put", "`1` is `2`", 1, "the number of events is only compared with an earlier one"),
    same("RunKernel::put", "never `is_plain`", 1, "the long way does the same as the short one"),
    same("RunKernel::next_slot", "`1` is `2`", 1, "slots are only compared"),
    same(
        "RunKernel::enclose",
        "`1` is `2`",
        1,
        "the count of children only tells whether it is worth looking for them",
    ),
    same(
        "RunKernel::enclose",
        "`0` is `1`",
        1,
        "the count of children only tells whether it is worth looking for them",
    ),
    same(
        "RunKernel::take",
        "`>` is `>=`",
        1,
        "the count of children only tells whether it is worth looking for them",
    ),
    same(
        "RunKernel::take",
        "always `>`",
        1,
        "the count of children only tells whether it is worth looking for them",
    ),
    same("RunKernel::take", "always `matches!`", 1, "only subagents have a path, so nothing else is removed"),
    same("RunKernel::take", "never `matches!`", 1, "a slot is not used again, so this only frees memory"),
    same("RunKernel::take", "skip `remove`", 1, "a slot is not used again, so this only frees memory"),
    same(
        "RunKernel::take",
        "`get_mut` is `None`",
        1,
        "the count of children only tells whether it is worth looking for them",
    ),
    same(
        "RunKernel::take",
        "never `let Some`",
        1,
        "the count of children only tells whether it is worth looking for them",
    ),
    same(
        "RunKernel::take",
        "skip `-=`",
        1,
        "the count of children only tells whether it is worth looking for them",
    ),
    same("RunKernel::close_all_in", "without `+`", 1, "a span does not enclose itself"),
    same("HubState::due", "always `is_some`", 1, "where there is no reader, none is woken"),
    same("HubState::due", "never `is_empty`", 2, "where nobody restates, nobody is woken"),
    same("HubState::due", "always `calls_reader`", 1, "an empty list of calls wakes nobody"),
    same(
        "KernelHub::new",
        "`0` is `1`",
        2,
        "it is a hint: a writer that finds no room by it asks under the lock",
    ),
    same("KernelHub::fill_batch", "skip `drop`", 2, "it is dropped at the end of the function"),
    same(
        "KernelHub::make_room",
        "skip `store`",
        1,
        "it is a hint: a writer that finds no room by it asks under the lock",
    ),
    same(
        "KernelHub::has_room",
        "never `==`",
        1,
        "it is a hint: a writer that finds no room by it asks under the lock",
    ),
    same("KernelHub::poll_turn", "never `let Some`", 1, "the same is asked again under the lock"),
    same("KernelHub::poll_restate", "`Some` is `None`", 1, "the waker is dropped at the end of the function"),
    same("KernelHub::poll_restate", "`Some` is `None`", 2, "the waker is dropped at the end of the function"),
    same("KernelHub::end", "`take` leaves it", 1, "the end has closed all they wait for, and woken them"),
    same("KernelHub::end", "without `chain`", 1, "the end has closed all they wait for, and woken them"),
    same(
        "WriteTurn::poll",
        "never `is_none`",
        1,
        "it is a hint: a writer that finds no room by it asks under the lock",
    ),
    same("WriterQueue::wait", "`1` is `2`", 1, "tickets are only compared"),
    same("WriterQueue::call", "never `is_empty`", 1, "of none, none are called"),
    same(
        "RunSpan::id",
        "`Some` is `None`",
        2,
        "a call opens under an id that no restated conversation has, and again with the tag agreed upon",
    ),
];
