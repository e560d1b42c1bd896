//! The smallest agent: `cargo run -p hello`, then POST an input to it.

use agui_runtime::prelude::*;

/// Greets whoever writes.
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
