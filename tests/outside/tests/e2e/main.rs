//! The examples in use: built, started, and connected to official clients and a browser; also behind assistant-ui.
#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod a2ui;
mod assistant_ui;
mod assistant_ui_threads;
mod bridge;
mod desk_page;
mod desk_types;
mod evil_server;
mod generated;
mod hello;
mod inspector;
mod inspector_shown;
mod members;
mod page;
#[path = "../readme/project.rs"]
mod project;
mod recipe;
mod recipe_model;
mod recipe_page;
mod served;
