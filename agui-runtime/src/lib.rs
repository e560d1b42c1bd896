//! The typed way to write AG-UI agents.

pub mod protocol;
