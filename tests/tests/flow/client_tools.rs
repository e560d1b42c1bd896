//! Tools that the client declares and the agent learns of in the input; ids of a model's provider.

use agui_runtime::prelude::*;
use agui_runtime::protocol::{
    AssistantMessage, FunctionCall, RunAgentInput, Tool as ClientTool, ToolCall, ToolMessage, UserMessage,
};
use agui_runtime::{CallError, EventFields, Stop};
use futures::executor::block_on;
use serde_json::{Value, json};

use crate::agent::{input, inside, judge, stream, stream_for, types};

fn with_tool() -> RunAgentInput {
    input().with_tools([ClientTool::new("search", "Searches the page.")])
}

#[test]
fn a_tool_of_the_client_is_called_and_left_to_it() {
    let events = stream_for(with_tool(), |run, input| {
        Box::pin(async move {
            let message = run.say("Let me look.").await;
            let mut call = run.client_tool(&input.tools()[0]).parent(&message).provider_id("toolu_01").await;
            assert_eq!((call.id().as_str(), call.receipt().id().as_str()), ("toolu_01", "toolu_01"));
            for piece in ["", r#"{"que"#, r#"ry":"rice"}"#] {
                call.push(piece).await;
            }
            let asked = call.end_with(EventFields::new())?;
            assert_eq!((asked.id.as_str(), &*asked.tool), ("toolu_01", "search"));
            Err(Stop::await_frontend(asked))
        })
    });
    let call = &inside(&events)[3..];
    assert_eq!(types(call), ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_ARGS", "TOOL_CALL_END"]);
    assert_eq!(
        (&call[0]["toolCallName"], &call[0]["parentMessageId"]),
        (&json!("search"), &events[1]["messageId"])
    );
    let outcome = json!({ "type": "success", "pendingToolCallIds": ["toolu_01"] });
    assert_eq!(events.last().unwrap()["outcome"], outcome);
}

#[test]
fn arguments_that_are_no_json_are_not_ended() {
    let events = stream_for(with_tool(), |run, input| {
        Box::pin(async move {
            let mut call = run.client_tool(&input.tools()[0]).await;
            call.push(r#"{"query":"#).await;
            let Err(error) = call.end() else { panic!("that is no JSON") };
            assert_eq!(error.to_string(), "the arguments of tool `search` are not JSON");
            assert!(matches!(&error, CallError::NotJson { tool, .. } if tool == "search"));
            Ok(())
        })
    });
    assert_eq!(types(&events), ["RUN_STARTED", "TOOL_CALL_START", "TOOL_CALL_ARGS", "RUN_ERROR"]);
    assert_eq!(events[3]["code"], "tool_call_cut_off");
}

#[test]
fn no_arguments_are_arguments() {
    let events = stream_for(with_tool(), |run, input| {
        Box::pin(async move {
            let call = run.client_tool(&input.tools()[0]).await;
            Err(Stop::await_frontend(call.end()?))
        })
    });
    assert_eq!(types(inside(&events)), ["TOOL_CALL_START", "TOOL_CALL_END"]);
}

#[test]
fn the_text_of_any_answer_is_there() {
    let answered = |last: agui_runtime::protocol::Message| {
        let call = ToolCall::new("c", FunctionCall::new("search", "{}"));
        let messages = vec![AssistantMessage::new("a").with_tool_calls([call]).into(), last];
        let events = stream_for(
            RunAgentInput::new("thread", "run", messages).with_protocol_version("1.0"),
            |run, input| {
                Box::pin(async move {
                    run.say(format!("{:?}", input.tool_result_text())).await;
                    Ok(())
                })
            },
        );
        events[2]["delta"].clone()
    };
    assert_eq!(answered(ToolMessage::new("t", "rice", "c").into()), r#"Some("rice")"#);
    assert_eq!(answered(ToolMessage::new("t", "", "c").into()), r#"Some("")"#);
    assert_eq!(answered(UserMessage::new("u", "never mind").into()), "None");
}

/// Looks up what something costs.
#[tool]
async fn price(name: String) -> usize {
    name.len()
}

/// Makes calls under ids from elsewhere.
#[agent(tools = [price])]
async fn caller(run: &mut Run<Caller>, _: Input<Caller>) -> Result<Vec<String>, Stop> {
    let mut ids = Vec::new();
    for wanted in ["of-the-call", "of-the-message", "new", "new"] {
        let call = run.call(price { name: "rice".to_owned() }).provider_id(wanted).await?;
        ids.push(call.id().to_string());
        call.run().await;
    }
    let mut call = run.tool::<price>().provider_id("streamed").await;
    call.push(r#"{"name":""}"#).await;
    ids.push(call.end()?.id().to_string());
    let mut call = run.open_call("price").provider_id("by-name").await?;
    call.push(r#"{"name":""}"#).await;
    ids.push(call.id().to_string());
    assert_eq!(run.dispatch(vec![call.end()?]).await.settled.len(), 1);
    Ok(ids)
}

#[test]
fn an_id_belongs_to_one_call_of_a_conversation() {
    let call = ToolCall::new("of-the-call", FunctionCall::new("price", r#"{"name":"rice"}"#));
    let messages = vec![
        AssistantMessage::new("of-the-message").with_tool_calls([call]).into(),
        ToolMessage::new("answer", "4", "of-the-call").into(),
    ];
    let input = RunAgentInput::new("thread", "run", messages).with_protocol_version("1.0");
    let events: Vec<Value> =
        block_on(agui_runtime::testing::run(Caller::new(), input)).iter().map(crate::agent::json).collect();
    judge(&events);
    let ids = &events.last().unwrap()["result"];
    let own = |id: &Value| id.as_str().unwrap().starts_with("test-call-");
    assert!(own(&ids[0]) && own(&ids[1]) && own(&ids[3]), "{ids}");
    assert_eq!((&ids[2], &ids[4], &ids[5]), (&json!("new"), &json!("streamed"), &json!("by-name")));
}

#[test]
fn ids_the_run_makes_itself_are_not_to_be_had() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let tool = ClientTool::new("search", "Searches.");
            let call = run.client_tool(&tool).provider_id("test-call-2").await;
            let first = call.id().clone();
            let second = run.client_tool(&tool).await;
            assert_ne!(first, *second.id());
            Err(Stop::await_frontend([call.end()?, second.end()?]))
        })
    });
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED");
}
