//! The size of handles, the allocations of an event, and the memory that a peer can make a reader use: numbers that are
//! the same on every machine.

mod body;
mod limit;
mod subagents;
mod together;
mod untyped;

use std::mem::size_of;

use agui_runtime::prelude::*;
use agui_runtime::protocol::RunAgentInput;
use agui_runtime::tools::{OpenPhase, ReadyPhase};
use agui_runtime::{
    ActivityHandle, Call, Dynamic, Emit, PendingCall, Reasoning, ReasoningText, RunOptions, Step,
    TextMessage, start,
};
use futures::StreamExt;
use futures::executor::block_on;
use serde_json::{Map, Value};

/// Looks up what something costs.
#[tool]
async fn price(name: String) -> usize {
    name.len()
}

/// Asks the person.
#[tool(frontend)]
async fn confirm(total: u32) -> bool;

/// Sends `words` words.
#[agent(tools = [price, confirm])]
async fn speaker(run: &mut Run<Speaker>, input: Input<Speaker>, words: &usize) -> Result<(), Stop> {
    let _ = input;
    let mut text = run.message().await;
    for _ in 0..*words {
        text.push("word by word ").await;
    }
    Ok(())
}

/// A handle that streams word by word is two words long; a call also has its id, the name of its tool and its functions,
/// because the code that settles it knows no type of the tool.
#[test]
fn handles_are_small() {
    for (handle, size) in [
        ("Emit", size_of::<Emit>()),
        ("TextMessage", size_of::<TextMessage<'_>>()),
        ("Step", size_of::<Step<'_>>()),
        ("Reasoning", size_of::<Reasoning<'_>>()),
        ("ReasoningText", size_of::<ReasoningText<'_>>()),
        ("&Run", size_of::<&Run<Speaker>>()),
        ("&StateHandle", size_of::<&StateHandle<Map<String, Value>>>()),
    ] {
        assert!(size <= 16, "{handle}: {size} bytes");
    }
    // These carry their data: a call its arguments, and their text for a question; an activity the sent content.
    let arguments = size_of::<String>();
    for (handle, size, most) in [
        ("Call, streaming", size_of::<Call<'_, Speaker, price, OpenPhase>>(), 104),
        ("Call, called", size_of::<Call<'_, Speaker, price, ReadyPhase>>(), 80 + 2 * arguments),
        ("PendingCall", size_of::<PendingCall<confirm>>(), 24),
        ("ActivityHandle", size_of::<ActivityHandle<'_, ()>>(), 208),
        ("Dynamic", size_of::<Dynamic<'_>>(), 24),
    ] {
        assert!(size <= most, "{handle}: {size} bytes");
    }
}

#[test]
fn an_event_takes_one_allocation_for_its_text() {
    let run = |words: usize| {
        let input = RunAgentInput::new("thread", "run", vec![]).with_protocol_version("1.0");
        let agent = std::sync::Arc::new(Speaker::new(words));
        let counted = allocation_counter::measure(|| {
            let events = block_on(start(agent, input, RunOptions::default()).count());
            assert!(events > words);
        });
        counted.count_total
    };
    // The first run of a thread pays for data that is kept from then on.
    run(1);
    // Two lengths, so that the fixed cost of a run cancels out.
    let allocations = run(11_000) - run(1_000);
    assert!(allocations <= 11_000, "{allocations} allocations for 10,000 events");
}
