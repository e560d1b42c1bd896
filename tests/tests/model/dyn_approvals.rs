//! The approval of calls of tools that exist only at run time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use agui_runtime::model::{DynTool, Model, PromptMessage, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{
    AssistantMessage, Event, FunctionCall, Interrupt as Question, Message, ResumeEntry, ResumeStatus,
    RunAgentInput, ToolCall, ToolMessage, UserMessage,
};
use agui_runtime::testing::{self, RunEnd};
use serde_json::{Value, json};

use crate::approvals::{answer, results, run};

/// The money that went out, in cents.
type Till = Arc<AtomicU32>;

/// Pays as `pay` does, or not at all.
struct Bank {
    till: Till,
    /// True if the bank has the tool.
    is_open: bool,
}

impl Bank {
    fn pay(&self) -> DynTool<'static> {
        let till = Arc::clone(&self.till);
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": { "cents": { "$ref": "#/$defs/Cents" } },
            "required": ["cents"],
            "$defs": { "Cents": { "type": "integer", "minimum": 1 } },
        });
        let pay = move |arguments: Value| {
            let cents = u32::try_from(arguments["cents"].as_u64().unwrap()).unwrap();
            let paid = till.fetch_add(cents, Ordering::SeqCst) + cents;
            async move { Ok::<_, Stop>(paid) }
        };
        DynTool::new("pay", "Pays.", schema, pay).expect("a right tool").approval_if(|arguments| {
            assert_ne!(arguments["cents"], 666, "the policy panics");
            arguments["cents"].as_u64().is_some_and(|cents| cents > 100)
        })
    }
}

/// Pays by the tools of the bank.
#[agent]
async fn payer(run: &mut Run<Payer>, _: Input<Payer>, model: &Model, bank: &Bank) -> Result<String, Stop> {
    run.chat(model).tools(bank.is_open.then(|| bank.pay())).text().await
}

/// Has a payer.
#[agent(tools = [Payer])]
async fn boss(run: &mut Run<Boss>, _: Input<Boss>, model: &Model, payer: &Arc<Payer>) -> Result<(), Stop> {
    run.chat(model).await
}

struct Desk {
    payer: Arc<Payer>,
    script: Arc<ScriptedModel>,
}

fn desk(replies: impl Into<Vec<Reply>>) -> Desk {
    let script = Arc::new(ScriptedModel::new(replies));
    let bank = Bank { till: Till::default(), is_open: true };
    Desk { payer: Arc::new(Payer::new(Arc::clone(&script).into(), bank)), script }
}

impl Desk {
    fn paid(&self) -> u32 {
        self.payer.bank.till.load(Ordering::SeqCst)
    }

    /// The question about a call with these arguments.
    fn asked(&self) -> Question {
        let events = run(&self.payer, testing::input("Pay Ada."));
        let kinds: Vec<_> = events.iter().map(|event| format!("{:?}", event.event_type())).collect();
        assert!(!kinds.contains(&"ToolCallResult".to_owned()), "{kinds:?}");
        assert_eq!(kinds[kinds.len() - 2], "ToolCallEnd", "{kinds:?}");
        match testing::end(&events) {
            RunEnd::Interrupt([question]) => question.clone(),
            other => panic!("{other:?}\n{}", testing::lines(&events)),
        }
    }

    /// The run that brings an answer.
    fn answered(&self, question: &Question, arguments: &str, answer: ResumeEntry) -> Vec<Event> {
        run(&self.payer, next(question, arguments, answer))
    }
}

fn next(question: &Question, arguments: &str, answer: ResumeEntry) -> RunAgentInput {
    let call = ToolCall::new(question.tool_call_id.clone().unwrap(), FunctionCall::new("pay", arguments));
    let mut input = testing::input("Pay Ada.");
    let said: Message = UserMessage::new("user-1", "Pay Ada.").into();
    input.messages = vec![said, AssistantMessage::new("turn-1").with_tool_calls([call]).into()];
    input.run_id = "run-2".into();
    input.with_resume([answer])
}

const PAY: &str = r#"{"cents":500}"#;

fn pay(arguments: &str) -> [Reply; 2] {
    [Reply::call("pay", serde_json::from_str::<Value>(arguments).unwrap()), Reply::text("Done.")]
}

#[test]
fn the_question_carries_the_call_and_the_schema_of_the_answer() {
    let desk = desk(pay(PAY));
    let question = desk.asked();
    assert_eq!((question.reason.as_str(), desk.paid()), ("tool_call", 0));
    let metadata = serde_json::to_value(&question.metadata).unwrap();
    assert_eq!(metadata["agui-rust/payload"], json!({ "tool": "pay", "arguments": { "cents": 500 } }));
    let schema = Value::Object(question.response_schema.unwrap());
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (answer, fits) in [
        (json!({ "approved": true }), true),
        (json!({ "approved": true, "editedArgs": { "cents": 7 } }), true),
        (json!({ "approved": true, "editedArgs": null }), true),
        (json!({ "approved": true, "editedArgs": { "cents": 0 } }), false),
        (json!({ "editedArgs": { "cents": 7 } }), false),
        (json!({ "approved": false, "reason": "no" }), true),
    ] {
        assert_eq!(validator.is_valid(&answer), fits, "{answer}");
    }
}

#[test]
fn an_approved_call_runs_and_the_model_reads_its_result() {
    for (payload, paid, result) in [
        (json!({ "approved": true }), 500, "500".to_owned()),
        (json!({ "approved": true, "editedArgs": { "cents": 7 } }), 7, "7".to_owned()),
        (json!({ "approved": false }), 0, r#"{"error":"the user refused"}"#.to_owned()),
        (json!({ "approved": false, "reason": "no" }), 0, r#"{"error":"the user refused: no"}"#.to_owned()),
    ] {
        let desk = desk(pay(PAY));
        let question = desk.asked();
        let events = desk.answered(&question, PAY, answer(&question, payload.clone()));
        assert!(!testing::lines(&events).contains("TOOL_CALL_START"), "only the result: {payload}");
        assert_eq!((results(&events), desk.paid()), (vec![result.clone()], paid), "{payload}");
        let prompts = desk.script.prompts();
        let Some(PromptMessage::Tools(read)) = prompts.last().unwrap().messages.last() else { panic!() };
        assert_eq!(read[0].content.text(), result);
        assert_eq!(testing::texts(&events), ["Done."]);
    }
}

#[test]
fn a_cancelled_question_is_a_refusal_and_no_answer_runs_nothing() {
    let desk = desk(pay(PAY));
    let question = desk.asked();
    let cancelled = ResumeEntry::new(question.id.clone(), ResumeStatus::Cancelled);
    assert_eq!(
        results(&desk.answered(&question, PAY, cancelled)),
        [r#"{"error":"the user refused"}"#.to_owned()]
    );
    assert_eq!(desk.paid(), 0);
}

#[test]
fn edited_arguments_are_validated_again() {
    for wrong in [json!({ "cents": 0 }), json!({}), json!("much")] {
        let desk = desk(pay(PAY));
        let question = desk.asked();
        let edited = json!({ "approved": true, "editedArgs": wrong });
        let result = results(&desk.answered(&question, PAY, answer(&question, edited))).remove(0);
        assert!(result.contains("the user approved other arguments: "), "{wrong}: {result}");
        assert_eq!(desk.paid(), 0, "{wrong}");
    }
}

#[test]
fn an_answer_about_other_arguments_runs_nothing() {
    let desk = desk(pay(PAY));
    let question = desk.asked();
    let events = desk.answered(&question, r#"{"cents":501}"#, answer(&question, json!({ "approved": true })));
    assert!(matches!(testing::end(&events), RunEnd::Failed { .. }), "{}", testing::lines(&events));
    assert_eq!(desk.paid(), 0);
}

#[test]
fn the_policy_decides_and_asks_if_it_panics() {
    let small = desk(pay(r#"{"cents":100}"#));
    let events = run(&small.payer, testing::input("Pay Ada."));
    assert_eq!((results(&events), small.paid()), (vec!["100".to_owned()], 100));
    let panics = desk(pay(r#"{"cents":666}"#));
    assert_eq!(panics.asked().message.as_deref(), Some("Run `pay`?"));
    assert_eq!(panics.paid(), 0);
}

/// The model reads that the call has no result.
#[test]
fn a_tool_that_the_next_run_lacks_does_not_run() {
    let desk = desk(pay(PAY));
    let question = desk.asked();
    let script = Arc::new(ScriptedModel::new([Reply::text("Sorry.")]));
    let bank = Bank { till: Till::default(), is_open: false };
    let closed = Arc::new(Payer::new(Arc::clone(&script).into(), bank));
    let events = run(&closed, next(&question, PAY, answer(&question, json!({ "approved": true }))));
    assert_eq!((results(&events).len(), closed.bank.till.load(Ordering::SeqCst)), (0, 0));
    let read = format!("{:?}", script.prompts()[0].messages);
    assert!(read.contains("no result"), "{read}");
}

#[test]
fn a_called_agent_asks_about_its_dynamic_tool_and_continues() {
    let desk = desk(pay(PAY));
    let of_boss = [Reply::call("payer", json!({ "task": "Pay Ada." })), Reply::text("It is paid.")];
    let boss = Arc::new(Boss::new(ScriptedModel::new(of_boss).into(), Arc::clone(&desk.payer)));
    let input = testing::input("Pay Ada.");
    let events = run(&boss, input.clone());
    let RunEnd::Interrupt([question]) = testing::end(&events) else { panic!("{}", testing::lines(&events)) };
    assert!(question.subagent_run_id.is_some());
    let mut client = agui_runtime::receive::ReceivePipeline::new()
        .with_reducer(agui_runtime::receive::Reducer::new().with_messages(input.messages.clone()));
    events.iter().for_each(|event| client.push(event.clone()));
    client.drain(|_, _, _| {}).expect("a legal stream");
    let mut input = input.with_resume([answer(question, json!({ "approved": true }))]);
    input.messages = client.reducer().messages().to_vec();
    input.run_id = "run-2".into();
    // The page of CopilotKit repeats its answer as the result.
    let call = question.tool_call_id.clone().unwrap();
    input.messages.push(ToolMessage::new("of-the-page", r#"{"approved":true}"#, call).into());
    let options = testing::options().ids(agui_runtime::Ids::fixed("second"));
    let events = agui_runtime::start(Arc::clone(&boss), input, options);
    let events: Vec<Event> = futures::executor::block_on(futures::StreamExt::collect(events));
    assert_eq!(desk.paid(), 500, "{}", testing::lines(&events));
    assert_eq!(results(&events), ["500", "Done."], "{}", testing::lines(&events));
    assert!(testing::texts(&events).contains(&"It is paid.".to_owned()));
}
