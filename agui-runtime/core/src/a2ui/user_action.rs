//! User actions on a surface, as a page forwards them.

use std::fmt;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    CatalogError, FunctionCall, FunctionError, FunctionResponse, RendererCapabilities, SurfaceVersion,
};
use crate::agent::PublicError;
use crate::protocol::JsonObject;
use crate::quoted::quoted;

/// The `forwardedProps` from a page with surfaces: the user action that began the run, if there was one, and what the page can draw.
///
/// ```
/// use agui_runtime::a2ui::A2uiProps;
/// use agui_runtime::prelude::*;
/// use serde::Deserialize;
///
/// /// The values that the button sends.
/// #[derive(Deserialize)]
/// struct Booking {
///     hotel: String,
/// }
///
/// /// Books hotels.
/// #[agent(forwarded = A2uiProps)]
/// async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>) -> Result<(), Stop> {
///     let action = input.forwarded::<A2uiProps>()?.and_then(|props| props.user_action());
///     if let Some(action) = action.filter(|action| action.name == "book_hotel") {
///         let booking: Booking = action.read_context()?;
///         run.say(format!("{} is booked.", booking.hotel)).await;
///     }
///     Ok(())
/// }
/// # use serde_json::json;
/// # let mut input = agui_runtime::testing::input("?");
/// # input.forwarded_props = agui_runtime::protocol::NonNull::new(json!({ "a2uiAction": { "userAction": {
/// #     "name": "book_hotel", "surfaceId": "hotels", "context": { "hotel": "The Ritz" },
/// # } } }));
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Clerk::new(), input));
/// # assert_eq!(agui_runtime::testing::texts(&events), ["The Ritz is booked."]);
/// ```
///
/// An agent with other props has this type as a field with `#[serde(flatten)]`. The page can send anything, so an action grants no
/// permission: the user may book a hotel that no surface offered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct A2uiProps {
    /// The page's message as received, whatever its version.
    #[serde(default, rename = "a2uiAction", skip_serializing_if = "Option::is_none")]
    pub a2ui_action: Option<Value>,
    /// The page's capabilities as received, by version: [`renderer_capabilities`](Self::renderer_capabilities) reads them.
    #[serde(default, rename = "a2uiRendererCapabilities", skip_serializing_if = "Option::is_none")]
    pub a2ui_renderer_capabilities: Option<Value>,
    /// The same by the name of A2UI v0.9.
    #[serde(default, rename = "a2uiClientCapabilities", skip_serializing_if = "Option::is_none")]
    pub a2ui_client_capabilities: Option<Value>,
}

impl A2uiProps {
    /// Reads the action. `None` without an action, for a version that this crate does not know, or if the action has no name or no surface. The
    /// field [`a2ui_action`](Self::a2ui_action) holds the message in every case.
    #[must_use]
    pub fn user_action(&self) -> Option<UserAction> {
        // AG-UI's own name, and that of A2UI's messages.
        ["userAction", "action"].iter().find_map(|name| UserAction::deserialize(self.member(name)?).ok())
    }

    /// Reads a page's report that a surface could not be drawn (A2UI v0.9, section "Client-to-Server"; v1.0, schema
    /// `renderer_to_agent.json`). `None` without a report.
    #[must_use]
    pub fn renderer_error(&self) -> Option<RendererError> {
        RendererError::deserialize(self.member("error")?).ok()
    }

    /// Reads the page's capabilities in the newest version that the page and this crate have. `None` if the page sent none in such a
    /// version. [`RendererCapabilities::of_client`] reads the catalog in the context too.
    ///
    /// ```
    /// use agui_runtime::a2ui::{A2uiProps, ComponentCatalog};
    /// use serde_json::json;
    ///
    /// let basic = json!({ "supportedCatalogIds": [ComponentCatalog::BASIC] });
    /// let props: A2uiProps = serde_json::from_value(json!({ "a2uiClientCapabilities": { "v0.9": basic } })).unwrap();
    /// assert!(props.renderer_capabilities()?.is_some_and(|page| page.draws(ComponentCatalog::BASIC)));
    /// # Ok::<(), agui_runtime::a2ui::CatalogError>(())
    /// ```
    ///
    /// # Errors
    /// [`CatalogError`] if the capabilities have another shape, or if two catalogs with one id contradict.
    pub fn renderer_capabilities(&self) -> Result<Option<RendererCapabilities>, CatalogError> {
        let members = [&self.a2ui_renderer_capabilities, &self.a2ui_client_capabilities];
        RendererCapabilities::newest_of(members.into_iter().flatten())
    }

    /// Reads the page's call of an agent's function (A2UI v1.0). `None` without a call.
    ///
    /// ```
    /// use agui_runtime::a2ui::{A2uiProps, FunctionError};
    /// use serde_json::json;
    ///
    /// let call = json!({ "surfaceId": "hotels", "functionCallId": "call-1", "callFunction": { "call": "quote", "args": {} } });
    /// let props = json!({ "a2uiAction": { "version": "v1.0", "callAgentFunction": call } });
    /// let props: A2uiProps = serde_json::from_value(props).unwrap();
    /// let call = props.agent_function_call().unwrap();
    /// let unknown = FunctionError::new(FunctionError::UNKNOWN_FUNCTION, "There is no function `quote`.");
    /// assert_eq!(call.respond(Err(unknown)).function_call_id, "call-1");
    /// ```
    #[must_use]
    pub fn agent_function_call(&self) -> Option<AgentFunctionCall> {
        AgentFunctionCall::deserialize(self.member("callAgentFunction")?).ok()
    }

    /// Reads a response of the page's function that the agent called (A2UI v1.0). A report about a call counts as a response with an
    /// error. `None` without a response.
    #[must_use]
    pub fn function_response(&self) -> Option<FunctionResponse> {
        if let Some(response) = self.member("rendererFunctionResponse") {
            return FunctionResponse::deserialize(response).ok();
        }
        let report = self.member("error")?;
        let id = report.get("functionCallId")?.as_str()?;
        Some(FunctionResponse::new(id, Err(FunctionError::deserialize(report).ok()?)))
    }

    /// Returns a message member; `None` for a version that this crate does not know. Older pages send no version.
    fn member(&self, name: &str) -> Option<&Value> {
        let message = self.a2ui_action.as_ref()?;
        match message.get("version") {
            Some(version) if version.as_str().and_then(SurfaceVersion::named).is_none() => None,
            _ => message.get(name),
        }
    }
}

/// The page's call of an agent's function (A2UI v1.0, schema `renderer_to_agent.json`). The agent answers with
/// [`respond`](Self::respond), or [`respond_within`](Self::respond_within) a time.
///
/// ```
/// use agui_runtime::a2ui::AgentFunctionCall;
/// use serde_json::json;
///
/// let call = json!({ "surfaceId": "s", "functionCallId": "f", "callFunction": { "call": "quote", "args": { "nights": 2 } } });
/// let call: AgentFunctionCall = serde_json::from_value(call)?;
/// assert_eq!((call.call.call.as_str(), &call.call.args["nights"]), ("quote", &json!(2)));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AgentFunctionCall {
    /// The surface id.
    pub surface_id: String,
    /// The call's id, which the response repeats.
    pub function_call_id: String,
    /// The function and the arguments, which the page can choose freely.
    #[serde(rename = "callFunction")]
    pub call: FunctionCall,
}

/// A user action on a surface, such as a button press (A2UI, section "Client-to-Server").
///
/// The `Display` text is the sentence with which the official middleware describes the action to a model:
///
/// ```
/// use agui_runtime::a2ui::UserAction;
/// use serde_json::json;
///
/// let action = json!({ "name": "book", "surfaceId": "hotels", "sourceComponentId": "card", "context": { "hotel": "The Ritz" } });
/// let action: UserAction = serde_json::from_value(action)?;
/// assert_eq!(
///     action.to_string(),
///     r#"User performed action "book" on surface "hotels" (component: card). Context: {"hotel":"The Ritz"}"#,
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UserAction {
    /// The name in the component's event.
    pub name: String,
    /// The surface id.
    pub surface_id: String,
    /// The component id.
    pub source_component_id: Option<String>,
    /// A sentence about the action, for people. New in v1.0.
    pub user_message: Option<String>,
    /// The time on the page, in RFC 3339 form.
    pub timestamp: Option<String>,
    /// The values in the component's event; each data path is replaced by its value.
    #[serde(default)]
    pub context: JsonObject,
}

impl UserAction {
    /// Deserializes the values that came with the action.
    ///
    /// # Errors
    /// [`ContextError`] if the values do not fit `T`.
    pub fn read_context<T: DeserializeOwned>(&self) -> Result<T, ContextError> {
        let context = Value::Object(self.context.clone());
        serde_path_to_error::deserialize(context).map_err(|error| ContextError {
            action: quoted(&self.name).to_string(),
            path: quoted(error.path()).to_string(),
            message: quoted(crate::json::message(error.inner())).to_string(),
        })
    }
}

impl fmt::Display for UserAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "User performed action \"{}\" on surface \"{}\"", self.name, self.surface_id)?;
        if let Some(component) = self.source_component_id.as_ref().filter(|id| !id.is_empty()) {
            write!(f, " (component: {component})")?;
        }
        write!(f, ". Context: {}", Value::Object(self.context.clone()))
    }
}

/// A page's report that a surface could not be drawn.
///
/// ```
/// use agui_runtime::a2ui::RendererError;
/// use serde_json::json;
///
/// let error = json!({ "code": "CATALOG_MISSING", "surfaceId": "hotels", "message": "there is no such catalog" });
/// let error: RendererError = serde_json::from_value(error)?;
/// assert_eq!((error.code.as_str(), error.path), ("CATALOG_MISSING", None));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RendererError {
    /// `VALIDATION_FAILED`, or a code that the page defines.
    pub code: String,
    /// The surface id.
    pub surface_id: String,
    /// A sentence about the reason.
    pub message: String,
    /// The path to the invalid part, a JSON Pointer (RFC 6901).
    pub path: Option<String>,
}

/// A user action's values do not fit the type that the agent expects.
///
/// ```
/// use agui_runtime::a2ui::UserAction;
/// use serde_json::json;
///
/// #[derive(Debug, serde::Deserialize)]
/// struct Order {
///     amount: u32,
/// }
///
/// let action = json!({ "name": "order", "surfaceId": "shop", "context": { "amount": "two" } });
/// let error = serde_json::from_value::<UserAction>(action).unwrap().read_context::<Order>().unwrap_err();
/// assert!(error.to_string().starts_with("the values of the action `order` do not fit at `amount`: "), "{error}");
/// ```
#[derive(Debug, thiserror::Error)]
#[error("the values of the action `{action}` do not fit at `{path}`: {message}")]
#[non_exhaustive]
pub struct ContextError {
    /// The action name.
    pub action: String,
    /// The path at which deserialization stopped, `.` for the whole context.
    pub path: String,
    /// The value that was expected there.
    pub message: String,
}

impl PublicError for ContextError {}
