//! A pipeline's input: frames, binary transport messages, and events.

use serde_json::Value;

use super::{ReceiveError, ReceivePipeline};
use crate::protocol::Event;
use crate::receive::{FrameIntake, FrameWarning, RejectedFrame};

impl ReceivePipeline {
    /// Takes the next event; [`pull`](Self::pull) returns the resulting events. After a refused event, input is ignored.
    pub fn push(&mut self, event: Event) {
        self.take(|_| Ok(Some(event)));
    }

    /// Like [`push`](Self::push) with [`FrameIntake::event`], for an agent that may be older.
    #[cfg(feature = "client")]
    pub(crate) fn push_event(&mut self, event: Event, warn: &mut dyn FnMut(FrameWarning)) {
        self.take(|intake| intake.event(event, warn));
    }

    /// Takes a frame's text. `warn` receives everything that is not AG-UI 1.0 but no reason to refuse the frame.
    pub fn push_text(&mut self, text: &str, warn: &mut dyn FnMut(FrameWarning)) {
        self.take(|intake| intake.text(text, warn));
    }

    /// Takes a binary transport message, as returned by [`proto::Decoder`](crate::wire::proto::Decoder).
    ///
    /// ```
    /// use agui_runtime::protocol::RunStartedEvent;
    /// use agui_runtime::receive::ReceivePipeline;
    /// use agui_runtime::wire::proto::{Decoder, encode};
    ///
    /// let mut bytes = Vec::new();
    /// encode(&RunStartedEvent::new("t", "r").into(), &mut bytes)?;
    /// let mut decoder = Decoder::new();
    /// decoder.push(&bytes);
    /// let mut pipeline = ReceivePipeline::new();
    /// while let Some(message) = decoder.next()? {
    ///     pipeline.push_proto(message, &mut |warning| panic!("{warning}"));
    /// }
    /// assert!(pipeline.pull()?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "proto")]
    pub fn push_proto(&mut self, message: &[u8], warn: &mut dyn FnMut(FrameWarning)) {
        self.take(|intake| intake.proto(message, warn));
    }

    /// Takes a frame that is JSON already.
    pub fn push_json(&mut self, frame: Value, warn: &mut dyn FnMut(FrameWarning)) {
        self.take(|intake| intake.value(frame, warn));
    }

    fn take(&mut self, read: impl FnOnce(&mut FrameIntake) -> Result<Option<Event>, RejectedFrame>) {
        let at = self.received;
        self.received += 1;
        if self.refused.is_some() {
            return;
        }
        let event = match read(&mut self.intake) {
            Ok(Some(event)) => event,
            Ok(None) => return,
            Err(error) => {
                self.refused = Some(ReceiveError::Rejected { at, error });
                return;
            }
        };
        if self.expand.passes(&event) {
            self.ready.push_back((at, event));
            return;
        }
        match self.expand.expand(event) {
            Ok(expanded) => self.ready.extend(expanded.map(|event| (at, event))),
            Err(error) => self.refused = Some(ReceiveError::Chunk { at, error }),
        }
    }
}
