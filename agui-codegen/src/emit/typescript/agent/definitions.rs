//! Schema definitions that an agent's schemas reference. A definition that is the same in both directions is
//! printed once.

use serde_json::{Map, Value, json};

use crate::emit::typescript::literal::members;
use crate::ir::{AgentDecl, ValueDirection};

pub(super) struct SchemaDefinitions<'a> {
    shared: Map<String, Value>,
    written: Map<String, Value>,
    read: Map<String, Value>,
    agent: &'a AgentDecl,
}

impl<'a> SchemaDefinitions<'a> {
    pub(super) fn new(agent: &'a AgentDecl) -> Self {
        let (mut shared, mut written, mut read) = (Map::new(), Map::new(), Map::new());
        for (name, schema) in &agent.out_schemas {
            let is_shared = agent.in_schemas.get(name) == Some(schema);
            if is_shared { &mut shared } else { &mut written }.insert(name.clone(), schema.clone());
        }
        let others = agent.in_schemas.iter().filter(|(name, _)| !shared.contains_key(*name));
        read.extend(others.map(|(name, schema)| (name.clone(), schema.clone())));
        Self { shared, written, read, agent }
    }

    /// Returns the name of the constant that holds a direction's definitions; `None` without definitions.
    pub(super) fn name(&self, direction: ValueDirection) -> Option<&'static str> {
        let (name, own, all) = match direction {
            ValueDirection::Out => ("written", &self.written, &self.agent.out_schemas),
            ValueDirection::In => ("read", &self.read, &self.agent.in_schemas),
        };
        (!all.is_empty()).then_some(if own.is_empty() { "shared" } else { name })
    }

    /// Returns the names that the constants and the schemas import.
    pub(super) fn imports(&self) -> &'static str {
        let own = self.written.len() + self.read.len();
        let is_mixed = own > 0 && !self.shared.is_empty();
        match (is_mixed, self.agent.out_schemas.is_empty() && self.agent.in_schemas.is_empty()) {
            (true, _) => "type Definitions, merged, schema",
            (false, false) => "type Definitions, schema",
            (false, true) => "schema",
        }
    }

    /// Returns the constants, for the template.
    pub(super) fn constants(&self) -> Value {
        let all = [
            ("shared", "writes and reads in the same form", &self.shared),
            ("written", "writes", &self.written),
            ("read", "reads", &self.read),
        ];
        let all = all.into_iter().filter(|(_, _, schemas)| !schemas.is_empty());
        let constants = all.map(|(name, purpose, schemas)| {
            let own = members(schemas);
            let value = if name == "shared" || self.shared.is_empty() {
                own
            } else {
                format!("/* @__PURE__ */ merged(shared, {own})")
            };
            json!({ "name": name, "use": purpose, "value": value })
        });
        constants.collect()
    }
}
