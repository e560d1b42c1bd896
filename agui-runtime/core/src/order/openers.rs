//! How messages and calls were opened: opening one again adds content and must not change anything else.

use std::sync::Arc;

use super::OrderRule;
use super::error::{OrderRefusal, OrderVerdict};
use super::table::IdMap;
use crate::protocol::{EventOperands, Message, TextMessageRole};

/// First openings of a stream's messages and calls. A member that an event leaves out agrees with every value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct FirstOpenings {
    texts: IdMap<TextOpening>,
    calls: IdMap<CallOpening>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct TextOpening {
    role: TextMessageRole,
    name: Option<Arc<str>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct CallOpening {
    tool: Arc<str>,
    carrier: Arc<str>,
}

impl FirstOpenings {
    pub(super) fn check_text(&self, id: &str, operands: &EventOperands<'_>) -> OrderVerdict {
        let Some(known) = self.texts.get(id) else { return Ok(()) };
        let role = operands.role.is_none_or(|role| role == known.role);
        let name = operands.name.is_none_or(|name| known.name.as_deref() == Some(name));
        if role && name { Ok(()) } else { Err(OrderRefusal::new(OrderRule::ReopenedDifferently)) }
    }

    pub(super) fn check_call(&self, id: &str, operands: &EventOperands<'_>) -> OrderVerdict {
        let Some(known) = self.calls.get(id) else { return Ok(()) };
        let tool = operands.tool.is_none_or(|tool| *tool == *known.tool);
        let carrier = operands.parent.is_none_or(|parent| carrier(id, Some(parent)) == &*known.carrier);
        if tool && carrier { Ok(()) } else { Err(OrderRefusal::new(OrderRule::ReopenedDifferently)) }
    }

    pub(super) fn text(&mut self, id: Arc<str>, operands: &EventOperands<'_>) {
        self.texts.entry(id).or_insert_with(|| TextOpening {
            role: operands.role.unwrap_or(TextMessageRole::Assistant),
            name: operands.name.map(Arc::from),
        });
    }

    pub(super) fn call(&mut self, id: Arc<str>, operands: &EventOperands<'_>) {
        let carrier = Arc::from(carrier(&id, operands.parent));
        let tool = Arc::from(operands.tool.unwrap_or_default());
        self.calls.entry(id).or_insert(CallOpening { tool, carrier });
    }

    /// Records a message in the restated conversation, which replaces the earlier opening.
    pub(super) fn restate(&mut self, message: &Message) {
        let (role, name) = match message {
            Message::Developer(message) => (TextMessageRole::Developer, &message.name),
            Message::System(message) => (TextMessageRole::System, &message.name),
            Message::User(message) => (TextMessageRole::User, &message.name),
            Message::Assistant(message) => {
                for call in message.tool_calls() {
                    let tool = Arc::from(call.function.name.as_str());
                    let carrier = message.id.clone_shared();
                    self.calls.insert(call.id.clone_shared(), CallOpening { tool, carrier });
                }
                (TextMessageRole::Assistant, &message.name)
            }
            Message::Tool(_) | Message::Activity(_) | Message::Reasoning(_) => return,
        };
        self.texts
            .insert(message.id().clone_shared(), TextOpening { role, name: name.as_deref().map(Arc::from) });
    }
}

/// Returns the message that carries a call; without a named message, the call id is also the message id.
pub(super) fn carrier<'a>(call: &'a str, parent: Option<&'a str>) -> &'a str {
    parent.filter(|parent| !parent.is_empty()).unwrap_or(call)
}
