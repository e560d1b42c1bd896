//! Bounds of `#[schemars(..)]`: on arguments, on edited arguments of an approval, on answers to questions.

use agui_runtime::interrupts::Approval;
use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{
    AssistantMessage, Event, FunctionCall, Message, NonNull, ResumeEntry, ResumeStatus, RunAgentInput,
    ToolCall,
};
use agui_runtime::testing::{self, RunEnd};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Refunds an order.
#[tool(approval)]
async fn refund(
    /// in cents
    #[schemars(range(min = 1, max = 500))]
    cents: u32,
) -> u32 {
    cents
}

/// Finds orders.
#[tool]
async fn find(
    /// words to look for
    #[schemars(length(min = 1), inner(length(max = 3)))]
    words: Vec<String>,
) -> usize {
    words.len()
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Shelf(String);

/// Counts what a shelf holds. A type of the program stands beside the bounded argument.
#[tool]
async fn count(shelf: Shelf, #[schemars(range(max = 9))] most: u32) -> usize {
    shelf.0.len().min(most as usize)
}

/// Asks how many.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "how_many", response = HowManyResponse)]
struct HowMany {}

#[derive(Deserialize, JsonSchema)]
struct HowManyResponse {
    #[schemars(range(max = 9))]
    count: u32,
}

/// Helps customers.
#[agent(tools = [refund, find, count], interrupts = [HowMany])]
async fn desk(run: &mut Run<Desk>, input: Input<Desk>, model: &Model) -> Result<(), Stop> {
    let asks_back =
        |message: &Message| matches!(message, Message::User(user) if user.content.text() == "How many?");
    if input.messages.iter().any(asks_back) {
        let Some(answer) = input.resumed::<HowMany>()? else { return Err(run.ask(HowMany {})) };
        run.say(format!("{} it is.", answer.response.map_or(0, |answer| answer.count))).await;
        return Ok(());
    }
    run.chat(model).await
}

fn run(input: RunAgentInput, replies: impl IntoIterator<Item = Reply>) -> Vec<Event> {
    let model = ScriptedModel::new(replies.into_iter().collect::<Vec<_>>());
    futures::executor::block_on(testing::run(Desk::new(model.into()), input))
}

#[test]
fn an_argument_outside_of_its_bounds_goes_back_to_the_model() {
    let events = run(
        testing::input("Rice?"),
        [
            Reply::call("find", json!({ "words": [] })),
            Reply::call("find", json!({ "words": ["rice"] })),
            Reply::call("find", json!({ "words": ["tea", "oil"] })),
            Reply::text("So."),
        ],
    );
    let lines = testing::lines(&events);
    assert!(lines.contains("at `words`: expected at least 1 items, and 0 came"), "{lines}");
    assert!(lines.contains("at `words[0]`: expected at most 3 characters, and 4 came"), "{lines}");
    assert_eq!(lines.matches("TOOL_CALL_RESULT").count(), 3, "{lines}");
    assert!(lines.contains(r#"content="2""#), "{lines}");
}

#[test]
fn a_wrong_argument_is_answered_with_place_expectation_and_value() {
    let events =
        run(testing::input("Rice?"), [Reply::call("find", json!({ "words": [7] })), Reply::text("So.")]);
    let lines = testing::lines(&events);
    assert!(lines.contains("at `words[0]`: invalid type: integer `7`, expected a string"), "{lines}");
}

/// Returns the next run with the answer to the only question.
fn answered(asked: &[Event], first: RunAgentInput, payload: Value) -> RunAgentInput {
    let RunEnd::Interrupt([question]) = testing::end(asked) else {
        panic!("no question: {}", testing::lines(asked));
    };
    let mut input = first;
    input.run_id = "run-2".into();
    if let Some(call) = &question.tool_call_id {
        let call = ToolCall::new(call.clone(), FunctionCall::new("refund", r#"{"cents":7}"#));
        input.messages.push(AssistantMessage::new("turn-1").with_tool_calls([call]).into());
    }
    let payload = NonNull::new(payload).expect("an answer");
    input.with_resume([ResumeEntry::new(question.id.clone(), ResumeStatus::Resolved).with_payload(payload)])
}

#[test]
fn edited_arguments_have_the_same_bounds() {
    for (cents, fits) in [(500, true), (501, false)] {
        let asked = run(testing::input("Refund me."), [Reply::call("refund", json!({ "cents": 7 }))]);
        let yes = Approval { approved: true, edited_args: Some(json!({ "cents": cents })), reason: None };
        let input = answered(&asked, testing::input("Refund me."), serde_json::to_value(yes).expect("JSON"));
        let lines = testing::lines(&run(input, [Reply::text("So.")]));
        assert_eq!(lines.contains(r#"content="500""#), fits, "{lines}");
        assert_eq!(lines.contains("RUN_ERROR"), !fits, "{lines}");
    }
}

#[test]
fn an_answer_to_a_question_has_its_bounds() {
    for (count, fits) in [(9, true), (10, false)] {
        let asked = run(testing::input("How many?"), []);
        let input = answered(&asked, testing::input("How many?"), json!({ "count": count }));
        let lines = testing::lines(&run(input, []));
        assert_eq!(lines.contains("9 it is."), fits, "{lines}");
        assert_eq!(lines.contains("RUN_ERROR"), !fits, "{lines}");
    }
}
