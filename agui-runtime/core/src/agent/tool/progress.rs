//! Progress reports from a running tool, as CUSTOM events.

use serde::Serialize;
use serde_json::{Value, json};

use super::CallHandle;
use crate::emit::{Emit, RunWrite, WriteFuture};
use crate::kernel::WriteFields;
use crate::protocol::{CustomEvent, ToolCallId, object};

/// CUSTOM event name for progress reports.
pub const PROGRESS: &str = "agui-rust.tool_progress";

/// CUSTOM event name for a streamed result's item.
pub const ITEM: &str = "agui-rust.tool_item";

/// A long call's progress, sent with [`Emit::progress`]. The members match a Model Context Protocol progress notification.
///
/// ```
/// use agui_runtime::tools::Progress;
///
/// let third = Progress::with_total(3.0, 10.0).message("Asked the third shop.");
/// assert_eq!((third.progress, third.total), (3.0, Some(10.0)));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Progress {
    /// The amount done, in the tool's own unit. Should grow with each report.
    pub progress: f64,
    /// The total amount, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    /// A text for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Progress {
    /// Creates [`Progress`] towards an unknown total.
    #[must_use]
    pub fn new(progress: f64) -> Self {
        Self { progress, total: None, message: None }
    }

    /// Creates [`Progress`] towards a total.
    #[must_use]
    pub fn with_total(progress: f64, total: f64) -> Self {
        Self { total: Some(total), ..Self::new(progress) }
    }

    /// Adds a text for people.
    #[must_use]
    pub fn message(self, text: impl Into<String>) -> Self {
        Self { message: Some(text.into()), ..self }
    }
}

impl Emit {
    /// Reports a call's progress to the page: CUSTOM `agui-rust.tool_progress`, with [`Progress`] members and `toolCallId`. The
    /// model does not see the event.
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
    ///         run.progress(call, Progress::with_total(f64::from(number), 2.0).message(format!("Asked {shop}."))).await;
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
    pub fn progress(&self, call: &impl CallHandle, progress: Progress) -> WriteFuture<'_, SendReport> {
        progress_of_call(self, call.call_id(), progress)
    }
}

/// Reports a call's progress, by the call's id.
pub(crate) fn progress_of_call<'w>(
    emit: &'w Emit,
    call: &ToolCallId,
    progress: Progress,
) -> WriteFuture<'w, SendReport> {
    let value = serde_json::to_value(progress).unwrap_or_default();
    WriteFuture::new(emit, SendReport { name: PROGRESS, call: call.clone(), value })
}

/// Sends a streamed result's item.
pub(super) fn item<'w>(emit: &'w Emit, call: &ToolCallId, item: &Value) -> WriteFuture<'w, SendReport> {
    WriteFuture::new(emit, SendReport { name: ITEM, call: call.clone(), value: json!({ "item": item }) })
}

/// Write that reports on a call; see [`Emit::progress`].
#[derive(Debug)]
pub struct SendReport {
    name: &'static str,
    call: ToolCallId,
    /// An object.
    value: Value,
}

impl RunWrite<'_> for SendReport {
    type Output = ();

    fn act(self, emit: &Emit, fields: WriteFields) {
        let Self { name, call, value } = self;
        let mut members = object([("toolCallId".to_owned(), json!(call))]);
        if let Value::Object(more) = value {
            members.extend(more);
        }
        emit.say_event(CustomEvent::new(name, Value::Object(members)), fields);
    }
}
