//! The examples as people use them: built, started, and talked to by official clients and in a browser.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod generated;
mod hello;
mod members;
mod recipe;
mod recipe_page;
