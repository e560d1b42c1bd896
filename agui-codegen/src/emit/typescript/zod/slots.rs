//! Zod schemas for an agent's slots, where values travel.

use serde_json::{Map, Value, json};

use super::{ZodPass, pure};
use crate::emit::doc::lines;
use crate::emit::typescript::jsdoc;
use crate::emit::typescript::literal::key;
use crate::emit::typescript::types::TypePrinter;
use crate::ir::{Type, TypeSlot};

impl ZodPass<'_> {
    pub(super) fn slots(&mut self) -> Map<String, Value> {
        let agent = self.agent;
        let state = agent.state.as_ref();
        let state = state
            .map(|state| json!({ "written": self.slot(&state.out, 2), "read": self.slot(&state.input, 2) }));
        let events = agent.events.iter();
        let events = events.map(|event| self.named(&event.name, &event.description, &event.value));
        let events: Value = events.collect();
        let activities = agent.activities.iter();
        let activities =
            activities.map(|shown| self.named(&shown.activity_type, &shown.description, &shown.content));
        let activities: Value = activities.collect();
        let values = [
            ("state", json!(state)),
            ("tools", self.tools()),
            ("events", events),
            ("asks", (!agent.interrupts.is_empty()).into()),
            ("interrupts", self.interrupts()),
            ("shows", (!agent.activities.is_empty()).into()),
            ("activities", activities),
            ("result", agent.result.as_ref().map(|slot| self.slot(slot, 0)).into()),
            ("forwarded", agent.forwarded.as_ref().map(|slot| self.slot(slot, 0)).into()),
        ];
        values.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
    }

    fn tools(&mut self) -> Value {
        let tools = self.agent.tools.iter().map(|tool| {
            json!({
                "doc": jsdoc(&lines(&tool.description), 0),
                "key": key(&tool.name),
                "parameters": self.slot(&tool.params, 4),
                "result": tool.result.as_ref().map(|result| self.slot(result, 4)),
            })
        });
        tools.collect()
    }

    fn interrupts(&mut self) -> Value {
        let interrupts = self.agent.interrupts.iter().map(|asked| {
            json!({
                "doc": jsdoc(&lines(&asked.description), 0),
                "key": key(&asked.reason),
                "payload": self.slot(&asked.payload, 4),
                "response": self.slot(&asked.response, 4),
            })
        });
        interrupts.collect()
    }

    fn named(&mut self, name: &str, description: &str, slot: &TypeSlot) -> Value {
        json!({ "doc": jsdoc(&lines(description), 0), "key": key(name), "schema": self.slot(slot, 2) })
    }

    fn slot(&mut self, slot: &TypeSlot, indent: usize) -> String {
        let expression = self.expression(&slot.ty, indent);
        if let Type::Ref(_) = slot.ty {
            return expression;
        }
        let ty = TypePrinter::new(self.names, "types.").ty(&slot.ty, indent, 0);
        pure(&format!("{expression} satisfies z.ZodType<{ty}>"))
    }
}
