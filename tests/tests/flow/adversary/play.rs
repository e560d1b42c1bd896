//! Plays a program on the real API.

use std::mem;
use std::sync::{Arc, Mutex, OnceLock};

use agui_runtime::events::{ActivityOf, CallRef, MessageRef, ReasoningRef};
use agui_runtime::manifest::AgentSource;
use agui_runtime::prelude::Activity;
use agui_runtime::protocol::{Event, Interrupt, Message};
use agui_runtime::tools::{ReadyPhase, ToolOf};
use agui_runtime::{
    ActivityHandle, Agent, Dynamic, FinishedRun, Ids, Input, Run, RunOptions, Step, Stop, TextMessage,
    ToolCtx, start, tool,
};
use futures::executor::block_on;
use futures::{FutureExt, StreamExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::program::{Move, Program, call_id};
use crate::agent::{Script, input, stream_with};
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
impl ActivityOf<Adversary> for Plan {}

/// A plan to follow.
#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
struct Plan {
    at: u32,
    /// Long enough that a change is shorter.
    goal: String,
}

struct Adversary {
    program: Program,
    others: &'static Receipts,
}

/// The receipts that a run leaves with its callers.
#[derive(Clone, Debug, Default)]
struct Receipts {
    texts: Vec<MessageRef>,
    thoughts: Vec<ReasoningRef>,
    calls: Vec<CallRef>,
    contexts: Vec<ToolCtx>,
}

/// Sends its message and restates the conversation.
struct Nested {
    restated: Option<Vec<Message>>,
    resumed: Option<usize>,
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
    RunOptions::default().ids(Ids::fixed("test")).room(usize::MAX).unsigned_interrupts(true)
}

impl Program {
    pub(super) fn play(&self) -> Vec<Event> {
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
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, input: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
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
        description: "Does what a list says",
        version: "0.0.0",
        rust_path: std::any::type_name::<A>(),
        ..AgentSource::new("adversary")
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
        let mut calls: Vec<agui_runtime::Call<'_, Self, search, ReadyPhase>> = vec![];
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
                Move::BreakOff => receipts.texts.extend(texts.pop().map(TextMessage::break_off)),
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
    let pick = |length: usize| of.checked_rem(length);
    match kind {
        0 => {
            if let Some(text) = pick(receipts.texts.len()) {
                run.encrypted(&receipts.texts[text], "signed").await;
            }
        }
        1 => {
            if let Some(thought) = pick(receipts.thoughts.len()) {
                run.encrypted(&receipts.thoughts[thought], "signed").await;
            }
        }
        _ => {
            if let Some(call) = pick(receipts.calls.len()) {
                run.encrypted(&receipts.calls[call], "signed").await;
            }
        }
    }
}

impl Agent for Nested {
    type State = ();
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, input: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
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
