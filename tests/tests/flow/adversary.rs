//! Programs that try to break the order with what no type sees: ids of others, restated conversations, receipts and calls
//! of other runs, several agents and forwarded streams at once. What goes out is legal all the same.

use std::cell::Cell;
use std::collections::HashSet;
use std::mem;
use std::sync::{Arc, Mutex, OnceLock};

use agui_runtime::manifest::AgentSource;
use agui_runtime::order::Verifier;
use agui_runtime::prelude::Activity;
use agui_runtime::protocol::{
    ActivityMessage, AssistantMessage, Event, FunctionCall, Interrupt, JsonObject, Message, MessageId,
    ReasoningMessage, RunAgentInput, RunFinishedOutcome, SubagentRunId, SystemMessage, Tool, ToolCall,
    ToolCallId, ToolMessage, UserMessage,
};
use agui_runtime::{
    ActivityHandle, Agent, CallRef, Called, Dynamic, Finished, Ids, Input, MessageRef, Policy, ReasoningRef,
    Run, RunOptions, Step, Stop, TextMessage, ToolCtx, ToolOf, start, tool,
};
use agui_tests::outside::Node;
use futures::executor::block_on;
use futures::{FutureExt, StreamExt};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::agent::{Script, cases, input, json, stream_with};
use crate::dynamic::generate::{Seed, seed};
use crate::helper::helper;

/// Looks up what something costs.
#[tool]
async fn search(what: String) -> usize {
    what.len()
}

/// Asks the person.
#[tool(frontend)]
async fn confirm(total: u32) -> bool;

static CONTEXTS: Mutex<Vec<ToolCtx>> = Mutex::new(Vec::new());

/// Keeps what it learns about its own call.
#[tool]
async fn keep_context(call: &ToolCtx) {
    CONTEXTS.lock().unwrap().push(call.clone());
}

impl ToolOf<Script> for search {}
impl ToolOf<Script> for keep_context {}
impl ToolOf<Adversary> for search {}
impl ToolOf<Adversary> for confirm {}
impl ToolOf<Nested> for search {}

/// A plan to follow.
#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
struct Plan {
    at: u32,
    /// Long enough that a change is shorter.
    goal: String,
}

/// One thing to do.
#[derive(Clone, Debug)]
enum Move {
    Feed {
        first: bool,
        event: Event,
    },
    Open,
    Push,
    Close,
    Think,
    Show,
    Update,
    Step,
    /// A call, with a receipt to name as its parent; it is kept, or answered at once.
    Call {
        parent: usize,
        kept: bool,
    },
    Answer,
    /// A value of the provider's for something a receipt names, of this run or of another.
    Encrypt {
        kind: u8,
        of: usize,
    },
    /// Leaves the newest call to a question.
    Leave,
    Ask,
    Resume(usize),
    /// Another agent, which is not waited for.
    Nested {
        messages: Vec<Message>,
        restated: Option<Vec<Message>>,
        resumed: Option<usize>,
        id: Option<u8>,
        /// The receipt that is named as what delegates.
        parent: usize,
        /// The call that is: 0 the newest of this run, others of another run.
        called_by: Option<usize>,
    },
}

#[derive(Clone, Debug)]
struct Program {
    policy: Policy,
    passing: bool,
    input: RunAgentInput,
    /// What is done, whether what is open then is leaked, and what the conversation is restated as.
    parts: Vec<(Vec<Move>, bool, Option<Vec<Message>>)>,
    end: u8,
    asked_about: usize,
    last_messages: Option<Vec<Message>>,
}

struct Adversary {
    program: Program,
    others: &'static Receipts,
}

/// What a run leaves in the hands of its callers.
#[derive(Clone, Debug, Default)]
struct Receipts {
    texts: Vec<MessageRef>,
    thoughts: Vec<ReasoningRef>,
    calls: Vec<CallRef>,
    contexts: Vec<ToolCtx>,
}

/// Says its part and restates the conversation.
struct Nested {
    restated: Option<Vec<Message>>,
    resumed: Option<usize>,
}

/// Ids of everything: those of the generated streams, those this run gives out, and those of its input.
const IDS: &[&str] = &[
    "i0",
    "i1",
    "t0",
    "t1",
    "c0",
    "c1",
    "h0",
    "a0",
    "r0",
    "test-message-1",
    "test-message-2",
    "test-message-3",
    "test-message-4",
    "test-call-1",
    "test-call-2",
    "test-call-3",
    "test-call-4",
    "old0",
    "old1",
    "old2",
];

/// Ids of calls: of the input, of the generated streams, and of this run.
const CALLS: &[&str] = &["old0", "old1", "c0", "c1", "test-call-1", "test-call-3"];

fn call_id(about: usize) -> ToolCallId {
    CALLS[about % CALLS.len()].into()
}

/// Receipts of other runs, by their agent and by another: of one with the ids of this run, and of one with others.
fn receipts_of_other_runs() -> &'static Receipts {
    static RECEIPTS: Mutex<Option<Receipts>> = Mutex::new(None);
    static ALL: OnceLock<Receipts> = OnceLock::new();
    fn keep(more: impl FnOnce(&mut Receipts)) {
        more(RECEIPTS.lock().unwrap().get_or_insert_default());
    }
    ALL.get_or_init(|| {
        for ids in ["test", "elsewhere"] {
            stream_with(input(), RunOptions::default().ids(Ids::fixed(ids)), |run, _| {
                Box::pin(async move {
                    let (own, thought) =
                        ([run.say("first").await, run.say("second").await], run.think("hm").await);
                    let call = run.call(search { what: "rice".to_owned() }).await?;
                    keep(|all| {
                        all.texts.extend(own);
                        all.thoughts.push(thought);
                        all.calls.push(call.receipt());
                    });
                    call.run().await;
                    run.call(keep_context {}).await?.run().await;
                    keep(|all| all.contexts.append(&mut CONTEXTS.lock().unwrap()));
                    let nested = helper(|run, _| {
                        Box::pin(async move {
                            let third = run.say("third").await;
                            keep(|all| all.texts.push(third));
                            Ok(Value::Null)
                        })
                    });
                    run.delegate("nested", &nested, []).await?;
                    Ok(())
                })
            });
        }
        RECEIPTS.lock().unwrap().take().unwrap()
    })
}

fn options() -> RunOptions {
    RunOptions::default().ids(Ids::fixed("test")).room(usize::MAX)
}

impl Program {
    fn play(&self) -> Vec<Event> {
        let agent = Adversary { program: self.clone(), others: receipts_of_other_runs() };
        let events: Vec<Event> = block_on(start(Arc::new(agent), self.input.clone(), options()).collect());
        let panicked =
            matches!(events.last(), Some(Event::RunError(error)) if error.code.as_deref() == Some("panic"));
        assert!(!panicked, "the program itself is wrong");
        events
    }
}

impl Agent for Adversary {
    type State = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, input: Input<Self>) -> Result<Finished<'r, ()>, Stop> {
        let mut receipts = self.others.clone();
        let mut asked = None;
        for (moves, leaks, restated) in &self.program.parts {
            self.part(run, &input, moves, *leaks, &mut receipts, &mut asked).await?;
            if let Some(messages) = restated {
                run.messages_snapshot(messages.clone()).await;
            }
        }
        let interrupt = || {
            Interrupt::new("question", "confirmation").with_tool_call_id(call_id(self.program.asked_about))
        };
        let with_messages = |stop: Stop| match &self.program.last_messages {
            Some(messages) => stop.with_messages(messages.clone()),
            None => stop,
        };
        match (self.program.end, asked) {
            (0, _) => Err(Stop::error("enough")),
            (1, _) => Err(Stop::cancelled()),
            (2 | 3, _) => Err(with_messages(Stop::interrupt(interrupt()))),
            (4 | 5, Some(asked)) => Err(with_messages(asked)),
            _ => Ok(run.finish(())),
        }
    }

    fn source() -> AgentSource {
        source::<Self>()
    }
}

fn source<A>() -> AgentSource {
    AgentSource {
        name: "adversary",
        description: "Does what a list says",
        version: "0.0.0",
        rust_path: std::any::type_name::<A>(),
        state: None,
        tools: vec![],
        events: vec![],
    }
}

impl Adversary {
    async fn part(
        &self,
        run: &Run<Self>,
        input: &Input<Self>,
        moves: &[Move],
        leaks: bool,
        receipts: &mut Receipts,
        asked: &mut Option<Stop>,
    ) -> Result<(), Stop> {
        let forward = || -> Dynamic<'_> {
            let foreign = run.dynamic(self.program.policy);
            if self.program.passing { foreign.pass_chunks() } else { foreign }
        };
        let (mut first, mut second) = (forward(), forward());
        let mut texts: Vec<TextMessage<'_>> = vec![];
        let mut steps: Vec<Step<'_>> = vec![];
        let mut plans: Vec<ActivityHandle<'_, Plan>> = vec![];
        let mut calls: Vec<agui_runtime::ToolCall<'_, Self, search, Called>> = vec![];
        for one in moves {
            match one {
                Move::Feed { first: is_first, event } => {
                    let foreign = if *is_first { &mut first } else { &mut second };
                    let _ = foreign.feed(event.clone()).await;
                }
                Move::Open => texts.push(run.message().await),
                Move::Push => {
                    if let Some(text) = texts.last_mut() {
                        text.push("typed").await;
                    }
                }
                Move::Close => receipts.texts.extend(texts.pop().map(TextMessage::end)),
                Move::Think => receipts.thoughts.push(run.think("hm").await),
                Move::Show => plans.push(run.activity(Plan { at: 0, goal: "rice ".repeat(50) }).await?),
                Move::Update => {
                    if let Some(plan) = plans.last_mut() {
                        plan.update(|plan| plan.at += 1).await?;
                    }
                }
                Move::Step => match steps.pop() {
                    Some(step) => step.finish(),
                    None => steps.push(run.step("p0").await),
                },
                Move::Call { parent, kept } => {
                    let call = run.call(search { what: "rice".to_owned() });
                    let call = match receipts.texts.get(*parent) {
                        Some(receipt) => call.parent(receipt).await?,
                        None => call.await?,
                    };
                    receipts.calls.push(call.receipt());
                    if *kept {
                        calls.push(call);
                    } else {
                        call.run().await;
                    }
                }
                Move::Answer => {
                    if let Some(call) = calls.pop() {
                        call.run().await;
                    }
                }
                Move::Encrypt { kind, of } => encrypt(run, receipts, *kind, *of).await,
                Move::Leave => {
                    if let Some(call) = calls.pop() {
                        let stop =
                            call.interrupt(Interrupt::new(format!("i{}", receipts.texts.len()), "tool_call"));
                        *asked = Some(stop);
                    }
                }
                Move::Ask => drop(run.call(confirm { total: 1 }).await?),
                Move::Resume(about) => {
                    if let Ok(call) = run.resume_call::<search>(input, &call_id(*about)) {
                        calls.push(call);
                    }
                }
                Move::Nested { messages, restated, resumed, id, parent, called_by } => {
                    let nested = Arc::new(Nested { restated: restated.clone(), resumed: *resumed });
                    let mut delegated = run.delegate("nested", &nested, messages.clone());
                    if let Some(id) = id {
                        delegated = delegated.id(format!("sub{id}"));
                    }
                    if let Some(parent) = receipts.texts.get(*parent) {
                        delegated = delegated.parent(parent);
                    }
                    delegated = match (*called_by, calls.last()) {
                        (Some(0), Some(call)) => delegated.called_by(call),
                        (Some(of), _) => {
                            delegated.called_by(&self.others.contexts[of % self.others.contexts.len()])
                        }
                        _ => delegated,
                    };
                    let _ = delegated.now_or_never();
                }
            }
        }
        if leaks {
            mem::forget((first, second, texts, steps, plans, calls));
        }
        Ok(())
    }
}

async fn encrypt(run: &Run<Adversary>, receipts: &Receipts, kind: u8, of: usize) {
    match kind {
        0 => match receipts.texts.get(of % receipts.texts.len()) {
            Some(text) => run.encrypted(text, "signed").await,
            None => {}
        },
        1 => match receipts.thoughts.get(of % receipts.thoughts.len()) {
            Some(thought) => run.encrypted(thought, "signed").await,
            None => {}
        },
        _ => match receipts.calls.get(of % receipts.calls.len()) {
            Some(call) => run.encrypted(call, "signed").await,
            None => {}
        },
    }
}

impl Agent for Nested {
    type State = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, input: Input<Self>) -> Result<Finished<'r, ()>, Stop> {
        run.say("nested").await;
        if let Some(call) = self.resumed
            && let Ok(call) = run.resume_call::<search>(&input, &call_id(call))
        {
            call.run().await;
        }
        if let Some(messages) = &self.restated {
            run.messages_snapshot(messages.clone()).await;
        }
        run.say("still").await;
        Ok(run.finish(()))
    }

    fn source() -> AgentSource {
        source::<Self>()
    }
}

// ---- any program

/// A message about anything, by anybody.
fn message() -> impl Strategy<Value = Message> {
    let calls = prop::collection::vec((0..CALLS.len(), prop::bool::weighted(0.3)), 0..3);
    (0..9_u8, 0..IDS.len(), calls, 0..8_u8).prop_map(|(kind, id, calls, by)| {
        let id = IDS[id];
        let about = calls.first().map_or("c0", |(call, _)| CALLS[*call]);
        let mut message: Message = match kind {
            0 => UserMessage::new(id, "hello").into(),
            1 => UserMessage::new(id, "hello").with_name("Ada").into(),
            2 => SystemMessage::new(id, "be kind").into(),
            3 => ToolMessage::new(id, "42", about).into(),
            4 => ReasoningMessage::new(id, "hm").into(),
            5 => ActivityMessage::new(id, "plan", JsonObject::new()).into(),
            _ => {
                let calls = calls.iter().map(|(call, confirms)| {
                    let tool = if *confirms { "confirm" } else { "search" };
                    ToolCall::new(CALLS[*call], FunctionCall::new(tool, r#"{"what":"rice"}"#))
                });
                AssistantMessage::new(id).with_tool_calls(calls.collect::<Vec<_>>()).into()
            }
        };
        *message.subagent_run_id_mut() = match by {
            0 | 1 => Some(SubagentRunId::from(format!("sub{by}"))),
            2 => Some(SubagentRunId::from("test-subagent-1")),
            _ => None,
        };
        message
    })
}

fn messages() -> impl Strategy<Value = Vec<Message>> {
    prop::collection::vec(message(), 0..5)
}

/// A conversation as a client sends it: every id once.
fn conversation() -> impl Strategy<Value = Vec<Message>> {
    messages().prop_map(|mut messages| {
        let mut known = std::collections::HashSet::new();
        messages.retain(|message| known.insert(message.id().clone()));
        messages
    })
}

fn one() -> impl Strategy<Value = Move> {
    let fed = (any::<bool>(), seed(), any::<bool>())
        .prop_map(|(first, seed, mixed)| Move::Feed { first, event: Seed::event(seed, 0, mixed) });
    let nested = (
        messages(),
        prop::option::weighted(0.8, messages()),
        prop::option::of(0..CALLS.len()),
        prop::option::weighted(0.3, 0..3_u8),
        0..12_usize,
        prop::option::of(0..3_usize),
    );
    let nested = nested.prop_map(|(messages, restated, resumed, id, parent, called_by)| Move::Nested {
        messages,
        restated,
        resumed,
        id,
        parent,
        called_by,
    });
    prop_oneof![
        10 => fed,
        1 => Just(Move::Open),
        1 => Just(Move::Push),
        2 => Just(Move::Close),
        1 => Just(Move::Think),
        1 => Just(Move::Show),
        3 => Just(Move::Update),
        1 => Just(Move::Step),
        3 => (0..12_usize, any::<bool>()).prop_map(|(parent, kept)| Move::Call { parent, kept }),
        1 => Just(Move::Answer),
        2 => (0..3_u8, 0..12_usize).prop_map(|(kind, of)| Move::Encrypt { kind, of }),
        1 => Just(Move::Leave),
        1 => Just(Move::Ask),
        3 => (0..CALLS.len()).prop_map(Move::Resume),
        4 => nested,
    ]
}

fn program() -> impl Strategy<Value = Program> {
    let part = (prop::collection::vec(one(), 0..14), prop::bool::weighted(0.3), prop::option::of(messages()));
    (
        (prop_oneof![Just(Policy::Strict), Just(Policy::Repair)], prop::bool::weighted(0.3)),
        conversation(),
        prop::bool::weighted(0.05),
        prop::collection::vec(part, 1..4),
        0..9_u8,
        0..CALLS.len(),
        prop::option::of(messages()),
    )
        .prop_map(|((policy, passing), messages, declared, parts, end, asked_about, last_messages)| {
            let mut tools = vec![Tool::new("confirm", "asks")];
            if declared {
                tools.push(Tool::new("search", "is the agent's, too"));
            }
            let input =
                RunAgentInput::new("thread", "run", messages).with_protocol_version("1.0").with_tools(tools);
            Program { policy, passing, input, parts, end, asked_about, last_messages }
        })
}

/// What the stream names though the client was never told of it: the official client does not look there.
fn phantoms(input: &RunAgentInput, events: &[Event]) -> Vec<String> {
    let mut told: HashSet<String> = HashSet::new();
    let tell = |told: &mut HashSet<String>, messages: &[Message]| {
        for message in messages {
            told.insert(message.id().as_str().to_owned());
            if let Message::Assistant(assistant) = message {
                told.extend(assistant.tool_calls().iter().map(|call| call.id.as_str().to_owned()));
            }
        }
    };
    tell(&mut told, &input.messages);
    let mut phantoms = Vec::new();
    for event in events {
        let named: Vec<&str> = match event {
            Event::SubagentStarted(started) => {
                let call = started.parent_tool_call_id.as_ref().map(ToolCallId::as_str);
                call.into_iter().chain(started.parent_message_id.as_ref().map(MessageId::as_str)).collect()
            }
            Event::ReasoningEncryptedValue(value) => vec![value.entity_id.as_str()],
            _ => vec![],
        };
        phantoms.extend(named.into_iter().filter(|id| !told.contains(*id)).map(str::to_owned));
        match event {
            Event::MessagesSnapshot(snapshot) => tell(&mut told, &snapshot.messages),
            Event::ToolCallStart(start) => {
                told.insert(start.tool_call_id.as_str().to_owned());
                told.extend(start.parent_message_id.iter().map(|id| id.as_str().to_owned()));
            }
            Event::TextMessageChunk(chunk) => {
                told.extend(chunk.message_id.iter().map(|id| id.as_str().to_owned()))
            }
            Event::ReasoningMessageChunk(chunk) => {
                told.extend(chunk.message_id.iter().map(|id| id.as_str().to_owned()))
            }
            Event::ToolCallChunk(chunk) => {
                told.extend(chunk.tool_call_id.iter().map(|id| id.as_str().to_owned()));
                told.extend(chunk.parent_message_id.iter().map(|id| id.as_str().to_owned()));
            }
            other => told.extend(other.scope_id().map(str::to_owned)),
        }
    }
    phantoms
}

/// How often what the programs try was tried.
#[derive(Debug, Default)]
struct Seen {
    snapshots: usize,
    results: usize,
    interrupts: usize,
    chunks: usize,
    parents: usize,
    delegated: usize,
    encrypted: usize,
    deltas: usize,
}

impl Seen {
    fn of(streams: &[Vec<Event>]) -> String {
        let mut seen = Self::default();
        for event in streams.iter().flatten() {
            match event {
                Event::MessagesSnapshot(_) => seen.snapshots += 1,
                Event::ToolCallResult(result) if result.tool_call_id.as_str().starts_with("old") => {
                    seen.results += 1;
                }
                Event::RunFinished(finished)
                    if matches!(finished.outcome, Some(RunFinishedOutcome::Interrupt(_))) =>
                {
                    seen.interrupts += 1;
                }
                Event::ToolCallStart(start) if start.parent_message_id.is_some() => seen.parents += 1,
                Event::SubagentStarted(started) => {
                    seen.delegated += usize::from(started.parent_message_id.is_some());
                    seen.delegated += usize::from(started.parent_tool_call_id.is_some());
                }
                Event::ReasoningEncryptedValue(_) => seen.encrypted += 1,
                Event::ActivityDelta(_) => seen.deltas += 1,
                _ => {}
            }
        }
        seen.chunks = streams.iter().filter(|events| passes(events)).count();
        let often =
            [seen.snapshots, seen.interrupts, seen.parents, seen.delegated, seen.encrypted, seen.deltas];
        assert!(often.iter().all(|&count| count > 20) && seen.chunks > 10 && seen.results > 2, "{seen:?}");
        format!("{seen:?}")
    }
}

fn passes(events: &[Event]) -> bool {
    events.iter().any(|event| event.event_type().as_str().ends_with("_CHUNK"))
}

#[test]
fn no_program_breaks_the_order() {
    let config = cases(400);
    let (tried, judged) = (config.cases, Cell::new(0_u32));
    let property = |program: Program| {
        let events = program.play();
        prop_assert_eq!(phantoms(&program.input, &events), Vec::<String>::new(), "{:#?}", events);
        if !passes(&events) {
            judged.set(judged.get() + 1);
            let verdict = Verifier::producer().answering(&program.input).check_all(&events);
            prop_assert_eq!(verdict, Ok(()), "{:#}", json!(events.iter().map(json).collect::<Vec<_>>()));
        }
        Ok(())
    };
    if let Err(wrong) = TestRunner::new(config).run(&program(), property) {
        panic!("{wrong}");
    }
    println!("adversary: {tried} programs, {} of them judged without chunks, 0 rejected", judged.get());
    assert!(judged.get() > tried / 2);
}

#[test]
fn the_official_client_accepts_what_goes_out() {
    let node = match Node::ready() {
        Ok(node) => node,
        Err(missing) => return missing.skip("adversary: the official client's verdict"),
    };
    let mut runner = TestRunner::deterministic();
    let programs: Vec<Program> =
        (0..300).map(|_| program().new_tree(&mut runner).unwrap().current()).collect();
    let streams: Vec<Vec<Event>> = programs.iter().map(Program::play).collect();
    let jobs: Vec<Value> =
        streams.iter().map(|events| json!(events.iter().map(json).collect::<Vec<_>>())).collect();
    println!("adversary: {} streams, {}", streams.len(), Seen::of(&streams));
    let verdicts = node.verify(&["--only", "check"], &jobs);
    for ((verdict, job), program) in verdicts.iter().zip(&jobs).zip(&programs) {
        assert_eq!(verdict["check"]["accepted"], true, "{verdict:#} {job:#}");
        // Chunks are judged as what the client makes of them.
        let expanded: Vec<Event> = serde_json::from_value(verdict["check"]["events"].clone()).unwrap();
        let judged = Verifier::producer().answering(&program.input).check_all(&expanded);
        assert_eq!(judged, Ok(()), "{job:#}");
    }
}
