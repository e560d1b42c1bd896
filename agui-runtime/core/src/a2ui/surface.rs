//! A surface as activity content: the messages that draw the surface, or its generation status.

use agui_runtime_macros::Activity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::convert::{drawn_in_version, in_version};
use super::{
    ComponentProblem, CreateSurface, InvalidComponents, SurfaceComponent, SurfaceMessage, SurfaceOperation,
    SurfaceVersion, SurfaceVersionError, UpdateComponents, UpdateDataModel,
};
use crate::agent::PublicError;
use crate::emit::{Activity as _, ActivityError, Emit, OpenActivity, StartActivity, WriteFuture};
use crate::protocol::JsonObject;

/// An A2UI surface: the content of an activity with the type `a2ui-surface`.
///
/// [`show`](Self::show) sends the surface, and the [`ActivityHandle`](crate::ActivityHandle) changes it. A page applies all
/// messages in the content. A data or component change therefore edits the message that holds them, and the client gets only that
/// difference.
///
/// ```
/// use agui_runtime::a2ui::{SurfaceComponent, Surface};
/// use agui_runtime::prelude::*;
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Board {
///     gates: Vec<Gate>,
/// }
///
/// #[derive(Serialize)]
/// struct Gate {
///     flight: &'static str,
///     gate: &'static str,
/// }
///
/// /// Shows the gates of an airport.
/// #[agent]
/// async fn airport(run: &mut Run<Airport>, _: Input<Airport>) -> Result<(), Stop> {
///     let layout = [
///         SurfaceComponent::new("root", "List").for_each("/gates", "gate"),
///         SurfaceComponent::new("gate", "Row").children(["flight", "number"]),
///         SurfaceComponent::new("flight", "Text").bind("text", "flight"),
///         SurfaceComponent::new("number", "Text").bind("text", "gate"),
///     ];
///     let mut board = Board { gates: vec![Gate { flight: "UA 123", gate: "B4" }] };
///     let gates = Surface::new("gates", "https://airport.example/catalog.json", layout).with_data(&board)?;
///
///     let mut gates = gates.show(run).await?; // ACTIVITY_SNAPSHOT
///     board.gates[0].gate = "C1";
///     gates.update(|gates| gates.set_data(&board)).await??; // ACTIVITY_DELTA: …/value/gates/0/gate
///     Ok(())
/// }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Airport::new(), agui_runtime::testing::input("?")));
/// # agui_runtime::assert_events!(events, [RunStarted, ActivitySnapshot, ActivityDelta, RunFinished]);
/// # assert!(serde_json::to_string(&events[2]).unwrap().contains("/a2ui_operations/2/updateDataModel/value/gates/0/gate"));
/// ```
///
/// List the type in the agent, `#[agent(activities = [Surface])]`, to describe the activity to generated clients. A tool may also
/// return a surface: the middleware `@ag-ui/a2ui-middleware` shows every tool result that is one. Either show or return a surface;
/// after both, the page has the surface twice.
#[derive(Debug, Clone, Default, PartialEq, Activity, Serialize, Deserialize, JsonSchema)]
#[activity(type = "a2ui-surface")]
pub struct Surface {
    #[serde(default, rename = "a2ui_operations", skip_serializing_if = "Vec::is_empty")]
    messages: Vec<SurfaceMessage>,
    /// The generation status, and members unknown to this version.
    #[serde(flatten)]
    others: JsonObject,
}

impl Surface {
    /// Returns a surface with components, one with the id `root`, from a catalog that the page has.
    ///
    /// ```
    /// use agui_runtime::a2ui::{SurfaceComponent, Surface};
    ///
    /// let text = SurfaceComponent::new("root", "Text").with("text", "Hello!");
    /// let hello = Surface::new("hello", "https://shop.example/catalog.json", [text]);
    /// assert_eq!(hello.surface_id(), Some("hello"));
    /// ```
    #[must_use]
    pub fn new(
        surface_id: impl Into<String>,
        catalog_id: impl Into<String>,
        components: impl IntoIterator<Item = SurfaceComponent>,
    ) -> Self {
        let surface_id = surface_id.into();
        let mut surface = Self::from_messages([CreateSurface::new(surface_id.clone(), catalog_id).into()]);
        surface.put_components(surface_id, components);
        surface
    }

    /// Returns a surface from messages with any version, for example with a theme or from a model.
    ///
    /// ```
    /// use agui_runtime::a2ui::{SurfaceComponent, CreateSurface, Surface, UpdateComponents};
    ///
    /// let begin = CreateSurface::new("hello", "https://shop.example/catalog.json");
    /// let hello = Surface::from_messages([
    ///     begin.with_theme([("primaryColor", "#0055aa".into())]).into(),
    ///     UpdateComponents::new("hello", [SurfaceComponent::new("root", "Text").with("text", "Hello!")]).into(),
    /// ]);
    /// assert_eq!(hello.messages().len(), 2);
    /// ```
    #[must_use]
    pub fn from_messages(messages: impl IntoIterator<Item = SurfaceMessage>) -> Self {
        Self { messages: messages.into_iter().collect(), others: JsonObject::new() }
    }

    /// Returns the surface with this data.
    ///
    /// # Errors
    /// The errors that [`set_data`](Self::set_data) returns.
    pub fn with_data(mut self, data: &(impl Serialize + ?Sized)) -> Result<Self, SurfaceError> {
        self.set_data(data)?;
        Ok(self)
    }

    /// Replaces the data that the components show: afterwards one message has all data.
    ///
    /// # Errors
    /// [`SurfaceError`] if the data is not a JSON object, or if the content names no surface; the content is then unchanged.
    pub fn set_data(&mut self, data: &(impl Serialize + ?Sized)) -> Result<(), SurfaceError> {
        let data = crate::json::to_value(data).map_err(SurfaceError::Json)?;
        if !data.is_object() {
            return Err(SurfaceError::NotAnObject);
        }
        let surface_id = self.id()?;
        self.put("updateDataModel", "dataModel", UpdateDataModel::set(surface_id, "/", data).into());
        Ok(())
    }

    /// Replaces the components: afterwards one message has all components.
    ///
    /// # Errors
    /// [`SurfaceError::NoSurface`] if the content names no surface; the content is then unchanged.
    pub fn set_components(
        &mut self,
        components: impl IntoIterator<Item = SurfaceComponent>,
    ) -> Result<(), SurfaceError> {
        let surface_id = self.id()?;
        self.put_components(surface_id, components);
        Ok(())
    }

    fn put_components(&mut self, surface_id: String, components: impl IntoIterator<Item = SurfaceComponent>) {
        let update = UpdateComponents::new(surface_id, components).into();
        self.put("updateComponents", "components", update);
    }

    /// Replaces this surface's messages with this operation by one, at the index where the first stood, or the member of the message
    /// that creates the surface with the same content. Messages for other surfaces stay.
    fn put(&mut self, operation: &str, first: &str, update: SurfaceOperation) {
        let version = self.version().unwrap_or_default();
        let message = SurfaceMessage::of(version, update);
        let is_of = |one: &SurfaceMessage, operation: &str| {
            one.operation_json(operation).is_some() && one.surface_id() == message.surface_id()
        };
        let is_replaced = |one: &SurfaceMessage| is_of(one, operation);
        let content = if first == "components" { "components" } else { "value" };
        let mut content = message
            .operation_json(operation)
            .and_then(|update| update.get(content))
            .cloned()
            .unwrap_or_default();
        if let Some(begin) = self.messages.iter_mut().find(|one| is_of(one, "createSurface"))
            && begin.replace_first(first, &mut content)
        {
            self.messages.retain(|one| !is_replaced(one));
            return;
        }
        let at = self.messages.iter().position(is_replaced).unwrap_or(self.messages.len());
        self.messages.retain(|one| !is_replaced(one));
        self.messages.insert(at, message);
    }

    /// Appends a message.
    pub fn push(&mut self, message: impl Into<SurfaceMessage>) {
        self.messages.push(message.into());
    }

    /// Returns the messages, whatever their version.
    #[must_use]
    pub fn messages(&self) -> &[SurfaceMessage] {
        &self.messages
    }

    /// Returns the content in another version: each operation as that version writes it. [`show`](Self::show) chooses the version
    /// that the client reads.
    ///
    /// v1.0 has no theme, so the theme stays out, with a warning in the log. v0.9 has no metadata and no user's message in events:
    /// these stay out too. The basic catalog's id changes, and headings in its texts become Markdown.
    ///
    /// # Errors
    /// [`SurfaceVersionError`] if the version cannot write an operation: v0.9 has neither function calls nor mixed catalogs, and
    /// v1.0 no message that sets a path in the data to `null`.
    pub fn in_version(self, version: SurfaceVersion) -> Result<Self, SurfaceVersionError> {
        Ok(Self { messages: in_version(self.messages, version)?, others: self.others })
    }

    /// Returns the version of the first message that this crate reads.
    ///
    /// ```
    /// use agui_runtime::a2ui::{Surface, SurfaceComponent, SurfaceVersion};
    ///
    /// let text = SurfaceComponent::new("root", "Text").with("text", "Hello!");
    /// let hello = Surface::new("hello", "https://shop.example/catalog.json", [text]);
    /// assert_eq!(hello.version(), Some(SurfaceVersion::V0_9));
    /// ```
    #[must_use]
    pub fn version(&self) -> Option<SurfaceVersion> {
        self.messages.iter().find_map(SurfaceMessage::known_version)
    }

    /// Returns the surface id in the first message with a version that this crate reads.
    #[must_use]
    pub fn surface_id(&self) -> Option<&str> {
        self.messages.iter().find_map(SurfaceMessage::surface_id)
    }

    fn id(&self) -> Result<String, SurfaceError> {
        self.surface_id().map(str::to_owned).ok_or(SurfaceError::NoSurface)
    }

    /// Shows the surface: ACTIVITY_SNAPSHOT when awaited (AG-UI 1.0, section "Activity").
    ///
    /// The content gets a version that the client reads, as [`in_version`](Self::in_version) writes that version:
    ///
    /// | the client | the content |
    /// |---|---|
    /// | names the version of each message | as written |
    /// | names other versions | in the newest named version |
    /// | names none, in a run with [`RunOptions::surface_version`](crate::RunOptions::surface_version) | in that version |
    /// | names none | as written: in v0.9, if v0.9 can write the content |
    ///
    /// Function calls and responses, which v1.0 alone has, stay as written: a page that draws v0.9 can have functions too. Content
    /// with a message that this crate does not read stays as written. So does the content of [`Run::activity`](crate::Run::activity), and of an update:
    /// [`set_data`](Self::set_data) and [`set_components`](Self::set_components) keep the version. When awaited, the future returns
    /// [`ActivityError::Version`](crate::events::ActivityError::Version) if the version has no such surface.
    ///
    /// A tool, which has an [`Emit`], can show a surface too. The agent need not list the tool or the activity: a page draws every
    /// activity with the type `a2ui-surface`.
    ///
    /// ```
    /// use agui_runtime::a2ui::{SurfaceComponent, Surface};
    /// use agui_runtime::events::ActivityError;
    /// use agui_runtime::prelude::*;
    ///
    /// /// Shows a text in large letters.
    /// #[tool]
    /// async fn show_text(emit: &Emit, text: String) -> Result<(), ActivityError> {
    ///     let text = SurfaceComponent::new("root", "Text").with("text", text).with("variant", "h1");
    ///     Surface::new("text", "https://shop.example/catalog.json", [text]).show(emit).await.map(drop)
    /// }
    /// ```
    pub fn show(self, emit: &Emit) -> OpenActivity<'_, Self> {
        let shown = match SurfaceVersion::to_show(emit, &self.messages) {
            None => Ok(self),
            Some(version) => drawn_in_version(self.messages, version)
                .map(|messages| Self { messages, others: self.others }),
        };
        let refused = |error: SurfaceVersionError| ActivityError::Version {
            activity: Self::TYPE,
            source: error.into(),
        };
        WriteFuture::new(emit, StartActivity::attempt(shown.map_err(refused)))
    }
}

/// States before a surface is drawn. A page shows the state as a placeholder until the content has messages.
impl Surface {
    /// Returns the content for a surface that a model is writing: the [`status`](Self::status) is `building`.
    #[must_use]
    pub fn building() -> Self {
        Self::in_state([("status", "building".into())])
    }

    /// Returns the content for a surface that is written again because the last attempt was invalid: the [`status`](Self::status)
    /// is `retrying`. Attempts count from 1.
    #[must_use]
    pub fn retrying(attempt: u32, max_attempts: u32, problems: &InvalidComponents) -> Self {
        Self::in_state([
            ("status", "retrying".into()),
            ("attempt", attempt.into()),
            ("maxAttempts", max_attempts.into()),
            ("errors", problems.problems().iter().map(ComponentProblem::to_json).collect()),
        ])
    }

    /// Returns the content for a surface that could not be written: the [`status`](Self::status) is `failed`. Pages show the error
    /// text to developers.
    #[must_use]
    pub fn failed(error: impl Into<String>) -> Self {
        let error: String = error.into();
        Self::in_state([("status", "failed".into()), ("error", error.into())])
    }

    fn in_state<const N: usize>(members: [(&str, Value); N]) -> Self {
        let members = members.into_iter().map(|(name, value)| (name.to_owned(), value));
        Self { messages: Vec::new(), others: members.collect() }
    }

    /// Returns the generation status, if the content has one.
    #[must_use]
    pub fn status(&self) -> Option<&str> {
        self.others.get("status")?.as_str()
    }
}

/// A surface change that cannot be made.
///
/// ```
/// use agui_runtime::a2ui::{Surface, SurfaceError};
///
/// let error = Surface::building().set_data(&7).unwrap_err();
/// assert!(matches!(error, SurfaceError::NotAnObject));
/// assert_eq!(error.to_string(), "the data of a surface is a JSON object");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SurfaceError {
    /// The data is not a JSON object.
    #[error("the data of a surface is a JSON object")]
    NotAnObject,
    /// The data cannot be serialized to JSON.
    #[error("the data of a surface has no JSON form")]
    Json(#[source] serde_json::Error),
    /// No message in the content names a surface.
    #[error("the content names no surface: begin with `Surface::new`")]
    NoSurface,
}

impl PublicError for SurfaceError {}
