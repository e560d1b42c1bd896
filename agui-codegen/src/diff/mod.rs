//! The effect of the difference between two manifests on programs that were made for the old one.
//!
//! Existing clients read what the agent writes, so every new value must be an old value. They write what the agent
//! reads, so every old value must be a new value. A model always gets the newest schemas, so values that only a model
//! writes are not compared.

mod alternative;
mod atom;
mod fits;
pub(crate) mod report;
mod source;
mod verdict;

use std::collections::BTreeMap;

use agui_runtime::manifest::{AgentDef, EventDef, InterruptDef, Manifest, ResultDef, SchemaPair, ToolDef};
use agui_runtime::protocol::{ToolAnnotations, ToolSide};
use serde_json::Value;

use crate::ir::Direction;
use crate::lower::LowerError;
use fits::Fits;
use verdict::Mismatch;

/// The effect of a change.
///
/// ```
/// use agui_codegen::{DiffOptions, Severity, diff};
/// # use agui_codegen::Manifest;
/// # use agui_runtime::manifest::AgentSource;
/// # let old = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef"), AgentSource::new("waiter")])?;
/// # let new = Manifest::build("kitchen", "0.2.0", &[AgentSource::new("chef")])?;
///
/// // The new manifest has no `waiter`.
/// let changes = diff(&old, &new, DiffOptions::default())?;
/// assert_eq!(changes[0].severity, Severity::Breaking);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Programs made for the old manifest break.
    Breaking,
    /// Programs made for the old manifest may meet values that they do not know.
    Warning,
}

/// The contract to keep.
///
/// ```
/// use agui_codegen::{DiffOptions, Level, diff};
/// # use agui_codegen::Manifest;
/// # use agui_runtime::manifest::{AgentSource, EventSource, TypeSource};
/// # #[derive(schemars::JsonSchema)]
/// # struct Dish { name: String }
/// # #[derive(schemars::JsonSchema)]
/// # struct Meal { name: String }
/// # let manifest = |value| {
/// #     let served = EventSource { name: "served", description: "", value };
/// #     Manifest::build("kitchen", "0.1.0", &[AgentSource { events: vec![served], ..AgentSource::new("chef") }])
/// # };
/// # let (old, new) = (manifest(TypeSource::of::<Dish>())?, manifest(TypeSource::of::<Meal>())?);
///
/// // `struct Dish { name: String }` is called `Meal` now: the JSON is the same, the generated type is not.
/// let at = |level| diff(&old, &new, DiffOptions { level, ..DiffOptions::default() });
/// assert_eq!(at(Level::Wire)?, []);
/// assert!(!at(Level::Source)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The JSON on the wire, for programs that are in use.
    Wire,
    /// The generated names as well, for programs that are compiled again.
    Source,
}

/// A change that a program may notice.
///
/// ```
/// use agui_codegen::{Change, DiffOptions, diff};
/// # use agui_codegen::Manifest;
/// # use agui_runtime::manifest::AgentSource;
/// # let old = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef"), AgentSource::new("waiter")])?;
/// # let new = Manifest::build("kitchen", "0.2.0", &[AgentSource::new("chef")])?;
///
/// // The new manifest has no `waiter`.
/// let changes: Vec<Change> = diff(&old, &new, DiffOptions::default())?;
/// assert_eq!(changes[0].to_string(), "breaking (wire) waiter: the agent no longer exists");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The effect of the change.
    pub severity: Severity,
    /// The contract that it affects.
    pub level: Level,
    /// The agent.
    pub agent: String,
    /// The owner of the value: `the state`, `the arguments of `price``; empty for the agent itself.
    pub place: String,
    /// The direction of that value; `None` if no value travels.
    pub direction: Option<Direction>,
    /// The place inside the value: `$.items[].owner`; empty if there is none.
    pub path: String,
    /// The difference, in words.
    pub message: String,
}

/// The options of a comparison.
///
/// ```
/// use agui_codegen::{DiffOptions, Level};
///
/// let strictest = DiffOptions { level: Level::Source, closed: true };
/// assert_ne!(strictest, DiffOptions::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiffOptions {
    /// The contract to keep.
    pub level: Level,
    /// True if a new alternative of an enum that the agent writes is breaking, and not a warning.
    pub closed: bool,
}

impl Default for DiffOptions {
    fn default() -> Self {
        Self { level: Level::Wire, closed: false }
    }
}

/// Returns the changes from `old` to `new` that a program made for `old` may notice, in the order of the agents. An
/// empty list means that it cannot tell them apart.
///
/// Every value that the old program recorded or that the new one writes survives all changes that are not listed; a
/// change that cannot be decided is listed.
///
/// ```
/// use agui_codegen::{DiffOptions, Manifest, Severity, diff};
/// # let manifest = |required: &str| format!(r##"{{
/// #   "agui_manifest": 1, "generator": "test", "crate": {{"name": "a", "version": "0.1.0"}},
/// #   "agents": [{{"name": "a", "description": "", "version": "0.1.0", "rust": "a", "tools": [], "events": [],
/// #     "state": {{"out": {{"type": "object"}}, "in": {{"$ref": "#/types/in/S"}}}}}}],
/// #   "types": {{"out": {{}}, "in": {{"S": {{"type": "object", "properties": {{"owner": {{"type": "string"}}}},
/// #     "required": [{required}]}}}}}},
/// #   "hash": {{"wire": "", "full": ""}}}}"##);
/// # let (old, new) = (manifest(""), manifest("\"owner\""));
/// let (old, new) = (Manifest::from_json(&old)?, Manifest::from_json(&new)?);
/// let changes = diff(&old, &new, DiffOptions::default())?;
/// assert_eq!(changes[0].severity, Severity::Breaking);
/// assert_eq!(changes[0].path, "$.owner");
/// assert_eq!(diff(&new, &old, DiffOptions::default())?, []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// At [`Level::Source`], returns [`LowerError`] if one of the manifests has a schema that no code can be generated
/// from.
pub fn diff(old: &Manifest, new: &Manifest, options: DiffOptions) -> Result<Vec<Change>, LowerError> {
    let mut pass = Pass {
        out: Fits::new(&new.types.out, &old.types.out),
        input: Fits::new(&old.types.input, &new.types.input),
        closed: options.closed,
        agent: "",
        changes: Vec::new(),
    };
    for (old, new) in matched(&old.agents, &new.agents, |agent| &agent.name) {
        pass.agent = old.or(new).map_or("", |agent| &agent.name);
        match (old, new) {
            (Some(old), Some(new)) => pass.agents(old, new),
            (Some(_), None) => pass.change("", None, "no longer exists"),
            (None, _) => {}
        }
    }
    let mut changes = pass.changes;
    if options.level == Level::Source {
        changes.extend(source::changes(old, new)?);
    }
    Ok(changes)
}

/// Returns true if programs made for the old manifest break.
///
/// ```
/// use agui_codegen::{DiffOptions, diff, is_breaking};
/// # use agui_codegen::Manifest;
/// # use agui_runtime::manifest::AgentSource;
/// # let old = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef")])?;
/// # let new = Manifest::build("kitchen", "0.2.0", &[AgentSource::new("chef"), AgentSource::new("waiter")])?;
///
/// // The new manifest has a `waiter` too.
/// assert!(!is_breaking(&diff(&old, &new, DiffOptions::default())?));
/// assert!(is_breaking(&diff(&new, &old, DiffOptions::default())?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn is_breaking(changes: &[Change]) -> bool {
    changes.iter().any(|change| change.severity == Severity::Breaking)
}

struct Pass<'a> {
    /// From the new agent to existing clients.
    out: Fits<'a>,
    /// From existing clients to the new agent.
    input: Fits<'a>,
    closed: bool,
    agent: &'a str,
    changes: Vec<Change>,
}

impl<'a> Pass<'a> {
    fn agents(&mut self, old: &'a AgentDef, new: &'a AgentDef) {
        match (&old.state, &new.state) {
            (Some(old), Some(new)) => self.pair("the state", old, new),
            (Some(_), None) => self.change("the state", Some(Direction::Out), "is no longer sent"),
            (None, _) => {}
        }
        for (old, new) in matched(&old.tools, &new.tools, |tool| &tool.name) {
            match (old, new) {
                (Some(old), Some(new)) => self.tools(old, new),
                (None, Some(new)) if new.side == ToolSide::Frontend => {
                    let place = format!("the tool `{}`", new.name);
                    self.warning(
                        &place,
                        None,
                        "is new and runs in the user interface: existing clients do not offer it",
                    );
                }
                _ => {}
            }
        }
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
            (Some(_), None) => self.change("the result", Some(Direction::Out), "is no longer sent"),
            (None, _) => {}
        }
        // Existing clients may leave the props out, as all clients may.
        if let (Some(old), Some(new)) = (&old.forwarded, &new.forwarded) {
            self.input("the forwarded props", old, new);
        }
        for (old, new) in matched(&old.interrupts, &new.interrupts, |asked| &asked.reason) {
            match (old, new) {
                (Some(old), Some(new)) => self.interrupts(old, new),
                // A client that does not know an interrupt cannot answer it, and a thread waits for all answers.
                (None, Some(new)) => {
                    let place = format!("the interrupt `{}`", new.reason);
                    self.warning(&place, None, "is new: existing clients cannot answer it, only cancel it");
                }
                // An interrupt that was removed may still be open, and the new agent does not read its answer.
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
                self.change(&place, Some(Direction::Out), "is no longer sent");
            }
            (None, Some(ResultDef::In(_))) => {
                self.change(&place, Some(Direction::In), "is expected, and existing clients send none");
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

    fn out(&mut self, place: &str, new: &'a Value, old: &'a Value) {
        let found = self.out.check(new, old);
        self.mismatches(place, Direction::Out, found);
    }

    fn input(&mut self, place: &str, old: &'a Value, new: &'a Value) {
        let found = self.input.check(old, new);
        self.mismatches(place, Direction::In, found);
    }

    fn mismatches(&mut self, place: &str, direction: Direction, found: Vec<Mismatch>) {
        for Mismatch { path, message, is_new_variant } in found {
            let is_warning = direction == Direction::Out && is_new_variant && !self.closed;
            self.changes.push(Change {
                severity: if is_warning { Severity::Warning } else { Severity::Breaking },
                level: Level::Wire,
                agent: self.agent.to_owned(),
                place: place.to_owned(),
                direction: Some(direction),
                path: format!("${path}"),
                message,
            });
        }
    }

    fn change(&mut self, place: &str, direction: Option<Direction>, message: &str) {
        self.changes.push(Change {
            severity: Severity::Breaking,
            level: Level::Wire,
            agent: self.agent.to_owned(),
            place: place.to_owned(),
            direction,
            path: String::new(),
            message: message.to_owned(),
        });
    }

    fn warning(&mut self, place: &str, direction: Option<Direction>, message: &str) {
        self.change(place, direction, message);
        if let Some(last) = self.changes.last_mut() {
            last.severity = Severity::Warning;
        }
    }
}

/// The items with one name on both sides, and the items of one side only; sorted by name.
fn matched<'a, T>(
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
