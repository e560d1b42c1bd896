//! The functions of the agent before and after the model and each tool.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use agui_runtime::model::{
    AssistantPart, DynTool, EndReason, Model, PromptMessage, Reply, ScriptedModel, ToolDecision,
};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{
    AssistantMessage, Count, Event, FunctionCall, NonNull, ResumeEntry, ResumeStatus, TokenUsage, ToolCall,
};
use agui_runtime::testing;
use serde_json::json;

use crate::clerk::{Talk, checkout, price, shop_input, talk_with};

/// The calls of the hooks, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn add(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

fn rice() -> price {
    price { name: "rice".to_owned() }
}

fn refusing(replies: impl Into<Vec<Reply>>, tool: &'static str) -> Talk {
    talk_with(replies, shop_input("?"), move |chat| {
        chat.max_bad_calls(1).before_tool(move |call| match call.tool == tool {
            true => ToolDecision::Refuse("not today".to_owned()),
            false => ToolDecision::Run,
        })
    })
}

#[test]
fn the_hooks_come_in_the_documented_order() {
    let log = Log::default();
    let seen = log.clone();
    let first = Reply::call("price", rice()).and_call("price", price { name: "gold".to_owned() });
    talk_with([first, Reply::text("1.80.")], shop_input("?"), move |chat| {
        let [a, b, c, d] = [(); 4].map(|()| seen.clone());
        chat.before_model(move |prompt| a.add(format!("ask {}", prompt.messages.len())))
            .after_model(move |answer| b.add(format!("said {}", answer.parts.len())))
            .before_tool(move |call| {
                c.add(format!("call {} {}", call.tool, call.arguments));
                ToolDecision::Run
            })
            .after_tool(move |call| d.add(format!("result {} {}", call.content, call.failed)))
    });
    assert_eq!(
        log.lines(),
        [
            "ask 1",
            "said 2",
            r#"call price {"name":"rice"}"#,
            r#"call price {"name":"gold"}"#,
            "result 180 false",
            r#"result {"error":"there is no gold"} true"#,
            "ask 3",
            "said 1",
        ]
    );
}

#[test]
fn after_model_reads_the_whole_answer() {
    let log = Log::default();
    let seen = log.clone();
    let spent = TokenUsage::new().with_input_tokens(7_u32);
    let first = Reply::text("Let me look.").and_call("price", rice()).usage(spent);
    let talk = talk_with([first, Reply::text("1.80.")], shop_input("?"), move |chat| {
        let seen = seen.clone();
        chat.after_model(move |answer| {
            assert_eq!(answer.end, EndReason::Stop);
            for part in &answer.parts {
                seen.add(match part {
                    AssistantPart::Text { text, .. } => text.clone(),
                    AssistantPart::Call(call) => format!("{} {} {}", call.id, call.tool, call.arguments),
                    other => format!("{other:?}"),
                });
            }
            seen.add(format!("{:?}", answer.usage.input_tokens.map(Count::get)));
        })
    });
    let Some(Event::ToolCallStart(start)) =
        talk.events.iter().find(|event| matches!(event, Event::ToolCallStart(_)))
    else {
        panic!("{}", talk.lines())
    };
    let call = format!(r#"{} price {{"name":"rice"}}"#, start.tool_call_id);
    assert_eq!(log.lines(), ["Let me look.", &call, "Some(7)", "1.80.", "None"]);
}

#[test]
fn after_model_comes_before_the_limits() {
    let log = Log::default();
    let seen = log.clone();
    let talk = talk_with([Reply::call("price", rice())], shop_input("?"), move |chat| {
        let seen = seen.clone();
        chat.max_calls(0).after_model(move |answer| seen.add(format!("said {}", answer.parts.len())))
    });
    assert!(talk.end().contains("max_calls"), "{}", talk.end());
    assert_eq!(log.lines(), ["said 1"]);
}

/// Counts its calls.
#[tool]
async fn count(calls: &Arc<AtomicU32>) -> u32 {
    calls.fetch_add(1, Ordering::Relaxed)
}

/// Pays out.
#[tool(approval)]
async fn pay(calls: &Arc<AtomicU32>) -> u32 {
    calls.fetch_add(1, Ordering::Relaxed)
}

/// Refuses all calls, of each kind that runs in the agent.
#[agent(tools = [count, pay])]
async fn strict(
    run: &mut Run<Strict>,
    _: Input<Strict>,
    model: &Model,
    calls: &Arc<AtomicU32>,
    answered: &Log,
) -> Result<(), Stop> {
    let add = |_| std::future::ready(Ok::<_, Stop>(calls.fetch_add(1, Ordering::Relaxed)));
    let add = DynTool::new("add", "Adds.", json!({ "type": "object" }), add)?;
    run.chat(model)
        .tools([add])
        .max_bad_calls(1)
        .before_tool(|call| ToolDecision::Refuse(format!("no {}", call.tool)))
        .after_tool(|call| answered.add(format!("{} {}", call.tool, call.content)))
        .await
}

#[test]
fn a_refused_call_never_runs_and_the_model_reads_why() {
    let calls = Arc::new(AtomicU32::new(0));
    let log = Log::default();
    let first = Reply::call("count", json!({})).and_call("pay", json!({})).and_call("add", json!({}));
    let script = Arc::new(ScriptedModel::new([first, Reply::text("Then not.")]));
    let agent = Strict::new(Arc::clone(&script).into(), Arc::clone(&calls), log.clone());
    let events = futures::executor::block_on(testing::run(agent, testing::input("?")));
    let lines = testing::lines(&events);
    assert_eq!(calls.load(Ordering::Relaxed), 0);
    assert!(lines.contains("RUN_FINISHED") && lines.contains("Then not."), "no question is asked: {lines}");
    let prompts = script.prompts();
    let Some(PromptMessage::Tools(answers)) = prompts[1].messages.last() else { panic!("{prompts:?}") };
    let read: Vec<_> =
        answers.iter().map(|answer| (answer.content.text().into_owned(), answer.failed)).collect();
    let wanted =
        ["count", "pay", "add"].map(|tool| (json!({ "error": format!("no {tool}") }).to_string(), true));
    assert_eq!(read, wanted);
    assert_eq!(lines.matches("TOOL_CALL_RESULT").count(), 3, "{lines}");
    let logged = ["count", "pay", "add"].map(|tool| format!(r#"{tool} {{"error":"no {tool}"}}"#));
    assert_eq!(log.lines(), logged);
}

#[test]
fn the_other_calls_of_the_turn_run() {
    let both = Reply::call("search", json!({})).and_call("price", rice());
    let talk = refusing([both, Reply::text("1.80.")], "search");
    let PromptMessage::Tools(answers) = talk.last_read().last().unwrap() else {
        panic!("{:?}", talk.last_read())
    };
    let read: Vec<_> = answers.iter().map(|answer| answer.content.text().into_owned()).collect();
    assert_eq!(read, [r#"{"error":"not today"}"#, "180"]);
    assert!(!talk.lines().contains("search"), "{}", talk.lines());
}

#[test]
fn a_refused_call_of_a_frontend_tool_is_not_sent() {
    let talk =
        refusing([Reply::call("checkout", checkout { total: 1 }), Reply::text("Then not.")], "checkout");
    assert!(!talk.lines().contains("TOOL_CALL_START"), "{}", talk.lines());
    let PromptMessage::Tools(answers) = talk.last_read().last().unwrap() else {
        panic!("{:?}", talk.last_read())
    };
    assert_eq!((&*answers[0].content.text(), answers[0].failed), (r#"{"error":"not today"}"#, true));
    assert_eq!(testing::texts(&talk.events), ["Then not."]);
}

#[test]
fn before_tool_sees_only_calls_that_can_be_made() {
    let log = Log::default();
    let seen = log.clone();
    let first = Reply::call("price", r#"{"name":7}"#)
        .and_call("prize", "{}")
        .and_call("search", "[]")
        .and_call("price", rice());
    talk_with([first, Reply::text("So.")], shop_input("?"), move |chat| {
        let seen = seen.clone();
        chat.before_tool(move |call| {
            seen.add(format!("{} {}", call.tool, call.arguments));
            ToolDecision::Run
        })
    });
    assert_eq!(log.lines(), [r#"price {"name":"rice"}"#]);
}

/// Pays out, and writes down what was asked and answered.
#[agent(tools = [pay])]
async fn payer(
    run: &mut Run<Payer>,
    _: Input<Payer>,
    model: &Model,
    _calls: &Arc<AtomicU32>,
    log: &Log,
) -> Result<(), Stop> {
    run.chat(model)
        .before_tool(|call| {
            log.add(format!("before {}", call.tool));
            ToolDecision::Run
        })
        .after_tool(|call| log.add(format!("after {} {}", call.tool, call.content)))
        .await
}

/// A log of all that ran needs the calls that a user approved most of all.
#[test]
fn a_call_that_the_user_approved_is_decided_before_the_question_and_seen_after_it_ran() {
    let log = Log::default();
    let model = ScriptedModel::new([Reply::call("pay", json!({})), Reply::text("Paid.")]);
    let agent = Arc::new(Payer::new(model.into(), Arc::default(), log.clone()));
    let run = |input| -> Vec<Event> {
        use futures::StreamExt as _;
        let stream = agui_runtime::start(Arc::clone(&agent), input, testing::options());
        futures::executor::block_on(stream.collect())
    };
    let asked = run(testing::input("Pay me."));
    let testing::RunEnd::Interrupt([question]) = testing::end(&asked) else {
        panic!("{}", testing::lines(&asked))
    };
    assert_eq!(log.lines(), ["before pay"], "it has not run");
    let call = question.tool_call_id.clone().expect("the question is about a call");
    let mut input = testing::input("Pay me.");
    let call = ToolCall::new(call, FunctionCall::new("pay", "{}"));
    input.messages.push(AssistantMessage::new("calls").with_tool_calls(vec![call]).into());
    input.run_id = "run-2".into();
    let yes = NonNull::new(json!({ "approved": true })).expect("no null");
    let yes = ResumeEntry::new(question.id.clone(), ResumeStatus::Resolved).with_payload(yes);
    let events = run(input.with_resume(vec![yes]));
    assert_eq!(testing::texts(&events), ["Paid."], "{}", testing::lines(&events));
    assert_eq!(log.lines(), ["before pay", "after pay 0"]);
}
