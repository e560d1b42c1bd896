//! The smallest agent.

use agui_runtime::prelude::*;

/// Says hello.
#[agent]
async fn smallest(run: &mut Run<Smallest>, input: Input<Smallest>) -> Result<(), Stop> {
    run.say(format!("Hello, {} messages so far!", input.messages.len())).await;
    Ok(())
}

#[test]
fn it_is_an_agent() {
    assert!(super::tools_of(&Smallest::new()).is_empty());
}
