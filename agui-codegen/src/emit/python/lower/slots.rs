//! The types in an agent's slots, where values travel.

use super::ClassPass;
use crate::ir::{AgentDecl, Type};
use crate::names::{identifier, pascal, upper_camel};

impl ClassPass<'_> {
    /// Names the type in each slot, so that other modules need no annotations.
    pub(super) fn slots(&mut self, agent: &AgentDecl) {
        let agent_name = identifier(&pascal(&agent.name));
        self.module.slots.state = agent.state.as_ref().map(|state| {
            let out = self.slot(&state.out.ty, &format!("{agent_name}State"));
            let input = if state.input.ty == state.out.ty {
                out.clone()
            } else {
                self.slot(&state.input.ty, &format!("{agent_name}StateInput"))
            };
            (out, input)
        });
        for tool in &agent.tools {
            let name = identifier(&pascal(&tool.name));
            let params = self.slot(&tool.params.ty, &format!("{name}Arguments"));
            let result = tool.result.as_ref().map(|result| self.slot(&result.ty, &format!("{name}Result")));
            self.module.slots.tools.push((params, result));
            let item = tool.item().map(|item| self.slot(item, &format!("{name}ResultItem")));
            self.module.slots.items.push(item);
        }
        for event in &agent.events {
            let name = self.slot(&event.value.ty, &format!("{}Value", identifier(&pascal(&event.name))));
            self.module.slots.events.push(name);
        }
        for asked in &agent.interrupts {
            let base = identifier(&pascal(&asked.reason));
            let payload = self.slot(&asked.payload.ty, &format!("{base}Payload"));
            let response = self.slot(&asked.response.ty, &format!("{base}Response"));
            self.module.slots.interrupts.push((payload, response));
        }
        for shown in &agent.activities {
            let name = format!("{}Content", identifier(&upper_camel(&shown.activity_type)));
            let name = self.slot(&shown.content.ty, &name);
            self.module.slots.activities.push(name);
        }
        self.module.slots.result =
            agent.result.as_ref().map(|result| self.slot(&result.ty, &format!("{agent_name}Result")));
        self.module.slots.forwarded = agent
            .forwarded
            .as_ref()
            .map(|props| self.slot(&props.ty, &format!("{agent_name}ForwardedProps")));
    }

    fn slot(&mut self, ty: &Type, name: &str) -> String {
        if let Type::Ref(name) = ty {
            return self.module.names.get(name).cloned().unwrap_or_else(|| name.clone());
        }
        let name = self.scope.give(name);
        self.alias(name.clone(), Vec::new(), ty);
        name
    }
}
