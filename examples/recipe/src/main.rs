//! An agent.

fn main() {}
