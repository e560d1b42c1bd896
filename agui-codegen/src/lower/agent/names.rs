//! Names in generated code for the manifest's types.

use std::collections::{BTreeMap, BTreeSet};

use agui_runtime::manifest::AgentDef;

use super::super::LoweredDirections;
use super::super::split::differing;
use super::needed_types::NeededTypes;
use super::slots::{FoundSlot, SlotPlace};
use crate::ir::{Type, ValueDirection};
use crate::names::type_identifier;

/// One agent's names for the manifest's types.
pub(super) struct ManifestNames {
    /// The argument structs that `#[tool]` generates, by their names in the manifest.
    tools: BTreeMap<String, String>,
    /// Types that the agent reads in one form and writes in another.
    pub(super) split: BTreeSet<String>,
    /// All type names without a suffix; a name with a suffix must differ from all.
    bases: BTreeSet<String>,
}

impl ManifestNames {
    pub(super) fn new(
        agent: &AgentDef,
        found: &[FoundSlot],
        needed: &NeededTypes,
        directions: &LoweredDirections<'_>,
    ) -> Self {
        Self {
            tools: tool_structs(agent, found, directions),
            split: differing(&needed.both(), &directions.out.types, &directions.input.types),
            bases: needed.out.union(&needed.input).map(|name| type_identifier(name)).collect(),
        }
    }

    /// Returns a type's name in one direction.
    pub(super) fn name(&self, name: &str, direction: ValueDirection) -> String {
        let base = self.tools.get(name).cloned().unwrap_or_else(|| type_identifier(name));
        match direction {
            ValueDirection::In if self.split.contains(name) => {
                let mut read = format!("{base}Input");
                while self.bases.contains(&read) {
                    read.push_str("Input");
                }
                read
            }
            _ => base,
        }
    }

    /// Returns the type with all nested names replaced.
    pub(super) fn rename(&self, mut ty: Type, direction: ValueDirection) -> Type {
        ty.each_mut(&mut |inner| {
            if let Type::Ref(name) = inner {
                *name = self.name(name, direction);
            }
        });
        ty
    }
}

/// Finds the structs that `#[tool]` generates: such a struct has the tool's own name, so the generated type is named
/// after the tool's arguments instead.
fn tool_structs(
    agent: &AgentDef,
    found: &[FoundSlot],
    directions: &LoweredDirections<'_>,
) -> BTreeMap<String, String> {
    let structs = found.iter().filter_map(|slot| match (slot.place, &slot.ty) {
        (SlotPlace::Params(index), Type::Ref(name)) => {
            let called = directions.manifest.type_name(name);
            let own = agent.tools.get(index).is_some_and(|tool| tool.name == called);
            own.then(|| (name.clone(), slot.name.clone()))
        }
        _ => None,
    });
    structs.collect()
}
