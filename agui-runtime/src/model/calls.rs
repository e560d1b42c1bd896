//! The calls of one turn, while the model writes them.

use std::collections::BTreeMap;

use super::delta::CallDelta;
use super::prompt::{ModelCall, ToolAnswer};
use super::tools::{Known, Offer};
use crate::agent::tool::{BoxedCall, OpenToolCall, Settling};
use crate::agent::{CallError, Run, ToolSet};
use crate::emit::{CallRef, ParentReceipt};
use crate::protocol::{Tool as ClientTool, ToolCallId};

/// The calls of one turn, by their number in the model's answer.
pub(super) struct Calls<'w, A: ToolSet> {
    run: &'w Run<A>,
    calls: BTreeMap<u32, Growing<'w>>,
}

/// A call whose arguments are still being written.
struct Growing<'w> {
    tool: String,
    id: Option<String>,
    arguments: String,
    encrypted: Option<String>,
    state: State<'w>,
}

enum State<'w> {
    /// A call of a backend tool: the client sees the arguments grow.
    Open(BoxedCall<'w>),
    /// A call of a frontend tool. It is sent when its arguments are known to be right, because a call that was sent
    /// cannot be taken back, and the client would act on it.
    Held,
    /// The same for a tool that only the client declares.
    HeldOfClient(ClientTool),
    /// There is no such tool. The call is not sent.
    Unknown,
}

/// The calls of a turn after its end, with the results of those that could not be made.
pub(super) struct Ended<'w> {
    pub(super) calls: Vec<ModelCall>,
    pub(super) ready: Vec<Settling<'w>>,
    pub(super) refused: Vec<ToolAnswer>,
    /// Calls of tools that only the client declares.
    pub(super) of_client: Vec<ToolCallId>,
}

impl<'w, A: ToolSet> Calls<'w, A> {
    pub(super) fn new(run: &'w Run<A>) -> Self {
        Self { run, calls: BTreeMap::new() }
    }

    /// Returns true if the turn has no calls yet.
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Returns the name of the tool and the arguments of each call.
    pub(super) fn texts(&self) -> Vec<(&str, &str)> {
        self.calls.values().map(|call| (call.tool.as_str(), call.arguments.as_str())).collect()
    }

    /// Adds a piece of a call. The first piece of a call opens it.
    pub(super) async fn add(
        &mut self,
        delta: CallDelta,
        offer: &Offer,
        parent: &(dyn ParentReceipt + Sync),
    ) -> Result<(), Malformed> {
        let CallDelta { index, id, tool, arguments, encrypted } = delta;
        if let Some(call) = self.calls.get_mut(&index) {
            if let Some(tool) = tool.filter(|tool| *tool != call.tool) {
                return Err(Malformed(format!(
                    "call {index} of `{}` continues as one of `{tool}`",
                    call.tool
                )));
            }
            call.encrypted = encrypted.or_else(|| call.encrypted.take());
            call.push(arguments).await;
            return Ok(());
        }
        let Some(tool) = tool else {
            return Err(Malformed(format!("call {index} has no name")));
        };
        let state = match offer.get(&tool) {
            None => State::Unknown,
            Some(Known::Frontend) => State::Held,
            Some(Known::OfClient(tool)) => State::HeldOfClient(tool.clone()),
            Some(Known::Backend) => {
                let call = self.run.open_call(tool.as_str()).parent(parent);
                let call = match &id {
                    Some(id) => call.provider_id(id.as_str()).await,
                    None => call.await,
                };
                call.map_or(State::Unknown, |call| State::Open(call.boxed()))
            }
        };
        let mut call = Growing { tool, id, arguments: String::new(), encrypted, state };
        call.push(arguments).await;
        self.calls.insert(index, call);
        Ok(())
    }

    /// Ends all calls, in the order of their numbers, and sends those that were held back. The ids of calls that are not
    /// sent begin with `unsent`.
    pub(super) async fn end(
        self,
        offer: &Offer,
        unsent: &str,
        parent: &(dyn ParentReceipt + Sync),
    ) -> Ended<'w> {
        let run = self.run;
        let mut ended = Ended { calls: vec![], ready: vec![], refused: vec![], of_client: vec![] };
        for (index, call) in self.calls {
            let Growing { tool, id, arguments, encrypted, state } = call;
            // The provider's id may come again in a later turn, and providers refuse two calls of one id.
            let own = ToolCallId::from(format!("{unsent}-{index}"));
            let sent = match state {
                State::Open(call) => {
                    let id = call.id().clone();
                    Sent { id, ready: call.settle().map(Some).map_err(|error| error.to_string()) }
                }
                State::Held => match offer.declared.check(&tool, &arguments) {
                    Err(why) => Sent { id: own, ready: Err(why) },
                    Ok(()) => send_held(run, &tool, (id, own), &arguments, parent).await,
                },
                State::HeldOfClient(tool) => {
                    let sent = send_of_client(run, &tool, id, &arguments, parent).await;
                    ended.of_client.extend(sent.as_ref().ok().cloned());
                    match sent {
                        Ok(id) => Sent { id, ready: Ok(None) },
                        Err(error) => Sent { id: own, ready: Err(error.to_string()) },
                    }
                }
                State::Unknown => Sent { id: own, ready: Err(offer.unknown(&tool)) },
            };
            if let (Ok(_), Some(signature)) = (&sent.ready, &encrypted) {
                run.encrypted(&CallRef::new(sent.id.clone()), signature.clone()).await;
            }
            match sent.ready {
                Ok(ready) => ended.ready.extend(ready),
                Err(why) => ended.refused.push(ToolAnswer::failed(sent.id.clone(), tool.clone(), &why)),
            }
            ended.calls.push(ModelCall { id: sent.id, tool, arguments, encrypted });
        }
        ended
    }
}

/// A call as it was sent, or the reason why it could not be made.
struct Sent<'w> {
    id: ToolCallId,
    ready: Result<Option<Settling<'w>>, String>,
}

impl Growing<'_> {
    async fn push(&mut self, arguments: String) {
        if arguments.is_empty() {
            return;
        }
        self.arguments.push_str(&arguments);
        if let State::Open(call) = &mut self.state {
            call.push(arguments).await;
        }
    }
}

async fn send_held<'w, A: ToolSet>(
    run: &'w Run<A>,
    tool: &str,
    (id, own): (Option<String>, ToolCallId),
    arguments: &str,
    parent: &(dyn ParentReceipt + Sync),
) -> Sent<'w> {
    let opening = run.open_call(tool).parent(parent);
    let opened = match id {
        Some(id) => opening.provider_id(id).await,
        None => opening.await,
    };
    match opened.map(OpenToolCall::boxed) {
        Err(unknown) => Sent { id: own, ready: Err(unknown.to_string()) },
        Ok(mut call) => {
            call.push(arguments.to_owned()).await;
            Sent { id: call.id().clone(), ready: call.settle().map(Some).map_err(|error| error.to_string()) }
        }
    }
}

async fn send_of_client<A: ToolSet>(
    run: &Run<A>,
    tool: &ClientTool,
    id: Option<String>,
    arguments: &str,
    parent: &(dyn ParentReceipt + Sync),
) -> Result<ToolCallId, CallError> {
    if !arguments.trim().is_empty() {
        serde_json::from_str::<serde::de::IgnoredAny>(arguments)
            .map_err(|source| CallError::NotJson { tool: tool.name.clone(), source })?;
    }
    let opening = run.client_tool(tool).parent(parent);
    let mut call = match id {
        Some(id) => opening.provider_id(id).await,
        None => opening.await,
    };
    call.push(arguments).await;
    Ok(call.end()?.id)
}

/// An answer of a model that does not follow the rules of its deltas.
#[derive(Debug)]
pub(super) struct Malformed(pub(super) String);
