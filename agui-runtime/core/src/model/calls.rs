//! The calls in one turn, while the model writes them.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::chat::ChatHooks;
use super::delta::CallDelta;
use super::growing_call::{GrowingCall, GrowingCallState, SentCall};
use super::private;
use super::prompt::{ModelCall, ToolResult};
use super::send_call::{open, send_held, send_of_client};
use super::tool_search::{FIND_TOOLS, FoundTools};
use super::tools::{OfferedTool, ToolOffer};
use crate::agent::tool::{SettlingCall, private_tool_of};
use crate::agent::{Run, ToolSet, handoff_to};
use crate::emit::{CallRef, ParentReceipt};
use crate::protocol::ToolCallId;

/// The calls in one turn, by index in the reply. Some providers reuse an index, so the key's second part numbers the calls with
/// one index.
pub(super) struct TurnCalls<'w, A: ToolSet> {
    run: &'w Run<A>,
    calls: BTreeMap<(u32, u32), GrowingCall<'w>>,
}

/// A turn's calls after the reply, and the error results for calls that could not be made.
pub(super) struct EndedCalls<'w> {
    pub(super) calls: Vec<ModelCall>,
    pub(super) ready: Vec<SettlingCall<'w>>,
    /// Results of calls that were not sent: errors, and found tools.
    pub(super) refused: Vec<ToolResult>,
    /// True if a call could not be made, unless a hook refused the call.
    pub(super) is_bad: bool,
    /// Calls to tools that only the client declares.
    pub(super) of_client: Vec<ToolCallId>,
    /// The chat's output, as the model wrote it.
    pub(super) output: Option<String>,
    /// The tools that searches found.
    pub(super) found: Vec<String>,
    /// Private calls, also those that were refused.
    pub(super) private: Vec<ToolCallId>,
    /// True if a call was sent, also if the client then reads an error.
    pub(super) has_sent: bool,
}

impl<'w, A: ToolSet> TurnCalls<'w, A> {
    pub(super) fn new(run: &'w Run<A>) -> Self {
        Self { run, calls: BTreeMap::new() }
    }

    /// True if the turn has no calls yet.
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Returns the output's arguments so far, if the model calls the output's tool.
    pub(super) fn output(&self) -> Option<&str> {
        let is_output = |call: &&GrowingCall<'_>| matches!(call.state, GrowingCallState::Output);
        self.calls.values().find(is_output).map(|call| call.arguments.as_str())
    }

    fn is_alone(&self) -> bool {
        self.calls.len() == 1
    }

    /// Returns each call's tool name and arguments.
    pub(super) fn texts(&self) -> Vec<(&str, &str)> {
        self.calls.values().map(|call| (call.tool.as_str(), call.arguments.as_str())).collect()
    }

    /// Returns each call's tool name and arguments, for records that others than the model read: without searches, which name
    /// private tools.
    pub(super) fn public_texts(&self) -> Vec<(&str, &str)> {
        let is_public =
            |(tool, _): &(&str, &str)| *tool != FIND_TOOLS && private_tool_of::<A>(tool).is_none();
        self.texts().into_iter().filter(is_public).collect()
    }

    /// Adds a call piece. The first piece names the tool.
    pub(super) async fn add(
        &mut self,
        delta: CallDelta,
        offer: &ToolOffer<'w>,
        parent: &(dyn ParentReceipt + Sync),
    ) -> Result<(), MalformedReply> {
        let CallDelta { index, id, tool, arguments, encrypted } = delta;
        let key = self.key(index, id.as_deref(), tool.is_some());
        let call = match (self.calls.entry(key), tool) {
            (Entry::Occupied(known), tool) => {
                let call = known.into_mut();
                if let Some(tool) = tool.filter(|tool| *tool != call.tool) {
                    let known = &call.tool;
                    return Err(MalformedReply(format!(
                        "call {index} of `{known}` continues as one of `{tool}`"
                    )));
                }
                call
            }
            (Entry::Vacant(_), None) => return Err(MalformedReply(format!("call {index} has no name"))),
            (Entry::Vacant(new), Some(tool)) => {
                // Also if the turn does not offer the tool: nothing of a refused call leaves either.
                let is_private = private_tool_of::<A>(&tool).is_some();
                let state = match offer.get(&tool) {
                    _ if is_private => GrowingCallState::Private(None),
                    None | Some(OfferedTool::Private) => GrowingCallState::Unknown,
                    Some(OfferedTool::Frontend) => GrowingCallState::Held,
                    Some(OfferedTool::OfClient(tool)) => GrowingCallState::HeldOfClient(tool.clone()),
                    Some(OfferedTool::Backend | OfferedTool::Dynamic(_)) => GrowingCallState::Named,
                    Some(OfferedTool::Output) => GrowingCallState::Output,
                    Some(OfferedTool::Search) => GrowingCallState::Search,
                };
                new.insert(GrowingCall { tool, id: None, arguments: String::new(), encrypted: None, state })
            }
        };
        call.id = call.id.take().or(id);
        call.encrypted = encrypted.or_else(|| call.encrypted.take());
        if matches!(call.state, GrowingCallState::Named) && (call.id.is_some() || !arguments.is_empty()) {
            let opened = open(self.run, offer, &call.tool, call.id.as_deref(), parent).await;
            call.state = opened.map_or(GrowingCallState::Unknown, GrowingCallState::Open);
        }
        call.push(arguments).await;
        Ok(())
    }

    /// Returns the key for a piece's call: the call with the same id, or else the last call with the same index, unless both have
    /// ids. A piece with id and name begins a call.
    fn key(&self, index: u32, id: Option<&str>, is_named: bool) -> (u32, u32) {
        let mut same_index = self.calls.range((index, 0)..=(index, u32::MAX));
        let Some((&(_, last), newest)) = same_index.next_back() else {
            // Some providers repeat the id alone, with another number.
            let of_id =
                |(key, call): (&(u32, u32), &GrowingCall<'_>)| (call.id.as_deref() == id).then_some(*key);
            let known = if id.is_some() && !is_named { self.calls.iter().find_map(of_id) } else { None };
            return known.unwrap_or((index, 0));
        };
        match (id, newest.id.as_deref()) {
            (Some(id), Some(known)) if id != known => {
                let earlier = same_index.rev().find(|(_, call)| call.id.as_deref() == Some(id));
                earlier.map_or((index, last + 1), |(&key, _)| key)
            }
            _ => (index, last),
        }
    }

    /// True if a call cannot be made: unknown tool or invalid arguments.
    pub(super) fn has_bad_call(&self, offer: &ToolOffer<'w>) -> bool {
        self.calls.values().any(|call| match &call.state {
            GrowingCallState::Output => check_output(self.is_alone(), &call.arguments, offer).is_err(),
            GrowingCallState::Search => offer.search(&call.arguments).is_err(),
            _ => !call.can_be_made(offer),
        })
    }

    /// Returns the calls as the model wrote them. An unsent call without a provider id gets an id with the prefix `unsent`.
    pub(super) fn written(&self, unsent: &str) -> Vec<ModelCall> {
        self.calls.iter().map(|(number, call)| call.written(&own_id(unsent, *number))).collect()
    }

    /// Ends all calls in key order, and sends the withheld calls. Unsent calls get ids with the prefix `unsent`.
    pub(super) async fn end(
        self,
        offer: &ToolOffer<'w>,
        unsent: &str,
        parent: &(dyn ParentReceipt + Sync),
        hooks: &mut ChatHooks<'_>,
    ) -> EndedCalls<'w> {
        let run = self.run;
        let mut ended = EndedCalls {
            calls: vec![],
            ready: vec![],
            refused: vec![],
            is_bad: false,
            of_client: vec![],
            output: None,
            found: vec![],
            private: vec![],
            has_sent: false,
        };
        let is_alone = self.is_alone();
        let mut asks = false;
        let mut handed_over = false;
        let mut calls = Vec::with_capacity(self.calls.len());
        for (number, mut call) in self.calls {
            if matches!(call.state, GrowingCallState::Named) {
                let opened = open(run, offer, &call.tool, call.id.as_deref(), parent).await;
                call.state = opened.map_or(GrowingCallState::Unknown, GrowingCallState::Open);
            }
            let own = own_id(unsent, number);
            let refusal = match hooks.decide() {
                Some(mut decide) if call.can_be_made(offer) => decide(&call.written(&own)),
                _ => None,
            };
            let is_handoff = handoff_to::<A>(&call.tool).is_some() && call.can_be_made(offer);
            let second = is_handoff && std::mem::replace(&mut handed_over, true);
            let refusal = refusal.or_else(|| second.then(|| SECOND_HANDOFF.to_owned()));
            match refusal {
                Some(why) => call.refuse(why),
                None => call.end(&mut asks).await,
            }
            calls.push((own, call));
        }
        for (own, call) in calls {
            let GrowingCall { tool, id, arguments, encrypted, state } = call;
            let unsent = own.clone();
            let sent = match state {
                // A run that asks cannot wait for the user interface too, and after a handoff the other agent decides.
                GrowingCallState::Held | GrowingCallState::HeldOfClient(_) if asks || handed_over => continue,
                GrowingCallState::Settled(sent) => sent,
                GrowingCallState::Held => match offer.check(&tool, &arguments) {
                    Err(why) => SentCall { id: own, ready: Err(why) },
                    Ok(()) => send_held(run, offer, &tool, (id, own), &arguments, parent).await,
                },
                GrowingCallState::HeldOfClient(tool) => {
                    let sent = send_of_client(run, &tool, id, &arguments, parent).await;
                    ended.of_client.extend(sent.as_ref().ok().cloned());
                    match sent {
                        Ok(id) => SentCall { id, ready: Ok(None) },
                        Err(why) => SentCall { id: own, ready: Err(why) },
                    }
                }
                GrowingCallState::Output => match check_output(is_alone, &arguments, offer) {
                    Err(why) => SentCall { id: own, ready: Err(why) },
                    Ok(()) => {
                        ended.output = Some(arguments);
                        continue;
                    }
                },
                GrowingCallState::Search => match offer.search(&arguments) {
                    Err(why) => SentCall { id: own, ready: Err(why) },
                    Ok(FoundTools { names, content }) => {
                        ended.found.extend(names.iter().cloned());
                        let result = ToolResult::new(own.clone(), tool.clone(), content);
                        ended.refused.push(ToolResult { found_tools: names, ..result });
                        ended.calls.push(ModelCall { id: own, tool, arguments, encrypted });
                        continue;
                    }
                },
                GrowingCallState::Private(refusal) => {
                    let id = private::call_id(run);
                    let checked = offer
                        .check_private(&tool, &arguments)
                        .and_then(|()| private_tool_of::<A>(&tool).ok_or_else(|| offer.unknown(&tool)));
                    ended.is_bad |= refusal.is_none() && checked.is_err();
                    match refusal.map_or(checked, Err) {
                        Ok(private) => ended.ready.push((private.call)(run, id.clone(), &arguments)),
                        Err(why) => {
                            ended.refused.push(ToolResult::failed(id.clone(), tool.clone(), &why));
                        }
                    }
                    ended.private.push(id.clone());
                    // No signature is sent for a call that no client knows.
                    ended.calls.push(ModelCall { id, tool, arguments, encrypted });
                    continue;
                }
                GrowingCallState::Refused(why) => {
                    ended.refused.push(ToolResult::failed(own.clone(), tool.clone(), &why));
                    ended.calls.push(ModelCall { id: own, tool, arguments, encrypted });
                    continue;
                }
                GrowingCallState::Open(_) | GrowingCallState::Named | GrowingCallState::Unknown => {
                    SentCall { id: own, ready: Err(offer.unknown(&tool)) }
                }
            };
            if let (Ok(_), Some(signature)) = (&sent.ready, &encrypted) {
                run.encrypted(&CallRef::new(sent.id.clone()), signature.written_for(run.peer_version()))
                    .await;
            }
            ended.has_sent |= sent.id != unsent;
            match sent.ready {
                Ok(ready) => ended.ready.extend(ready),
                Err(why) => {
                    ended.is_bad = true;
                    ended.refused.push(ToolResult::failed(sent.id.clone(), tool.clone(), &why));
                }
            }
            ended.calls.push(ModelCall { id: sent.id, tool, arguments, encrypted });
        }
        ended
    }
}

/// The result for each handoff in a turn after the first.
const SECOND_HANDOFF: &str = "another agent takes the conversation over already";

/// The id for an unsent call. The provider's id may return in a later turn, and providers refuse duplicate call ids.
fn own_id(unsent: &str, (index, nth): (u32, u32)) -> ToolCallId {
    ToolCallId::from(match nth {
        0 => format!("{unsent}-{index}"),
        _ => format!("{unsent}-{index}-{nth}"),
    })
}

/// Checks a call that gives the chat's output. Beside other calls, the output would be written before their results.
fn check_output(is_alone: bool, arguments: &str, offer: &ToolOffer<'_>) -> Result<(), String> {
    match is_alone {
        true => offer.check_output(arguments),
        false => Err("the result must be given alone: call this again when you have read the results of the other calls".to_owned()),
    }
}

/// A reply that violates the delta rules.
#[derive(Debug)]
pub(super) struct MalformedReply(pub(super) String);
