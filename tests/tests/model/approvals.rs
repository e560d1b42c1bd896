//! Tools with approval: a call asks after its END, and the run that brings the answer sends the result alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use agui_runtime::Agent;
use agui_runtime::manifest::Manifest;
use agui_runtime::model::{FrontendContract, Model, Prompt, PromptMessage, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{
    AssistantMessage, Event, FunctionCall, Interrupt as Question, Message, NonNull, ResumeEntry,
    ResumeStatus, RunAgentInput, Tool as ClientTool, ToolCall, ToolMessage, UserMessage,
};
use agui_runtime::testing::{self, RunEnd};
use serde_json::{Map, Value, json};

/// The money that went out, in cents.
pub(crate) struct Till(AtomicU32);

/// Refunds an order.
#[tool(approval)]
async fn refund(till: &Till, cents: u32) -> Result<u32, Stop> {
    Ok(till.0.fetch_add(cents, Ordering::SeqCst) + cents)
}

/// Gives a voucher. Large ones need approval.
#[tool(approval = is_large)]
async fn voucher(till: &Till, cents: u32) -> u32 {
    till.0.fetch_add(cents, Ordering::SeqCst) + cents
}

/// Decides by the amount, and by what is left.
fn is_large(voucher: &voucher, till: &Till) -> bool {
    assert!(voucher.cents != 666, "the policy panics");
    voucher.cents + till.0.load(Ordering::SeqCst) > 100
}

/// Looks up what rice costs.
#[tool]
async fn price() -> u32 {
    180
}

/// Panics.
#[tool]
async fn clumsy() -> u32 {
    panic!("hunter2")
}

/// Fails for good.
#[tool]
async fn broken() -> Result<u32, Stop> {
    Err(Stop::error("the shop burns").with_code("FIRE").fatal())
}

/// Asks a question of its own.
#[tool]
async fn curious() -> Result<u32, Stop> {
    Err(Stop::interrupt(Question::new("why", "input_required")))
}

/// Asks the person whether that is all.
#[tool(frontend)]
async fn checkout(total: u32) -> bool;

/// Helps customers.
#[agent(tools = [refund, voucher, price, clumsy, broken, curious, checkout])]
pub(crate) async fn desk(
    run: &mut Run<Desk>,
    _: Input<Desk>,
    model: &Model,
    till: &Till,
) -> Result<(), Stop> {
    run.chat(model).await
}

struct Talk {
    events: Vec<Event>,
    prompts: Vec<Prompt>,
}

/// A desk whose till is kept from run to run.
fn talk(desk: &Arc<Desk>, script: &Arc<ScriptedModel>, input: RunAgentInput) -> Talk {
    Talk { events: run(desk, input), prompts: script.prompts() }
}

/// One run, judged by the verifier.
pub(crate) fn run<A: Agent>(agent: &Arc<A>, input: RunAgentInput) -> Vec<Event> {
    let events = agui_runtime::start(Arc::clone(agent), input, testing::options());
    let events: Vec<Event> = futures::executor::block_on(futures::StreamExt::collect(events));
    let mut verifier = agui_runtime::order::OrderVerifier::new();
    for event in &events {
        verifier.check(event).unwrap_or_else(|violation| panic!("{violation}\n{}", testing::lines(&events)));
    }
    events
}

pub(crate) fn desk_with(replies: impl Into<Vec<Reply>>) -> (Arc<Desk>, Arc<ScriptedModel>) {
    let script = Arc::new(ScriptedModel::new(replies));
    (Arc::new(Desk::new(Arc::clone(&script).into(), Till(AtomicU32::new(0)))), script)
}

pub(crate) fn first_input() -> RunAgentInput {
    testing::input("Refund me.").with_tools([ClientTool::new("checkout", "Asks.")])
}

pub(crate) fn questions(events: &[Event]) -> Vec<Question> {
    match testing::end(events) {
        RunEnd::Interrupt(questions) => questions.to_vec(),
        other => panic!("{other:?}\n{}", testing::lines(events)),
    }
}

/// The conversation that a client holds after calls, and its answers.
pub(crate) fn next_input(calls: &[(&Question, &str, &str)], answers: Vec<ResumeEntry>) -> RunAgentInput {
    let calls = calls.iter().map(|(question, tool, arguments)| {
        ToolCall::new(question.tool_call_id.clone().unwrap(), FunctionCall::new(*tool, *arguments))
    });
    let mut input = first_input();
    let said: Message = UserMessage::new("user-1", "Refund me.").into();
    input.messages =
        vec![said, AssistantMessage::new("turn-1").with_tool_calls(calls.collect::<Vec<_>>()).into()];
    input.run_id = "run-2".into();
    input.with_resume(answers)
}

pub(crate) fn answer(question: &Question, payload: Value) -> ResumeEntry {
    ResumeEntry::new(question.id.clone(), ResumeStatus::Resolved).with_payload(NonNull::new(payload).unwrap())
}

pub(crate) fn results(events: &[Event]) -> Vec<String> {
    let result = |event: &Event| match event {
        Event::ToolCallResult(result) => Some(result.content.text().into_owned()),
        _ => None,
    };
    events.iter().filter_map(result).collect()
}

pub(crate) fn till(desk: &Desk) -> u32 {
    desk.till.0.load(Ordering::SeqCst)
}

pub(crate) const REFUND: &str = r#"{"cents":500}"#;

/// Asks for a refund, and answers the question. Returns the second run, and the money that went out.
fn answered(payload: Value) -> (Talk, u32) {
    let (desk, script) = desk_with([Reply::call("refund", REFUND), Reply::text("Done.")]);
    let asked = questions(&talk(&desk, &script, first_input()).events);
    assert_eq!(till(&desk), 0);
    let input = next_input(&[(&asked[0], "refund", REFUND)], vec![answer(&asked[0], payload)]);
    let talk = talk(&desk, &script, input);
    (talk, till(&desk))
}

#[test]
fn approval_asks_after_end_and_before_running() {
    let (desk, script) = desk_with([Reply::call("refund", REFUND)]);
    let talk = talk(&desk, &script, first_input());
    agui_runtime::assert_events!(
        talk.events,
        [RunStarted, ToolCallStart, ToolCallArgs, ToolCallEnd, RunFinished]
    );
    let asked = questions(&talk.events);
    assert_eq!((asked.len(), asked[0].reason.as_str(), till(&desk)), (1, "tool_call", 0));
    let payload = &asked[0].metadata.as_ref().unwrap()["agui-rust/payload"];
    assert_eq!(payload, &json!({ "tool": "refund", "arguments": { "cents": 500 } }));
    let schema = Value::Object(asked[0].response_schema.clone().unwrap());
    assert_eq!(schema["properties"]["approved"]["type"], "boolean");
    assert!(schema["properties"]["editedArgs"].is_object(), "{schema}");
    assert_eq!(schema["required"], json!(["approved"]));
}

#[test]
fn on_resume_only_tool_call_result_is_sent_and_the_model_reads_it() {
    let (talk, paid) = answered(json!({ "approved": true }));
    agui_runtime::assert_events!(
        talk.events,
        [RunStarted, ToolCallResult, TextMessageStart, TextMessageContent, TextMessageEnd, RunFinished]
    );
    assert_eq!((paid, results(&talk.events)), (500, vec!["500".to_owned()]));
    let read = &talk.prompts.last().unwrap().messages;
    let PromptMessage::Tools(answers) = read.last().unwrap() else { panic!("{read:?}") };
    assert_eq!((answers[0].content.text().as_ref(), answers[0].failed), ("500", false));
}

#[test]
fn edited_arguments_replace_the_arguments_and_are_validated_again() {
    let (talk, paid) = answered(json!({ "approved": true, "editedArgs": { "cents": 7 } }));
    assert_eq!((paid, results(&talk.events)), (7, vec!["7".to_owned()]));
    for wrong in [json!({ "cents": "many" }), json!({ "cents": -1 }), json!({}), json!([])] {
        let (talk, paid) = answered(json!({ "approved": true, "editedArgs": wrong }));
        let RunEnd::Failed { message, code } = testing::end(&talk.events) else {
            panic!("{:?}", talk.events)
        };
        assert!(message.contains("editedArgs") && code.is_some(), "{message}");
        assert_eq!((paid, talk.events.len()), (0, 2), "{}", testing::lines(&talk.events));
    }
}

#[test]
fn everything_but_an_approval_is_a_refusal() {
    let (talk, paid) = answered(json!({ "approved": false, "reason": "too much" }));
    assert_eq!(
        (paid, results(&talk.events)),
        (0, vec![r#"{"error":"the user refused: too much"}"#.to_owned()])
    );
    let (talk, paid) = answered(json!({ "approved": false, "editedArgs": { "cents": 7 } }));
    assert_eq!((paid, results(&talk.events)), (0, vec![r#"{"error":"the user refused"}"#.to_owned()]));
    for wrong in [json!({}), json!(true), json!({ "approved": "yes" })] {
        let (talk, paid) = answered(wrong);
        assert!(
            matches!(testing::end(&talk.events), RunEnd::Failed { .. }),
            "{}",
            testing::lines(&talk.events)
        );
        assert_eq!((paid, results(&talk.events).len()), (0, 0));
    }
}

#[test]
fn several_questions_are_asked_at_once_and_cancelled_ones_are_refused() {
    let calls = || Reply::call("refund", REFUND).and_call("refund", r#"{"cents":1}"#);
    let (desk, script) = desk_with([calls(), Reply::text("Done.")]);
    let asked = questions(&talk(&desk, &script, first_input()).events);
    assert_eq!((asked.len(), till(&desk)), (2, 0));
    let cancelled = ResumeEntry::new(asked[0].id.clone(), ResumeStatus::Cancelled);
    let answers = vec![cancelled, answer(&asked[1], json!({ "approved": true }))];
    let known = [(&asked[0], "refund", REFUND), (&asked[1], "refund", r#"{"cents":1}"#)];
    let talk = talk(&desk, &script, next_input(&known, answers));
    assert_eq!(till(&desk), 1);
    assert_eq!(results(&talk.events), [r#"{"error":"the user refused"}"#, "1"]);
}

#[test]
fn a_call_that_asked_and_has_no_answer_never_runs() {
    let (desk, script) = desk_with([Reply::call("refund", REFUND), Reply::text("Done.")]);
    let asked = questions(&talk(&desk, &script, first_input()).events);
    let talk = talk(&desk, &script, next_input(&[(&asked[0], "refund", REFUND)], vec![]));
    assert_eq!((till(&desk), results(&talk.events).len()), (0, 0), "{}", testing::lines(&talk.events));
}

#[test]
fn arguments_that_the_client_changed_are_not_those_of_the_question() {
    let (desk, script) = desk_with([Reply::call("refund", REFUND), Reply::text("Done.")]);
    let asked = questions(&talk(&desk, &script, first_input()).events);
    let input = next_input(
        &[(&asked[0], "refund", r#"{"cents":900}"#)],
        vec![answer(&asked[0], json!({ "approved": true }))],
    );
    talk(&desk, &script, input);
    assert_eq!(till(&desk), 0);
}

#[test]
fn a_policy_decides_per_call_by_the_arguments_and_by_what_the_tool_borrows() {
    let call = |cents: u32| Reply::call("voucher", format!(r#"{{"cents":{cents}}}"#));
    let (desk, script) = desk_with([call(60), call(60)]);
    let talk = talk(&desk, &script, first_input());
    assert_eq!(
        (questions(&talk.events).len(), till(&desk), results(&talk.events)),
        (1, 60, vec!["60".to_owned()])
    );
}

#[test]
fn a_policy_that_panics_asks() {
    let (desk, script) = desk_with([Reply::call("voucher", r#"{"cents":666}"#)]);
    let asked = questions(&talk(&desk, &script, first_input()).events);
    assert_eq!((asked.len(), till(&desk)), (1, 0));
}

#[test]
fn beside_a_question_backend_calls_run_and_frontend_calls_are_not_sent() {
    let reply = Reply::call("checkout", r#"{"total":1}"#).and_call("price", "{}").and_call("refund", REFUND);
    let (desk, script) = desk_with([reply]);
    let talk = talk(&desk, &script, first_input());
    assert_eq!((questions(&talk.events).len(), results(&talk.events)), (1, vec!["180".to_owned()]));
    assert!(!testing::lines(&talk.events).contains("checkout"), "{}", testing::lines(&talk.events));
}

#[test]
fn a_tool_that_panics_fails_its_call_alone() {
    let (desk, script) =
        desk_with([Reply::call("clumsy", "{}").and_call("price", "{}"), Reply::text("Sorry.")]);
    let talk = talk(&desk, &script, first_input());
    assert_eq!(results(&talk.events).len(), 2);
    assert!(results(&talk.events).contains(&r#"{"error":"the tool `clumsy` failed"}"#.to_owned()));
    assert!(matches!(testing::end(&talk.events), RunEnd::Success { .. }), "{}", testing::lines(&talk.events));
    assert!(!testing::lines(&talk.events).contains("hunter2"));
}

#[test]
fn an_error_of_the_tool_is_a_result_unless_it_says_it_is_fatal() {
    let (desk, script) = desk_with([Reply::call("broken", "{}")]);
    let talk = talk(&desk, &script, first_input());
    assert_eq!(results(&talk.events), [r#"{"error":"the shop burns"}"#]);
    let end = testing::end(&talk.events);
    assert_eq!(end, RunEnd::Failed { message: "the shop burns", code: Some("FIRE") });
}

#[test]
fn the_question_of_a_tool_ends_the_run() {
    let (desk, script) = desk_with([Reply::call("curious", "{}").and_call("refund", REFUND)]);
    let talk = talk(&desk, &script, first_input());
    let reasons: Vec<_> = questions(&talk.events).into_iter().map(|question| question.reason).collect();
    assert_eq!(reasons, ["input_required", "tool_call"]);
    assert_eq!(results(&talk.events), [r#"{"error":"the tool did not finish: the run ends"}"#]);
}

/// Refunds without a model.
#[agent(tools = [refund])]
async fn by_hand(run: &mut Run<ByHand>, _: Input<ByHand>, till: &Till) -> Result<u32, Stop> {
    let done = run.resume_approvals().await;
    if let Some(call) = done.settled.first() {
        return Ok(call.content.parse()?);
    }
    run.call(refund { cents: 500 }).await?.approved().await?.run().await
}

#[test]
fn a_call_by_hand_asks_too() {
    use futures::StreamExt;
    let agent = Arc::new(ByHand::new(Till(AtomicU32::new(0))));
    let run = |input| -> Vec<Event> {
        let events = agui_runtime::start(Arc::clone(&agent), input, testing::options());
        futures::executor::block_on(events.collect())
    };
    let asked = questions(&run(first_input()));
    assert_eq!(agent.till.0.load(Ordering::SeqCst), 0);
    let approved = vec![answer(&asked[0], json!({ "approved": true }))];
    let events = run(next_input(&[(&asked[0], "refund", REFUND)], approved));
    assert!(
        matches!(testing::end(&events), RunEnd::Success { result: Some(Value::Number(_)), .. }),
        "{events:?}"
    );
    assert_eq!(agent.till.0.load(Ordering::SeqCst), 500);
}

#[test]
fn the_manifest_has_the_question_as_an_interrupt() {
    let manifest = Manifest::build("shop", "0.1.0", &[Desk::source()]).unwrap();
    let asked = manifest.agents[0].interrupts.last().unwrap();
    assert_eq!(asked.reason, "tool_call");
    let tools = |schemas: &Value| -> Vec<Value> {
        schemas.as_array().unwrap().iter().map(|one| one["properties"]["tool"]["const"].clone()).collect()
    };
    assert_eq!(tools(&asked.payload["oneOf"]), ["refund", "voucher"]);

    // Both the question and its answers are those of the manifest.
    let (desk, script) = desk_with([Reply::call("refund", refund { cents: 500 })]);
    let talk = talk(&desk, &script, first_input());
    let question = &questions(&talk.events)[0];
    let with_types = |schema: &Value, types: &Map<String, Value>| {
        let text = schema.to_string().replace("#/types/out/", "#/$defs/").replace("#/types/in/", "#/$defs/");
        let mut schema: Value = serde_json::from_str(&text).unwrap();
        schema["$defs"] = types.clone().into();
        jsonschema::validator_for(&schema).unwrap()
    };
    let payload = &question.metadata.as_ref().unwrap()["agui-rust/payload"];
    assert_eq!(payload, &json!({ "tool": "refund", "arguments": { "cents": 500 } }));
    assert!(with_types(&asked.payload, &manifest.types.out).is_valid(payload));
    let declared = with_types(&asked.response, &manifest.types.input);
    let sent = Value::Object(question.response_schema.clone().unwrap());
    let sent = jsonschema::validator_for(&sent).unwrap();
    for (answer, is_valid) in [
        (json!({ "approved": true }), true),
        (json!({ "approved": false, "reason": "no" }), true),
        (json!({ "approved": true, "editedArgs": { "cents": 1 } }), true),
        (json!({ "approved": true, "editedArgs": null, "reason": null }), true),
        (json!({ "approved": true, "editedArgs": { "cents": "1" } }), false),
        (json!({ "approved": true, "editedArgs": {} }), false),
        (json!({ "approved": "yes" }), false),
        (json!({}), false),
    ] {
        assert_eq!((declared.is_valid(&answer), sent.is_valid(&answer)), (is_valid, is_valid), "{answer}");
    }
}

/// Helps customers whose page has all tools.
#[agent(tools = [refund, checkout])]
async fn careful(run: &mut Run<Careful>, _: Input<Careful>, model: &Model, till: &Till) -> Result<(), Stop> {
    run.chat(model).frontend_contract(FrontendContract::Refuse).await
}

#[test]
fn the_contract_is_checked_before_an_approved_call_runs() {
    let model = ScriptedModel::new([Reply::call("refund", REFUND), Reply::text("Done.")]);
    let careful = Arc::new(Careful::new(model.into(), Till(AtomicU32::new(0))));
    let run = |input| run(&careful, input);
    let first = run(offering_checkout());
    let asked = questions(&first);
    let approved = || vec![answer(&asked[0], json!({ "approved": true }))];
    let mut without = next_input(&[(&asked[0], "refund", REFUND)], approved());
    without.tools = None;
    let end = run(without);
    assert!(matches!(testing::end(&end), RunEnd::Failed { code: Some("tool_not_offered"), .. }));
    assert_eq!(careful.till.0.load(Ordering::SeqCst), 0, "nothing was paid");
    let mut with = next_input(&[(&asked[0], "refund", REFUND)], approved());
    with.tools = offering_checkout().tools;
    assert_eq!(results(&run(with)), ["500"]);
}

/// The client offers `checkout` as the agent declares it.
fn offering_checkout() -> RunAgentInput {
    let total = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
    let schema = json!({ "type": "object", "properties": { "total": total }, "required": ["total"] });
    let checkout = ClientTool::new("checkout", "Asks.").with_parameters(NonNull::new(schema).unwrap());
    first_input().with_tools([checkout])
}

/// CopilotKit does that.
#[test]
fn an_answer_that_the_client_repeats_as_the_result_is_no_result() {
    for (payload, refunded, result) in [
        (json!({ "approved": true }), 500, "500"),
        (json!({ "approved": true, "editedArgs": { "cents": 7 } }), 7, "7"),
        (json!({ "approved": false, "reason": "no" }), 0, r#"{"error":"the user refused: no"}"#),
    ] {
        let (desk, script) = desk_with([Reply::call("refund", REFUND), Reply::text("Done.")]);
        let asked = questions(&talk(&desk, &script, first_input()).events);
        let call = asked[0].tool_call_id.clone().unwrap();
        let mut input =
            next_input(&[(&asked[0], "refund", REFUND)], vec![answer(&asked[0], payload.clone())]);
        let without = input.messages.clone();
        input.messages.push(ToolMessage::new("of-the-page", payload.to_string(), call.clone()).into());
        let talk = talk(&desk, &script, input.clone());
        let [Event::RunStarted(_), Event::MessagesSnapshot(restated), Event::ToolCallResult(sent), ..] =
            &talk.events[..]
        else {
            panic!("{}", testing::lines(&talk.events))
        };
        assert_eq!(restated.messages, without, "the client forgets it");
        assert_eq!((sent.tool_call_id.clone(), &*sent.content.text()), (call.clone(), result));
        assert_eq!(till(&desk), refunded);
        let Some(PromptMessage::Tools(read)) = talk.prompts.last().unwrap().messages.last() else { panic!() };
        assert_eq!(read[0].content.text(), result, "the model reads the result");
        // A real result is one: the call never runs again.
        *input.messages.last_mut().unwrap() = ToolMessage::new("result", result, call).into();
        let events = self::talk(&desk, &script, input).events;
        assert!(!events.iter().any(|event| matches!(event, Event::MessagesSnapshot(_))));
        assert_eq!((till(&desk), results(&events).len()), (refunded, 0), "{}", testing::lines(&events));
    }
}

#[test]
fn a_cancellation_that_the_client_repeats_as_the_result_is_no_result() {
    let (desk, script) = desk_with([Reply::call("refund", REFUND), Reply::text("Done.")]);
    let asked = questions(&talk(&desk, &script, first_input()).events);
    let call = asked[0].tool_call_id.clone().unwrap();
    let cancelled = ResumeEntry::new(asked[0].id.clone(), ResumeStatus::Cancelled);
    let mut input = next_input(&[(&asked[0], "refund", REFUND)], vec![cancelled]);
    input.messages.push(ToolMessage::new("of-the-page", r#"{"status":"cancelled"}"#, call).into());
    let talk = talk(&desk, &script, input);
    assert_eq!(results(&talk.events), [r#"{"error":"the user refused"}"#]);
    assert_eq!(till(&desk), 0);
}
