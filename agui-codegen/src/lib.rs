//! TypeScript and Python from the Rust types of an agent.

pub mod emit;
pub mod ir;
pub mod lower;
mod names;
