//! A random program: its actions, and their ids.

use std::collections::HashSet;

use agui_runtime::Policy;
use agui_runtime::protocol::{
    ActivityMessage, AssistantMessage, Event, FunctionCall, JsonObject, Message, ReasoningMessage,
    RunAgentInput, SubagentRunId, SystemMessage, Tool, ToolCall, ToolCallId, ToolMessage, UserMessage,
};
use proptest::prelude::*;

use crate::dynamic::generate::{Seed, seed};

/// One action.
#[derive(Clone, Debug)]
pub(super) enum Move {
    Feed {
        first: bool,
        event: Event,
    },
    Open,
    Push,
    Close,
    BreakOff,
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
    /// A provider's value for a message or call that a receipt names, of this run or of another.
    Encrypt {
        kind: u8,
        of: usize,
    },
    /// Leaves the newest call to a question.
    Leave,
    Ask,
    Resume(usize),
    /// Another agent, without waiting for it.
    Nested {
        messages: Vec<Message>,
        restated: Option<Vec<Message>>,
        resumed: Option<usize>,
        id: Option<u8>,
        /// The receipt that is named as the delegating one.
        parent: usize,
        /// The delegating call: 0 the newest of this run, others of another run.
        called_by: Option<usize>,
    },
}

#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) policy: Policy,
    pub(super) passing: bool,
    pub(super) input: RunAgentInput,
    /// The actions, true if open guards are leaked then, and the restated conversation.
    pub(super) parts: Vec<(Vec<Move>, bool, Option<Vec<Message>>)>,
    pub(super) end: u8,
    pub(super) asked_about: usize,
    pub(super) last_messages: Option<Vec<Message>>,
}

/// Ids of everything: of the generated streams, of this run, and of its input.
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

pub(super) fn call_id(about: usize) -> ToolCallId {
    CALLS[about % CALLS.len()].into()
}

/// A random message of any role.
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
        let mut known = HashSet::new();
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
        1 => Just(Move::BreakOff),
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

pub(super) fn program() -> impl Strategy<Value = Program> {
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
