//! Sends calls: to backend tools, frontend tools, and tools that only the client declares.

use super::dynamic;
use super::growing_call::{SentCall, check_object};
use super::tools::{OfferedTool, ToolOffer};
use crate::agent::tool::{BoxedCall, OpenToolCall};
use crate::agent::{Run, ToolSet};
use crate::emit::ParentReceipt;
use crate::protocol::{Tool as ClientTool, ToolCallId};

/// Opens a call to an agent tool or a dynamic tool.
pub(super) async fn open<'w, A: ToolSet>(
    run: &'w Run<A>,
    offer: &ToolOffer<'w>,
    tool: &str,
    id: Option<&str>,
    parent: &(dyn ParentReceipt + Sync),
) -> Result<BoxedCall<'w>, String> {
    if let Some(OfferedTool::Dynamic(tool)) = offer.get(tool) {
        return Ok(dynamic::open(run, tool.clone(), id, parent).await);
    }
    let opening = run.open_call(tool).parent(parent);
    let opened = match id {
        Some(id) => opening.provider_id(id).await,
        None => opening.await,
    };
    opened.map(OpenToolCall::boxed).map_err(|unknown| unknown.to_string())
}

pub(super) async fn send_held<'w, A: ToolSet>(
    run: &'w Run<A>,
    offer: &ToolOffer<'w>,
    tool: &str,
    (id, own): (Option<String>, ToolCallId),
    arguments: &str,
    parent: &(dyn ParentReceipt + Sync),
) -> SentCall<'w> {
    match open(run, offer, tool, id.as_deref(), parent).await {
        Err(unknown) => SentCall { id: own, ready: Err(unknown) },
        Ok(mut call) => {
            call.push(arguments.to_owned()).await;
            SentCall { id: call.id().clone(), ready: call.settle().map(|decided| Some(decided.settle())) }
        }
    }
}

pub(super) async fn send_of_client<A: ToolSet>(
    run: &Run<A>,
    tool: &ClientTool,
    id: Option<String>,
    arguments: &str,
    parent: &(dyn ParentReceipt + Sync),
) -> Result<ToolCallId, String> {
    check_object(arguments).map_err(|why| format!("the arguments of tool `{}` are {why}", tool.name))?;
    let opening = run.client_tool(tool).parent(parent);
    let mut call = match id {
        Some(id) => opening.provider_id(id).await,
        None => opening.await,
    };
    call.push(arguments).await;
    call.end().map(|call| call.id).map_err(|error| error.to_string())
}
