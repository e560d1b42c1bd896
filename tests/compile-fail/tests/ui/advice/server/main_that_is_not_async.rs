//! Main that is not async.
//!
//! error: `main` is asynchronous, because it awaits the server: write `async fn`
//! write: write `async fn`

#[agui_runtime::main]
fn main() {}
