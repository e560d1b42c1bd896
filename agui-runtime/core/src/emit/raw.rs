//! Other systems' events: RAW.

use serde_json::Value;

use super::{Emit, RunWrite, WriteFuture};
use crate::kernel::WriteFields;
use crate::protocol::RawEvent;

/// The write behind [`Emit::raw`].
#[derive(Debug)]
pub struct SendRaw {
    event: Value,
    source: Option<String>,
}

impl SendRaw {
    pub(super) fn new(event: Value) -> Self {
        Self { event, source: None }
    }
}

impl WriteFuture<'_, SendRaw> {
    /// Names the system from which the event came.
    ///
    /// ```
    /// # use serde_json::json;
    /// # async fn example(run: &agui_runtime::Emit) {
    /// run.raw(json!({"type": "response.created"})).source("openai").await;
    /// # }
    /// ```
    pub fn source(self, source: impl Into<String>) -> Self {
        self.with(|raw| raw.source = Some(source.into()))
    }
}

impl RunWrite<'_> for SendRaw {
    type Output = ();

    fn act(self, emit: &Emit, fields: WriteFields) {
        let mut event = RawEvent::new(self.event);
        event.source = self.source;
        emit.say_event(event, fields);
    }
}
