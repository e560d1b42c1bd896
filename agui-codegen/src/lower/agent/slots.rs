//! Finds an agent's slots: places where values travel, each with a lowered type.

use agui_runtime::manifest::{AgentDef, InterruptDef, ResultDef, ToolDef};
use serde_json::Value;

use super::super::definitions::{with_local_references, without_root_reference};
use super::super::schema::SchemaLowering;
use super::super::{LoweredDirections, LoweringReport};
use super::free_names::FreeNames;
use crate::ir::{DocComment, Type, ValueDirection};
use crate::names::{pascal, upper_camel};

/// A slot's place; numbers are positions in the manifest's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SlotPlace {
    StateOut,
    StateIn,
    Params(usize),
    Result(usize),
    Event(usize),
    Payload(usize),
    Response(usize),
    Activity(usize),
    RunResult,
    Forwarded,
}

/// A slot before the type has a name.
pub(super) struct FoundSlot {
    pub(super) place: SlotPlace,
    pub(super) direction: ValueDirection,
    /// The name for a type that is written inline in this slot.
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) doc: DocComment,
    pub(super) schema: Value,
}

/// A pass that finds one agent's slots.
pub(super) struct SlotPass<'a, 'm> {
    pub(super) agent: &'a AgentDef,
    pub(super) directions: &'a LoweredDirections<'m>,
    pub(super) report: &'a mut LoweringReport,
    pub(super) free: &'a mut FreeNames,
    pub(super) found: Vec<FoundSlot>,
}

impl SlotPass<'_, '_> {
    /// Lowers all slots. The order decides which slot gets a name without a number.
    pub(super) fn find(mut self) -> Vec<FoundSlot> {
        let agent = self.agent;
        let base = pascal(&agent.name);
        if let Some(state) = &agent.state {
            let name = self.free.name(&format!("{base}State"));
            self.add(SlotPlace::StateOut, ValueDirection::Out, &state.out, name.clone(), "the state");
            self.add(SlotPlace::StateIn, ValueDirection::In, &state.input, name, "the state");
        }
        agent.tools.iter().enumerate().for_each(|(index, tool)| self.tool(index, tool));
        for (index, event) in agent.events.iter().enumerate() {
            let name = self.free.name(&format!("{}Value", pascal(&event.name)));
            let what = format!("the value of `{}`", event.name);
            self.add(SlotPlace::Event(index), ValueDirection::Out, &event.value, name, &what);
        }
        agent.interrupts.iter().enumerate().for_each(|(index, asked)| self.interrupt(index, asked));
        for (index, shown) in agent.activities.iter().enumerate() {
            let name = self.free.name(&format!("{}Content", upper_camel(&shown.activity_type)));
            let what = format!("the content of `{}`", shown.activity_type);
            self.add(SlotPlace::Activity(index), ValueDirection::Out, &shown.content, name, &what);
        }
        if let Some(result) = &agent.output {
            let name = self.free.name(&format!("{base}Result"));
            self.add(SlotPlace::RunResult, ValueDirection::Out, result, name, "the result");
        }
        if let Some(props) = &agent.forwarded {
            let name = self.free.name(&format!("{base}ForwardedProps"));
            self.add(SlotPlace::Forwarded, ValueDirection::In, props, name, "the forwarded props");
        }
        self.found
    }

    fn tool(&mut self, index: usize, tool: &ToolDef) {
        let base = pascal(&tool.name);
        let arguments = self.free.name(&format!("{base}Arguments"));
        let what = format!("the arguments of `{}`", tool.name);
        let Some(result) = &tool.result else {
            return self.add(
                SlotPlace::Params(index),
                ValueDirection::Out,
                &tool.params.out,
                arguments,
                &what,
            );
        };
        let name = self.free.name(&format!("{base}Result"));
        self.add(SlotPlace::Params(index), ValueDirection::Out, &tool.params.out, arguments, &what);
        let (direction, schema) = match result {
            ResultDef::Out(schema) => (ValueDirection::Out, schema),
            ResultDef::In(schema) => (ValueDirection::In, schema),
        };
        let what = format!("the result of `{}`", tool.name);
        self.add(SlotPlace::Result(index), direction, schema, name, &what);
    }

    fn interrupt(&mut self, index: usize, asked: &InterruptDef) {
        let (base, reason) = (pascal(&asked.reason), &asked.reason);
        let (name, what) = (self.free.name(&format!("{base}Payload")), format!("the payload of `{reason}`"));
        self.add(SlotPlace::Payload(index), ValueDirection::Out, &asked.payload, name, &what);
        let (name, what) =
            (self.free.name(&format!("{base}Response")), format!("the response to `{reason}`"));
        self.add(SlotPlace::Response(index), ValueDirection::In, &asked.response, name, &what);
    }

    fn add(&mut self, place: SlotPlace, direction: ValueDirection, schema: &Value, name: String, what: &str) {
        let definitions = self.directions.direction(direction).definitions;
        let mut lowering = SchemaLowering::new(definitions);
        let owner = format!("{what} in agent `{}`", self.agent.name);
        let (ty, doc) = lowering.lower(schema, &owner);
        lowering.problems.into_iter().for_each(|problem| self.report.problem(problem));
        lowering.wide_integers.iter().for_each(|place| self.report.wide_integer(place));
        self.report.ignored(&lowering.ignored, &owner);
        let root = match place {
            SlotPlace::Params(_) => without_root_reference(schema, definitions),
            _ => schema,
        };
        let schema = with_local_references(root);
        self.found.push(FoundSlot { place, direction, name, ty, doc, schema });
    }
}
