use agui_runtime::prelude::*;

/// Says hello.
#[agent]
async fn hello(run: &mut Run<Hello>, input: Input<Hello>) -> Result<(), Stop> {
    run.say(format!("Hello, {} messages so far!", input.messages.len())).await;
    Ok(())
}

fn main() {
    let _ = Hello::new();
}
