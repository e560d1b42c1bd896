//! Both traits of agents in one scope: their methods have names of their own.

use agui_runtime::prelude::*;
use agui_runtime::{Agent, DynAgent};

/// Says hello.
#[agent]
async fn greeter(run: &mut Run<Greeter>, _: Input<Greeter>) -> Result<(), Stop> {
    run.say("Hello!").await;
    Ok(())
}

#[test]
fn an_agent_describes_itself_by_type_and_by_value() {
    assert_eq!(Greeter::source().name, "greeter");
    assert_eq!(Greeter::new().describe().name, "greeter");
}
