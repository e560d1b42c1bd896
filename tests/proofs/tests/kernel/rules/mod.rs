//! The tests of the rules in the kernel's header, and of the hub's wakers.

mod agent_paths;
mod called;
mod calls;
mod chunks;
mod contents;
mod ending;
mod fields;
mod ids;
mod known;
mod line;
mod phantoms;
mod restating;
mod shared_state;
mod spans;
mod subagents;
mod versions;
mod waiting;

use std::sync::Arc;

use agui_runtime::protocol::{
    FunctionCall, Interrupt, InterruptId, InterruptList, Message, RunAgentInput, SubagentStartedEvent,
    ToolCallId,
};

use super::hub::KernelHub;
use super::machine::{CallStart, RunKernel, SubagentEnd, TerminalOutcome, TextStart};
use super::span::SpanSlot;
use super::{Clock, Ids, Peer};
use crate::protocol::ToolSide;

/// Every test, with the number of its rule; 0 for the hub's own.
pub const RULES: &[(u8, &str, fn())] = &[
    (1, "a start and the right to end it are one step", spans::start_and_end),
    (1, "a write that waits has written nothing", waiting::waiting_writes_nothing),
    (2, "content waits for room", waiting::content_waits),
    (2, "ends do not wait", waiting::ends_do_not_wait),
    (3, "wakers are called and dropped outside of the lock", waiting::wakers_outside),
    (4, "a handle left over writes nothing", spans::left_over),
    (5, "nothing follows the terminal event", spans::nothing_follows),
    (5, "who has ended is not heard", spans::ended_author),
    (6, "what a span encloses closes first, newest first", spans::closes_inner_first),
    (7, "open steps have different names", spans::step_names),
    (7, "steps of subagents are told apart only by who reads tags", spans::step_names_by_author),
    (8, "the conversation is restated only when nothing of it is open", restating::restating_waits),
    (8, "parents are checked against the restated conversation", restating::restated_parents),
    (8, "what goes on does not contradict the restated conversation", restating::restated_authors),
    (8, "a call that goes on names the message it named first", restating::reopened_parents),
    (0, "an id of a subagent somebody else chose is used once", subagents::subagent_ids),
    (8, "names of steps are no ids of the conversation", restating::restated_step_names),
    (8, "an id is that of one kind of message", restating::restated_kinds),
    (8, "what is opened again is what the restated conversation says", restating::restated_openers),
    (8, "an activity is shown again after others were restated", restating::restated_activities),
    (8, "an answer that is restated is the answer", restating::restated_answers),
    (9, "messages, steps and reasoning end when dropped", spans::dropping_ends),
    (9, "a backend call that is dropped is answered with an error", calls::dropping_answers),
    (9, "a frontend call cut off fails the run", calls::cut_off_fails),
    (9, "a frontend call cut off is closed by a cancelled run", calls::cut_off_cancelled),
    (9, "a frontend call of our own is not answered here", calls::own_call_not_answered),
    (9, "a subagent that is dropped has failed", subagents::dropping_a_subagent),
    (10, "the terminal event closes everything before it", ending::terminal_closes),
    (10, "a message that breaks off is left open by RUN_ERROR alone", ending::broken_off),
    (10, "RUN_ERROR leaves nothing open for a legacy client", ending::nothing_broken_off),
    (10, "calls nobody answered are named in the order of their starts", ending::pending_in_order),
    (10, "what an interrupt asks about stays unanswered", ending::asked_stays),
    (10, "an interrupt about a frontend call fails the run", ending::asked_of_the_client),
    (10, "a run that calls a tool which the client declares, too, fails", ending::declared_twice),
    (10, "a call asked about is answered if the run ends otherwise", ending::asked_abandoned),
    (10, "the state that is to be told goes out before the terminal event", ending::state_before_interrupt),
    (10, "both terminals report usage", ending::usage_on_terminals),
    (11, "a legacy client is told the whole state before a change, once", shared_state::told_first),
    (11, "no other client is told what it holds", shared_state::only_legacy_clients),
    (0, "an id somebody else chose is used once", ids::foreign_ids),
    (0, "a call of an earlier run is resumed once", calls::resumed_once),
    (0, "only a call that was left is resumed", calls::resumed_if_left),
    (0, "the results of resumed calls are kept for the model", calls::results_of_resumed_calls),
    (0, "only a message of the run carries a call", calls::parents_of_the_run),
    (0, "a subagent keeps the parent it names", subagents::named_parent),
    (0, "what the client was never told of delegates nothing", phantoms::phantom_parents),
    (0, "what the client was never told of has no encrypted value", phantoms::phantom_entities),
    (0, "ids of an earlier run are not given again", ids::earlier_ids),
    (0, "a call passes on to the next writer", waiting::passes_on),
    (0, "a batch that was read makes room for as many writers", waiting::batch_given_back),
    (0, "a writer nobody polls keeps nobody from writing", waiting::futurelock),
    (0, "the reader is woken by an event", waiting::reader_woken),
    (0, "the end of a run wakes every writer", waiting::end_wakes),
    (0, "who restates is woken when the last span closes", waiting::restater_woken),
    (0, "the fields of a write stand on its first event", fields::on_the_first),
    (0, "events carry the tag of their author", fields::tags),
    (0, "events have the time of the clock, or their own", fields::times),
    (0, "a legacy client is sent what it can read", fields::legacy_clients),
    (0, "a client is sent the members of its version", versions::later_members),
    (0, "a run begins with the ids of its input", fields::beginning),
    (0, "a chunk that follows one of the same has no name", chunks::named_once),
    (0, "messages built from chunks are known afterwards", chunks::known_afterwards),
    (0, "a call in chunks names its message if it may", chunks::calls_in_chunks),
    (8, "chunks agree with the restated conversation", chunks::restated_openers),
    (0, "a question names the path to the agent that asks", agent_paths::paths),
    (0, "the state has one owner", agent_paths::owners),
    (0, "a span that closes early says its kind", agent_paths::kind_of_a_span_that_is_cut_short),
    (0, "texts say what they were given", contents::texts),
    (0, "activities replace what was there", contents::activities),
    (0, "deltas go out while what they change is open", contents::deltas),
    (7, "a step gets the next free name", contents::step_names),
    (0, "the end of a subagent says how it ended", contents::ends_of_subagents),
    (0, "the terminal event has the result or the error", contents::ends_of_runs),
    (8, "ids of the restated conversation are taken", contents::restated_ids),
    (0, "a call names a message of its own author", known::parents),
    (0, "every message of the input is known", known::inputs),
    (8, "a message that goes on as restated keeps its author", known::continued_after_a_restatement),
    (0, "results are messages", known::results),
    (0, "ids of the input that this run could give are not given", known::lookalikes),
    (10, "an interrupt may ask about calls that are not the client's", known::asked_about_calls_of_others),
    (0, "an act that cannot be done changes nothing", known::nothing_done),
    (0, "a subagent spends and speaks in the run", known::of_a_subagent),
    (0, "a waiting writer holds one place in the line", line::places),
    (0, "a dropped writer leaves the line", line::going_away),
    (0, "as many are called as there is room for", line::as_many_writers_as_room),
    (0, "the reader is called for events alone", line::reader_called_in_need),
    (0, "writers are called when there is room", line::writers_called_in_need),
    (0, "a waiting restatement is woken when a span was closed", line::restaters_called_in_need),
    (5, "a writer that is not heard yields once", line::unheard),
    (10, "the hub passes the state on to the end", line::state_at_the_end),
    (0, "parts that a client cannot read are logged once", line::logged),
    (0, "a called agent has the agents around it", called::agents_around),
    (0, "the user talks to agents that took the conversation over", called::talks_to_user),
    (0, "a user message that joins the run is whole, and its id is taken", contents::joined_messages),
    (0, "the id of a reserved call is not given again", ids::reserved_calls),
    (10, "a call stays unanswered if its subagent asks", called::suspended_stays),
    (0, "messages name their author to who sees none", called::authors_in_ids),
    // The longest test, so it runs last for each mutant.
    (2, "what does not wait is two events for each open span, and few more", waiting::overshoot),
];

fn input() -> RunAgentInput {
    RunAgentInput::new("t", "r", vec![]).with_protocol_version("1.0")
}

fn kernel() -> RunKernel {
    RunKernel::new(&input(), Ids::fixed("k"), Clock::silent(), Peer::CURRENT)
}

/// The kernel of a run for a legacy client.
fn old_kernel() -> RunKernel {
    RunKernel::new(&RunAgentInput::new("t", "r", vec![]), Ids::fixed("k"), Clock::silent(), Peer::Legacy)
}

/// The kernel of a run that continues a conversation; the client declares the tool `ask`.
fn kernel_after(messages: Vec<Message>) -> RunKernel {
    let tools = vec![agui_runtime::protocol::Tool::new("ask", "asks")];
    let input = RunAgentInput::new("t", "r", messages).with_protocol_version("1.0").with_tools(tools);
    RunKernel::new(&input, Ids::fixed("k"), Clock::silent(), Peer::CURRENT)
}

/// A message with an unanswered call.
fn asked(call: &str) -> Message {
    asked_of(call, "search")
}

fn asked_of(call: &str, tool: &str) -> Message {
    let calls = vec![agui_runtime::protocol::ToolCall::new(call, FunctionCall::new(tool, "{}"))];
    agui_runtime::protocol::AssistantMessage::new(format!("asking {call}")).with_tool_calls(calls).into()
}

fn hub(room: usize) -> KernelHub {
    KernelHub::new(Arc::new(input()), room, Ids::fixed("k"), Clock::silent(), Peer::CURRENT)
}

fn said(kernel: &mut RunKernel) -> Vec<&'static str> {
    kernel.queue.drain(..).map(|event| event.event_type().as_str()).collect()
}

fn text(kernel: &mut RunKernel, by: SpanSlot) -> SpanSlot {
    kernel.open_text(by, TextStart::default(), None)
}

fn call(kernel: &mut RunKernel, by: SpanSlot, side: ToolSide) -> (SpanSlot, ToolCallId) {
    let tool = if side == ToolSide::Frontend { "ask" } else { "search" };
    kernel.open_call(by, CallStart { tool: tool.into(), side, parent: None, id: None }, None)
}

fn subagent(kernel: &mut RunKernel, by: SpanSlot) -> SpanSlot {
    kernel.open_subagent(by, SubagentStartedEvent::new("", "helper"), None, None).0
}

pub fn subagent_end(how: u8) -> SubagentEnd {
    match how {
        0 => SubagentEnd::Success { result: None },
        1 => SubagentEnd::Suspended { interrupts: vec![InterruptId::from("i")] },
        _ => SubagentEnd::Failed { message: "no".to_owned(), code: None },
    }
}

pub fn terminal(how: u8) -> TerminalOutcome {
    match how {
        0 => TerminalOutcome::Success { result: None },
        1 => TerminalOutcome::AwaitFrontend,
        2 => TerminalOutcome::Interrupt {
            interrupts: InterruptList::from(Interrupt::new("i", "input_required")),
            messages: None,
        },
        3 => TerminalOutcome::Cancelled,
        _ => TerminalOutcome::Failed { message: "no".to_owned(), code: None },
    }
}

// ---- the hub's wakers

fn ids_of(kernel: &mut RunKernel, act: impl FnOnce(&mut RunKernel)) -> Vec<String> {
    act(kernel);
    kernel.queue.drain(..).filter_map(|event| event.scope_id().map(str::to_owned)).collect()
}
