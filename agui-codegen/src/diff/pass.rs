//! The comparison between two agents, part by part.

use std::collections::BTreeMap;

use agui_runtime::manifest::{AgentDef, EventDef, InterruptDef, ResultDef, SchemaPair, ToolDef};
use agui_runtime::protocol::{ToolAnnotations, ToolSide};
use serde_json::Value;

use super::fits::SchemaComparison;
use super::verdict::SchemaMismatch;
use super::{ChangeSeverity, ContractLevel, ManifestChange};
use crate::ir::ValueDirection;

/// The comparison between two manifests, agent by agent.
pub(super) struct AgentComparison<'a> {
    /// Values from the new agent to existing clients.
    pub(super) out: SchemaComparison<'a>,
    /// Values from existing clients to the new agent.
    pub(super) input: SchemaComparison<'a>,
    pub(super) closed: bool,
    pub(super) agent: &'a str,
    pub(super) changes: Vec<ManifestChange>,
}

impl<'a> AgentComparison<'a> {
    pub(super) fn agents(&mut self, old: &'a AgentDef, new: &'a AgentDef) {
        match (&old.state, &new.state) {
            (Some(old), Some(new)) => self.pair("the state", old, new),
            (Some(_), None) => self.change("the state", Some(ValueDirection::Out), "is no longer sent"),
            (None, _) => {}
        }
        self.tool_lists(&old.tools, &new.tools);
        for (old, new) in matched(&old.events, &new.events, |event| &event.name) {
            if let (Some(old), Some(new)) = (old, new) {
                self.events(old, new);
            }
        }
        for (old, new) in matched(&old.activities, &new.activities, |shown| &shown.activity_type) {
            if let (Some(old), Some(new)) = (old, new) {
                self.out(&format!("the activity `{}`", old.activity_type), &new.content, &old.content);
            }
        }
        match (&old.output, &new.output) {
            (Some(old), Some(new)) => self.out("the result", new, old),
            (Some(_), None) => self.change("the result", Some(ValueDirection::Out), "is no longer sent"),
            (None, _) => {}
        }
        // Existing clients may leave the props out, as all clients may.
        if let (Some(old), Some(new)) = (&old.forwarded, &new.forwarded) {
            self.input("the forwarded props", old, new);
        }
        self.interrupt_lists(&old.interrupts, &new.interrupts);
        for (old, new) in matched(&old.catalogs, &new.catalogs, |catalog| &catalog.id) {
            match (old, new) {
                (Some(old), Some(new)) => self.catalogs(old, new),
                (None, Some(new)) => {
                    let place = format!("the catalog `{}`", new.id);
                    self.warning(&place, Some(ValueDirection::Out), "is new: existing pages do not draw it");
                }
                (Some(old), None) => old.functions.iter().for_each(|function| self.lost_function(function)),
                (None, None) => {}
            }
        }
    }

    fn tool_lists(&mut self, old: &'a [ToolDef], new: &'a [ToolDef]) {
        for (old, new) in matched(old, new, |tool| &tool.name) {
            match (old, new) {
                (Some(old), Some(new)) => self.tools(old, new),
                (None, Some(new)) if new.side == ToolSide::Frontend => {
                    let place = format!("the tool `{}`", new.name);
                    let message = "is new and runs in the user interface: existing clients do not offer it";
                    self.warning(&place, None, message);
                }
                _ => {}
            }
        }
    }

    fn interrupt_lists(&mut self, old: &'a [InterruptDef], new: &'a [InterruptDef]) {
        for (old, new) in matched(old, new, |asked| &asked.reason) {
            match (old, new) {
                (Some(old), Some(new)) => self.interrupts(old, new),
                // A client cannot resolve an unknown interrupt, and a thread waits until all interrupts are resolved.
                (None, Some(new)) => {
                    let place = format!("the interrupt `{}`", new.reason);
                    self.warning(&place, None, "is new: existing clients cannot answer it, only cancel it");
                }
                // A removed interrupt may still be open, and the new agent does not read the interrupt's response.
                (Some(old), None) => {
                    let place = format!("the interrupt `{}`", old.reason);
                    self.warning(&place, None, "no longer exists: answers to open interrupts are not read");
                }
                (None, None) => {}
            }
        }
    }

    fn tools(&mut self, old: &'a ToolDef, new: &'a ToolDef) {
        let name = &old.name;
        if old.side != new.side {
            let side = if new.side == ToolSide::Frontend { "in the user interface" } else { "in the agent" };
            self.change(&format!("the tool `{name}`"), None, &format!("runs {side} now"));
            return;
        }
        self.hints(name, &old.annotations, &new.annotations);
        let place = format!("the arguments of `{name}`");
        self.out(&place, &new.params.out, &old.params.out);
        let place = format!("the result of `{name}`");
        match (&old.result, &new.result) {
            (Some(ResultDef::Out(old)), Some(ResultDef::Out(new))) => self.out(&place, new, old),
            (Some(ResultDef::In(old)), Some(ResultDef::In(new))) => self.input(&place, old, new),
            (Some(ResultDef::Out(_)), None) => {
                self.change(&place, Some(ValueDirection::Out), "is no longer sent");
            }
            (None, Some(ResultDef::In(_))) => {
                self.change(&place, Some(ValueDirection::In), "is expected, and existing clients send none");
            }
            _ => {}
        }
    }

    /// Clients that were made for the old hints may call the tool, or let it run, without a warning to the user.
    fn hints(&mut self, name: &str, old: &ToolAnnotations, new: &ToolAnnotations) {
        let lost = [
            (
                old.read_only_hint == Some(true) && new.read_only_hint != Some(true),
                "no longer says that it is read-only",
            ),
            (
                old.destructive_hint != Some(true) && new.destructive_hint == Some(true),
                "says now that it is destructive",
            ),
            (
                old.destructive_hint == Some(false) && new.destructive_hint.is_none(),
                "no longer says that it destroys nothing",
            ),
            (
                old.idempotent_hint == Some(true) && new.idempotent_hint != Some(true),
                "no longer says that it may be repeated",
            ),
            (
                old.open_world_hint == Some(false) && new.open_world_hint != Some(false),
                "no longer declares a closed world",
            ),
        ];
        for (_, message) in lost.into_iter().filter(|(is_lost, _)| *is_lost) {
            self.warning(&format!("the tool `{name}`"), None, message);
        }
    }

    fn events(&mut self, old: &'a EventDef, new: &'a EventDef) {
        self.out(&format!("the event `{}`", old.name), &new.value, &old.value);
    }

    fn interrupts(&mut self, old: &'a InterruptDef, new: &'a InterruptDef) {
        let reason = &old.reason;
        self.out(&format!("the payload of `{reason}`"), &new.payload, &old.payload);
        self.input(&format!("the response to `{reason}`"), &old.response, &new.response);
    }

    fn pair(&mut self, place: &str, old: &'a SchemaPair, new: &'a SchemaPair) {
        self.out(place, &new.out, &old.out);
        self.input(place, &old.input, &new.input);
    }

    pub(super) fn out(&mut self, place: &str, new: &'a Value, old: &'a Value) {
        let found = self.out.check(new, old);
        self.mismatches(place, ValueDirection::Out, found);
    }

    pub(super) fn input(&mut self, place: &str, old: &'a Value, new: &'a Value) {
        let found = self.input.check(old, new);
        self.mismatches(place, ValueDirection::In, found);
    }

    fn mismatches(&mut self, place: &str, direction: ValueDirection, found: Vec<SchemaMismatch>) {
        for SchemaMismatch { path, message, is_new_variant } in found {
            let is_warning = direction == ValueDirection::Out && is_new_variant && !self.closed;
            self.changes.push(ManifestChange {
                severity: if is_warning { ChangeSeverity::Warning } else { ChangeSeverity::Breaking },
                level: ContractLevel::Wire,
                agent: self.agent.to_owned(),
                place: place.to_owned(),
                direction: Some(direction),
                path: format!("${path}"),
                message,
            });
        }
    }

    pub(super) fn change(&mut self, place: &str, direction: Option<ValueDirection>, message: &str) {
        self.changes.push(ManifestChange {
            severity: ChangeSeverity::Breaking,
            level: ContractLevel::Wire,
            agent: self.agent.to_owned(),
            place: place.to_owned(),
            direction,
            path: String::new(),
            message: message.to_owned(),
        });
    }

    pub(super) fn warning(&mut self, place: &str, direction: Option<ValueDirection>, message: &str) {
        self.change(place, direction, message);
        if let Some(last) = self.changes.last_mut() {
            last.severity = ChangeSeverity::Warning;
        }
    }
}

/// Returns the items whose name is on both sides, and the items on one side only, sorted by name.
pub(super) fn matched<'a, T>(
    old: &'a [T],
    new: &'a [T],
    name: impl Fn(&'a T) -> &'a str,
) -> Vec<(Option<&'a T>, Option<&'a T>)> {
    let mut pairs: BTreeMap<&str, (Option<&T>, Option<&T>)> = BTreeMap::new();
    for item in old {
        pairs.entry(name(item)).or_default().0 = Some(item);
    }
    for item in new {
        pairs.entry(name(item)).or_default().1 = Some(item);
    }
    pairs.into_values().collect()
}
