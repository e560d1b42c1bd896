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
    /// The structs that `#[tool]` makes for arguments, by their names in the manifest.
    tools: BTreeMap<String, String>,
    /// Types that the agent reads in another form than it writes.
    pub(super) split: BTreeSet<String>,
    /// All type names, which no type with another ending may have.
    bases: BTreeSet<String>,
}

impl ManifestNames {
    pub(super) fn new(
        agent: &AgentDef,
        found: &[FoundSlot],
        needed: &NeededTypes,
        sides: &LoweredDirections<'_>,
    ) -> Self {
        Self {
            tools: tool_structs(agent, found, sides),
            split: differing(&needed.both(), &sides.out.types, &sides.input.types),
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

    /// The type with new names inside.
    pub(super) fn rename(&self, mut ty: Type, direction: ValueDirection) -> Type {
        ty.each_mut(&mut |inner| {
            if let Type::Ref(name) = inner {
                *name = self.name(name, direction);
            }
        });
        ty
    }
}

/// A struct that `#[tool]` makes has the tool's own name, and is named after the tool's arguments instead.
fn tool_structs(
    agent: &AgentDef,
    found: &[FoundSlot],
    sides: &LoweredDirections<'_>,
) -> BTreeMap<String, String> {
    let structs = found.iter().filter_map(|slot| match (slot.place, &slot.ty) {
        (SlotPlace::Params(index), Type::Ref(name)) => {
            let called = sides.manifest.type_name(name);
            let own = agent.tools.get(index).is_some_and(|tool| tool.name == called);
            own.then(|| (name.clone(), slot.name.clone()))
        }
        _ => None,
    });
    structs.collect()
}
