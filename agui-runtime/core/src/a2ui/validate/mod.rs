//! Validates surface components, above all components that a model wrote.

mod bindings;
mod cycles;
mod properties;
mod references;
mod surface;

use std::collections::HashSet;
use std::fmt;

use serde::Serialize;
use serde_json::{Value, json};

use self::references::references;
use super::{ComponentCatalog, SurfaceComponent};
use crate::agent::PublicError;
use crate::protocol::JsonObject;
use crate::quoted::quoted;

/// The greatest number of reported problems, and of ids in one problem: a model repairs the first ones.
const MOST: usize = 100;

/// Checks a surface's components as `@ag-ui/a2ui-toolkit` does: each has a unique id and a name, a root exists, children exist and
/// form no cycle, and absolute binding paths exist in the data. With a catalog, the check also covers component names and required
/// properties.
///
/// A tool that draws components from a model returns the error: the model reads the problems, and tries again.
///
/// # Errors
/// [`InvalidComponents`] with all problems, at most 100.
///
/// ```
/// use agui_runtime::a2ui::{ComponentCatalog, SurfaceComponent, InvalidComponents, Surface, UpdateDataModel, validate};
/// use agui_runtime::prelude::*;
/// use agui_runtime::protocol::JsonObject;
///
/// /// Draws an interface for the user.
/// #[tool]
/// async fn draw(components: Vec<SurfaceComponent>, data: JsonObject) -> Result<Surface, InvalidComponents> {
///     validate(&components, &data, None)?;
///     let mut drawn = Surface::new("drawn", ComponentCatalog::BASIC, components);
///     drawn.push(UpdateDataModel::set("drawn", "/", data));
///     Ok(drawn)
/// }
///
/// let card = SurfaceComponent::new("root", "Card").child("title");
/// let error = validate(&[card], &JsonObject::new(), None).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the components are no surface:\n\
///      - [unresolved_child] components[0].child: Child reference 'title' does not match any component id",
/// );
/// ```
pub fn validate(
    components: &[SurfaceComponent],
    data: &JsonObject,
    catalog: Option<&ComponentCatalog>,
) -> Result<(), InvalidComponents> {
    let mut found = ProblemList(Vec::new());
    if components.is_empty() {
        found.add(ProblemCode::EmptyComponents, "components", "A2UI components must be a non-empty array");
        return found.result();
    }
    for (index, component) in components.iter().enumerate() {
        check_by_catalog(index, component, catalog, &mut found);
    }
    check_tree(components, data, &|_| catalog, &mut found);
    found.result()
}

/// Checks ids, children and paths: all that needs the other components or the data. Each component has the catalog that marks its
/// references.
fn check_tree<'c>(
    components: &[SurfaceComponent],
    data: &JsonObject,
    catalog: &dyn Fn(&SurfaceComponent) -> Option<&'c ComponentCatalog>,
    found: &mut ProblemList,
) {
    let ids = check_ids(components, found);
    for (index, component) in components.iter().enumerate() {
        check_names(index, component, found);
        for reference in
            references(component, catalog(component)).filter(|reference| !ids.contains(reference.to))
        {
            let path = format!("components[{index}].{}", reference.path);
            let message =
                format!("Child reference '{}' does not match any component id", quoted(reference.to));
            found.add(ProblemCode::UnresolvedChild, path, message);
        }
        for path in bindings::absolute(component.json()).filter(|path| !bindings::resolves(path, data)) {
            let message = format!("Binding path '{}' does not resolve in the data model", quoted(path));
            found.add(ProblemCode::UnresolvedBinding, format!("components[{index}]"), message);
        }
    }
    for cycle in cycles::cycles(components, catalog) {
        let shown = cycle.iter().take(MOST).map(|id| quoted(id).to_string());
        let rest = (cycle.len() > MOST).then(|| "…".to_owned());
        let names: Vec<_> = shown.chain(rest).collect();
        let first = names.first().map_or("", String::as_str);
        let message = format!("Child reference cycle detected: {} -> {first}", names.join(" -> "));
        found.add(ProblemCode::ChildCycle, format!("components[id={first}]"), message);
    }
    if !ids.contains("root") {
        found.add(ProblemCode::NoRoot, "components", "No component has id 'root'");
    }
}

/// Returns the ids, and reports duplicates.
fn check_ids<'c>(components: &'c [SurfaceComponent], found: &mut ProblemList) -> HashSet<&'c str> {
    let mut ids = HashSet::new();
    for id in components.iter().filter_map(SurfaceComponent::id) {
        if !ids.insert(id) {
            let id = quoted(id);
            let message = format!("Duplicate component id '{id}'");
            found.add(ProblemCode::DuplicateId, format!("components[id={id}]"), message);
        }
    }
    ids
}

fn check_names(index: usize, component: &SurfaceComponent, found: &mut ProblemList) {
    if component.id().is_none_or(str::is_empty) {
        let message = format!("Component at index {index} is missing a string 'id'");
        found.add(ProblemCode::MissingId, format!("components[{index}].id"), message);
    }
    if component.name().is_none_or(str::is_empty) {
        let message = format!("Component at index {index} is missing a string 'component' type");
        found.add(ProblemCode::MissingComponentType, format!("components[{index}].component"), message);
    }
}

fn check_by_catalog(
    index: usize,
    component: &SurfaceComponent,
    catalog: Option<&ComponentCatalog>,
    found: &mut ProblemList,
) {
    let (Some(catalog), Some(name)) = (catalog, component.name()) else { return };
    let Some(schema) = catalog.components.get(name) else {
        let message = format!("Component type '{}' is not in the catalog", quoted(name));
        found.add(ProblemCode::UnknownComponent, format!("components[{index}].component"), message);
        return;
    };
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    for property in required.filter_map(Value::as_str).filter(|name| !component.json().contains_key(*name)) {
        let (name, property) = (quoted(name), quoted(property));
        let path = format!("components[{index}].{property}");
        let message = format!("Component '{name}' (index {index}) is missing required prop '{property}'");
        found.add(ProblemCode::MissingRequiredProp, path, message);
    }
}

/// Collects problems, up to the limit.
struct ProblemList(Vec<ComponentProblem>);

impl ProblemList {
    fn add(&mut self, code: ProblemCode, path: impl Into<String>, message: impl Into<String>) {
        if self.0.len() < MOST {
            self.0.push(ComponentProblem { code, path: path.into(), message: message.into() });
        }
    }

    fn result(self) -> Result<(), InvalidComponents> {
        if self.0.is_empty() { Ok(()) } else { Err(InvalidComponents { problems: self.0 }) }
    }
}

/// Components that form no valid surface. The text lists the problems, for a model to repair.
///
/// ```
/// use agui_runtime::a2ui::{ProblemCode, validate};
///
/// let error = validate(&[], &Default::default(), None).unwrap_err();
/// assert_eq!(error.problems()[0].code, ProblemCode::EmptyComponents);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct InvalidComponents {
    problems: Vec<ComponentProblem>,
}

impl InvalidComponents {
    /// Returns the problems, at least one.
    #[must_use]
    pub fn problems(&self) -> &[ComponentProblem] {
        &self.problems
    }
}

impl fmt::Display for InvalidComponents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the components are no surface:")?;
        for problem in &self.problems {
            write!(f, "\n- [{}] {}: {}", problem.code.as_str(), problem.path, problem.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for InvalidComponents {}

impl PublicError for InvalidComponents {}

/// One problem in a surface's components.
///
/// ```
/// use agui_runtime::a2ui::{SurfaceComponent, validate};
///
/// let error = validate(&[SurfaceComponent::new("title", "Text")], &Default::default(), None).unwrap_err();
/// assert_eq!((error.problems()[0].path.as_str(), error.problems()[0].code.as_str()), ("components", "no_root"));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ComponentProblem {
    /// The problem code.
    pub code: ProblemCode,
    /// The path to the problem, such as `components[2].child`.
    pub path: String,
    /// A sentence for the model.
    pub message: String,
}

impl ComponentProblem {
    pub(super) fn to_json(&self) -> Value {
        json!({ "code": self.code.as_str(), "path": self.path, "message": self.message })
    }
}

macro_rules! problem_codes {
    ($($(#[$doc:meta])* $Code:ident $name:literal;)*) => {
        /// A problem in a surface's components, named as in `@ag-ui/a2ui-toolkit`, and the problems that [`Surface::check`](super::Surface::check) finds beside.
        ///
        /// ```
        /// assert_eq!(agui_runtime::a2ui::ProblemCode::NoRoot.as_str(), "no_root");
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum ProblemCode {
            $($(#[$doc])* $Code,)*
        }

        impl ProblemCode {
            /// Returns the code in snake case, as serialized.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$Code => $name,)*
                }
            }
        }
    };
}

problem_codes! {
    /// The component list is empty.
    EmptyComponents "empty_components";
    /// A component has no id.
    MissingId "missing_id";
    /// A component has no name.
    MissingComponentType "missing_component_type";
    /// Two components have the same id.
    DuplicateId "duplicate_id";
    /// No component has the id `root`.
    NoRoot "no_root";
    /// The catalog does not define the component.
    UnknownComponent "unknown_component";
    /// A component lacks a property that the catalog requires.
    MissingRequiredProp "missing_required_prop";
    /// A component names a missing child.
    UnresolvedChild "unresolved_child";
    /// Components contain each other.
    ChildCycle "child_cycle";
    /// A binding path does not exist in the data.
    UnresolvedBinding "unresolved_binding";
    /// A message has an unknown version, or is no operation of its version.
    UnreadMessage "unread_message";
    /// The page does not have the catalog.
    UnknownCatalog "unknown_catalog";
    /// The component has no such property.
    UnknownProperty "unknown_property";
    /// A property has a value of another kind.
    WrongProperty "wrong_property";
    /// The catalog has no such function.
    UnknownFunction "unknown_function";
    /// A function's arguments do not fit.
    WrongArguments "wrong_arguments";
}
