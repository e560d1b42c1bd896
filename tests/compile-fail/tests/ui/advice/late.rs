//! The mistakes that the compiler finds last, in a program without any of the others.

#![allow(unused)]
#![deny(unused_must_use)]

mod kit;

mod agent {
    mod with_a_private_output;
    mod with_a_private_state;
}
mod event {
    mod that_is_not_awaited;
}
mod helpers {
    mod tasks_that_are_not_joined;
}
mod interrupt {
    mod question_that_is_dropped;
}
mod order {
    mod call_that_is_dropped;
    mod complete_call_that_is_dropped;
    mod frontend_call_that_is_dropped;
    mod message_that_is_not_awaited;
}
mod server {
    mod that_is_not_awaited;
}
mod state {
    mod change_that_is_not_awaited;
}
mod tool {
    mod with_a_private_result;
}

fn main() {}
