//! An agent, built from named slots and types.

use std::collections::BTreeMap;

use agui_runtime::manifest::AgentDef;
use agui_runtime::protocol::ToolSide;
use indexmap::IndexMap;

use super::super::definitions::{complete, needed};
use super::super::split::without_docs;
use super::super::{LoweredDirections, LoweringReport};
use super::declarations::TypeDeclarations;
use super::free_names::FreeNames;
use super::names::ManifestNames;
use super::slots::{FoundSlot, SlotPlace};
use crate::ir::{
    ActivityDecl, AgentDecl, EventDecl, InterruptDecl, StateDecl, ToolDecl, Type, TypeDecl, TypeSlot,
    ValueDirection,
};

/// Slots whose inline types were replaced by names.
type NamedSlots = BTreeMap<SlotPlace, TypeSlot>;

/// Declares inline slot types. A state that is read and written in the same form has one type.
pub(super) fn name_inline_types(
    agent: &AgentDef,
    found: Vec<FoundSlot>,
    names: &ManifestNames,
    free: &mut FreeNames,
    declarations: &mut TypeDeclarations,
    report: &mut LoweringReport,
) -> NamedSlots {
    let mut slots = BTreeMap::new();
    let mut state_out = None;
    for found in found {
        let mut ty = names.rename(found.ty, found.direction);
        if matches!(ty, Type::Object(_) | Type::Union(_) | Type::Enum(_) | Type::Intersection(_)) {
            let same = found.place == SlotPlace::StateIn && state_out == Some(without_docs(&ty));
            if found.place == SlotPlace::StateOut {
                state_out = Some(without_docs(&ty));
            }
            let differs = found.place == SlotPlace::StateIn && !same && state_out.is_some();
            let name = if differs { free.name(&format!("{}Input", found.name)) } else { found.name };
            let named = std::mem::replace(&mut ty, Type::Ref(name.clone()));
            if !same {
                let owner = format!("an unnamed type in agent `{}`", agent.name);
                let decl = TypeDecl { name, path: None, doc: found.doc, ty: named, recursive: false };
                declarations.add(decl, &owner, report);
            }
        }
        slots.insert(found.place, TypeSlot { ty, schema: found.schema, direction: found.direction });
    }
    slots
}

pub(super) fn assemble(
    agent: &AgentDef,
    directions: &LoweredDirections<'_>,
    mut slots: NamedSlots,
    types: IndexMap<String, TypeDecl>,
    wire: &str,
) -> AgentDecl {
    let schemas = |direction: ValueDirection| {
        let roots = slots.values().filter(|slot| slot.direction == direction).map(|slot| &slot.schema);
        needed(roots, directions.direction(direction).definitions)
    };
    let (out_schemas, in_schemas) = (schemas(ValueDirection::Out), schemas(ValueDirection::In));
    let state = slots.remove(&SlotPlace::StateOut).zip(slots.remove(&SlotPlace::StateIn));
    AgentDecl {
        name: agent.name.clone(),
        // All agents' folders are named together, later.
        module: String::new(),
        description: agent.description.clone(),
        version: agent.version.clone(),
        wire: wire.to_owned(),
        state: state.map(|(out, input)| StateDecl { out, input }),
        tools: tools(agent, directions, &mut slots),
        events: events(agent, &mut slots),
        interrupts: interrupts(agent, &mut slots),
        activities: activities(agent, &mut slots),
        result: slots.remove(&SlotPlace::RunResult),
        forwarded: slots.remove(&SlotPlace::Forwarded),
        catalogs: Vec::new(),
        types,
        out_schemas,
        in_schemas,
    }
}

fn tools(agent: &AgentDef, directions: &LoweredDirections<'_>, slots: &mut NamedSlots) -> Vec<ToolDecl> {
    let tools = agent.tools.iter().enumerate().filter_map(|(index, tool)| {
        Some(ToolDecl {
            name: tool.name.clone(),
            frontend: tool.side == ToolSide::Frontend,
            description: tool.description.clone(),
            annotations: tool.annotations.clone(),
            params: slots.remove(&SlotPlace::Params(index))?,
            accepts: complete(&tool.params.input, directions.input.definitions),
            result: slots.remove(&SlotPlace::Result(index)),
        })
    });
    tools.collect()
}

fn events(agent: &AgentDef, slots: &mut NamedSlots) -> Vec<EventDecl> {
    let events = agent.events.iter().enumerate().filter_map(|(index, event)| {
        let value = slots.remove(&SlotPlace::Event(index))?;
        Some(EventDecl { name: event.name.clone(), description: event.description.clone(), value })
    });
    events.collect()
}

fn interrupts(agent: &AgentDef, slots: &mut NamedSlots) -> Vec<InterruptDecl> {
    let interrupts = agent.interrupts.iter().enumerate().filter_map(|(index, asked)| {
        Some(InterruptDecl {
            reason: asked.reason.clone(),
            message: asked.message.clone(),
            description: asked.description.clone(),
            payload: slots.remove(&SlotPlace::Payload(index))?,
            response: slots.remove(&SlotPlace::Response(index))?,
        })
    });
    interrupts.collect()
}

fn activities(agent: &AgentDef, slots: &mut NamedSlots) -> Vec<ActivityDecl> {
    let activities = agent.activities.iter().enumerate().filter_map(|(index, shown)| {
        Some(ActivityDecl {
            activity_type: shown.activity_type.clone(),
            description: shown.description.clone(),
            content: slots.remove(&SlotPlace::Activity(index))?,
        })
    });
    activities.collect()
}
