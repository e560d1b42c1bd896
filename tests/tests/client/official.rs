//! Our session beside the official agent object: every hook, its arguments, and what there is at the end.

use std::sync::{Arc, Mutex};

use agui_runtime::client::{ClientError, Frame, Now, PartialArguments, Reaction, Session, Subscriber};
use agui_runtime::protocol::*;
use agui_runtime::receive::reduce::RunEnd;
use agui_tests::need;
use agui_tests::outside::Node;
use agui_tests::verdict::as_hooks_see;
use agui_tests::wire::{equal, fixture};
use futures::FutureExt as _;
use serde_json::{Value, json};

/// What a subscriber heard, in the words of `tests/oracle/hooks.mjs`.
struct Recorder {
    log: Arc<Mutex<Vec<Value>>>,
    react: Value,
    asked: usize,
    messages: String,
    state: String,
}

impl Recorder {
    fn new(job: &Value, react: &Value) -> (Self, Arc<Mutex<Vec<Value>>>) {
        let log = Arc::default();
        let text =
            |value: &Value, without: Value| if value.is_null() { without } else { value.clone() }.to_string();
        let recorder = Self {
            log: Arc::clone(&log),
            react: react.clone(),
            asked: 0,
            messages: text(&job["messages"], json!([])),
            state: text(&job["state"], json!({})),
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
        $(fn $hook(&mut self, _: &$Event, _: &Now<'_>) -> Reaction {
            self.asked($name, vec![])
        })*
    };
}

impl Subscriber for Recorder {
    fn on_run_initialized(&mut self, _: &Now<'_>) -> Reaction {
        self.asked("onRunInitialized", vec![])
    }

    fn on_run_failed(&mut self, error: &ClientError, _: &Now<'_>) -> Reaction {
        self.asked("onRunFailed", vec![json!(code(error))])
    }

    fn on_run_finalized(&mut self, _: &Now<'_>) -> Reaction {
        self.asked("onRunFinalized", vec![])
    }

    fn on_event(&mut self, event: &Event, _: &Now<'_>) -> Reaction {
        self.asked("onEvent", vec![json!(event.event_type().as_str())])
    }

    fn on_text_message_content(
        &mut self,
        event: &TextMessageContentEvent,
        before: &str,
        _: &Now<'_>,
    ) -> Reaction {
        self.asked("onTextMessageContentEvent", vec![json!(event.message_id), json!(before)])
    }

    fn on_text_message_end(&mut self, event: &TextMessageEndEvent, text: &str, _: &Now<'_>) -> Reaction {
        self.asked("onTextMessageEndEvent", vec![json!(event.message_id), json!(text)])
    }

    fn on_reasoning_message_content(
        &mut self,
        event: &ReasoningMessageContentEvent,
        before: &str,
        _: &Now<'_>,
    ) -> Reaction {
        self.asked("onReasoningMessageContentEvent", vec![json!(event.message_id), json!(before)])
    }

    fn on_reasoning_message_end(
        &mut self,
        event: &ReasoningMessageEndEvent,
        text: &str,
        _: &Now<'_>,
    ) -> Reaction {
        self.asked("onReasoningMessageEndEvent", vec![json!(event.message_id), json!(text)])
    }

    fn on_tool_call_args(
        &mut self,
        _: &ToolCallArgsEvent,
        before: PartialArguments<'_>,
        _: &Now<'_>,
    ) -> Reaction {
        self.asked("onToolCallArgsEvent", vec![json!(before.tool()), json!(before.text())])
    }

    fn on_tool_call_end(&mut self, _: &ToolCallEndEvent, call: &ToolCall, _: &Now<'_>) -> Reaction {
        let arguments = serde_json::from_str(&call.function.arguments).unwrap_or_else(|_| json!({}));
        self.asked("onToolCallEndEvent", vec![json!(call.function.name), arguments])
    }

    fn on_activity_snapshot(
        &mut self,
        event: &ActivitySnapshotEvent,
        known: Option<&Message>,
        _: &Now<'_>,
    ) -> Reaction {
        let role = known.map(|message| message.role().as_str());
        self.asked("onActivitySnapshotEvent", vec![json!(event.message_id), json!(role)])
    }

    fn on_activity_delta(
        &mut self,
        event: &ActivityDeltaEvent,
        known: &ActivityMessage,
        _: &Now<'_>,
    ) -> Reaction {
        self.asked("onActivityDeltaEvent", vec![json!(event.message_id), json!(known.content)])
    }

    fn on_run_finished(&mut self, _: &RunFinishedEvent, end: &RunEnd, _: &Now<'_>) -> Reaction {
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

    fn on_messages_changed(&mut self, now: &Now<'_>) {
        let messages = json!(now.messages());
        let text = messages.to_string();
        if text != self.messages {
            self.messages = text;
            self.say("onMessagesChanged", vec![messages]);
        }
    }

    fn on_state_changed(&mut self, now: &Now<'_>) {
        let text = now.state().to_string();
        if text != self.state {
            self.state = text;
            self.say("onStateChanged", vec![now.state().clone()]);
        }
    }

    fn on_new_message(&mut self, message: &Message, _: &Now<'_>) {
        self.say("onNewMessage", vec![json!(message)]);
    }

    fn on_new_tool_call(&mut self, call: &ToolCall, _: &Now<'_>) {
        self.say("onNewToolCall", vec![json!(call)]);
    }
}

fn code(error: &ClientError) -> String {
    match error {
        ClientError::Refused(refused) => refused.code().to_owned(),
        other => other.to_string(),
    }
}

/// What our client makes of a job, in the words of `tests/oracle/hooks.mjs`.
fn ours(job: &Value) -> Value {
    let frames = job["stream"].as_array().unwrap().iter().cloned().map(Frame::Json);
    let request = Arc::new(Mutex::new(Value::Null));
    let sent = Arc::clone(&request);
    let spy = move |input: RunAgentInput, next: agui_runtime::client::Next| {
        *sent.lock().unwrap() = json!(input);
        next.open(input)
    };
    // One stream is one run here, whatever it holds.
    let frames: Vec<_> = frames.collect();
    let upstream = move |_: RunAgentInput| -> agui_runtime::client::Frames {
        futures::StreamExt::boxed(futures::stream::iter(frames.clone().into_iter().map(Ok)))
    };
    let mut session: Session = Session::new(upstream).with_thread_id("t").with(spy).with_warnings(|_| {});
    if !job["messages"].is_null() {
        session.set_messages(serde_json::from_value(job["messages"].clone()).unwrap());
    }
    if let Some(state) = job.get("state") {
        session.set_state(state.clone());
    }
    let (first, first_log) = Recorder::new(job, &job["react"]);
    let (mut second, second_log) = Recorder::new(job, &Value::Null);
    session.subscribe(first);
    let done = session.start_with(&mut second).finish().now_or_never().unwrap();
    let mut request = request.lock().unwrap().clone();
    request["runId"] = json!("r");
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
    // Messages of this program are 1.0 before anything is sent: those of older clients have no type here.
    // Ids that are made up for them differ.
    let is_current = |job: &Value| !job["stream"].to_string().contains("\"THINKING_");
    let is_typed =
        |job: &Value| serde_json::from_value::<Option<Vec<Message>>>(job["messages"].clone()).is_ok();
    applied.chain(conformance).filter(is_typed).filter(is_current).collect()
}

/// Each stream with a subscriber that only listens, and with some that do something, each at another moment.
fn jobs() -> Vec<Value> {
    let mut jobs = Vec::new();
    for (number, stream) in streams().into_iter().enumerate() {
        let hooks = 2 + 2 * stream["stream"].as_array().unwrap().len();
        jobs.push(stream.clone());
        for turn in 0..3 {
            let at = (number * 7 + turn * 5) % hooks;
            let react = match (number + turn) % 2 {
                0 => json!({ "at": at, "stop": true }),
                _ => json!({ "at": at, "state": { "instead": at } }),
            };
            let mut job = stream.clone();
            job["react"] = react;
            jobs.push(job);
        }
    }
    jobs
}

#[test]
fn hooks_come_in_the_same_order_with_the_same_arguments() {
    let node = need!(Node::ready());
    let jobs = jobs();
    let official = node.oracle("hooks.mjs", &[], &jobs);
    let mut hooks = 0;
    let mut different = Vec::new();
    for (job, theirs) in jobs.iter().zip(&official) {
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
    assert!(jobs.len() > 300 && hooks > 5000, "{} {hooks}", jobs.len());
}
