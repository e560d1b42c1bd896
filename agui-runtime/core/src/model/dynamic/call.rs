//! Dynamic tool calls.

use std::future::ready;

use serde_json::Value;

use super::{DynTool, DynToolReturn, DynToolRun};
use crate::agent::tool::{
    AnyOpenCall, ApprovalCall, BoxedCall, SettleOutcome, SettlementStage, SettlingCall, ToolFailure,
    failure_content, open_span, settle_running,
};
use crate::agent::{CallTexts, PushArguments, Stop, ToolResume, approval_interrupt, raise_tool_interrupt};
use crate::emit::{Emit, ParentReceipt, RunWrite, SpanGuard, WriteFuture};
use crate::kernel::{CallStart, ParentMessage, WriteFields};
use crate::protocol::{Content, ToolCallId, ToolSide};

/// Opens a call: TOOL_CALL_START.
pub(in crate::model) async fn open<'w>(
    emit: &'w Emit,
    tool: DynTool<'w>,
    id: Option<&str>,
    parent: &(dyn ParentReceipt + Sync),
) -> BoxedCall<'w> {
    let start = StartDynCall { tool, parent: parent.receipt().carrier(), id: id.map(ToolCallId::from) };
    Box::new(WriteFuture::new(emit, start).await)
}

struct StartDynCall<'w> {
    tool: DynTool<'w>,
    parent: Option<ParentMessage>,
    id: Option<ToolCallId>,
}

impl<'w> RunWrite<'w> for StartDynCall<'w> {
    type Output = DynCall<'w>;

    fn act(self, emit: &'w Emit, fields: WriteFields) -> DynCall<'w> {
        let Self { tool, parent, id } = self;
        let start = CallStart { tool: tool.name().to_owned().into(), side: ToolSide::Backend, parent, id };
        let (span, id) = open_span(emit, start, fields);
        DynCall { span, id, tool, text: String::new() }
    }
}

/// A call whose arguments are streaming.
struct DynCall<'w> {
    span: SpanGuard<'w>,
    id: ToolCallId,
    tool: DynTool<'w>,
    text: String,
}

impl<'w> AnyOpenCall<'w> for DynCall<'w> {
    fn push(&mut self, delta: String) -> WriteFuture<'_, PushArguments<'_>> {
        let pushing = PushArguments::plain(self.span.slot(), delta, &mut self.text);
        WriteFuture::new(self.span.emit(), pushing)
    }

    fn settle(self: Box<Self>) -> Result<SettlementStage<'w>, String> {
        match self.tool.parse_arguments(&self.text) {
            Ok(arguments) => {
                let Self { span, id, tool, text } = *self;
                span.emit().hub().act(|kernel| kernel.end_arguments(span.slot(), None));
                if tool.needs_approval(&arguments) {
                    let asked: SettlingCall<'w> =
                        Box::pin(ready(interrupt_for_approval(&span, id, &tool, &arguments, &text)));
                    return Ok(SettlementStage::Later(Box::new(ApprovalCall(asked))));
                }
                let texts = CallTexts { sent: text, edited: None };
                Ok(SettlementStage::Now(run(span, id, tool, (arguments, None), texts)))
            }
            Err(why) => {
                self.refuse(&why);
                Err(why)
            }
        }
    }

    fn refuse(self: Box<Self>, why: &str) {
        let content = Content::Text(failure_content(why));
        self.span.emit().hub().act(|kernel| {
            kernel.end_arguments(self.span.slot(), None);
            kernel.settle_call(self.span.slot(), content, None);
        });
    }

    fn id(&self) -> &ToolCallId {
        &self.id
    }
}

/// Interrupts the run for a call's approval.
pub(super) fn interrupt_for_approval(
    span: &SpanGuard<'_>,
    id: ToolCallId,
    tool: &DynTool<'_>,
    arguments: &Value,
    text: &str,
) -> SettleOutcome {
    let emit = span.emit();
    let question = approval_interrupt(emit, tool.name(), &id, arguments, tool.resume_schema());
    emit.shared().consent().leave(&id, tool.name(), text);
    emit.hub().act(|kernel| kernel.leave_to_interrupt(span.slot()));
    SettleOutcome::Stopped { id, tool: tool.name().to_owned().into(), stop: Stop::interrupt(question) }
}

/// Runs a call. A call whose tool raises an interrupt has no result in this run.
pub(super) fn run<'w>(
    span: SpanGuard<'w>,
    id: ToolCallId,
    tool: DynTool<'w>,
    (arguments, resume): (Value, Option<ToolResume>),
    texts: CallTexts,
) -> SettlingCall<'w> {
    let (emit, name) = (span.emit(), tool.name().to_owned().into());
    let text = texts.edited.as_ref().unwrap_or(&texts.sent).clone();
    let call = id.clone();
    let running = async move {
        let run = DynToolRun { resume, call: call.clone(), emit: emit.share() };
        match tool.run(arguments, run, emit.shared().timer()).await {
            DynToolReturn::Ended { content, stop } => (content, stop),
            DynToolReturn::Interrupted(raised) => {
                match raise_tool_interrupt(emit, (&call, tool.name()), texts, *raised) {
                    Ok(interrupt) => {
                        let stop = Stop::interrupt(interrupt.clone());
                        (Err(ToolFailure::Suspended(interrupt.into())), Some(stop))
                    }
                    Err(text) => (Err(ToolFailure::Public { text, causes: None }), None),
                }
            }
        }
    };
    settle_running(span, (id, name), text, Box::pin(running))
}
