//! The names of types in generated code.

use std::collections::{BTreeMap, BTreeSet};

use agui_runtime::manifest::AgentDef;

use super::super::Sides;
use super::super::split::differing;
use super::NeededTypes;
use super::slots::{FoundSlot, SlotPlace};
use crate::ir::{Direction, Type};
use crate::names::{compatible, identifier, type_identifier};

/// The names that no type has yet.
pub(super) struct FreeNames {
    /// The names of the manifest's types and of the slots so far, as Python compares them.
    taken: BTreeSet<String>,
}

impl FreeNames {
    pub(super) fn new(sides: &Sides<'_>) -> Self {
        let types = sides.out.definitions.keys().chain(sides.input.definitions.keys());
        Self { taken: types.map(|name| compatible(&type_identifier(name))).collect() }
    }

    /// Takes `wanted`, or `wanted` with a number.
    pub(super) fn name(&mut self, wanted: &str) -> String {
        let wanted = identifier(wanted);
        let mut free = wanted.clone();
        let mut count = 1;
        while !self.taken.insert(compatible(&free)) {
            count += 1;
            free = format!("{wanted}{count}");
        }
        free
    }
}

/// The names of the manifest's types, for one agent.
pub(super) struct ManifestNames {
    /// The structs that `#[tool]` makes for arguments, by their names in the manifest.
    tools: BTreeMap<String, String>,
    /// The types that the agent reads differently than it writes them.
    pub(super) split: BTreeSet<String>,
    /// The names of all types, which no type with another ending may have.
    bases: BTreeSet<String>,
}

impl ManifestNames {
    pub(super) fn new(
        agent: &AgentDef,
        found: &[FoundSlot],
        needed: &NeededTypes,
        sides: &Sides<'_>,
    ) -> Self {
        Self {
            tools: tool_structs(agent, found, sides),
            split: differing(&needed.both(), &sides.out.types, &sides.input.types),
            bases: needed.out.union(&needed.input).map(|name| type_identifier(name)).collect(),
        }
    }

    /// The name of a type in one direction.
    pub(super) fn name(&self, name: &str, direction: Direction) -> String {
        let base = self.tools.get(name).cloned().unwrap_or_else(|| type_identifier(name));
        match direction {
            Direction::In if self.split.contains(name) => {
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
    pub(super) fn rename(&self, mut ty: Type, direction: Direction) -> Type {
        ty.each_mut(&mut |inner| {
            if let Type::Ref(name) = inner {
                *name = self.name(name, direction);
            }
        });
        ty
    }
}

/// A struct that `#[tool]` makes has the tool's own name, and is named after the tool's arguments instead.
fn tool_structs(agent: &AgentDef, found: &[FoundSlot], sides: &Sides<'_>) -> BTreeMap<String, String> {
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
