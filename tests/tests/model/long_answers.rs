//! Models that write a lot, or never stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use agui_runtime::model::{CallDelta, Chat, ChatModel, Model, ModelStream, Prompt, Reply, ReplyDelta};
use agui_runtime::prelude::*;
use agui_runtime::protocol::Event;
use agui_runtime::testing;
use futures::{StreamExt as _, stream};

use crate::clerk::{shop_input, talk, talk_with};

/// Repeats a piece without end.
struct Endless {
    piece: ReplyDelta,
    left: Arc<AtomicBool>,
}

struct Left(Arc<AtomicBool>);

impl Drop for Left {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl ChatModel for Endless {
    fn provider(&self) -> &str {
        "endless"
    }

    fn name(&self) -> &str {
        "endless"
    }

    fn respond<'a>(&'a self, _: &'a Prompt) -> ModelStream<'a> {
        let guard = Left(Arc::clone(&self.left));
        stream::repeat_with(move || {
            let _held = &guard;
            Ok(self.piece.clone())
        })
        .boxed()
    }
}

/// Writes a note.
#[tool]
async fn note(text: String) -> usize {
    text.len()
}

type Setup = for<'w> fn(Chat<'w, Writer>) -> Chat<'w, Writer>;

/// Writes.
#[agent(tools = [note])]
async fn writer(run: &mut Run<Writer>, _: Input<Writer>, model: &Model, setup: &Setup) -> Result<(), Stop> {
    setup(run.chat(model)).await
}

fn run(piece: ReplyDelta, setup: Setup) -> (Vec<Event>, bool) {
    let left = Arc::new(AtomicBool::new(false));
    let model = Endless { piece, left: Arc::clone(&left) };
    let events =
        futures::executor::block_on(testing::run(Writer::new(model.into(), setup), testing::input("Write.")));
    let mut verifier = agui_runtime::order::OrderVerifier::new();
    assert!(events.iter().all(|event| verifier.check(event).is_ok()), "{}", testing::lines(&events[..9]));
    (events, left.load(Ordering::SeqCst))
}

fn written(events: &[Event]) -> usize {
    let length = |event: &Event| match event {
        Event::TextMessageContent(text) => text.delta.len(),
        Event::ReasoningMessageContent(text) => text.delta.len(),
        Event::ToolCallArgs(call) => call.delta.len(),
        _ => 0,
    };
    events.iter().map(length).sum()
}

#[test]
fn a_megabyte_of_text_arrives_whole() {
    let text = "word ".repeat((1 << 20) / 5);
    let talk = talk([Reply::text(text.clone())]);
    assert!(testing::texts(&talk.events).concat() == text, "{} bytes", written(&talk.events));
    assert!(talk.end().starts_with("RUN_FINISHED"), "{}", talk.end());
}

#[test]
fn a_model_that_never_stops_is_left_at_the_limit() {
    let piece = || "x".repeat(1 << 10);
    let call = CallDelta::new(0).with_id("1").with_tool("note").with_arguments(piece());
    for delta in [ReplyDelta::Text(piece()), ReplyDelta::Reasoning(piece()), ReplyDelta::Call(call)] {
        let (events, is_left) = run(delta.clone(), |chat| chat);
        let end = testing::lines(&events[events.len() - 1..]);
        assert!(end.contains("max_reply") && is_left, "{delta:?}: {end}");
        assert!(written(&events) <= 2 << 20, "{}", written(&events));
        assert!(written(&events) > (2 << 20) - (4 << 10), "{}", written(&events));
    }
}

#[test]
fn the_limit_is_that_of_the_chat_and_of_one_answer() {
    let (events, _) = run(ReplyDelta::Text("four".to_owned()), |chat| chat.max_reply(10));
    assert_eq!(testing::texts(&events), ["fourfour"]);
    let lines = testing::lines(&events);
    assert!(lines.contains("max_reply") && lines.contains("10 bytes"), "{lines}");
    let call = |text: &str| Reply::call("price", format!(r#"{{"name":"{text}"}}"#));
    let talk = talk_with([call("rice"), call("salt"), Reply::text("Done.")], shop_input("Rice?"), |chat| {
        chat.max_reply(20)
    });
    assert!(talk.end().starts_with("RUN_FINISHED"), "{}", talk.end());
}
