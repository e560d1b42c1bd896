//! Tools whose names the compiler also keeps: for attributes, its own tools, macros, and the prelude.

use agui_runtime::Agent as _;
use agui_runtime::prelude::*;

/// Defines a tool of each name, and an agent with all of them.
macro_rules! keeper {
    ($($name:ident)*) => {
        $(
            /// Does nothing.
            #[tool]
            pub async fn $name(number: u32) -> u32 {
                number
            }
        )*

        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

keeper!(allow assert clone cold coverage deny derive doc drop expect feature ignore inline link marker path print rustc_doc rustfmt stable test unstable used vec warn write);

/// Keeps names.
#[agent(tools = [
    allow, assert, clone, cold, coverage, deny, derive, doc, drop, expect, feature, ignore, inline, link, marker, path, print,
    rustc_doc, rustfmt, stable, test, unstable, used, vec, warn, write,
])]
pub async fn keeper(run: &mut Run<Keeper>, _: Input<Keeper>) -> Result<(), Stop> {
    run.say("kept").await;
    Ok(())
}

#[test]
fn a_tool_may_have_a_name_that_the_compiler_keeps() {
    let tools = agui_runtime::capabilities(&Keeper::source()).tools.unwrap().items.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, NAMES);
}
