//! Approval: the interrupt before a tool's pending call, and the verdict.

use std::collections::HashSet;

use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::approval_schema::with_definitions_inside;
use super::call_steps::CallSteps;
use super::call_verdict::{CallVerdict, ResumingCall};
use super::index::ConversationIndex;
use super::interrupt::PAYLOAD;
#[cfg(feature = "model")]
use super::tool_interrupt::tool_inputs;
use crate::agent::inputs::untyped_input::UntypedInput;
use crate::agent::tool::{DispatchOutcome, SettlingCall, Tool, settle_all};
use crate::agent::{Agent, Call, ReadyPhase, Run, Stop, ToolSet};
use crate::consent::step_below;
use crate::emit::Emit;
use crate::kernel::{ROOT, TypedInterruptId, typed_interrupt_id};
use crate::manifest::{APPROVAL_REASON, ToolSource, TypeSource};
use crate::protocol::{Interrupt, JsonObject, Message, Metadata, ResumeEntry, ResumeStatus, ToolCallId};
use crate::quoted::quoted;

/// Reason in an approval's interrupt id. No declared interrupt has this reason, so a resume entry for another interrupt never lets
/// a call run.
pub(super) const ID_REASON: &str = "agui_approval";

/// The user's verdict for a tool with approval, `#[tool(approval)]` (AG-UI 1.0, section "Interrupt and `ResumeEntry`"): the
/// interrupt's `responseSchema` is this type's schema.
///
/// Only `approved` lets the call run. `editedArgs` replaces the arguments entirely, and is parsed like them.
///
/// ```
/// use agui_runtime::interrupts::Approval;
///
/// let yes: Approval<Vec<u32>> = serde_json::from_str(r#"{"approved":true,"editedArgs":[1]}"#).unwrap();
/// assert_eq!(yes, Approval { approved: true, edited_args: Some(vec![1]), reason: None });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(description = "")]
pub struct Approval<T> {
    /// True if the call may run.
    pub approved: bool,
    /// Other arguments, which replace those of the call entirely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edited_args: Option<T>,
    /// The reason of a refusal, which the model reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl<A: Agent, T: Tool> Call<'_, A, T, ReadyPhase> {
    /// Leaves the call to the user.
    pub(crate) fn await_approval(self) -> Stop {
        let arguments = match crate::json::to_value(self.arguments()) {
            Ok(arguments) => arguments,
            Err(error) => return error.into(),
        };
        let mut schema = TypeSource::of::<Approval<T>>().root_schema();
        let schema = schema.ensure_object().clone();
        let question = approval_interrupt(self.in_run(), T::NAME, self.id(), &arguments, schema);
        self.interrupt(question)
    }
}

/// Returns the interrupt that requests approval for a call. `schema` describes the verdict.
pub(crate) fn approval_interrupt(
    emit: &Emit,
    tool: &str,
    call: &ToolCallId,
    arguments: &Value,
    schema: JsonObject,
) -> Interrupt {
    let (agent, nonce) = emit.act(|kernel, author| (kernel.agent_path(author), kernel.new_interrupt()));
    let id = typed_interrupt_id(ID_REASON, &agent, &nonce, call.as_str());
    let mut question = Interrupt::new(id, APPROVAL_REASON);
    question.message = Some(format!("Run `{tool}`?"));
    question.response_schema = Some(with_definitions_inside(schema));
    question.tool_call_id = Some(call.clone());
    let payload = json!({ "tool": tool, "arguments": arguments });
    question.metadata = Some(Metadata::from_iter([(PAYLOAD, payload)]));
    question
}

impl<A: ToolSet> Run<A> {
    /// Resumes the calls that an earlier run sent for approval, if this run brings the verdicts: an approved call runs, with the
    /// edited arguments if there are any; every other gets the result `{"error":"the user refused"}`. On the wire each is one
    /// TOOL_CALL_RESULT.
    ///
    /// A call whose subagent interrupted continues with the subagent, which reads the resume entry.
    ///
    /// `Run::chat` (feature `model`) does this in its first turn. A call without a verdict stays pending, and never runs.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    ///
    /// /// Refunds an order.
    /// #[tool(approval)]
    /// async fn refund(cents: u32) -> bool {
    ///     true
    /// }
    ///
    /// /// Refunds.
    /// #[agent(tools = [refund])]
    /// async fn desk(run: &mut Run<Desk>, input: Input<Desk>) -> Result<(), Stop> {
    ///     let done = run.resume_approvals().await;
    ///     for call in done.settled {
    ///         run.say(format!("{} said {}", call.tool, call.content)).await;
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn resume_approvals(&self) -> BoxFuture<'_, DispatchOutcome> {
        self.resume_approvals_with(|_| None)
    }

    /// Does the same; `other` resumes calls to tools that the agent does not have.
    pub(crate) fn resume_approvals_with<'w>(
        &'w self,
        other: impl Fn(ResumingCall<'w, A>) -> Option<SettlingCall<'w>>,
    ) -> BoxFuture<'w, DispatchOutcome> {
        let calls = resumed_calls(self).into_iter().chain(continued_calls(self)).chain(lost_calls(self));
        let calls: Vec<_> = calls
            .filter_map(|resuming| match A::NAMES.contains(&resuming.tool()) {
                true => resumed(resuming),
                false => other(resuming),
            })
            .collect();
        settle_all(calls)
    }
}

/// Returns the calls that this run's resume entries name.
fn resumed_calls<A: Agent>(run: &Run<A>) -> Vec<ResumingCall<'_, A>> {
    let sent = run.input_of_agent();
    if sent.resume().is_empty() {
        return Vec::new();
    }
    let path = run.act(|kernel, author| kernel.agent_path(author));
    let input = UntypedInput::new(sent.clone(), run.shared().clone(), path);
    let mut resuming = Vec::new();
    for (entry, question) in input.typed_entries() {
        if question.reason != ID_REASON || !input.is_own(question) {
            continue;
        }
        let call = input.index().call(&sent.messages, question.call);
        let call = call.filter(|call| input.consent().is_about(call) && !input.index().has_result(&call.id));
        if let Some(call) = call {
            resuming.push(ResumingCall { run, call, verdict: CallVerdict::from_entry(entry) });
        }
    }
    #[cfg(feature = "model")]
    for (question, resumed) in tool_inputs(&input) {
        let call = input.index().call(&sent.messages, question.call);
        let call = call.filter(|call| input.consent().is_about(call) && !input.index().has_result(&call.id));
        if let Some(call) = call {
            resuming.push(ResumingCall { run, call, verdict: CallVerdict::Input(Box::new(resumed)) });
        }
    }
    resuming
}

/// Returns subagents' calls whose interrupts this run resumes.
fn continued_calls<A: Agent>(run: &Run<A>) -> Vec<ResumingCall<'_, A>> {
    let resume = run.shared().input().resume();
    if resume.is_empty() {
        return Vec::new();
    }
    let path = run.act(|kernel, author| kernel.agent_path(author));
    let messages = &run.input_of_agent().messages;
    let index = ConversationIndex::from_messages(messages);
    let mut steps = CallSteps::new(messages, &index);
    let mut seen = HashSet::new();
    let mut resuming = Vec::new();
    for question in resume.iter().filter_map(|entry| TypedInterruptId::from_id(&entry.interrupt_id)) {
        let Some((step, id)) = step_below(&path, question.agent) else { continue };
        let call = steps.call(id, step).filter(|call| !index.has_result(&call.id));
        if let Some(call) = call.filter(|call| seen.insert(call.id.clone())) {
            resuming.push(ResumingCall { run, call, verdict: CallVerdict::ToSubagent });
        }
    }
    resuming
}

/// Returns the calls that this run's lost server left without results.
fn lost_calls<A: Agent>(run: &Run<A>) -> Vec<ResumingCall<'_, A>> {
    let consent = run.shared().consent();
    if !consent.is_restarted() || run.author() != ROOT {
        return Vec::new();
    }
    let messages = &run.input_of_agent().messages;
    let index = ConversationIndex::from_messages(messages);
    let calls = messages.iter().flat_map(Message::tool_calls);
    let calls = calls.filter(|call| consent.is_lost(call) && !index.has_result(&call.id));
    calls.map(|call| ResumingCall { run, call, verdict: CallVerdict::Lost }).collect()
}

fn resumed<A: ToolSet>(resuming: ResumingCall<'_, A>) -> Option<SettlingCall<'_>> {
    let place = A::NAMES.iter().position(|name| *name == resuming.tool())?;
    let resume = A::ENTRIES.get(place)?.resume?;
    resume(resuming)
}

/// Checks an approval's verdict before the agent is called. If several subagents have tools with one name, at least one tool must
/// accept the edited arguments.
pub(super) fn check_approval(
    input: &UntypedInput,
    entry: &ResumeEntry,
    call: &str,
    tools: &[ToolSource],
) -> Result<(), (String, String)> {
    let Some(payload) = entry.payload.as_ref().filter(|_| entry.status == ResumeStatus::Resolved) else {
        return Ok(());
    };
    let read = payload.lazy().read::<Approval<Value>>();
    let approval = read.map_err(|error| {
        (quoted(error.path()).to_string(), quoted(crate::json::message(error.inner())).to_string())
    })?;
    let Some(edited) = approval.edited_args.filter(|_| approval.approved) else { return Ok(()) };
    let Some(call) = input.index().call(input.messages(), call) else { return Ok(()) };
    let edited = edited.to_string();
    let named = tools.iter().filter(|tool| tool.name == call.function.name);
    let checked = first_that_fits(named.map(|tool| tool.arguments.check_arguments(&edited)));
    checked.map_err(|why| ("editedArgs".to_owned(), why))
}

/// Returns the first error if every check fails.
pub(super) fn first_that_fits<E>(checked: impl Iterator<Item = Result<(), E>>) -> Result<(), E> {
    let mut first = None;
    for checked in checked {
        match checked {
            Ok(()) => return Ok(()),
            Err(error) => first = first.or(Some(error)),
        }
    }
    first.map_or(Ok(()), Err)
}
