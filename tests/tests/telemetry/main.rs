//! Spans and metrics of runs, tools and models, as a subscriber and a recorder see them.

mod content;
mod measured;
mod names;
mod parents;
mod shop;
mod spans;
mod tree;
