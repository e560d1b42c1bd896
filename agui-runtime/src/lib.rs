//! The typed way to write AG-UI agents.

pub mod manifest;
pub mod protocol;
