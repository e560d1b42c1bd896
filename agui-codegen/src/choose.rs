//! What people choose to have otherwise, between [`lower()`](crate::lower::lower) and [`emit`](crate::emit): other names
//! for types, what becomes of wide integers; and whether what they chose is there to be chosen.

use std::collections::BTreeMap;

use agui_runtime::manifest::Manifest;
use indexmap::IndexMap;

use crate::ir::{Api, PythonEnum, PythonStyle, Type, TypeDecl};
use crate::lower::wide_warning;
use crate::names::is_identifier;

/// A choice that fits nothing, or meets something else.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// The type is not there; the names that are follow.
    #[error("`{choice}` names the type `{name}`, which no agent has; there are {}", known.join(", "))]
    NoType {
        /// The choice.
        choice: &'static str,
        /// The name.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The agent is not there; those that are follow.
    #[error("there is no agent `{name}`; there are {}", known.join(", "))]
    NoAgent {
        /// The name.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The new name is no identifier.
    #[error("`{choice}` gives the name `{name}`, which cannot name a type")]
    NoName {
        /// The choice.
        choice: &'static str,
        /// The name.
        name: String,
    },
    /// The new name is that of another type.
    #[error("`{choice}` gives the name `{name}`, which another type of agent `{agent}` has already")]
    Taken {
        /// The choice.
        choice: &'static str,
        /// The name.
        name: String,
        /// The agent.
        agent: String,
    },
    /// Only texts, numbers and truth values can be told apart by name alone.
    #[error(
        "`brand` names the type `{0}`, which is neither a text nor a number: its members tell it from others"
    )]
    NoScalar(String),
    /// What `json.loads` reads is text, and no member of a class.
    #[error("classes for enums are for pydantic, which reads them: with `typeddict`, a text stays a text")]
    TextsAreNoClasses,
    /// Integers a JavaScript number may round, where none are allowed.
    #[error(
        "64-bit integers are refused, as `ints` says, for a JavaScript number holds them exactly only up to 2^53; send \
         them as text, with `#[serde(with = \"agui_runtime::int_string::<u64>\")]`, or take a smaller type:\n  {}",
        .0.join("\n  ")
    )]
    Wide(Vec<String>),
}

/// What becomes of integers that a JavaScript number may round. Never `bigint`, which no JSON is read into, and never text,
/// which the agent does not write: that is for the Rust type to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integers {
    /// They are numbers, each with a note in its doc comment and a warning to whoever generates.
    #[default]
    Number,
    /// The same without the warning, where somebody knows that they stay small.
    Silent,
    /// Nothing is generated.
    Refuse,
}

/// Leaves the agents of these names, and no others; all where there are no names. The hashes stay those of the whole
/// program, which is what its server compares.
///
/// # Errors
///
/// [`ChoiceError::NoAgent`] with the first name that is none.
pub fn agents(manifests: &mut [Manifest], names: &[String]) -> Result<(), ChoiceError> {
    let agents = manifests.iter().flat_map(|manifest| &manifest.agents);
    let known: Vec<String> = agents.map(|agent| agent.name.clone()).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        return Err(ChoiceError::NoAgent { name: name.clone(), known });
    }
    if !names.is_empty() {
        manifests.iter_mut().for_each(|manifest| manifest.agents.retain(|agent| names.contains(&agent.name)));
    }
    Ok(())
}

/// Applies the policy.
///
/// # Errors
///
/// [`ChoiceError::Wide`] with every place, where they are refused.
pub fn integers(api: &mut Api, policy: Integers) -> Result<(), ChoiceError> {
    match policy {
        Integers::Number => {}
        Integers::Refuse if api.wide_integers.is_empty() => {}
        Integers::Refuse => return Err(ChoiceError::Wide(api.wide_integers.clone())),
        Integers::Silent => {
            let said: Vec<String> = api.wide_integers.iter().map(|place| wide_warning(place)).collect();
            api.warnings.retain(|warning| !said.contains(warning));
        }
    }
    Ok(())
}

/// Gives types other names in the generated code: from the old one to the new one. What travels stays as it is.
///
/// ```
/// use agui_codegen::{Manifest, choose, lower::lower};
/// # use agui_runtime::manifest::{AgentSource, EventSource, TypeSource};
/// # #[derive(schemars::JsonSchema)]
/// # struct Todo { text: String }
/// # let agent = AgentSource {
/// #     version: "0.1.0", rust_path: "todo::Agent", state: Some(TypeSource::of::<Todo>()), ..AgentSource::new("todo")
/// # };
/// # let manifest = Manifest::build("todo", "0.1.0", &[agent])?;
///
/// let mut api = lower(&manifest)?;
/// choose::rename(&mut api, &[("Todo".to_owned(), "Task".to_owned())].into())?;
/// assert!(api.agents[0].types.contains_key("Task"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`ChoiceError`] where an old name is not there, or a new one is taken or no identifier.
pub fn rename(api: &mut Api, names: &BTreeMap<String, String>) -> Result<(), ChoiceError> {
    const CHOICE: &str = "rename";
    for (old, new) in names {
        known(api, CHOICE, old)?;
        if !is_identifier(new) {
            return Err(ChoiceError::NoName { choice: CHOICE, name: new.clone() });
        }
    }
    if names.is_empty() {
        return Ok(());
    }
    let renamed = |name: &str| names.get(name).map_or_else(|| name.to_owned(), Clone::clone);
    for agent in &mut api.agents {
        let mut types: Vec<TypeDecl> = Vec::new();
        for (_, mut decl) in std::mem::take(&mut agent.types) {
            decl.name = renamed(&decl.name);
            refer(&mut decl.ty, &renamed);
            types.push(decl);
        }
        types.sort_by(|a, b| a.name.cmp(&b.name));
        for decl in types {
            if let Some(other) = agent.types.insert(decl.name.clone(), decl) {
                return Err(ChoiceError::Taken {
                    choice: CHOICE,
                    name: other.name,
                    agent: agent.name.clone(),
                });
            }
        }
        agent.slots_mut().for_each(|slot| refer(&mut slot.ty, &renamed));
    }
    Ok(())
}

fn refer(ty: &mut Type, renamed: &dyn Fn(&str) -> String) {
    ty.each_mut(&mut |ty| {
        if let Type::Ref(name) = ty {
            *name = renamed(name);
        }
    });
}

/// Whether what `api.options` name is there, and can be what they want of it.
///
/// # Errors
///
/// [`ChoiceError`] with the first name that does not fit.
pub fn check(api: &Api) -> Result<(), ChoiceError> {
    let options = &api.options;
    if options.python_style == PythonStyle::TypedDict && options.python_enum == PythonEnum::StrEnum {
        return Err(ChoiceError::TextsAreNoClasses);
    }
    for name in &api.options.brand {
        // What a format is called is a type too.
        if api.options.formats.values().any(|format| format == name) {
            continue;
        }
        let decl = known(api, "brand", name)?;
        if !matches!(decl.ty, Type::String(_) | Type::Integer(_) | Type::Number(_) | Type::Bool) {
            return Err(ChoiceError::NoScalar(name.clone()));
        }
    }
    for name in api.options.formats.values() {
        let choice = "formats";
        if !is_identifier(name) {
            return Err(ChoiceError::NoName { choice, name: name.clone() });
        }
        if let Some(agent) = api.agents.iter().find(|agent| agent.types.contains_key(name)) {
            return Err(ChoiceError::Taken { choice, name: name.clone(), agent: agent.name.clone() });
        }
    }
    Ok(())
}

fn known<'a>(api: &'a Api, choice: &'static str, name: &str) -> Result<&'a TypeDecl, ChoiceError> {
    let all: IndexMap<&str, &TypeDecl> = api
        .agents
        .iter()
        .flat_map(|agent| agent.types.values())
        .map(|decl| (decl.name.as_str(), decl))
        .collect();
    all.get(name).copied().ok_or_else(|| {
        let known = all.keys().map(|name| (*name).to_owned()).collect();
        ChoiceError::NoType { choice, name: name.to_owned(), known }
    })
}
