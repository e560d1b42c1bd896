//! The mistakes after which the compiler does not check all other impls: names that do not resolve.

#![allow(unused)]

mod kit;

mod agent {
    mod lists_a_tool_that_does_not_exist;
    mod lists_an_event_that_does_not_exist;
}

fn main() {}
