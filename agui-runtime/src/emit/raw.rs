use serde_json::Value;

use super::{Act, Do, Emit, Fields};
use crate::protocol::RawEvent;

/// The act of passing on an event of another system.
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

impl Do<'_, SendRaw> {
    /// Which system the event came from.
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

impl Act<'_> for SendRaw {
    type Output = ();

    fn act(self, emit: &Emit, fields: Fields) {
        let mut event = RawEvent::new(self.event);
        event.source = self.source;
        emit.say_event(event, fields);
    }
}
