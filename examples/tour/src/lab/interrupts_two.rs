//! `/lab/interrupts_two`: two questions at once, and a state that waits with them.

use agui_runtime::prelude::*;
use agui_runtime::protocol::Interrupt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::lab::resumed::status;

/// The number of open questions.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
pub struct Waiting {
    waiting: u32,
}

/// Asks twice.
#[agent(state = Waiting)]
pub async fn interrupts_two(run: &mut Run<InterruptsTwo>, input: Input<InterruptsTwo>) -> Result<(), Stop> {
    let answers = input.resume();
    if !answers.is_empty() {
        let said = |id: &str| {
            let answer = answers.iter().find(|answer| answer.interrupt_id.as_str() == id);
            format!("{id}={}", answer.map_or("unanswered", status))
        };
        run.say(format!("Resumed {}, {}", said("one"), said("two"))).await;
        return Ok(());
    }
    run.state().snapshot(&Waiting { waiting: 2 }).await?; // STATE_SNAPSHOT
    let one = Interrupt::new("one", "input_required").with_message("What is your name?");
    let two = Interrupt::new("two", "confirmation")
        .with_message("Are you sure?")
        .with_expires_at("2999-12-31T23:59:59Z");
    Err(Stop::interrupt(one).and(Stop::interrupt(two))) // one RUN_FINISHED with both
}
