//! Visits every state the kernel can come to with a bounded number of spans open at once, and lets a verifier read
//! along.
//!
//! Behaviour depends on ids only through freshness and through who the restated conversation says they are by, so two
//! states are one when they differ in ids alone: the search comes
//! to an end, and what holds in it holds for runs of every length.

use std::collections::{HashSet, VecDeque};
use std::fmt::Write as _;
use std::rc::Rc;

use agui_runtime::order::{Phase, Verifier};
use agui_runtime::protocol::{
    ActivityMessage, AssistantMessage, Content, CustomEvent, FunctionCall, JsonObject, Message,
    MessageId, RunAgentInput, Scope, SubagentRunId, SubagentStartedEvent, ToolCall, ToolCallId, ToolMessage,
    UserMessage,
};

use super::kernel::{CallStart, ForeignAnswer, Kernel, ParentMessage, TextStart};
use super::span::{ROOT, Slot, Span};
use super::rules::{subagent_end, terminal};
use super::{Clock, Ids, Peer};
use crate::manifest::ToolSide;

/// What callers do beside opening, writing and closing.
#[derive(Clone, Copy, Debug)]
pub enum Menu {
    /// Nothing.
    Plain,
    /// Name parents by receipts, restate the conversation with other authors, answer calls of an earlier run.
    Receipts,
    /// Bring ids and tags of their own, and answer the calls of their own scopes.
    Foreign,
}

/// What a search found.
#[derive(Debug)]
pub struct Visited {
    pub states: usize,
    pub transitions: usize,
}

/// One thing a caller can do, with a handle it has or had.
#[derive(Clone, Debug)]
enum Act {
    Text(Slot, bool),
    Reasoning(Slot),
    ReasoningMessage(Slot),
    Step(Slot),
    Call(Slot, ToolSide, bool),
    Resume(Slot),
    Activity(Slot),
    Subagent(Slot, bool),
    Scope(Slot, bool),
    Send(Slot),
    Untagged(Slot),
    Restate(Slot, Retold),
    AnswerPending(Slot, Slot),
    Push(Slot),
    Show(Slot),
    EndArguments(Slot),
    EndForeign(Slot),
    Answer(Slot),
    Ask(Slot),
    Close(Slot),
    EndSubagent(Slot, u8),
    End(u8),
}

/// What a restated conversation says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Retold {
    /// Something new.
    News,
    /// That a message is another author's.
    OtherAuthor,
    /// That the call of an earlier run is answered, and other activities, with an id that is a text's.
    Answered,
}

#[derive(Clone)]
struct World {
    kernel: Kernel,
    client: Verifier,
    /// Handles whose span has ended: the newest of each kind.
    stale: Vec<(&'static str, Slot)>,
    /// A message that was said, which a call may name as its parent.
    receipt: Option<ParentMessage>,
    keeps_receipts: bool,
    /// Whether the client is told about subagents.
    tells_subagents: bool,
    path: Option<Rc<Path>>,
}

struct Path {
    act: Act,
    before: Option<Rc<Path>>,
}

/// More states than this are a kernel that does not forget what is over.
const LIMIT: usize = 1_000_000;
const FOREIGN: &str = "foreign";
const RESUMED: &str = "resumed";

/// Searches until nothing new is found; the error tells what was done to get where it went wrong.
pub fn explore(spans: usize, peer: Peer, menu: Menu) -> Result<Visited, String> {
    let mut seen = HashSet::new();
    let mut queue = VecDeque::new();
    let mut transitions = 0;
    let start = World::new(peer, menu)?;
    seen.insert(start.key());
    queue.push_back(start);
    while let Some(world) = queue.pop_front() {
        for act in world.acts(spans, menu) {
            let mut next = world.clone();
            next.path = Some(Rc::new(Path { act: act.clone(), before: world.path.clone() }));
            next.perform(act).map_err(|wrong| next.report(&wrong))?;
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
            kernel: Kernel::new(&input, Ids::fixed("k"), Clock::silent(), peer),
            client: Verifier::producer().answering(&input).with_frontend_tools(["ask"]),
            stale: Vec::new(),
            receipt: None,
            tells_subagents: peer == Peer::Current,
            keeps_receipts: matches!(menu, Menu::Receipts),
            path: None,
        };
        world.kernel.start(&input);
        world.deliver()?;
        Ok(world)
    }

    fn acts(&self, limit: usize, menu: Menu) -> Vec<Act> {
        let open = &self.kernel.spans;
        let mut acts = Vec::new();
        let stale = self.stale.iter().map(|&(_, slot)| slot);
        let live = open.iter().filter(|(_, open)| matches!(open.span, Span::Subagent { .. } | Span::Scope));
        let authors = [ROOT].into_iter().chain(live.map(|(&slot, _)| slot)).chain(stale.clone());
        for by in authors {
            // A dead author opens nothing, however much is open.
            let room = open.len() < limit || (by != ROOT && !open.contains_key(&by)) || self.kernel.ended;
            acts.extend([Act::Send(by), Act::Untagged(by), Act::Restate(by, Retold::News)]);
            if room {
                acts.extend([Act::Text(by, false), Act::Reasoning(by), Act::ReasoningMessage(by)]);
                acts.extend([Act::Step(by), Act::Activity(by), Act::Subagent(by, false), Act::Scope(by, false)]);
                acts.extend([ToolSide::Backend, ToolSide::Frontend].map(|side| Act::Call(by, side, false)));
            }
            match menu {
                Menu::Plain => {}
                Menu::Receipts => {
                    acts.extend([Retold::OtherAuthor, Retold::Answered].map(|retold| Act::Restate(by, retold)));
                    if room {
                        acts.extend([Act::Resume(by), Act::Call(by, ToolSide::Backend, true)]);
                    }
                }
                Menu::Foreign => {
                    acts.extend(self.kernel.pending.keys().map(|&call| Act::AnswerPending(by, call)));
                    if room {
                        acts.extend([Act::Text(by, true), Act::Subagent(by, true), Act::Scope(by, true)]);
                    }
                }
            }
        }
        if open.len() < limit {
            let spans = open.iter().filter(|(_, open)| matches!(open.span, Span::Reasoning { .. }));
            acts.extend(spans.map(|(&slot, _)| Act::ReasoningMessage(slot)));
        }
        for slot in open.keys().copied().chain(stale) {
            acts.extend([Act::Push(slot), Act::Show(slot), Act::EndArguments(slot), Act::Answer(slot), Act::Ask(slot)]);
            acts.extend([Act::Close(slot), Act::EndSubagent(slot, 0), Act::EndSubagent(slot, 1)]);
            acts.push(Act::EndSubagent(slot, 2));
        }
        if matches!(menu, Menu::Foreign) {
            let calls = open.iter().filter(|(_, call)| {
                open.get(&call.parent).is_some_and(|scope| scope.span == Span::Scope)
                    && matches!(call.span, Span::Arguments { side: ToolSide::Backend, .. })
            });
            acts.extend(calls.map(|(&slot, _)| Act::EndForeign(slot)));
        }
        acts.extend((0..5).map(Act::End));
        acts
    }

    fn perform(&mut self, act: Act) -> Result<(), String> {
        let kernel = &mut self.kernel;
        let before: Vec<(Slot, Span)> =
            kernel.spans.iter().map(|(&slot, open)| (slot, open.span.clone())).collect();
        let heard = |slot: Slot| slot == ROOT || before.iter().any(|(open, _)| *open == slot);
        let foreign = |wanted: bool| wanted.then(|| MessageId::from(FOREIGN));
        let (by, silent) = match act {
            Act::Text(by, wanted) => {
                kernel.open_text(by, TextStart { id: foreign(wanted), ..TextStart::default() }, None);
                (by, false)
            }
            Act::Reasoning(by) => {
                kernel.open_reasoning(by, None, None);
                (by, false)
            }
            Act::ReasoningMessage(by) => {
                kernel.open_reasoning_message(by, None, None);
                (by, false)
            }
            Act::Step(by) => {
                kernel.open_step(by, "step".to_owned(), None);
                (by, false)
            }
            Act::Call(by, side, child) => {
                let parent = if child { self.receipt.clone() } else { None };
                let tool = if side == ToolSide::Frontend { "ask" } else { "search" };
                kernel.open_call(by, CallStart { tool: tool.into(), side, parent, id: None }, None);
                (by, false)
            }
            Act::Resume(by) => {
                let _ = kernel.resume_call(by, ToolCallId::from(RESUMED));
                (by, true)
            }
            Act::Activity(by) => {
                kernel.open_activity(by, "PLAN".into(), JsonObject::new(), None, None);
                (by, false)
            }
            Act::Subagent(by, wanted) => {
                let wanted = wanted.then(|| SubagentRunId::from(FOREIGN));
                kernel.open_subagent(by, SubagentStartedEvent::new("", "helper"), wanted, None);
                (by, false)
            }
            Act::Scope(by, tagged) => {
                let tag = tagged.then(|| kernel.foreign_tag(SubagentRunId::from(FOREIGN)));
                kernel.open_scope(by, tag);
                (by, true)
            }
            Act::Send(by) => {
                kernel.send(by, CustomEvent::new("note", true), None);
                (by, false)
            }
            Act::Untagged(by) => {
                kernel.send_untagged(by, CustomEvent::new("note", true), None);
                (by, false)
            }
            Act::Restate(by, retold) => {
                let mut messages: Vec<Message> = vec![UserMessage::new("u", "hello").into()];
                let said = self.receipt.as_ref().map(|said| said.id.clone());
                match (retold, said) {
                    (Retold::OtherAuthor, Some(said)) => {
                        messages.push(AssistantMessage::new(said).with_subagent_run_id(FOREIGN).into());
                    }
                    (Retold::Answered, said) => {
                        let id = said.unwrap_or_else(|| MessageId::from("answer"));
                        messages.push(ToolMessage::new(id, "1", RESUMED).into());
                        let shown = ActivityMessage::new("shown", "PLAN", JsonObject::new());
                        messages.push(shown.into());
                    }
                    _ => {}
                }
                let refused = kernel.restate(by, messages, None).is_err();
                if refused && !kernel.spans.values().any(|open| conversation(&open.span)) {
                    return Err("refused to restate with nothing open".to_owned());
                }
                (by, refused)
            }
            Act::AnswerPending(by, call) => {
                let content = Content::Text(String::new());
                kernel.answer_pending(by, call, ForeignAnswer { message: None, content }, None);
                (by, false)
            }
            Act::Push(slot) => {
                kernel.push_text(slot, "x".to_owned(), None);
                kernel.push_arguments(slot, "{}".to_owned(), None);
                kernel.push_reasoning(slot, "x".to_owned(), None);
                let _ = kernel.change_activity(slot, Vec::new().into(), None);
                (slot, false)
            }
            Act::Show(slot) => {
                kernel.restart_activity(slot, JsonObject::new(), None);
                (slot, false)
            }
            Act::EndArguments(slot) => {
                kernel.end_arguments(slot, None);
                (slot, false)
            }
            Act::EndForeign(slot) => {
                kernel.end_foreign_arguments(slot, None);
                (slot, false)
            }
            Act::Answer(slot) => {
                kernel.answer(slot, Content::Text("1".to_owned()), None);
                (slot, false)
            }
            Act::Ask(slot) => {
                kernel.ask(slot);
                (slot, true)
            }
            Act::Close(slot) => {
                if let (true, Some((id, _, tag))) = (self.keeps_receipts, kernel.text_of(slot)) {
                    self.receipt = Some(ParentMessage { id, tag });
                }
                kernel.close(slot, None);
                (slot, false)
            }
            Act::EndSubagent(slot, how) => {
                kernel.end_subagent(slot, subagent_end(how), None);
                (slot, false)
            }
            Act::End(how) => {
                kernel.end(terminal(how), None);
                (ROOT, false)
            }
        };
        let was_heard = heard(by) && self.client.phase() == Phase::Active;
        let said = self.kernel.queue.len();
        if said > 0 && !was_heard {
            return Err(format!("who has ended said {:?}", self.kernel.queue));
        }
        if silent && said > 0 && !matches!(act, Act::Restate(..)) {
            return Err(format!("something was said: {:?}", self.kernel.queue));
        }
        for (slot, span) in before {
            if !self.kernel.spans.contains_key(&slot) {
                let kind = kind(&span);
                self.stale.retain(|&(known, _)| known != kind);
                self.stale.push((kind, slot));
            }
        }
        self.stale.sort_unstable();
        self.deliver()
    }

    /// Hands what was said to the client, and compares what each holds to be open.
    fn deliver(&mut self) -> Result<(), String> {
        while let Some(event) = self.kernel.queue.pop_front() {
            self.client.check(&event).map_err(|refused| format!("{refused} at {event:?}"))?;
        }
        if self.kernel.ended {
            return match self.client.phase() {
                Phase::Finished | Phase::Failed => Ok(()),
                phase => Err(format!("the run has ended, and the client is {phase:?}")),
            };
        }
        let mut mine: Vec<(Scope, String)> = Vec::new();
        for open in self.kernel.spans.values() {
            let told = self.tells_subagents || !matches!(open.span, Span::Subagent { .. });
            mine.extend(on_the_wire(&open.span).filter(|_| told));
        }
        mine.extend(self.kernel.cut_off.iter().map(|cut| (Scope::ToolCall, cut.id.as_str().to_owned())));
        let mut theirs: Vec<(Scope, String)> =
            self.client.open().into_iter().map(|open| (open.scope, (*open.id).to_owned())).collect();
        mine.sort();
        theirs.sort();
        if mine == theirs { Ok(()) } else { Err(format!("open here: {mine:?}, at the client: {theirs:?}")) }
    }

    /// The state without its ids: what the kernel's behaviour can depend on.
    fn key(&self) -> String {
        let kernel = &self.kernel;
        let mut key = format!("{:?}", self.client.phase());
        if kernel.ended {
            return key;
        }
        let tags: Vec<&SubagentRunId> = kernel.spans.values().filter_map(|open| open.tag.as_ref()).collect();
        let author = |tag: &Option<SubagentRunId>| match tag {
            None => 'r',
            Some(tag) if tags.contains(&tag) => 's',
            Some(_) => 'd',
        };
        key.push_str(&self.children(ROOT));
        let flags = (
            kernel.pending.values().any(|call| call.foreign),
            kernel.pending.len().min(2),
            kernel.asked.len().min(1),
            kernel.asked.values().any(|owed| owed.id.as_str() == RESUMED),
            kernel.cut_off.len().min(1),
            kernel.taken.contains(FOREIGN),
            kernel.conversation.is_left(&ToolCallId::from(RESUMED)),
            self.receipt.as_ref().map(|said| (author(&said.tag), kernel.conversation.told_by(said.id.as_str()).map(author))),
            self.stale.iter().any(|(_, slot)| kernel.spans.contains_key(slot)),
        );
        let _ = write!(key, "{flags:?}");
        key
    }

    fn children(&self, outer: Slot) -> String {
        let said_by = self.receipt.as_ref().and_then(|said| said.tag.as_ref());
        let mut inner: Vec<String> = self
            .kernel
            .spans
            .iter()
            .filter(|(_, open)| open.parent == outer)
            .map(|(&slot, open)| {
                let mark = match &open.span {
                    Span::Step { name } if name.contains('#') => "#",
                    Span::Subagent { id } if Some(id) == said_by => "!",
                    Span::Scope if open.tag.as_ref().map(SubagentRunId::as_str) == Some(FOREIGN) => "f",
                    Span::Scope if open.tag.is_some() && open.tag.as_ref() == said_by => "!",
                    Span::Arguments { side: ToolSide::Frontend, .. } => "f",
                    Span::Activity { is_lost: true, .. } => "?",
                    Span::Unanswered { id } if id.as_str() == RESUMED => "r",
                    _ => "",
                };
                format!("{}{mark}{}", kind(&open.span), self.children(slot))
            })
            .collect();
        inner.sort();
        format!("({})", inner.join(" "))
    }

    fn report(&self, wrong: &str) -> String {
        let mut acts = Vec::new();
        let mut path = self.path.as_ref();
        while let Some(step) = path {
            acts.push(format!("{:?}", step.act));
            path = step.before.as_ref();
        }
        acts.reverse();
        format!("after {}: {wrong}", acts.join(", "))
    }
}

fn conversation(span: &Span) -> bool {
    !matches!(span, Span::Step { .. } | Span::Subagent { .. } | Span::Scope)
}

fn on_the_wire(span: &Span) -> Option<(Scope, String)> {
    let (scope, id) = match span {
        Span::Text { id, .. } => (Scope::Text, id.as_str()),
        Span::Step { name } => (Scope::Step, name.as_str()),
        Span::Arguments { id, .. } => (Scope::ToolCall, id.as_str()),
        Span::Reasoning { id } => (Scope::ReasoningSpan, id.as_str()),
        Span::ReasoningMessage { id } => (Scope::ReasoningMessage, id.as_str()),
        Span::Subagent { id } => (Scope::Subagent, id.as_str()),
        Span::Unanswered { .. } | Span::Activity { .. } | Span::Scope => return None,
    };
    Some((scope, id.to_owned()))
}

fn kind(span: &Span) -> &'static str {
    match span {
        Span::Text { .. } => "text",
        Span::Step { .. } => "step",
        Span::Arguments { .. } => "arguments",
        Span::Unanswered { .. } => "unanswered",
        Span::Reasoning { .. } => "reasoning",
        Span::ReasoningMessage { .. } => "thought",
        Span::Activity { .. } => "activity",
        Span::Subagent { .. } => "subagent",
        Span::Scope => "scope",
    }
}
