//! The loop's own cost: a streamed token, long arguments, a long conversation.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agui_runtime::model::{
    ChatModel as _, EndReason, Prompt, PromptMessage, Reply, ReplyDelta, ScriptedModel,
};
use agui_runtime::protocol::{AssistantMessage, FunctionCall, Message, ToolCall, ToolMessage, UserMessage};
use agui_runtime::{RunOptions, start};
use futures::StreamExt as _;
use futures::executor::block_on;

use crate::clerk::{Clerk, Settings, shop_input};

fn script(tokens: usize) -> ScriptedModel {
    let mut deltas: Vec<_> = (0..tokens).map(|_| ReplyDelta::Text("word ".to_owned())).collect();
    deltas.push(ReplyDelta::End(EndReason::Stop));
    ScriptedModel::new([Reply::deltas(deltas)])
}

/// Reads a run to its end, and drops its events.
fn run(model: ScriptedModel) -> u64 {
    let agent = Arc::new(Clerk::new(model.into(), Settings(Box::new(|chat| chat))));
    let mut events = start(agent, shop_input("Rice?"), RunOptions::default());
    let mut count = 0;
    block_on(async {
        while events.next().await.is_some() {
            count += 1;
        }
    });
    count
}

fn bare(model: &ScriptedModel) {
    let prompt = Prompt::new([PromptMessage::user("Rice?")]);
    block_on(async {
        let mut answer = model.respond(&prompt);
        while answer.next().await.is_some() {}
    });
}

#[test]
fn a_token_takes_at_most_two_allocations_beside_the_model() {
    let allocations = |tokens: usize| {
        let (with, without) = (script(tokens), script(tokens));
        let whole = allocation_counter::measure(|| assert!(run(with) > tokens as u64)).count_total;
        whole - allocation_counter::measure(|| bare(&without)).count_total
    };
    run(script(10));
    let (few, many) = (allocations(1000), allocations(3000));
    let each = (many - few) as f64 / 2000.0;
    assert!(each <= 2.0, "{each} allocations for a token");
}

#[test]
fn arguments_of_a_megabyte_take_linear_time() {
    let time = |length: usize| {
        let text = format!(r#"{{"name":"{}"}}"#, "a".repeat(length));
        let model = ScriptedModel::new([Reply::call("price", text.as_str()), Reply::text("Done.")]).pieces(4);
        let began = Instant::now();
        assert!(run(model) > length as u64 / 4);
        began.elapsed()
    };
    // The fastest of three, because others use the machine, too.
    let best = |length: usize| (0..3).map(|_| time(length)).min().unwrap();
    let (short, long) = (best(1 << 17), best(1 << 20));
    // Eight times the length; four times as much is left for a busy machine, and a square would take 64 times as long.
    assert!(long < short * 32 + Duration::from_millis(50), "{short:?} {long:?}");
}

#[test]
fn a_conversation_of_1000_messages_starts_at_once() {
    let messages: Vec<Message> = (0..250)
        .flat_map(|at| {
            let call = ToolCall::new(format!("call-{at}"), FunctionCall::new("price", r#"{"name":"rice"}"#));
            [
                UserMessage::new(format!("user-{at}"), "What does rice cost?").into(),
                AssistantMessage::new(format!("turn-{at}")).with_tool_calls([call]).into(),
                ToolMessage::new(format!("tool-{at}"), "180", format!("call-{at}")).into(),
                AssistantMessage::new(format!("said-{at}")).with_content("It is 1.80.").into(),
            ]
        })
        .chain([UserMessage::new("last", "And salt?").into()])
        .collect();
    let mut input = shop_input("Rice?");
    input.messages = messages;
    // The best of five: the machine has other work.
    let times = (0..5).map(|_| {
        let script = Arc::new(ScriptedModel::new([Reply::text("Hello.")]).keep_prompts(0));
        let agent = Arc::new(Clerk::new(script.into(), Settings(Box::new(|chat| chat))));
        let mut events = start(agent, input.clone(), RunOptions::default());
        let began = Instant::now();
        block_on(async {
            // RUN_STARTED, then the first event of the model's answer.
            events.next().await;
            events.next().await;
        });
        began.elapsed()
    });
    let best = times.min().unwrap();
    let limit = if cfg!(debug_assertions) { 50 } else { 5 };
    assert!(best < Duration::from_millis(limit), "{best:?}");
}
