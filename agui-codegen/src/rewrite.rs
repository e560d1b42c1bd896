//! Rewrites the description between [`lower()`](crate::lower::lower) and [`emit`](crate::emit) by the user's choices:
//! other type names, the form for wide integers. Each choice is checked against the manifest.

use std::collections::BTreeMap;

use agui_runtime::manifest::Manifest;
use indexmap::IndexMap;

use crate::hidden::one_line;
use crate::ir::{AgentDecl, ApiDecl, PythonEnum, PythonFormats, PythonStyle, Type, TypeDecl};
use crate::names::is_identifier;

/// An error: a choice names an item that does not exist, or collides with another name.
///
/// ```
/// use agui_codegen::rewrite::{self, ChoiceError};
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, Manifest};
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef")])?;
///
/// let mut api = lower(&manifest)?;
/// let error = rewrite::rename(&mut api, &[("Todo".to_owned(), "Task".to_owned())].into()).unwrap_err();
/// assert!(matches!(error, ChoiceError::NoType { name, .. } if name == "Todo"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// The type does not exist; the error lists the existing names.
    #[error("`{choice}` names the type `{name}`, which no agent has; there are {}", one_line(&known.join(", ")))]
    NoType {
        /// The choice.
        choice: &'static str,
        /// The name.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// The agent does not exist; the error lists the existing agents.
    #[error("there is no agent `{name}`; there are {}", one_line(&known.join(", ")))]
    NoAgent {
        /// The name.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// The new name is not an identifier.
    #[error("`{choice}` gives the name `{name}`, which is not a valid name of a type")]
    NoName {
        /// The choice.
        choice: &'static str,
        /// The name.
        name: String,
    },
    /// Another type has the new name.
    #[error(
        "`{choice}` gives the name `{name}`, which another type of agent `{}` has already",
        one_line(agent)
    )]
    Taken {
        /// The choice.
        choice: &'static str,
        /// The name.
        name: String,
        /// The agent.
        agent: String,
    },
    /// Only strings, numbers and booleans can have a type that differs by name alone.
    #[error(
        "`brand` names the type `{0}`, which is neither a string nor a number: only those can have a brand"
    )]
    NoScalar(String),
    /// `json.loads` returns strings, not enum class members.
    #[error("classes for enums need pydantic: with `typeddict`, a string stays a string")]
    TextsAreNoClasses,
    /// `json.loads` returns strings, not dates and ids.
    #[error("types for formats need pydantic: with `typeddict`, a date or an id stays a string")]
    TextsStay,
    /// Some integers may be rounded by a JavaScript number, and `ints` refuses such integers.
    #[error(
        "`ints` refuses 64-bit integers, because a JavaScript number is exact only up to 2^53: send them as text, with `#[serde(with = \"agui_runtime::as_string::<u64>\")]`, or take a smaller type:\n  {}",
        .0.iter().map(|place| one_line(place)).collect::<Vec<_>>().join("\n  ")
    )]
    Wide(Vec<String>),
}

/// The form for integers that a JavaScript number may round. Never `bigint`, because JSON parsers do not produce
/// `bigint`, and never a string, because the agent does not write strings: a string form has to be in the Rust type.
///
/// ```
/// use agui_codegen::rewrite::{self, ChoiceError, IntegerForm};
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # let count = AgentSource { state: Some(TypeSource::of::<u64>()), ..AgentSource::new("count") };
/// # let manifest = Manifest::build("count", "0.1.0", &[count])?;
///
/// let mut api = lower(&manifest)?;
/// let refused = rewrite::integers(&mut api, IntegerForm::Refuse);
/// assert!(matches!(refused, Err(ChoiceError::Wide(places)) if !places.is_empty()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntegerForm {
    /// Numbers, each with a note in the doc comment and a warning during generation.
    #[default]
    Number,
    /// Numbers without the warning, for integers that are known to stay small.
    Silent,
    /// An error: no file is generated.
    Refuse,
}

/// Keeps only the agents with the given names; an empty list keeps all agents. The hashes still cover the whole
/// program, because the server compares whole-program hashes.
///
/// ```
/// use agui_codegen::rewrite;
/// # use agui_runtime::manifest::{AgentSource, Manifest};
/// # let agents = [AgentSource::new("chef"), AgentSource::new("waiter")];
/// # let manifest = Manifest::build("kitchen", "0.1.0", &agents)?;
///
/// let mut manifests = [manifest];
/// rewrite::agents(&mut manifests, &["chef".to_owned()])?;
/// assert_eq!(manifests[0].agents.len(), 1);
/// assert!(rewrite::agents(&mut manifests, &["waiter".to_owned()]).is_err(), "it is not there any more");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`ChoiceError::NoAgent`] with the first name that no agent has.
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
/// ```
/// use agui_codegen::rewrite::{self, IntegerForm};
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # let count = AgentSource { state: Some(TypeSource::of::<u64>()), ..AgentSource::new("count") };
/// # let manifest = Manifest::build("count", "0.1.0", &[count])?;
///
/// let mut api = lower(&manifest)?;
/// assert!(!api.all_warnings().is_empty());
/// rewrite::integers(&mut api, IntegerForm::Silent)?;
/// assert!(api.all_warnings().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`ChoiceError::Wide`] with every path, if the policy refuses wide integers.
pub fn integers(api: &mut ApiDecl, policy: IntegerForm) -> Result<(), ChoiceError> {
    match policy {
        IntegerForm::Number => {}
        IntegerForm::Refuse if api.wide_integers.is_empty() => {}
        IntegerForm::Refuse => return Err(ChoiceError::Wide(api.wide_integers.clone())),
        IntegerForm::Silent => api.wide_integers.clear(),
    }
    Ok(())
}

/// Renames types in the generated code: `names` maps old names to new names. The JSON on the wire stays unchanged. An
/// old name may also be the type's path in the manifest: `kitchen::model::Recipe`.
///
/// ```
/// use agui_codegen::{Manifest, lower::lower, rewrite};
/// # use agui_runtime::manifest::{AgentSource, EventSource, TypeSource};
/// # #[derive(schemars::JsonSchema)]
/// # struct Todo { text: String }
/// # let agent = AgentSource {
/// #     version: "0.1.0", rust_path: "todo::Agent", state: Some(TypeSource::of::<Todo>()), ..AgentSource::new("todo")
/// # };
/// # let manifest = Manifest::build("todo", "0.1.0", &[agent])?;
///
/// let mut api = lower(&manifest)?;
/// rewrite::rename(&mut api, &[("Todo".to_owned(), "Task".to_owned())].into())?;
/// assert!(api.agents[0].types.contains_key("Task"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`ChoiceError`] if an old name does not exist, or if a new name is taken or not an identifier.
pub fn rename(api: &mut ApiDecl, names: &BTreeMap<String, String>) -> Result<(), ChoiceError> {
    const CHOICE: &str = "rename";
    for (old, new) in names {
        if !api.agents.iter().any(|agent| agent.types.values().any(|decl| decl.path.as_ref() == Some(old))) {
            known(api, CHOICE, old)?;
        }
        if !is_identifier(new) {
            return Err(ChoiceError::NoName { choice: CHOICE, name: new.clone() });
        }
    }
    if names.is_empty() {
        return Ok(());
    }
    for agent in &mut api.agents {
        let names = by_name(agent, names);
        let renamed = |name: &str| names.get(name).map_or_else(|| name.to_owned(), Clone::clone);
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

/// Returns the new names by generated name. If a type's directions differ, the type's path stands for both forms.
fn by_name(agent: &AgentDecl, names: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut by_name = BTreeMap::new();
    for (old, new) in names {
        let forms: Vec<&str> = agent
            .types
            .values()
            .filter(|decl| decl.path.as_ref() == Some(old))
            .map(|decl| decl.name.as_str())
            .collect();
        let base = forms.iter().min_by_key(|name| name.len()).copied().unwrap_or_default();
        for form in forms {
            let ending = form.strip_prefix(base).unwrap_or_default();
            by_name.insert(form.to_owned(), format!("{new}{ending}"));
        }
    }
    by_name.extend(names.iter().map(|(old, new)| (old.clone(), new.clone())));
    by_name
}

fn refer(ty: &mut Type, renamed: &dyn Fn(&str) -> String) {
    ty.each_mut(&mut |ty| {
        if let Type::Ref(name) = ty {
            *name = renamed(name);
        }
    });
}

/// Checks that the names in `api.options` exist and fit their options.
///
/// ```
/// use agui_codegen::rewrite::{self, ChoiceError};
/// use agui_codegen::ir::{PythonEnum, PythonStyle};
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, Manifest};
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef")])?;
///
/// let mut api = lower(&manifest)?;
/// api.options.python_style = PythonStyle::TypedDict;
/// rewrite::check(&api)?;
/// api.options.python_enum = PythonEnum::StrEnum;
/// assert_eq!(rewrite::check(&api), Err(ChoiceError::TextsAreNoClasses));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`ChoiceError`] with the first name that does not fit.
pub fn check(api: &ApiDecl) -> Result<(), ChoiceError> {
    let options = &api.options;
    if options.python_style == PythonStyle::TypedDict && options.python_enum == PythonEnum::StrEnum {
        return Err(ChoiceError::TextsAreNoClasses);
    }
    if options.python_style == PythonStyle::TypedDict && options.python_formats == PythonFormats::Types {
        return Err(ChoiceError::TextsStay);
    }
    for name in &api.options.brand {
        // A format's name also becomes a type.
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

fn known<'a>(api: &'a ApiDecl, choice: &'static str, name: &str) -> Result<&'a TypeDecl, ChoiceError> {
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
