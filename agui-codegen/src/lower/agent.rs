//! One agent: its slots, the types they need, one name for each.

use std::collections::{BTreeMap, BTreeSet};

use agui_runtime::manifest::{AgentDef, ResultDef};
use agui_runtime::protocol::ToolSide;
use indexmap::IndexMap;
use serde_json::Value;

use super::cycle::cyclic;
use super::definitions::{complete, needed, with_local_references, without_root_reference};
use super::problem::Problem;
use super::schema::Lowering;
use super::split::{differing, reachable, without_docs};
use super::union::tag;
use super::{Report, Sides};
use crate::ir::{
    ActivityDecl, AgentDecl, Direction, Doc, EventDecl, InterruptDecl, Slot, StateDecl, ToolDecl, Type,
    TypeDecl,
};
use crate::names::{Claims, compatible, identifier, pascal, type_identifier, upper_camel};

pub(super) fn lower_agent(agent: &AgentDef, wire: &str, sides: &Sides<'_>, report: &mut Report) -> AgentDecl {
    let types = sides.out.definitions.keys().chain(sides.input.definitions.keys());
    let taken = types.map(|name| compatible(&type_identifier(name))).collect();
    let mut pass = Pass { agent, sides, report, slots: Vec::new(), taken };
    pass.collect_slots();
    pass.finish(wire)
}

/// The place of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
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

struct Found {
    place: Place,
    direction: Direction,
    /// The name of an inline type of this place.
    name: String,
    ty: Type,
    doc: Doc,
    schema: Value,
}

struct Pass<'a, 'm> {
    agent: &'a AgentDef,
    sides: &'a Sides<'m>,
    report: &'a mut Report,
    slots: Vec<Found>,
    /// The names of the manifest's types and of the slots so far, as Python compares them.
    taken: BTreeSet<String>,
}

impl Pass<'_, '_> {
    /// A name that no other type has: `name`, or `name` with a number.
    fn free(&mut self, name: &str) -> String {
        let name = identifier(name);
        let mut free = name.clone();
        let mut count = 1;
        while !self.taken.insert(compatible(&free)) {
            count += 1;
            free = format!("{name}{count}");
        }
        free
    }

    fn collect_slots(&mut self) {
        let agent = self.agent;
        let name = pascal(&agent.name);
        if let Some(state) = &agent.state {
            let name = self.free(&format!("{name}State"));
            self.slot(Place::StateOut, Direction::Out, &state.out, name.clone(), "the state");
            self.slot(Place::StateIn, Direction::In, &state.input, name, "the state");
        }
        for (index, tool) in agent.tools.iter().enumerate() {
            let name = pascal(&tool.name);
            let arguments = self.free(&format!("{name}Arguments"));
            let result =
                if tool.result.is_some() { self.free(&format!("{name}Result")) } else { String::new() };
            let what = format!("the arguments of `{}`", tool.name);
            self.slot(Place::Params(index), Direction::Out, &tool.params.out, arguments, &what);
            let what = format!("the result of `{}`", tool.name);
            match &tool.result {
                Some(ResultDef::Out(schema)) => {
                    self.slot(Place::Result(index), Direction::Out, schema, result, &what);
                }
                Some(ResultDef::In(schema)) => {
                    self.slot(Place::Result(index), Direction::In, schema, result, &what);
                }
                None => {}
            }
        }
        for (index, event) in agent.events.iter().enumerate() {
            let name = self.free(&format!("{}Value", pascal(&event.name)));
            let what = format!("the value of `{}`", event.name);
            self.slot(Place::Event(index), Direction::Out, &event.value, name, &what);
        }
        for (index, asked) in agent.interrupts.iter().enumerate() {
            let (base, reason) = (pascal(&asked.reason), &asked.reason);
            let (name, what) = (self.free(&format!("{base}Payload")), format!("the payload of `{reason}`"));
            self.slot(Place::Payload(index), Direction::Out, &asked.payload, name, &what);
            let (name, what) = (self.free(&format!("{base}Response")), format!("the response to `{reason}`"));
            self.slot(Place::Response(index), Direction::In, &asked.response, name, &what);
        }
        for (index, shown) in agent.activities.iter().enumerate() {
            let name = self.free(&format!("{}Content", upper_camel(&shown.activity_type)));
            let what = format!("the content of `{}`", shown.activity_type);
            self.slot(Place::Activity(index), Direction::Out, &shown.content, name, &what);
        }
        if let Some(result) = &agent.output {
            let name = self.free(&format!("{name}Result"));
            self.slot(Place::RunResult, Direction::Out, result, name, "the result");
        }
        if let Some(props) = &agent.forwarded {
            let name = self.free(&format!("{name}ForwardedProps"));
            self.slot(Place::Forwarded, Direction::In, props, name, "the forwarded props");
        }
    }

    fn slot(&mut self, place: Place, direction: Direction, schema: &Value, name: String, what: &str) {
        let definitions = self.sides.of(direction).definitions;
        let mut lowering = Lowering::new(definitions);
        let owner = format!("{what} in agent `{}`", self.agent.name);
        let (ty, doc) = lowering.lower(schema, &owner);
        lowering.problems.into_iter().for_each(|problem| self.report.problem(problem));
        lowering.wide_integers.iter().for_each(|place| self.report.wide_integer(place));
        self.report.ignored(&lowering.ignored, &owner);
        let root = match place {
            Place::Params(_) => without_root_reference(schema, definitions),
            _ => schema,
        };
        let schema = with_local_references(root);
        self.slots.push(Found { place, direction, name, ty, doc, schema });
    }

    fn finish(mut self, wire: &str) -> AgentDecl {
        let reach = |direction: Direction| {
            let roots = self.slots.iter().filter(|slot| slot.direction == direction).map(|slot| &slot.ty);
            reachable(roots, &self.sides.of(direction).types)
        };
        let (out, input) = (reach(Direction::Out), reach(Direction::In));
        for (names, side) in [(&out, &self.sides.out), (&input, &self.sides.input)] {
            for name in names {
                side.problems.get(name).into_iter().flatten().for_each(|p| self.report.problem(p.clone()));
                side.wide.get(name).into_iter().flatten().for_each(|place| self.report.wide_integer(place));
                let ignored = side.ignored.get(name).into_iter().flatten();
                self.report.ignored(ignored, &format!("type `{name}`"));
            }
        }
        let both: BTreeSet<String> = out.intersection(&input).cloned().collect();
        let split = differing(&both, &self.sides.out.types, &self.sides.input.types);
        let bases = out.union(&input).map(|name| type_identifier(name)).collect();
        let names = Names { tools: self.tool_structs(), split, bases };

        let mut decls = Decls::default();
        for (names_needed, direction) in [(&out, Direction::Out), (&input, Direction::In)] {
            for name in names_needed {
                let shared = direction == Direction::In && both.contains(name) && !names.split.contains(name);
                if let Some((ty, doc)) = self.sides.of(direction).types.get(name).filter(|_| !shared) {
                    let decl = names.of(name, direction);
                    let ty = names.rename(ty.clone(), direction);
                    let owner = format!("type `{name}`");
                    let path = self.sides.paths.get(name).cloned();
                    let decl = TypeDecl { name: decl, path, doc: doc.clone(), ty, recursive: false };
                    decls.add(decl, &owner, self.report);
                }
            }
        }
        let slots = self.hoist(&names, &mut decls);
        let types = decls.finish(self.report);
        self.assemble(slots, types, wire)
    }

    /// The structs that `#[tool]` makes for its arguments: they have the tool's own name.
    fn tool_structs(&self) -> BTreeMap<String, String> {
        let structs = self.slots.iter().filter_map(|slot| match (slot.place, &slot.ty) {
            (Place::Params(index), Type::Ref(name)) => {
                let called = self.sides.manifest.type_name(name);
                let own = self.agent.tools.get(index).is_some_and(|tool| tool.name == called);
                own.then(|| (name.clone(), slot.name.clone()))
            }
            _ => None,
        });
        structs.collect()
    }

    /// Names the unnamed types in slots, where a name helps.
    fn hoist(&mut self, names: &Names, decls: &mut Decls) -> BTreeMap<Place, Slot> {
        let mut slots = BTreeMap::new();
        let mut state_out = None;
        for found in std::mem::take(&mut self.slots) {
            let ty = names.rename(found.ty, found.direction);
            let inline =
                matches!(ty, Type::Object(_) | Type::Union(_) | Type::Enum(_) | Type::Intersection(_));
            let ty = if inline {
                let same = found.place == Place::StateIn && state_out == Some(without_docs(&ty));
                if found.place == Place::StateOut {
                    state_out = Some(without_docs(&ty));
                }
                let differs = found.place == Place::StateIn && !same && state_out.is_some();
                let name = if differs { self.free(&format!("{}Input", found.name)) } else { found.name };
                if !same {
                    let owner = format!("an unnamed type in agent `{}`", self.agent.name);
                    let decl =
                        TypeDecl { name: name.clone(), path: None, doc: found.doc, ty, recursive: false };
                    decls.add(decl, &owner, self.report);
                }
                Type::Ref(name)
            } else {
                ty
            };
            slots.insert(found.place, Slot { ty, schema: found.schema, direction: found.direction });
        }
        slots
    }

    fn assemble(
        self,
        mut slots: BTreeMap<Place, Slot>,
        types: IndexMap<String, TypeDecl>,
        wire: &str,
    ) -> AgentDecl {
        let schemas = |direction: Direction| {
            let roots = slots.values().filter(|slot| slot.direction == direction).map(|slot| &slot.schema);
            needed(roots, self.sides.of(direction).definitions)
        };
        let (out_schemas, in_schemas) = (schemas(Direction::Out), schemas(Direction::In));
        let state = slots.remove(&Place::StateOut).zip(slots.remove(&Place::StateIn));
        let agent = self.agent;
        let tools: Vec<ToolDecl> = agent
            .tools
            .iter()
            .enumerate()
            .filter_map(|(index, tool)| {
                Some(ToolDecl {
                    name: tool.name.clone(),
                    frontend: tool.side == ToolSide::Frontend,
                    description: tool.description.clone(),
                    annotations: tool.annotations.clone(),
                    params: slots.remove(&Place::Params(index))?,
                    accepts: complete(&tool.params.input, self.sides.input.definitions),
                    result: slots.remove(&Place::Result(index)),
                })
            })
            .collect();
        let events: Vec<EventDecl> = agent
            .events
            .iter()
            .enumerate()
            .filter_map(|(index, event)| {
                let value = slots.remove(&Place::Event(index))?;
                Some(EventDecl { name: event.name.clone(), description: event.description.clone(), value })
            })
            .collect();
        let interrupts: Vec<InterruptDecl> = agent
            .interrupts
            .iter()
            .enumerate()
            .filter_map(|(index, asked)| {
                Some(InterruptDecl {
                    reason: asked.reason.clone(),
                    message: asked.message.clone(),
                    description: asked.description.clone(),
                    payload: slots.remove(&Place::Payload(index))?,
                    response: slots.remove(&Place::Response(index))?,
                })
            })
            .collect();
        let activities: Vec<ActivityDecl> = agent
            .activities
            .iter()
            .enumerate()
            .filter_map(|(index, shown)| {
                Some(ActivityDecl {
                    activity_type: shown.activity_type.clone(),
                    description: shown.description.clone(),
                    content: slots.remove(&Place::Activity(index))?,
                })
            })
            .collect();
        AgentDecl {
            name: agent.name.clone(),
            // The agents' folders are named together.
            module: String::new(),
            description: agent.description.clone(),
            version: agent.version.clone(),
            wire: wire.to_owned(),
            state: state.map(|(out, input)| StateDecl { out, input }),
            tools,
            events,
            interrupts,
            activities,
            result: slots.remove(&Place::RunResult),
            forwarded: slots.remove(&Place::Forwarded),
            types,
            out_schemas,
            in_schemas,
        }
    }
}

/// The names of the manifest's types in generated code.
struct Names {
    tools: BTreeMap<String, String>,
    split: BTreeSet<String>,
    /// The names of all types, which none with another ending may have.
    bases: BTreeSet<String>,
}

impl Names {
    fn of(&self, name: &str, direction: Direction) -> String {
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

    fn rename(&self, mut ty: Type, direction: Direction) -> Type {
        ty.each_mut(&mut |inner| {
            if let Type::Ref(name) = inner {
                *name = self.of(name, direction);
            }
        });
        ty
    }
}

/// The declarations of one agent.
#[derive(Default)]
struct Decls {
    types: BTreeMap<String, TypeDecl>,
    claims: Claims,
}

impl Decls {
    fn add(&mut self, decl: TypeDecl, owner: &str, report: &mut Report) {
        let name = decl.name.clone();
        if let Err(first) = self.claims.claim(&name, owner) {
            report.problem(Problem {
                owner: owner.to_owned(),
                path: String::new(),
                message: format!(
                    "would be generated as `{name}`, as {first} is; rename one with `#[schemars(rename = \"…\")]`"
                ),
            });
        }
        self.types.insert(name, decl);
    }

    fn finish(self, report: &mut Report) -> IndexMap<String, TypeDecl> {
        let mut types: IndexMap<String, TypeDecl> = self.types.into_iter().collect();
        let recursive = cyclic(&types, Type::each_ref);
        let bare = cyclic(&types, each_bare_ref);
        let mut tags = Vec::new();
        for decl in types.values() {
            decl.ty.each(&mut |inner| {
                if let Type::Union(union) = inner {
                    tags.push(tag(union, &types));
                }
            });
        }
        let mut tags = tags.into_iter();
        for ((decl, recursive), bare) in types.values_mut().zip(recursive).zip(bare) {
            decl.ty.each_mut(&mut |inner| {
                if let Type::Union(union) = inner {
                    union.tag = tags.next().flatten();
                }
            });
            decl.recursive = recursive;
            if bare {
                report.problem(Problem {
                    owner: format!("type `{}`", decl.name),
                    path: String::new(),
                    message: "is defined as itself, with no object or list in between".into(),
                });
            }
        }
        types
    }
}

/// The references that stand for the type itself and not for a part of it.
fn each_bare_ref(ty: &Type, visit: &mut dyn FnMut(&str)) {
    match ty {
        Type::Ref(name) => visit(name),
        Type::Nullable(inner) => each_bare_ref(inner, visit),
        Type::Union(union) => union.variants.iter().for_each(|variant| each_bare_ref(&variant.ty, visit)),
        Type::Intersection(parts) => parts.iter().for_each(|part| each_bare_ref(part, visit)),
        _ => {}
    }
}
