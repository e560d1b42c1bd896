//! The types in an agent's slots, where values travel.

use super::TypedDictPass;
use super::print::TypedDictSlots;
use crate::ir::{AgentDecl, Type};
use crate::names::{identifier, pascal, upper_camel};

impl TypedDictPass<'_> {
    /// Names the type in each slot.
    pub(super) fn slots<'a>(&mut self, agent: &'a AgentDecl) -> TypedDictSlots<'a> {
        let agent_name = identifier(&pascal(&agent.name));
        if let Some(state) = &agent.state {
            self.slot(&state.out.ty, &format!("{agent_name}State"));
            if state.input.ty != state.out.ty {
                self.slot(&state.input.ty, &format!("{agent_name}StateInput"));
            }
        }
        let mut slots = TypedDictSlots::default();
        for tool in &agent.tools {
            let name = identifier(&pascal(&tool.name));
            slots.arguments.push((&tool.name, self.slot(&tool.params.ty, &format!("{name}Arguments"))));
            if let Some(result) = &tool.result {
                slots.results.push((&tool.name, self.slot(&result.ty, &format!("{name}Result"))));
            }
        }
        for event in &agent.events {
            let name = format!("{}Value", identifier(&pascal(&event.name)));
            slots.events.push((&event.name, self.slot(&event.value.ty, &name)));
        }
        for asked in &agent.interrupts {
            let base = identifier(&pascal(&asked.reason));
            let payload = self.slot(&asked.payload.ty, &format!("{base}Payload"));
            let response = self.slot(&asked.response.ty, &format!("{base}Response"));
            slots.payloads.push((&asked.reason, payload));
            slots.responses.push((&asked.reason, response));
        }
        for shown in &agent.activities {
            let name = format!("{}Content", identifier(&upper_camel(&shown.activity_type)));
            slots.activities.push((&shown.activity_type, self.slot(&shown.content.ty, &name)));
        }
        if let Some(result) = &agent.result {
            self.slot(&result.ty, &format!("{agent_name}Result"));
        }
        if let Some(props) = &agent.forwarded {
            self.slot(&props.ty, &format!("{agent_name}ForwardedProps"));
        }
        slots
    }

    fn slot(&mut self, ty: &Type, name: &str) -> String {
        if let Type::Ref(name) = ty {
            return self.name(name);
        }
        let name = self.scope.give(name);
        self.alias(name.clone(), &[], ty);
        name
    }
}
