//! Typed questions: a run that asks, the run with the answers, and invalid answers.

use std::sync::Arc;

use agui_runtime::client::{LocalAgent, ResumeValue, RunOutcome, Session};
use agui_runtime::prelude::*;
use agui_runtime::protocol::RunAgentInput;
use agui_runtime::{Ids, start, testing};
use futures::StreamExt;
use futures::executor::block_on;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::agent::{inside, judge, options, types};

/// Sends a letter.
#[tool]
async fn send(text: String) -> String {
    format!("sent {text}")
}

/// Asks before a letter is sent.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm_send", message = "Send it?", response = Approval)]
struct ConfirmSend {
    text: String,
}

/// The answer of a user about a letter.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Approval {
    approved: bool,
    #[serde(default)]
    edited_text: Option<String>,
}

/// Asks for the signature.
#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "acme.signature", response = Option<String>)]
enum Signature {
    Anybody,
    OneOf { names: Vec<String> },
}

/// Writes a letter to each name in the message, asks for the signature, and asks about each letter.
#[agent(tools = [send], interrupts = [ConfirmSend, Signature])]
async fn writer(run: &mut Run<Writer>, input: Input<Writer>) -> Result<Vec<String>, Stop> {
    if let Some(names) = input.user_text() {
        let signature = if names.is_empty() {
            Signature::Anybody
        } else {
            Signature::OneOf { names: vec!["Ada".to_owned(), "Grace".to_owned()] }
        };
        let mut stop = run.ask(signature);
        for name in names.split_whitespace() {
            let call = run.call(send { text: format!("Dear {name}") }).await?;
            let text = call.arguments().text.clone();
            stop = stop.and(call.ask(ConfirmSend { text }));
        }
        return Err(stop);
    }
    let signed = input.resumed::<Signature>()?.and_then(|asked| asked.response).flatten();
    let mut sent = Vec::new();
    for asked in input.resumed_all::<ConfirmSend>()? {
        let id = asked.tool_call_id.expect("it was about a call");
        let approval = asked.response.filter(|approval| approval.approved);
        let (Some(approval), Some(signed)) = (approval, &signed) else {
            run.resume_call::<send>(&input, &id)?.fail("the person said no").await;
            continue;
        };
        let call = match approval.edited_text {
            Some(text) => run.resume_call_with(&input, &id, send { text: format!("{text}, {signed}") })?,
            None => run.resume_call::<send>(&input, &id)?,
        };
        sent.push(call.run().await);
    }
    Ok(sent)
}

fn run(input: &Value) -> Vec<Value> {
    let mut whole = json!({"threadId": "t", "runId": "r", "protocolVersion": "1.0"});
    whole.as_object_mut().unwrap().extend(input.as_object().unwrap().clone());
    let input: RunAgentInput = serde_json::from_value(whole).unwrap();
    let events: Vec<Value> = block_on(testing::run_with(Writer::new(), input, options()))
        .iter()
        .map(|event| serde_json::to_value(event).unwrap())
        .collect();
    judge(&events);
    events
}

fn asked(names: &str) -> Vec<Value> {
    run(&json!({"messages": [{"id": "m-1", "role": "user", "content": names}]}))
}

fn interrupts(events: &[Value]) -> &Value {
    let outcome = &events.last().unwrap()["outcome"];
    assert_eq!(outcome["type"], "interrupt", "{events:#?}");
    &outcome["interrupts"]
}

/// The run with answers to the questions about letters to `names`.
fn resumed(names: &str, answers: &Value) -> Vec<Value> {
    let mut messages = vec![json!({"id": "m-1", "role": "user", "content": names})];
    for (at, name) in names.split_whitespace().enumerate() {
        let arguments = json!({"text": format!("Dear {name}")}).to_string();
        let id = format!("test-call-{}", 2 * at + 2);
        messages.push(json!({
            "id": id,
            "role": "assistant",
            "toolCalls": [{"id": id, "type": "function", "function": {"name": "send", "arguments": arguments}}],
        }));
    }
    run(&json!({"messages": messages, "resume": answers}))
}

fn failed(events: &[Value]) -> &str {
    let last = events.last().unwrap();
    assert_eq!(last["type"], "RUN_ERROR", "{events:#?}");
    assert_eq!(events.len(), 2, "nothing happens where an answer cannot be read: {events:#?}");
    last["message"].as_str().unwrap()
}

#[test]
fn a_question_travels_with_its_payload_and_the_schema_of_its_answer() {
    let events = asked("Ada");
    assert_eq!(types(inside(&events)), ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END"]);
    assert_eq!(
        interrupts(&events),
        &json!([
            {
                "id": "acme.signature#test-interrupt-1#",
                "reason": "acme.signature",
                "responseSchema": {
                    "$schema": "https://json-schema.org/draft/2020-12/schema",
                    "title": "Nullable_string",
                    "type": ["string", "null"],
                },
                "metadata": {"agui-rust/payload": {"OneOf": {"names": ["Ada", "Grace"]}}},
            },
            {
                "id": "confirm_send#test-interrupt-3#test-call-2",
                "reason": "confirm_send",
                "message": "Send it?",
                "toolCallId": "test-call-2",
                "responseSchema": {
                    "$schema": "https://json-schema.org/draft/2020-12/schema",
                    "title": "Approval",
                    "description": "The answer of a user about a letter.",
                    "type": "object",
                    "properties": {
                        "approved": {"type": "boolean"},
                        "editedText": {"type": ["string", "null"], "default": null},
                    },
                    "required": ["approved"],
                },
                "metadata": {"agui-rust/payload": {"text": "Dear Ada"}},
            },
        ])
    );
}

#[test]
fn the_next_run_reads_what_was_answered() {
    let answers = json!([
        {"interruptId": "acme.signature#test-interrupt-1#", "status": "resolved", "payload": "Grace"},
        {"interruptId": "confirm_send#test-interrupt-3#test-call-2", "status": "resolved", "payload": {"approved": true}},
        {"interruptId": "confirm_send#test-interrupt-5#test-call-4", "status": "resolved",
         "payload": {"approved": true, "editedText": "My Linus"}},
        {"interruptId": "confirm_send#test-interrupt-7#test-call-6", "status": "resolved", "payload": {"approved": false}},
        {"interruptId": "confirm_send#test-interrupt-9#test-call-8", "status": "cancelled"},
        {"interruptId": "somebody-elses", "status": "resolved", "payload": 7},
    ]);
    assert_eq!(interrupts(&asked("Ada Linus Bob Eve")).as_array().unwrap().len(), 5);
    // A message after the calls would be a new one to answer.
    let events = resumed("Ada Linus Bob Eve", &answers);
    let results: Vec<_> =
        inside(&events).iter().map(|event| (event["toolCallId"].clone(), event["content"].clone())).collect();
    assert_eq!(
        results,
        [
            (json!("test-call-2"), json!("sent Dear Ada")),
            (json!("test-call-4"), json!("sent My Linus, Grace")),
            (json!("test-call-6"), json!(r#"{"error":"the person said no"}"#)),
            (json!("test-call-8"), json!(r#"{"error":"the person said no"}"#)),
        ]
    );
    assert_eq!(events.last().unwrap()["result"], json!(["sent Dear Ada", "sent My Linus, Grace"]));
}

#[test]
fn a_question_given_up_is_no_consent() {
    let answers = json!([
        {"interruptId": "acme.signature#test-interrupt-1#", "status": "cancelled", "payload": "Grace"},
        {"interruptId": "confirm_send#test-interrupt-3#test-call-2", "status": "resolved", "payload": {"approved": true}},
    ]);
    let events = resumed("Ada", &answers);
    assert_eq!(inside(&events)[0]["content"], r#"{"error":"the person said no"}"#);
    assert_eq!(events.last().unwrap()["result"], json!([]));
}

#[test]
fn an_answer_without_a_payload_is_null() {
    let answers = json!([{"interruptId": "acme.signature#test-interrupt-1#", "status": "resolved"}]);
    assert_eq!(resumed("Ada", &answers).last().unwrap()["result"], json!([]));
    let answers = json!([{"interruptId": "confirm_send#test-interrupt-3#test-call-2", "status": "resolved"}]);
    assert_eq!(
        failed(&resumed("Ada", &answers)),
        "response to interrupt `confirm_send#test-interrupt-3#test-call-2` at `.`: invalid type: null, expected struct Approval"
    );
}

#[test]
fn an_answer_that_does_not_fit_says_where() {
    let answers = json!([
        {"interruptId": "confirm_send#test-interrupt-3#test-call-2", "status": "resolved",
         "payload": {"approved": true, "editedText": 7}},
    ]);
    assert_eq!(
        failed(&resumed("Ada", &answers)),
        "response to interrupt `confirm_send#test-interrupt-3#test-call-2` at `editedText`: invalid type: integer `7`, expected a string"
    );
}

#[test]
fn a_question_has_one_answer() {
    let twice = |id: &str, other: &str| {
        json!([
            {"interruptId": id, "status": "resolved", "payload": "Ada"},
            {"interruptId": other, "status": "cancelled"},
        ])
    };
    let same = "acme.signature#test-interrupt-1#";
    assert_eq!(
        failed(&resumed("Ada", &twice(same, same))),
        format!("the interrupt `{same}` is resumed twice")
    );
    assert_eq!(
        failed(&resumed("Ada", &twice(same, "acme.signature#test-interrupt-2#"))),
        "there are 2 resume entries for interrupts with the reason `acme.signature`, where one was expected"
    );
}

#[test]
fn an_id_of_the_run_before_is_not_given_again() {
    let events = run(&json!({
        "messages": [{"id": "m-1", "role": "user", "content": ""}],
        "resume": [{"interruptId": "acme.signature#test-interrupt-1#", "status": "cancelled"}],
    }));
    assert_eq!(interrupts(&events)[0]["id"], "acme.signature#test-interrupt-2#");
    assert_eq!(interrupts(&events)[0]["metadata"], json!({"agui-rust/payload": "Anybody"}));
}

/// Asks about the call that it left to a question, until it is allowed.
#[agent(tools = [send], interrupts = [ConfirmSend])]
async fn insistent(run: &mut Run<Insistent>, input: Input<Insistent>) -> Result<(), Stop> {
    for asked in input.resumed_all::<ConfirmSend>()? {
        let id = asked.tool_call_id.expect("it was about a call");
        let call = run.resume_call::<send>(&input, &id)?;
        if asked.response.is_none_or(|approval| !approval.approved) {
            return Err(call.ask(ConfirmSend { text: "Please".to_owned() }));
        }
        call.run().await;
    }
    Ok(())
}

#[test]
fn a_question_asked_again_about_a_call_has_another_id() {
    let resumed = |interrupt: &str, ids: &str| {
        let input: RunAgentInput = serde_json::from_value(json!({
            "threadId": "t", "runId": "r", "protocolVersion": "1.0",
            "messages": [{"id": "m", "role": "assistant", "toolCalls": [
                {"id": "a#b", "type": "function", "function": {"name": "send", "arguments": r#"{"text":"Hi"}"#}},
            ]}],
            "resume": [{"interruptId": interrupt, "status": "cancelled"}],
        }))
        .unwrap();
        let options = options().ids(Ids::fixed(ids));
        let events = block_on(start(Arc::new(Insistent::new()), input, options).collect::<Vec<_>>());
        let last = serde_json::to_value(events.last().unwrap()).unwrap();
        last["outcome"]["interrupts"][0]["id"].as_str().unwrap_or_else(|| panic!("{last}")).to_owned()
    };
    let asked = "confirm_send#test-interrupt-1#a#b";
    assert_eq!(resumed(asked, "test"), "confirm_send#test-interrupt-2#a#b");
    // Custom ids may contain the separator.
    let again = resumed(asked, "~1/#");
    assert_eq!(again, "confirm_send#~01~1~2-interrupt-1#a#b");
    assert_eq!(resumed(&again, "~1/#"), "confirm_send#~01~1~2-interrupt-2#a#b");
}

#[test]
fn a_question_may_have_more_than_its_type_says() {
    /// Asks too late.
    #[agent(interrupts = [Signature])]
    async fn hasty(run: &mut Run<Hasty>, _input: Input<Hasty>) -> Result<(), Stop> {
        let question = run.typed_interrupt(Signature::Anybody)?;
        Err(Stop::interrupt(question.with_message("Who?").with_expires_at("2999-01-01T00:00:00Z")))
    }
    let input = RunAgentInput::new("t", "r", vec![]).with_protocol_version("1.0");
    let events = block_on(testing::run(Hasty::new(), input));
    let last = serde_json::to_value(events.last().unwrap()).unwrap();
    let question = &last["outcome"]["interrupts"][0];
    assert_eq!(question["message"], "Who?");
    assert_eq!(question["expiresAt"], "2999-01-01T00:00:00Z");
    assert_eq!(question["reason"], "acme.signature");
}

#[test]
fn a_question_about_a_call_may_have_more_than_its_type_says() {
    /// Sends a letter when it is allowed in time.
    #[agent(tools = [send], interrupts = [ConfirmSend])]
    async fn punctual(run: &mut Run<Punctual>, input: Input<Punctual>) -> Result<String, Stop> {
        let Some(asked) = input.resumed::<ConfirmSend>()? else {
            let call = run.call(send { text: "Dear Ada".to_owned() }).await?;
            let question = call.typed_interrupt(ConfirmSend { text: "Dear Ada".to_owned() })?;
            return Err(call.interrupt(question.with_message("Now?").with_expires_at("2999-01-01T00:00:00Z")));
        };
        let id = asked.tool_call_id.ok_or_else(|| Stop::error("about which call?"))?;
        Ok(run.resume_call::<send>(&input, &id)?.run().await)
    }
    let mut session: Session = Session::new(LocalAgent::new(Punctual::new()));
    session.say("Write.");
    let asked = block_on(session.run()).unwrap();
    let RunOutcome::Interrupted { interrupts } = asked.outcome else { panic!("{asked:?}") };
    let [question] = &interrupts[..] else { panic!("{interrupts:?}") };
    assert_eq!(question.message.as_deref(), Some("Now?"));
    assert_eq!(question.expires_at.as_deref(), Some("2999-01-01T00:00:00Z"));
    let call = question.tool_call_id.as_ref().unwrap().as_str();
    assert!(question.id.as_str().contains(&format!("#{call}.")), "{question:?}");
    session
        .resume([(question.id.clone(), ResumeValue::from_payload(&json!({"approved": true})).unwrap())])
        .unwrap();
    let done = block_on(session.run()).unwrap();
    assert_eq!(done.result::<String>().unwrap().unwrap(), "sent Dear Ada");
}

#[test]
fn the_schema_of_an_answer_is_json_schema_s_own() {
    /// Asks for how many.
    #[derive(Interrupt, Serialize, JsonSchema)]
    #[interrupt(reason = "how_many", response = u32)]
    struct HowMany {}

    /// Asks for how many.
    #[agent(interrupts = [HowMany])]
    async fn counting(run: &mut Run<Counting>, _input: Input<Counting>) -> Result<(), Stop> {
        Err(run.ask(HowMany {}))
    }
    let input = RunAgentInput::new("t", "r", vec![]).with_protocol_version("1.0");
    let events = block_on(testing::run(Counting::new(), input));
    let last = serde_json::to_value(events.last().unwrap()).unwrap();
    assert_eq!(
        last["outcome"]["interrupts"][0]["responseSchema"],
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "uint32",
            "type": "integer",
            "minimum": 0,
            "maximum": u32::MAX,
        })
    );
}

#[test]
fn an_agent_that_asks_declares_it() {
    let declared = agui_runtime::capabilities(&Writer::source());
    let people = declared.human_in_the_loop.unwrap();
    assert_eq!((people.supported, people.interrupts, people.approvals), (Some(true), Some(true), None));
}

#[test]
fn a_session_brings_the_answers_back() {
    let mut session: Session = Session::new(LocalAgent::new(Writer::new()));
    session.say("Ada Linus");
    let asked = block_on(session.run()).unwrap();
    let RunOutcome::Interrupted { interrupts } = asked.outcome else { panic!("{asked:?}") };
    let answers: Vec<_> = interrupts
        .iter()
        .map(|question| {
            let answer = match question.tool_call_id {
                None => ResumeValue::from_payload("Grace"),
                Some(_) => ResumeValue::from_payload(&json!({"approved": true, "editedText": "Hello"})),
            };
            (question.id.clone(), answer.unwrap())
        })
        .collect();
    assert_eq!(answers.len(), 3);
    session.resume(answers).unwrap();
    let done = block_on(session.run()).unwrap();
    let sent: Option<Vec<String>> = done.result().unwrap();
    assert_eq!(sent.unwrap(), ["sent Hello, Grace", "sent Hello, Grace"]);
}
