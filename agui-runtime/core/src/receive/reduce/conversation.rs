//! The messages, found by id: the first with that id, as in the official client.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::order::{ElementRank, RankedList};
use crate::protocol::{Message, MessageId, ToolCall, ToolCallId};

/// A call's position: the message's index, and the call's index in the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CallPosition {
    pub(super) at: usize,
    pub(super) call: usize,
}

/// A call's position in a message that may move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CallRank {
    of: ElementRank,
    call: usize,
}

/// The messages and their positions. An id may occur twice; the indexes know the first.
#[derive(Debug, Clone, Default)]
pub(super) struct IndexedMessages {
    messages: Vec<Message>,
    order: RankedList,
    ranks: HashMap<MessageId, ElementRank>,
    calls: HashMap<ToolCallId, CallRank>,
    /// True if some call id occurs twice: then the later calls are found by searching.
    repeats_calls: bool,
    /// The index of the last message found, which is nearly always found again next.
    recent: usize,
    recent_call: Option<CallPosition>,
    /// A message, and the last result after it, behind which further results are added.
    recent_results: Option<(ElementRank, ElementRank)>,
}

impl From<Vec<Message>> for IndexedMessages {
    fn from(messages: Vec<Message>) -> Self {
        let mut conversation = Self { messages, ..Self::default() };
        conversation.index();
        conversation
    }
}

impl IndexedMessages {
    pub(super) fn messages(&self) -> &[Message] {
        &self.messages
    }

    pub(super) fn into_messages(self) -> Vec<Message> {
        self.messages
    }

    pub(super) fn contains(&self, id: &str) -> bool {
        self.ranks.contains_key(id)
    }

    /// Returns a message without updating the cache.
    pub(super) fn get(&self, id: &str) -> Option<&Message> {
        let recent = self.messages.get(self.recent).filter(|message| *message.id() == *id);
        recent.or_else(|| self.messages.get(self.place(id)?))
    }

    pub(super) fn get_call(&self, id: &str) -> Option<&ToolCall> {
        let recent = self.recent_call.and_then(|place| self.call(place)).filter(|call| call.id == *id);
        recent.or_else(|| self.call(self.place_of_call(id)?))
    }

    /// Returns a message's index.
    pub(super) fn place(&self, id: &str) -> Option<usize> {
        self.order.place(*self.ranks.get(id)?)
    }

    /// Returns a call's position.
    pub(super) fn place_of_call(&self, id: &str) -> Option<CallPosition> {
        let CallRank { of, call } = *self.calls.get(id)?;
        Some(CallPosition { at: self.order.place(of)?, call })
    }

    pub(super) fn find(&mut self, id: &str) -> Option<(usize, &mut Message)> {
        // A cached index is that of the first message with its id until messages move.
        let known = self.messages.get(self.recent).is_some_and(|message| *message.id() == *id);
        if !known {
            self.recent = self.place(id)?;
        }
        let at = self.recent;
        self.messages.get_mut(at).map(|message| (at, message))
    }

    pub(super) fn find_call(&mut self, id: &str) -> Option<(CallPosition, &mut ToolCall)> {
        let known = self.recent_call.and_then(|place| self.call(place)).is_some_and(|call| call.id == *id);
        if !known {
            self.recent_call = Some(self.place_of_call(id)?);
        }
        let place = self.recent_call?;
        match self.messages.get_mut(place.at) {
            Some(Message::Assistant(message)) => {
                let call = message.tool_calls.as_mut()?.get_mut(place.call)?;
                Some((place, call))
            }
            _ => None,
        }
    }

    fn call(&self, place: CallPosition) -> Option<&ToolCall> {
        match self.messages.get(place.at) {
            Some(Message::Assistant(message)) => message.tool_calls().get(place.call),
            _ => None,
        }
    }

    /// Adds a message at the end.
    pub(super) fn push(&mut self, message: Message) -> usize {
        let rank = self.order.push();
        self.learn(rank, &message);
        self.messages.push(message);
        self.messages.len() - 1
    }

    /// Adds a result after the call's message and the results already there; at the end, if the call is unknown.
    ///
    /// The later messages move as one block in memory. They are not visited, and the indexes stay valid.
    pub(super) fn push_result(&mut self, call: &ToolCallId, result: Message) -> usize {
        let Some(carrier) = self.find_call(call.as_str()).map(|(place, _)| place.at) else {
            return self.push(result);
        };
        let rank = self.order.rank(carrier);
        let known = self.recent_results.filter(|(of, _)| Some(*of) == rank);
        let from = known.and_then(|(_, last)| self.order.place(last)).unwrap_or(carrier) + 1;
        let behind = self.messages.iter().skip(from);
        let at = from + behind.take_while(|message| matches!(message, Message::Tool(_))).count();
        if at >= self.messages.len() {
            self.push(result);
        } else if let Some(new) = self.order.insert(at) {
            let first = self.ranks.entry(result.id().clone()).or_insert(new);
            *first = new.min(*first);
            self.messages.insert(at, result);
            self.forget_recent();
        } else {
            // No rank is left between the two.
            self.messages.insert(at, result);
            self.index();
        }
        self.recent_results = rank.zip(self.order.rank(at));
        at
    }

    /// Returns true if a result for this call follows.
    #[cfg(feature = "client")]
    pub(super) fn has_result(&self, call: &ToolCallId) -> bool {
        let from = self.place_of_call(call.as_str()).map_or(0, |place| place.at + 1);
        let mut behind = self.messages.iter().skip(from);
        behind.any(|message| matches!(message, Message::Tool(result) if result.tool_call_id == *call))
    }

    /// Replaces a message with another that has the same id.
    pub(super) fn replace(&mut self, at: usize, message: Message) {
        let (Some(place), Some(rank)) = (self.messages.get_mut(at), self.order.rank(at)) else { return };
        let old = std::mem::replace(place, message);
        // The new message may end or extend a sequence of results.
        self.recent_results = None;
        if self.repeats_calls {
            return self.index();
        }
        for call in calls(&old) {
            self.calls.remove(&call.id);
        }
        self.recent_call = None;
        if let Some(new) = self.messages.get(at) {
            for (call, known) in calls(new).iter().enumerate() {
                self.repeats_calls |=
                    self.calls.insert(known.id.clone(), CallRank { of: rank, call }).is_some();
            }
        }
        if self.repeats_calls {
            self.index();
        }
    }

    /// Adds a call to an assistant message.
    pub(super) fn add_call(&mut self, at: usize, call: ToolCall) -> Option<CallPosition> {
        let Some(Message::Assistant(message)) = self.messages.get_mut(at) else { return None };
        let calls = message.tool_calls.get_or_insert_default();
        let place = CallPosition { at, call: calls.len() };
        let id = call.id.clone();
        calls.push(call);
        if let Some(of) = self.order.rank(at) {
            self.learn_call(id, CallRank { of, call: place.call });
        }
        Some(place)
    }

    /// Changes the list as a whole.
    pub(super) fn rearrange(&mut self, change: impl FnOnce(&mut Vec<Message>)) {
        change(&mut self.messages);
        self.index();
    }

    fn index(&mut self) {
        self.order = RankedList::default();
        self.ranks.clear();
        self.calls.clear();
        self.repeats_calls = false;
        let messages = std::mem::take(&mut self.messages);
        for message in &messages {
            let rank = self.order.push();
            self.learn(rank, message);
        }
        self.messages = messages;
        self.forget_recent();
        self.recent_results = None;
    }

    fn learn(&mut self, rank: ElementRank, message: &Message) {
        self.ranks.entry(message.id().clone()).or_insert(rank);
        for (call, known) in calls(message).iter().enumerate() {
            self.learn_call(known.id.clone(), CallRank { of: rank, call });
        }
    }

    /// Records a call; a search finds the first call with an id.
    fn learn_call(&mut self, id: ToolCallId, place: CallRank) {
        match self.calls.entry(id) {
            Entry::Vacant(first) => _ = first.insert(place),
            Entry::Occupied(_) => self.repeats_calls = true,
        }
    }

    fn forget_recent(&mut self) {
        self.recent = usize::MAX;
        self.recent_call = None;
    }
}

fn calls(message: &Message) -> &[ToolCall] {
    match message {
        Message::Assistant(message) => message.tool_calls(),
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{
        ActivityMessage, AssistantMessage, FunctionCall, JsonObject, ToolMessage, UserMessage,
    };

    fn caller(id: &str, calls: &[String]) -> Message {
        let calls = calls.iter().map(|id| ToolCall::new(id.as_str(), FunctionCall::new("f", "")));
        AssistantMessage::new(id).with_tool_calls(calls.collect::<Vec<_>>()).into()
    }

    fn result(call: &str) -> Message {
        ToolMessage::new(format!("r-{call}"), "", call).into()
    }

    /// The official client's algorithm: it searches all messages.
    fn expected(messages: &mut Vec<Message>, call: &ToolCallId, result: Message) {
        let carries = |message: &Message| match message {
            Message::Assistant(message) => message.tool_calls().iter().any(|known| known.id == *call),
            _ => false,
        };
        let at = messages.iter().position(carries).map_or(messages.len(), |carrier| {
            let behind = &messages[carrier + 1..];
            let results = behind.iter().take_while(|message| matches!(message, Message::Tool(_))).count();
            carrier + 1 + results
        });
        messages.insert(at, result);
    }

    #[test]
    fn calls_are_found_as_by_a_search_of_all_messages_after_any_replacement() {
        for repeated in [false, true] {
            let id = |at: usize, n: usize| format!("c{}-{n}", if repeated { at % 3 } else { at });
            let calling = |at: usize| caller(&format!("m{at}"), &[id(at, 0), id(at, 1)]);
            let mut conversation = IndexedMessages::from((0..8).map(calling).collect::<Vec<_>>());
            for step in 0..60_usize {
                let at = step * 5 % 8;
                let message = match step % 3 {
                    0 => ActivityMessage::new(format!("m{at}"), "plan", JsonObject::new()).into(),
                    1 => calling(at),
                    _ => caller(&format!("m{at}"), &[id(at, 1)]),
                };
                conversation.replace(at, message);
                for (at, n) in (0..8).flat_map(|at| [(at, 0), (at, 1)]) {
                    let id = id(at, n);
                    let found = conversation.messages().iter().enumerate().find_map(|(at, message)| {
                        let call = calls(message).iter().position(|call| call.id == *id)?;
                        Some(CallPosition { at, call })
                    });
                    assert_eq!(conversation.place_of_call(&id), found, "step {step}, {id}");
                    assert_eq!(
                        conversation.find_call(&id).map(|(place, _)| place),
                        found,
                        "step {step}, {id}"
                    );
                }
            }
        }
    }

    #[test]
    fn late_results_are_placed_as_by_a_search_of_all_messages() {
        let mut conversation = IndexedMessages::default();
        let mut plain = Vec::new();
        let push = |conversation: &mut IndexedMessages, plain: &mut Vec<Message>, message: Message| {
            conversation.push(message.clone());
            plain.push(message);
        };
        let called = |at: usize| (0..4).map(|n| format!("c{at}-{n}")).collect::<Vec<_>>();
        for at in 0..12 {
            push(&mut conversation, &mut plain, caller(&format!("a{at}"), &called(at)));
            push(&mut conversation, &mut plain, UserMessage::new(format!("u{at}"), "").into());
        }
        // Upwards and downwards, one message and many, known calls and unknown ones.
        for step in 0..60_usize {
            let id = format!("c{}-{}", step * 7 % 13, step / 13);
            let at = conversation.push_result(&id.as_str().into(), result(&id));
            expected(&mut plain, &id.as_str().into(), result(&id));
            assert_eq!(plain[at], result(&id), "step {step}");
            assert_eq!(conversation.messages(), plain, "step {step}");
            if step % 10 == 9 {
                push(&mut conversation, &mut plain, caller(&format!("b{step}"), &[]));
            }
            for (at, message) in plain.iter().enumerate() {
                assert_eq!(conversation.place(message.id().as_str()), Some(at), "step {step}");
            }
            for at in 0..12 {
                let place = conversation.place_of_call(&format!("c{at}-2")).unwrap();
                assert_eq!((plain[place.at].id().as_str(), place.call), (&*format!("a{at}"), 2));
            }
        }
    }
}
