//! The smallest agent: `cargo run -p hello`, then POST an input to it.
//!
//! ```console
//! $ curl -N http://127.0.0.1:8000/ -H 'content-type: application/json' \
//!     -d '{"threadId":"1","runId":"1","protocolVersion":"1.0","messages":[{"id":"1","role":"user","content":"Ada"}]}'
//! ```

use agui_runtime::prelude::*;

/// Greets the user.
#[agent]
async fn hello(run: &mut Run<Hello>, input: Input<Hello>) -> Result<(), Stop> {
    let name = input.user_text().unwrap_or_else(|| "stranger".to_owned());
    let mut text = run.message().await;
    text.push("Hello, ").await;
    text.push(name).await;
    text.push("!").await;
    Ok(())
}

#[agui_runtime::main]
async fn main() -> Result<(), agui_runtime::Error> {
    agui_runtime::serve(Hello::new()).await
}
