//! The code generator: what it makes of the cases, and how its command behaves.

#![allow(missing_docs)]

mod cases;
mod catalogs;
mod command;
mod diff;
mod lowering;
mod output;
mod project;
mod sample;
