//! The same operation in another version.

use serde_json::Value;

use super::{
    ComponentCatalog, CreateSurface, SurfaceComponent, SurfaceMessage, SurfaceOperation, SurfaceVersion,
    UpdateComponents, UpdateDataModel,
};
use crate::agent::PublicError;
use crate::protocol::JsonObject;
use crate::quoted::quoted;

/// A surface that another version cannot write.
///
/// ```
/// use agui_runtime::a2ui::{ComponentCatalog, Surface, SurfaceComponent, SurfaceVersion};
///
/// let chart = SurfaceComponent::new("root", "Chart").with("catalogId", "https://charts.example/catalog.json");
/// let mixed = Surface::new("mixed", ComponentCatalog::BASIC, [chart]);
/// let error = mixed.in_version(SurfaceVersion::V0_9).unwrap_err();
/// assert_eq!(error.to_string(), "A2UI v0.9 has one catalog for each surface, and `root` names another one");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SurfaceVersionError {
    /// A message has a version that this crate does not read, or is no operation of its version.
    #[error("a message of `{version}` is no operation that this crate reads")]
    #[non_exhaustive]
    Unread {
        /// The version as written, empty if the message has none.
        version: String,
    },
    /// A component or a function is from another catalog than the surface's.
    #[error("A2UI v0.9 has one catalog for each surface, and `{id}` names another one")]
    #[non_exhaustive]
    MixedCatalogs {
        /// The component's id.
        id: String,
    },
    /// The surface names no catalog.
    #[error("A2UI v0.9 needs the catalog of the surface `{surface_id}`: give `CreateSurface` a catalog id")]
    #[non_exhaustive]
    NoCatalog {
        /// The surface id.
        surface_id: String,
    },
    /// Functions are called in both directions in v1.0 only.
    #[error("A2UI v0.9 has no calls of functions between agent and page")]
    NoFunctionCalls,
    /// A message sets `null` at a path in the data, which in v1.0 would remove the path.
    #[error(
        "A2UI v1.0 removes `{path}` if it is set to `null`: remove the path, or set the object around it"
    )]
    #[non_exhaustive]
    NullValue {
        /// The path, a JSON Pointer (RFC 6901); `/` is the whole data.
        path: String,
    },
}

impl PublicError for SurfaceVersionError {}

/// Returns the messages in this version, each operation as the version writes it.
pub(super) fn in_version(
    messages: Vec<SurfaceMessage>,
    version: SurfaceVersion,
) -> Result<Vec<SurfaceMessage>, SurfaceVersionError> {
    in_version_with(messages, version, false)
}

/// Returns the messages in this version; function calls and responses, which v1.0 alone has, stay as written. A page that draws v0.9
/// can call functions too, because no renderer takes part.
pub(super) fn drawn_in_version(
    messages: Vec<SurfaceMessage>,
    version: SurfaceVersion,
) -> Result<Vec<SurfaceMessage>, SurfaceVersionError> {
    in_version_with(messages, version, true)
}

/// True for a message that calls a function, or answers a call.
pub(super) fn is_call(operation: &SurfaceOperation) -> bool {
    matches!(
        operation,
        SurfaceOperation::CallRendererFunction(_) | SurfaceOperation::AgentFunctionResponse(_)
    )
}

fn in_version_with(
    messages: Vec<SurfaceMessage>,
    version: SurfaceVersion,
    keeps_calls: bool,
) -> Result<Vec<SurfaceMessage>, SurfaceVersionError> {
    let mut catalogs = JsonObject::new();
    let mut converted = Vec::with_capacity(messages.len());
    for message in messages {
        let Some(operation) = message.operation() else {
            let version = quoted(message.version().unwrap_or_default()).to_string();
            return Err(SurfaceVersionError::Unread { version });
        };
        if let SurfaceOperation::CreateSurface(CreateSurface {
            surface_id, catalog_id: Some(catalog), ..
        }) = &operation
        {
            catalogs.insert(surface_id.clone(), catalog.as_str().into());
        }
        let is_same = message.version().and_then(SurfaceVersion::named) == Some(version);
        match version {
            _ if is_same && operation.version() == SurfaceVersion::V1_0 => converted.push(message),
            _ if keeps_calls && is_call(&operation) => converted.push(message),
            SurfaceVersion::V0_9 if is_same => {
                // Keeps members unknown here, and finds components from other catalogs.
                older(operation, &catalogs, &mut Vec::new())?;
                converted.push(message);
            }
            SurfaceVersion::V0_9 => older(operation, &catalogs, &mut converted)?,
            SurfaceVersion::V1_0 if is_same => converted.push(message),
            SurfaceVersion::V1_0 => converted.push(SurfaceMessage::of(version, newer(operation, &catalogs)?)),
        }
    }
    Ok(converted)
}

/// v1.0 has no theme, no `returnType` in calls, no headings among the variants of the basic catalog's text, and no message that sets
/// `null`.
fn newer(
    operation: SurfaceOperation,
    catalogs: &JsonObject,
) -> Result<SurfaceOperation, SurfaceVersionError> {
    Ok(match operation {
        SurfaceOperation::CreateSurface(mut begin) => {
            if begin.theme.take().is_some() {
                tracing::warn!(surface = %quoted(&begin.surface_id), "A2UI v1.0 has no theme: the surface is shown without its theme");
            }
            begin.catalog_id = begin
                .catalog_id
                .map(|id| if is_basic(&id) { ComponentCatalog::BASIC_V1_0.to_owned() } else { id });
            begin.into()
        }
        SurfaceOperation::UpdateComponents(mut update) => {
            let catalog = catalogs.get(&update.surface_id).and_then(Value::as_str);
            let is_basic = catalog.is_some_and(is_basic);
            update.components =
                update.components.into_iter().map(|component| newer_component(component, is_basic)).collect();
            update.into()
        }
        SurfaceOperation::UpdateDataModel(UpdateDataModel { path, value: Some(Value::Null), .. }) => {
            let path = quoted(path.as_deref().unwrap_or("/")).to_string();
            return Err(SurfaceVersionError::NullValue { path });
        }
        other => other,
    })
}

/// The ids of the basic catalog in v0.9: that of pages, and that in the published catalog.
fn is_basic(id: &str) -> bool {
    id == ComponentCatalog::BASIC || id == "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"
}

fn newer_component(component: SurfaceComponent, is_basic: bool) -> SurfaceComponent {
    let mut members = component.into_json();
    if is_basic && members.get("component").and_then(Value::as_str) == Some("Text") {
        let heading =
            members.get("variant").and_then(Value::as_str).and_then(|variant| variant.strip_prefix('h'));
        if let Some(level) =
            heading.and_then(|level| level.parse::<usize>().ok()).filter(|level| (1..=5).contains(level))
        {
            members.remove("variant");
            // Text is Markdown; only text that stands in the component can be marked as a heading.
            if let Some(Value::String(text)) = members.get_mut("text") {
                text.insert_str(0, &format!("{} ", "#".repeat(level)));
            }
        }
    }
    members.values_mut().for_each(without_return_types);
    members.into()
}

/// Walks a component's property. JSON that was read is at most 128 values deep.
fn without_return_types(value: &mut Value) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(without_return_types),
        Value::Object(members) => {
            if members.get("call").is_some_and(Value::is_string) {
                members.remove("returnType");
            }
            members.values_mut().for_each(without_return_types);
        }
        _ => {}
    }
}

/// v0.9 has components and data in messages of their own, one catalog, and neither metadata nor the user's message in an event.
fn older(
    operation: SurfaceOperation,
    catalogs: &JsonObject,
    converted: &mut Vec<SurfaceMessage>,
) -> Result<(), SurfaceVersionError> {
    let mut push =
        |operation: SurfaceOperation| converted.push(SurfaceMessage::of(SurfaceVersion::V0_9, operation));
    match operation {
        SurfaceOperation::CreateSurface(mut begin) => {
            let surface_id = begin.surface_id.clone();
            let Some(catalog) = begin.catalog_id.clone() else {
                return Err(SurfaceVersionError::NoCatalog { surface_id: quoted(&surface_id).to_string() });
            };
            let (components, data) = (begin.components.take(), begin.data_model.take());
            begin.metadata = None;
            if catalog == ComponentCatalog::BASIC_V1_0 {
                begin.catalog_id = Some(ComponentCatalog::BASIC.to_owned());
            }
            push(begin.into());
            if let Some(components) = components {
                push(
                    UpdateComponents::new(surface_id.clone(), older_components(components, Some(&catalog))?)
                        .into(),
                );
            }
            if let Some(data) = data {
                push(UpdateDataModel::set(surface_id, "/", data).into());
            }
        }
        SurfaceOperation::UpdateComponents(mut update) => {
            let catalog = catalogs.get(&update.surface_id).and_then(Value::as_str);
            update.components = older_components(update.components, catalog)?;
            push(update.into());
        }
        SurfaceOperation::UpdateDataModel(_) | SurfaceOperation::DeleteSurface(_) => push(operation),
        SurfaceOperation::CallRendererFunction(_) | SurfaceOperation::AgentFunctionResponse(_) => {
            return Err(SurfaceVersionError::NoFunctionCalls);
        }
    }
    Ok(())
}

fn older_components(
    components: Vec<SurfaceComponent>,
    catalog: Option<&str>,
) -> Result<Vec<SurfaceComponent>, SurfaceVersionError> {
    let older = |component: SurfaceComponent| {
        let id = quoted(component.id().unwrap_or_default()).to_string();
        let mut members = component.into_json();
        members.remove("metadata");
        let mut is_one = is_default(members.remove("catalogId").as_ref(), catalog);
        members.values_mut().for_each(|value| is_one &= older_value(value, catalog));
        if is_one { Ok(members.into()) } else { Err(SurfaceVersionError::MixedCatalogs { id }) }
    };
    components.into_iter().map(older).collect()
}

/// Returns false for a call from another catalog than the surface's.
fn older_value(value: &mut Value, catalog: Option<&str>) -> bool {
    match value {
        Value::Array(elements) => elements.iter_mut().all(|element| older_value(element, catalog)),
        Value::Object(members) => {
            let is_call = members.get("call").is_some_and(Value::is_string);
            let own = !is_call || is_default(members.remove("catalogId").as_ref(), catalog);
            if let Some(Value::Object(event)) = members.get_mut("event") {
                event.remove("userMessage");
            }
            own && members.values_mut().all(|member| older_value(member, catalog))
        }
        _ => true,
    }
}

fn is_default(named: Option<&Value>, catalog: Option<&str>) -> bool {
    named.is_none_or(|named| catalog.is_some() && named.as_str() == catalog)
}
