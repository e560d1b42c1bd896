//! Main with arguments.
//!
//! error: `main` takes no arguments: read them with `std::env::args()`
//! write: read them with `std::env::args()`

#[agui_runtime::main]
async fn main(port: u16) {}
