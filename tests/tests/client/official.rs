//! Our session beside the official agent object: every hook, its arguments, and the data at the end.

use std::sync::{Arc, Mutex};

use agui_runtime::client::{
    ClientError, Frame, PartialArguments, Reaction, ResumeValue, Session, Subscriber, View,
};
use agui_runtime::protocol::*;
use agui_runtime::receive::PeerCeiling;
use agui_runtime::receive::reduce::RunOutcome;
use agui_tests::outside::Node;
use agui_tests::verdict::as_hooks_see;
use agui_tests::wire::{equal, fixture};
use agui_tests::{is_exhaustive, need};
use futures::FutureExt as _;
use serde::Deserialize as _;
use serde_json::{Value, json};

/// The hooks of a subscriber, in the form of `tests/oracle/hooks.mjs`.
struct Recorder {
    log: Arc<Mutex<Vec<Value>>>,
    react: Value,
    asked: usize,
    messages: String,
    state: String,
}

impl Recorder {
    fn new(session: &Session, react: &Value) -> (Self, Arc<Mutex<Vec<Value>>>) {
        let log = Arc::default();
        let recorder = Self {
            log: Arc::clone(&log),
            react: react.clone(),
            asked: 0,
            messages: json!(session.messages()).to_string(),
            state: session.state_value().to_string(),
        };
        (recorder, log)
    }

    fn say(&self, hook: &str, arguments: Vec<Value>) {
        let said = std::iter::once(json!(hook)).chain(arguments).collect();
        self.log.lock().unwrap().push(Value::Array(said));
    }

    fn asked(&mut self, hook: &str, arguments: Vec<Value>) -> Reaction {
        self.say(hook, arguments);
        self.asked += 1;
        if self.react["at"].as_u64() != Some(self.asked as u64 - 1) {
            return Reaction::none();
        }
        let mut reaction = if self.react["stop"] == true { Reaction::stop() } else { Reaction::none() };
        if let Some(messages) = self.react.get("messages") {
            reaction = reaction.with_messages(serde_json::from_value(messages.clone()).unwrap());
        }
        if let Some(state) = self.react.get("state") {
            reaction = reaction.with_state(state.clone());
        }
        reaction
    }
}

macro_rules! plain {
    ($($hook:ident($Event:ident) = $name:literal;)*) => {
        $(fn $hook(&mut self, _: &$Event, _: &View<'_>) -> Reaction {
            self.asked($name, vec![])
        })*
    };
}

impl Subscriber for Recorder {
    fn on_run_initialized(&mut self, _: &View<'_>) -> Reaction {
        self.asked("onRunInitialized", vec![])
    }

    fn on_run_failed(&mut self, error: &ClientError, _: &View<'_>) -> Reaction {
        self.asked("onRunFailed", vec![json!(code(error))])
    }

    fn on_run_finalized(&mut self, _: &View<'_>) -> Reaction {
        self.asked("onRunFinalized", vec![])
    }

    fn on_event(&mut self, event: &Event, _: &View<'_>) -> Reaction {
        self.asked("onEvent", vec![json!(event.event_type().as_str())])
    }

    fn on_text_message_content(
        &mut self,
        event: &TextMessageContentEvent,
        before: &str,
        _: &View<'_>,
    ) -> Reaction {
        self.asked("onTextMessageContentEvent", vec![json!(event.message_id), json!(before)])
    }

    fn on_text_message_end(&mut self, event: &TextMessageEndEvent, text: &str, _: &View<'_>) -> Reaction {
        self.asked("onTextMessageEndEvent", vec![json!(event.message_id), json!(text)])
    }

    fn on_reasoning_message_content(
        &mut self,
        event: &ReasoningMessageContentEvent,
        before: &str,
        _: &View<'_>,
    ) -> Reaction {
        self.asked("onReasoningMessageContentEvent", vec![json!(event.message_id), json!(before)])
    }

    fn on_reasoning_message_end(
        &mut self,
        event: &ReasoningMessageEndEvent,
        text: &str,
        _: &View<'_>,
    ) -> Reaction {
        self.asked("onReasoningMessageEndEvent", vec![json!(event.message_id), json!(text)])
    }

    fn on_tool_call_args(
        &mut self,
        _: &ToolCallArgsEvent,
        before: PartialArguments<'_>,
        _: &View<'_>,
    ) -> Reaction {
        self.asked("onToolCallArgsEvent", vec![json!(before.tool()), json!(before.text())])
    }

    fn on_tool_call_end(&mut self, _: &ToolCallEndEvent, call: &ToolCall, _: &View<'_>) -> Reaction {
        let arguments = serde_json::from_str(&call.function.arguments).unwrap_or_else(|_| json!({}));
        self.asked("onToolCallEndEvent", vec![json!(call.function.name), arguments])
    }

    fn on_activity_snapshot(
        &mut self,
        event: &ActivitySnapshotEvent,
        known: Option<&Message>,
        _: &View<'_>,
    ) -> Reaction {
        let role = known.map(|message| message.role().as_str());
        self.asked("onActivitySnapshotEvent", vec![json!(event.message_id), json!(role)])
    }

    fn on_activity_delta(
        &mut self,
        event: &ActivityDeltaEvent,
        known: &ActivityMessage,
        _: &View<'_>,
    ) -> Reaction {
        self.asked("onActivityDeltaEvent", vec![json!(event.message_id), json!(known.content)])
    }

    fn on_run_finished(&mut self, _: &RunFinishedEvent, end: &RunOutcome, _: &View<'_>) -> Reaction {
        let seen = as_hooks_see(end);
        let arguments = ["outcome", "result", "pendingToolCallIds"].map(|key| seen[key].clone());
        self.asked("onRunFinishedEvent", arguments.into())
    }

    plain! {
        on_run_started(RunStartedEvent) = "onRunStartedEvent";
        on_run_error(RunErrorEvent) = "onRunErrorEvent";
        on_step_started(StepStartedEvent) = "onStepStartedEvent";
        on_step_finished(StepFinishedEvent) = "onStepFinishedEvent";
        on_text_message_start(TextMessageStartEvent) = "onTextMessageStartEvent";
        on_tool_call_start(ToolCallStartEvent) = "onToolCallStartEvent";
        on_tool_call_result(ToolCallResultEvent) = "onToolCallResultEvent";
        on_state_snapshot(StateSnapshotEvent) = "onStateSnapshotEvent";
        on_state_delta(StateDeltaEvent) = "onStateDeltaEvent";
        on_messages_snapshot(MessagesSnapshotEvent) = "onMessagesSnapshotEvent";
        on_raw(RawEvent) = "onRawEvent";
        on_custom(CustomEvent) = "onCustomEvent";
        on_reasoning_start(ReasoningStartEvent) = "onReasoningStartEvent";
        on_reasoning_end(ReasoningEndEvent) = "onReasoningEndEvent";
        on_reasoning_message_start(ReasoningMessageStartEvent) = "onReasoningMessageStartEvent";
        on_reasoning_encrypted_value(ReasoningEncryptedValueEvent) = "onReasoningEncryptedValueEvent";
        on_subagent_started(SubagentStartedEvent) = "onSubagentStartedEvent";
        on_subagent_finished(SubagentFinishedEvent) = "onSubagentFinishedEvent";
        on_subagent_error(SubagentErrorEvent) = "onSubagentErrorEvent";
    }

    fn on_messages_changed(&mut self, now: &View<'_>) {
        let messages = json!(now.messages());
        let text = messages.to_string();
        if text != self.messages {
            self.messages = text;
            self.say("onMessagesChanged", vec![messages]);
        }
    }

    fn on_state_changed(&mut self, now: &View<'_>) {
        let text = now.state().to_string();
        if text != self.state {
            self.state = text;
            self.say("onStateChanged", vec![now.state().clone()]);
        }
    }

    fn on_new_message(&mut self, message: &Message, _: &View<'_>) {
        self.say("onNewMessage", vec![json!(message)]);
    }

    fn on_new_tool_call(&mut self, call: &ToolCall, _: &View<'_>) {
        self.say("onNewToolCall", vec![json!(call)]);
    }
}

fn code(error: &ClientError) -> String {
    match error {
        ClientError::Refused(refused) => refused.code().to_owned(),
        // The official text has no short name.
        ClientError::Resume(_) => "OTHER".to_owned(),
        other => other.to_string(),
    }
}

/// The answers of a job to open questions, if it has any.
fn answers(job: &Value) -> Option<Vec<(InterruptId, ResumeValue)>> {
    let entries = Option::<Vec<ResumeEntry>>::deserialize(&job["resume"]).unwrap()?;
    let answer = |entry: ResumeEntry| {
        let answer = match entry.status {
            ResumeStatus::Resolved => ResumeValue::resolved(entry.payload),
            ResumeStatus::Cancelled => ResumeValue::cancelled(),
        };
        let answer = match entry.metadata {
            Some(metadata) => answer.with_metadata(metadata),
            None => answer,
        };
        (entry.interrupt_id, answer)
    };
    Some(entries.into_iter().map(answer).collect())
}

/// Our client's result for a job, in the form of `tests/oracle/hooks.mjs`.
fn ours(job: &Value) -> Value {
    let frames = |stream: &str| -> Vec<Frame> {
        job[stream].as_array().into_iter().flatten().cloned().map(Frame::Json).collect()
    };
    // One stream is one run here, with any content.
    let left: Arc<Mutex<Vec<Vec<Frame>>>> = Arc::new(Mutex::new(vec![frames("stream")]));
    if job.get("before").is_some() {
        left.lock().unwrap().push(frames("before"));
    }
    let upstream = move |_: RunAgentInput| -> agui_runtime::client::Frames {
        let frames = left.lock().unwrap().pop().unwrap();
        futures::StreamExt::boxed(futures::stream::iter(frames.into_iter().map(Ok)))
    };
    let request = Arc::new(Mutex::new(Value::Null));
    let sent = Arc::clone(&request);
    let spy = move |input: RunAgentInput, next: agui_runtime::client::Next| {
        *sent.lock().unwrap() = json!(input);
        next.open(input)
    };
    let mut session: Session = Session::new(upstream)
        .with_thread_id("t")
        .with_ceiling(PeerCeiling::new(1, 0, 0))
        .with(spy)
        .with_warnings(|_| {});
    if !job["messages"].is_null() {
        session.set_messages(serde_json::from_value(job["messages"].clone()).unwrap());
    }
    if let Some(state) = job.get("state") {
        session.set_state(state.clone());
    }
    if job.get("before").is_some() {
        session.run().now_or_never().unwrap().unwrap();
        *request.lock().unwrap() = Value::Null;
    }
    let (first, first_log) = Recorder::new(&session, &job["react"]);
    let (mut second, second_log) = Recorder::new(&session, &Value::Null);
    session.subscribe(first);
    let resumed = answers(job).map_or(Ok(()), |answers| session.resume(answers)).map_err(ClientError::from);
    let done = resumed.and_then(|()| session.start_with(&mut second).finish().now_or_never().unwrap());
    let mut request = request.lock().unwrap().clone();
    if request.is_object() {
        request["runId"] = json!("r");
    }
    json!({
        "first": *first_log.lock().unwrap(),
        "second": *second_log.lock().unwrap(),
        "refused": done.as_ref().err().map(code),
        "messages": session.messages(),
        "state": session.state_value(),
        "result": done.as_ref().ok().and_then(|done| done.result::<Value>().unwrap()),
        "newMessageIds": done.as_ref().ok().map(|done| done.new_messages.iter().map(Message::id).collect::<Vec<_>>()),
        "pendingInterrupts": session.pending_interrupts(),
        "request": request,
    })
}

/// The recorded streams: those of the official vectors and of the conformance suite.
fn streams() -> Vec<Value> {
    let vectors = fixture::json("vectors/apply.json");
    let applied = vectors.as_array().unwrap().iter().map(|vector| {
        json!({
            "name": vector["name"], "stream": vector["events"], "messages": vector["initialMessages"],
            "state": vector["initialState"],
        })
    });
    let conformance =
        fixture::conformance("conformance").into_iter().filter(|stream| stream.client.is_null());
    let conformance = conformance.map(|stream| {
        let mut job = json!({ "name": stream.name, "stream": stream.stream });
        for key in ["messages", "state"] {
            if let Some(value) = stream.input.get(key) {
                job[key] = value.clone();
            }
        }
        job
    });
    // Messages of this program are in the form of 1.0 before they are sent: older forms have no type here. Generated
    // ids differ.
    let is_current = |job: &Value| !job["stream"].to_string().contains("\"THINKING_");
    let is_typed =
        |job: &Value| serde_json::from_value::<Option<Vec<Message>>>(job["messages"].clone()).is_ok();
    applied.chain(conformance).filter(is_typed).filter(is_current).collect()
}

/// Each stream with a subscriber that only listens, and with some that act, each at another moment: they stop the run,
/// or replace the state or the messages, the last time with a message that the stream continues.
fn played() -> Vec<Value> {
    let mut jobs = Vec::new();
    for (number, stream) in streams().into_iter().enumerate() {
        let hooks = 2 + 2 * stream["stream"].as_array().unwrap().len();
        let said = stream["stream"].as_array().unwrap().iter().find_map(|event| event["messageId"].as_str());
        jobs.push(stream.clone());
        // A third of them with `AGUI_EXHAUSTIVE` unset: another third for each stream.
        for turn in (0..6).filter(|turn| is_exhaustive() || (number + turn) % 3 == 0) {
            let at = (number * 7 + turn * 5) % hooks;
            let instead = json!({ "id": "instead", "role": "user", "content": "Hm." });
            let known = json!({ "id": said.unwrap_or("known"), "role": "assistant", "content": "Once " });
            let react = match (turn, (number + turn) % 2) {
                (0..3, 0) => json!({ "at": at, "stop": true }),
                (0..3, _) => json!({ "at": at, "state": { "instead": at } }),
                (3, _) => json!({ "at": at, "messages": [instead] }),
                (4, _) => json!({ "at": at, "messages": [instead, known] }),
                (_, 0) => json!({ "at": at, "messages": [known], "stop": true }),
                (..) => json!({ "at": at, "messages": [], "state": { "instead": at } }),
            };
            let mut job = stream.clone();
            job["react"] = react;
            jobs.push(job);
        }
    }
    jobs
}

/// A run with questions, and possible answers: all, all but one, an expired one, none.
fn resumed() -> Vec<Value> {
    let call = json!({ "type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "send_email" });
    let interrupts = json!([
        { "id": "a", "reason": "tool_call", "toolCallId": "c", "message": "May I?" },
        { "id": "b", "reason": "confirmation", "expiresAt": "2999-12-31T23:59:59Z" },
        { "id": "late", "reason": "input_required", "expiresAt": "2020-01-01T00:00:00.000Z" },
    ]);
    let started = json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "before" });
    let outcome = json!({ "type": "interrupt", "interrupts": interrupts });
    let before = json!([
        started, call, { "type": "TOOL_CALL_END", "toolCallId": "c" },
        { "type": "RUN_FINISHED", "threadId": "t", "runId": "before", "outcome": outcome },
    ]);
    let resolved =
        |id: &str, payload: Value| json!({ "interruptId": id, "status": "resolved", "payload": payload });
    let plain = |id: &str, status: &str| json!({ "interruptId": id, "status": status });
    let mut noted = plain("late", "cancelled");
    noted["metadata"] = json!({ "by": "Ada" });
    let yes = resolved("a", json!({ "approved": true, "deep": [null, 1.5] }));
    let resumes = [
        json!([yes, plain("b", "cancelled"), noted]),
        json!([plain("a", "resolved"), resolved("b", json!("text")), noted]),
        json!([plain("a", "cancelled"), plain("b", "cancelled"), noted]),
        json!([yes, noted]),
        json!([yes, plain("b", "cancelled"), plain("late", "resolved")]),
        json!([]),
        Value::Null,
    ];
    let start = json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" });
    let result =
        json!({ "type": "TOOL_CALL_RESULT", "messageId": "m", "toolCallId": "c", "content": "sent" });
    let text =
        json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": "n", "role": "assistant", "delta": "Done." });
    let finished = json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" });
    let again = json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": outcome });
    let failed = json!({ "type": "RUN_ERROR", "message": "no" });
    let streams = [
        json!([start, result, text, finished]),
        json!([start, again]),
        json!([start, text, failed]),
        json!([start, result, text]),
    ];
    let reacts = [
        Value::Null,
        json!({ "at": 0, "messages": [{ "id": "instead", "role": "user", "content": "Hm." }] }),
        json!({ "at": 0, "state": { "instead": 1 } }),
        json!({ "at": 0, "stop": true }),
        json!({ "at": 7, "stop": true, "messages": [] }),
    ];
    let mut jobs = Vec::new();
    for (which, resume) in resumes.iter().enumerate() {
        for stream in &streams {
            for react in &reacts {
                let mut job =
                    json!({ "name": format!("resume {which}"), "before": before, "stream": stream });
                if !resume.is_null() {
                    job["resume"] = resume.clone();
                }
                if !react.is_null() {
                    job["react"] = react.clone();
                }
                jobs.push(job);
            }
        }
    }
    jobs
}

/// Arguments cut off anywhere. As a module of Node.js the official client returns `{}` for all of them: its import of
/// the library that completes them fails, which a bundler hides. So this asks that library itself.
#[test]
fn partial_arguments_are_completed_the_same_way() {
    let node = need!(Node::ready());
    let documents = [
        r#"{"a":[1,-2.5e3,{"b":"x\"\\\u00e9\ud83d\ude00é"}],"c":true,"d":{"e":null,"k":false},"f":""}"#,
        "\n[ { \"a\" : [ 1 , 2E+5, -0.10 ] } , [ [ ] , { } ] ,\ttrue , \"/ \\/ \\n\" ]",
        "-12.5e-7",
        "null",
    ];
    let beginnings: Vec<&str> = documents
        .iter()
        .flat_map(|whole| (0..=whole.len()).filter_map(|end| whole.get(..end)))
        // Half a character is `HalfCharacters`.
        .filter(|text| !text.contains("\\ud83d") || text.contains("\\ude00"))
        .collect();
    let jobs: Vec<Value> = beginnings.iter().map(|text| json!(text)).collect();
    let official = node.oracle("partial.mjs", &[], &jobs);
    assert_eq!(official.len(), beginnings.len());
    for (text, theirs) in beginnings.iter().zip(&official) {
        let call = ToolCall::new("c", FunctionCall::new("f", *text));
        let ours = PartialArguments::of(&call);
        let theirs = theirs.as_str().unwrap();
        match serde_json::from_str::<Value>(theirs) {
            Ok(theirs) => assert_eq!(ours.value(), Some(theirs), "{text}"),
            // Nothing is written, or `HalfEscapes`.
            Err(_) => {
                let (_, escape) = text.rsplit_once('\\').unwrap_or(("", "none"));
                let is_half = escape.is_empty() || (escape.starts_with('u') && escape.len() < 5);
                assert!(theirs.trim().is_empty() || is_half, "{text}: {theirs}");
            }
        }
    }
}

/// Messages are replaced at the hook of an existing activity: `ActivityGoes`.
const WRITTEN_OVER: (&str, u64) = ("activity attributed and reclaimed", 6);

#[test]
fn hooks_come_in_the_same_order_with_the_same_arguments() {
    let node = need!(Node::ready());
    let jobs = [played(), resumed()].concat();
    let official = node.oracle("hooks.mjs", &[], &jobs);
    let mut hooks = 0;
    let mut different = Vec::new();
    for (job, theirs) in jobs.iter().zip(&official) {
        let is_written_over = job["name"] == WRITTEN_OVER.0
            && job["react"]["at"] == WRITTEN_OVER.1
            && job["react"].get("messages").is_some();
        if is_written_over {
            continue;
        }
        let ours = ours(job);
        hooks += theirs["first"].as_array().unwrap().len() + theirs["second"].as_array().unwrap().len();
        for (key, theirs) in theirs.as_object().unwrap() {
            if !equal(&ours[key], theirs) {
                different.push(format!(
                    "{} {}\n{key}\n  ours   {}\n  theirs {theirs}",
                    job["name"], job["react"], ours[key]
                ));
            }
        }
    }
    println!("{} streams, {hooks} hooks", jobs.len());
    assert!(different.is_empty(), "{} of {}\n{}", different.len(), jobs.len(), different.join("\n"));
    let (least, least_hooks) = if is_exhaustive() { (1000, 20_000) } else { (500, 10_000) };
    assert!(jobs.len() > least && hooks > least_hooks, "{} {hooks}", jobs.len());
}
