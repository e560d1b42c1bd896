//! Reports of a tool that is still running, as CUSTOM events.

use serde::Serialize;
use serde_json::{Value, json};

use super::Caller;
use crate::emit::{Emit, RunWrite, WriteFuture};
use crate::kernel::Fields;
use crate::protocol::object;
use crate::protocol::{CustomEvent, ToolCallId};

/// The name of the CUSTOM event that reports progress.
pub(crate) const PROGRESS: &str = "agui-rust.tool_progress";

/// The name of the CUSTOM event that has an item of a streamed result.
pub(crate) const ITEM: &str = "agui-rust.tool_item";

/// The progress of a call that takes a while, sent with [`Emit::progress`]. Its members are those of a progress
/// notification of the Model Context Protocol.
///
/// ```
/// use agui_runtime::tools::Progress;
///
/// let third = Progress::of(3.0, 10.0).message("Asked the third shop.");
/// assert_eq!((third.progress, third.total), (3.0, Some(10.0)));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Progress {
    /// The amount that is done, in a unit of the tool's own. It should grow with each report.
    pub progress: f64,
    /// The amount in total, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    /// A text for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Progress {
    /// Returns progress towards an unknown total.
    ///
    /// ```
    /// use agui_runtime::tools::Progress;
    ///
    /// assert_eq!(Progress::new(3.0).total, None);
    /// ```
    #[must_use]
    pub fn new(progress: f64) -> Self {
        Self { progress, total: None, message: None }
    }

    /// Returns progress towards a total.
    ///
    /// ```
    /// use agui_runtime::tools::Progress;
    ///
    /// assert_eq!(Progress::of(3.0, 10.0).total, Some(10.0));
    /// ```
    #[must_use]
    pub fn of(progress: f64, total: f64) -> Self {
        Self { total: Some(total), ..Self::new(progress) }
    }

    /// Adds a text for people.
    ///
    /// ```
    /// use agui_runtime::tools::Progress;
    ///
    /// let asked = Progress::new(3.0).message("Asked the third shop.");
    /// assert_eq!(asked.message.as_deref(), Some("Asked the third shop."));
    /// ```
    #[must_use]
    pub fn message(self, text: impl Into<String>) -> Self {
        Self { message: Some(text.into()), ..self }
    }
}

impl Emit {
    /// Reports the progress of a call to the page: CUSTOM `agui-rust.tool_progress`, with the members of [`Progress`] and
    /// `toolCallId`. The model does not see it.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    /// use agui_runtime::tools::Progress;
    ///
    /// /// Looks for the best price.
    /// #[tool]
    /// async fn cheapest(run: &Emit, call: &ToolCtx, shops: Vec<String>) -> u32 {
    ///     let mut best = u32::MAX;
    ///     for (number, shop) in (1..).zip(&shops) {
    ///         best = best.min(180);
    ///         run.progress(call, Progress::of(f64::from(number), 2.0).message(format!("Asked {shop}."))).await;
    ///     }
    ///     best
    /// }
    ///
    /// /// Sells things.
    /// #[agent(tools = [cheapest])]
    /// async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>) -> Result<u32, Stop> {
    ///     Ok(run.call(cheapest { shops: vec!["Ada".into(), "Bo".into()] }).await?.run().await)
    /// }
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(Clerk::new(), agui_runtime::testing::input("Rice?")));
    /// # let lines = agui_runtime::testing::lines(&events);
    /// # assert!(lines.contains(r#""progress":2.0,"total":2.0,"message":"Asked Bo.""#), "{lines}");
    /// ```
    pub fn progress(&self, call: &impl Caller, progress: Progress) -> WriteFuture<'_, Report> {
        let value = serde_json::to_value(progress).unwrap_or_default();
        WriteFuture::new(self, Report { name: PROGRESS, call: call.call_id().clone(), value })
    }
}

/// Sends an item of a streamed result.
pub(super) fn item<'w>(emit: &'w Emit, call: &ToolCallId, item: &Value) -> WriteFuture<'w, Report> {
    WriteFuture::new(emit, Report { name: ITEM, call: call.clone(), value: json!({ "item": item }) })
}

/// The write that reports on a call.
///
/// ```
/// use agui_runtime::future::{Report, WriteFuture};
/// use agui_runtime::prelude::*;
/// use agui_runtime::tools::Progress;
///
/// /// Works for a while.
/// #[tool]
/// async fn work(run: &Emit, call: &ToolCtx) -> u32 {
///     let report: WriteFuture<'_, Report> = run.progress(call, Progress::of(1.0, 2.0));
///     report.await;
///     7
/// }
/// ```
#[derive(Debug)]
pub struct Report {
    name: &'static str,
    call: ToolCallId,
    /// An object.
    value: Value,
}

impl RunWrite<'_> for Report {
    type Output = ();

    fn act(self, emit: &Emit, fields: Fields) {
        let Self { name, call, value } = self;
        let mut members = object([("toolCallId".to_owned(), json!(call))]);
        if let Value::Object(more) = value {
            members.extend(more);
        }
        emit.say_event(CustomEvent::new(name, Value::Object(members)), fields);
    }
}
