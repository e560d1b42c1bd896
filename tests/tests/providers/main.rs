//! Models over HTTP, with a server of ours that sends what no well-behaved server sends; `tests/outside/tests/models` has
//! the mock server of another project.

mod addresses;
mod answers;
mod cancelled;
mod defects;
mod environment;
mod failures;
mod fallback;
mod fragments;
mod frames;
mod predict;
mod prompt_cache;
mod requests;
mod server;
mod structured_output;
mod tool_search;
mod transcripts;
mod tree;
