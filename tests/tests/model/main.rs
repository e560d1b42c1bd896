//! The model loop: what a run writes while a model talks and calls, and what the model reads.

mod approvals;
mod cassette;
mod clerk;
mod cost;
mod failures;
mod frontend;
mod history;
mod limits;
mod output;
mod round_trip;
mod schema;
mod shorten;
mod time;
mod turns;
