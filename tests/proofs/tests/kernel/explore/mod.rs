//! Visits every state of the kernel with a bounded number of open spans, and runs a verifier beside it. The search
//! ends, so its result holds for runs of every length, provided that merged states behave alike. Merged states differ:
//!
//! - in ids: the kernel compares them only for freshness, and with the authors in the restated conversation;
//! - in the number of calls that wait beyond two, are asked about beyond one, were cut off beyond one;
//! - in the order of parallel spans, and in the handle that is kept of several ended spans of one kind;
//! - in parts that no operation of the menu changes: a backend tool that the client declares, the owner of the state, usage,
//!   foreign ids beyond one. The tests of the rules have these;
//! - in parts that change no later event's place: the conversation's ended messages beside the one receipt, spent ids,
//!   free names of steps, a span closed since the hub's last query.

mod operations;
mod seen;

use std::collections::{HashSet, VecDeque};
use std::rc::Rc;

use agui_runtime::order::OrderVerifier;
use agui_runtime::protocol::{AssistantMessage, FunctionCall, Message, RunAgentInput, ToolCall};

use super::machine::{ParentMessage, RunKernel};
use super::span::SpanSlot;
use super::{Clock, Ids, Peer};
use crate::protocol::ToolSide;

/// The operations of callers besides opening, writing and closing.
#[derive(Clone, Copy, Debug)]
pub enum Menu {
    /// Nothing.
    Plain,
    /// Name parents by receipts, restate the conversation with other authors, answer calls of an earlier run.
    Receipts,
    /// Bring ids and tags of their own, and answer the calls of their own scopes.
    Foreign,
}

/// The result of a search.
#[derive(Debug)]
pub struct Visited {
    pub states: usize,
    pub transitions: usize,
}

/// One operation of a caller, with a handle that is valid or was valid.
#[derive(Clone, Debug)]
enum Operation {
    Text(SpanSlot, bool),
    Reasoning(SpanSlot),
    ReasoningMessage(SpanSlot),
    Step(SpanSlot),
    Call(SpanSlot, ToolSide, bool),
    Resume(SpanSlot),
    Activity(SpanSlot),
    Subagent(SpanSlot, bool),
    Scope(SpanSlot, bool),
    Send(SpanSlot),
    Untagged(SpanSlot),
    Restate(SpanSlot, Retold),
    AnswerPending(SpanSlot, SpanSlot),
    Push(SpanSlot),
    Show(SpanSlot),
    EndArguments(SpanSlot),
    EndForeign(SpanSlot),
    Answer(SpanSlot),
    Ask(SpanSlot),
    Close(SpanSlot),
    EndSubagent(SpanSlot, u8),
    End(u8),
}

/// The content of a restated conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Retold {
    /// A new message.
    News,
    /// A message with another author.
    OtherAuthor,
    /// An answer to the call of an earlier run, and other activities, with an id that is a text's.
    Answered,
}

#[derive(Clone)]
struct World {
    kernel: RunKernel,
    client: OrderVerifier,
    /// Handles whose span has ended: the newest of each kind.
    stale: Vec<(&'static str, SpanSlot)>,
    /// A sent message, which a call may name as its parent.
    receipt: Option<ParentMessage>,
    keeps_receipts: bool,
    /// True if the client reads tags.
    tells_subagents: bool,
    path: Option<Rc<Path>>,
}

struct Path {
    operation: Operation,
    before: Option<Rc<Path>>,
}

/// A kernel with more states than this keeps data about ended spans.
const LIMIT: usize = 1_000_000;
const FOREIGN: &str = "foreign";
const RESUMED: &str = "resumed";

/// Searches until there are no new states; the error lists the operations that led to it.
pub fn explore(spans: usize, peer: Peer, menu: Menu) -> Result<Visited, String> {
    let mut seen = HashSet::new();
    let mut queue = VecDeque::new();
    let mut transitions = 0;
    let start = World::new(peer, menu)?;
    seen.insert(start.key());
    queue.push_back(start);
    while let Some(world) = queue.pop_front() {
        for operation in world.operations(spans, menu) {
            let mut next = world.clone();
            next.path = Some(Rc::new(Path { operation: operation.clone(), before: world.path.clone() }));
            next.perform(operation).map_err(|wrong| next.report(&wrong))?;
            transitions += 1;
            if seen.insert(next.key()) {
                if seen.len() > LIMIT {
                    return Err(next.report("there is no end of states"));
                }
                queue.push_back(next);
            }
        }
    }
    Ok(Visited { states: seen.len(), transitions })
}

impl World {
    fn new(peer: Peer, menu: Menu) -> Result<Self, String> {
        let call = ToolCall::new(RESUMED, FunctionCall::new("search", "{}"));
        let history: Vec<Message> = vec![AssistantMessage::new("old").with_tool_calls(vec![call]).into()];
        let input = RunAgentInput::new("t", "r", history).with_protocol_version("1.0");
        let mut world = Self {
            kernel: RunKernel::new(&input, Ids::fixed("k"), Clock::silent(), peer),
            client: OrderVerifier::producer().for_input(&input).with_frontend_tools(["ask"]),
            stale: Vec::new(),
            receipt: None,
            tells_subagents: peer != Peer::Legacy,
            keeps_receipts: matches!(menu, Menu::Receipts),
            path: None,
        };
        world.kernel.start(&input, None);
        world.deliver()?;
        Ok(world)
    }

    fn report(&self, wrong: &str) -> String {
        let mut operations = Vec::new();
        let mut path = self.path.as_ref();
        while let Some(step) = path {
            operations.push(format!("{:?}", step.operation));
            path = step.before.as_ref();
        }
        operations.reverse();
        format!("after {}: {wrong}", operations.join(", "))
    }
}
