//! Verdicts of published JSON Schemas: AG-UI's about our types, A2UI's about surfaces, and a page's own about the Rust from its tools. The
//! everyday tests leave them out, because a validator of JSON Schema with its dependencies is a twentieth of their build.

mod a2ui;
#[path = "../flow/agent.rs"]
#[allow(dead_code, reason = "the tests of runs use the rest")]
mod agent;
mod documents;
mod frontend_tools;
mod samples;
mod traps;
