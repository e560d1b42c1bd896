//! A surface as the content of an activity: the messages that draw it, or the state of its generation.

use agui_macros::Activity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Component, ComponentProblem, CreateSurface, InvalidComponents, SurfaceMessage, UpdateComponents,
    UpdateDataModel,
};
use crate::agent::PublicError;
use crate::emit::{Emit, OpenActivity, StartActivity, WriteFuture};
use crate::protocol::JsonObject;

/// A surface of A2UI: the content of an activity of the type `a2ui-surface`.
///
/// [`show`](Self::show) sends it, and the [`ActivityHandle`](crate::ActivityHandle) changes it. A page applies all messages of the
/// content, so a change of the data or of the components changes the message that has them, and the client gets that difference only.
///
/// ```
/// use agui_runtime::a2ui::{Component, Surface};
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
///         Component::new("root", "List").for_each("/gates", "gate"),
///         Component::new("gate", "Row").children(["flight", "number"]),
///         Component::new("flight", "Text").bind("text", "flight"),
///         Component::new("number", "Text").bind("text", "gate"),
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
/// An agent that lists it, `#[agent(activities = [Surface])]`, tells the generated clients of it. A tool may also return it: the
/// middleware `@ag-ui/a2ui-middleware` shows it where the result of a call is one. Do one of the two, or it is shown twice.
#[derive(Debug, Clone, Default, PartialEq, Activity, Serialize, Deserialize, JsonSchema)]
#[activity(type = "a2ui-surface")]
pub struct Surface {
    #[serde(default, rename = "a2ui_operations", skip_serializing_if = "Vec::is_empty")]
    messages: Vec<SurfaceMessage>,
    /// The state of the generation, and members that are not known here.
    #[serde(flatten)]
    others: JsonObject,
}

impl Surface {
    /// Returns a surface with its components, one of which has the id `root`. Its catalog is one that the page has.
    ///
    /// ```
    /// use agui_runtime::a2ui::{Component, Surface};
    ///
    /// let text = Component::new("root", "Text").with("text", "Hello!");
    /// let hello = Surface::new("hello", "https://shop.example/catalog.json", [text]);
    /// assert_eq!(hello.surface_id(), Some("hello"));
    /// ```
    #[must_use]
    pub fn new(
        surface_id: impl Into<String>,
        catalog_id: impl Into<String>,
        components: impl IntoIterator<Item = Component>,
    ) -> Self {
        let surface_id = surface_id.into();
        let mut surface = Self::of([CreateSurface::new(surface_id.clone(), catalog_id).into()]);
        surface.put_components(surface_id, components);
        surface
    }

    /// Returns a surface of any messages, also of another version, for example with a theme or from a model.
    ///
    /// ```
    /// use agui_runtime::a2ui::{Component, CreateSurface, Surface, UpdateComponents};
    ///
    /// let begin = CreateSurface::new("hello", "https://shop.example/catalog.json");
    /// let hello = Surface::of([
    ///     begin.with_theme([("primaryColor", "#0055aa".into())]).into(),
    ///     UpdateComponents::new("hello", [Component::new("root", "Text").with("text", "Hello!")]).into(),
    /// ]);
    /// assert_eq!(hello.messages().len(), 2);
    /// ```
    #[must_use]
    pub fn of(messages: impl IntoIterator<Item = SurfaceMessage>) -> Self {
        Self { messages: messages.into_iter().collect(), others: JsonObject::new() }
    }

    /// Returns the surface with this data, as [`set_data`](Self::set_data) puts it.
    ///
    /// # Errors
    /// As [`set_data`](Self::set_data).
    ///
    /// ```
    /// use agui_runtime::a2ui::{Component, Surface};
    /// use serde_json::json;
    ///
    /// let text = Component::new("root", "Text").bind("text", "/greeting");
    /// let hello = Surface::new("hello", "https://shop.example/catalog.json", [text]);
    /// let hello = hello.with_data(&json!({ "greeting": "Hello!" }))?;
    /// # Ok::<(), agui_runtime::a2ui::SurfaceError>(())
    /// ```
    pub fn with_data(mut self, data: &(impl Serialize + ?Sized)) -> Result<Self, SurfaceError> {
        self.set_data(data)?;
        Ok(self)
    }

    /// Replaces the data that the components show: one message has all of it afterwards.
    ///
    /// # Errors
    /// [`SurfaceError`] if the data is not a JSON object, or if the content names no surface; nothing has changed then.
    ///
    /// ```
    /// use agui_runtime::ActivityHandle;
    /// use agui_runtime::a2ui::Surface;
    /// use serde_json::json;
    ///
    /// # async fn example(gates: &mut ActivityHandle<'_, Surface>) -> Result<(), Box<dyn std::error::Error>> {
    /// gates.update(|gates| gates.set_data(&json!({ "gates": [] }))).await??;
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_data(&mut self, data: &(impl Serialize + ?Sized)) -> Result<(), SurfaceError> {
        let data = crate::json::to_value(data).map_err(SurfaceError::Json)?;
        if !data.is_object() {
            return Err(SurfaceError::NotAnObject);
        }
        let all = UpdateDataModel::set(self.id()?, "/", data);
        self.put("updateDataModel", all.into());
        Ok(())
    }

    /// Replaces the components: one message has all of them afterwards.
    ///
    /// # Errors
    /// [`SurfaceError::NoSurface`] if the content names no surface; nothing has changed then.
    ///
    /// ```
    /// use agui_runtime::ActivityHandle;
    /// use agui_runtime::a2ui::{Component, Surface};
    ///
    /// # async fn example(gates: &mut ActivityHandle<'_, Surface>) -> Result<(), Box<dyn std::error::Error>> {
    /// let closed = Component::new("root", "Text").with("text", "The airport is closed.");
    /// gates.update(|gates| gates.set_components([closed])).await??;
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_components(
        &mut self,
        components: impl IntoIterator<Item = Component>,
    ) -> Result<(), SurfaceError> {
        let surface_id = self.id()?;
        self.put_components(surface_id, components);
        Ok(())
    }

    fn put_components(&mut self, surface_id: String, components: impl IntoIterator<Item = Component>) {
        self.put("updateComponents", UpdateComponents::new(surface_id, components).into());
    }

    /// Replaces the messages with this operation on this surface by one, at the place of the first. The content may
    /// have messages of other surfaces, which stay.
    fn put(&mut self, operation: &str, message: SurfaceMessage) {
        let is_replaced =
            |one: &SurfaceMessage| one.is(operation) && one.surface_id() == message.surface_id();
        let at = self.messages.iter().position(is_replaced).unwrap_or(self.messages.len());
        self.messages.retain(|one| !is_replaced(one));
        self.messages.insert(at, message);
    }

    /// Adds a message at the end.
    ///
    /// ```
    /// use agui_runtime::ActivityHandle;
    /// use agui_runtime::a2ui::{DeleteSurface, Surface};
    ///
    /// # async fn example(gates: &mut ActivityHandle<'_, Surface>) -> Result<(), agui_runtime::events::ActivityError> {
    /// gates.update(|gates| gates.push(DeleteSurface::new("gates"))).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn push(&mut self, message: impl Into<SurfaceMessage>) {
        self.messages.push(message.into());
    }

    /// Returns the messages, of all versions.
    ///
    /// ```
    /// use agui_runtime::a2ui::Surface;
    /// use serde_json::json;
    ///
    /// // A Rust client reads the content of the activity.
    /// let content = json!({ "a2ui_operations": [{ "version": "v7", "morphSurface": {} }] });
    /// let surface: Surface = serde_json::from_value(content)?;
    /// assert_eq!(surface.messages()[0].version(), Some("v7"));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn messages(&self) -> &[SurfaceMessage] {
        &self.messages
    }

    /// Returns the id of the surface that the first message of v0.9 names.
    ///
    /// ```
    /// use agui_runtime::a2ui::Surface;
    ///
    /// assert_eq!(Surface::building().surface_id(), None);
    /// ```
    #[must_use]
    pub fn surface_id(&self) -> Option<&str> {
        self.messages.iter().find_map(SurfaceMessage::surface_id)
    }

    fn id(&self) -> Result<String, SurfaceError> {
        self.surface_id().map(str::to_owned).ok_or(SurfaceError::NoSurface)
    }

    /// Shows the surface: ACTIVITY_SNAPSHOT when awaited (AG-UI 1.0, section "Activity").
    ///
    /// It takes an [`Emit`], so a tool shows a surface too. Neither needs to be listed by the agent, because a page draws every activity
    /// of the type `a2ui-surface`.
    ///
    /// ```
    /// use agui_runtime::a2ui::{Component, Surface};
    /// use agui_runtime::events::ActivityError;
    /// use agui_runtime::prelude::*;
    ///
    /// /// Shows a text in large letters.
    /// #[tool]
    /// async fn show_text(emit: &Emit, text: String) -> Result<(), ActivityError> {
    ///     let text = Component::new("root", "Text").with("text", text).with("variant", "h1");
    ///     Surface::new("text", "https://shop.example/catalog.json", [text]).show(emit).await.map(drop)
    /// }
    /// ```
    pub fn show(self, emit: &Emit) -> OpenActivity<'_, Self> {
        WriteFuture::new(emit, StartActivity::new(self))
    }
}

/// The states before a surface is drawn. A page shows them in its place, until the content has messages.
impl Surface {
    /// Returns the content of a surface that a model is writing.
    ///
    /// ```
    /// use agui_runtime::a2ui::Surface;
    ///
    /// assert_eq!(Surface::building().status(), Some("building"));
    /// ```
    #[must_use]
    pub fn building() -> Self {
        Self::in_state([("status", "building".into())])
    }

    /// Returns the content of a surface that is written once more, because the last attempt was invalid. The first attempt has the
    /// number 1.
    ///
    /// ```
    /// use agui_runtime::a2ui::{Surface, validate};
    ///
    /// let problems = validate(&[], &Default::default(), None).unwrap_err();
    /// assert_eq!(Surface::retrying(2, 3, &problems).status(), Some("retrying"));
    /// ```
    #[must_use]
    pub fn retrying(attempt: u32, max_attempts: u32, problems: &InvalidComponents) -> Self {
        Self::in_state([
            ("status", "retrying".into()),
            ("attempt", attempt.into()),
            ("maxAttempts", max_attempts.into()),
            ("errors", problems.problems().iter().map(ComponentProblem::to_json).collect()),
        ])
    }

    /// Returns the content of a surface that could not be written. Pages show the text to developers.
    ///
    /// ```
    /// use agui_runtime::a2ui::Surface;
    ///
    /// let failed = Surface::failed("no attempt was valid");
    /// assert_eq!((failed.status(), failed.messages().len()), (Some("failed"), 0));
    /// ```
    #[must_use]
    pub fn failed(error: impl Into<String>) -> Self {
        let error: String = error.into();
        Self::in_state([("status", "failed".into()), ("error", error.into())])
    }

    fn in_state<const N: usize>(members: [(&str, Value); N]) -> Self {
        let members = members.into_iter().map(|(name, value)| (name.to_owned(), value));
        Self { messages: Vec::new(), others: members.collect() }
    }

    /// Returns the state of the generation, if the content has one.
    ///
    /// ```
    /// use agui_runtime::a2ui::{Component, Surface};
    ///
    /// let drawn = Surface::new("hello", "https://shop.example/catalog.json", [Component::new("root", "Divider")]);
    /// assert_eq!(drawn.status(), None);
    /// ```
    #[must_use]
    pub fn status(&self) -> Option<&str> {
        self.others.get("status")?.as_str()
    }
}

/// A change of a surface that cannot be made.
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
    /// The data is no JSON object.
    #[error("the data of a surface is a JSON object")]
    NotAnObject,
    /// The data has no JSON form.
    #[error("the data of a surface has no JSON form")]
    Json(#[source] serde_json::Error),
    /// The content has no message that names a surface.
    #[error("the content names no surface: begin with `Surface::new`")]
    NoSurface,
}

impl PublicError for SurfaceError {}
