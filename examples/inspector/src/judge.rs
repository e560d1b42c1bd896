//! The findings about each event: a stream is read twice, as strictly as the official client, and as the specification.

use agui_runtime::client::{ClientError, Frame};
use agui_runtime::order::OrderStrictness;
use agui_runtime::protocol::RunAgentInput;
use agui_runtime::receive::{FrameWarning, PipelineEnd, ReceiveError, ReceivePipeline};
use bytes::Bytes;

use crate::note::{Ending, Finding, Level, Line};

/// The longest stream, and the longest recording, in bytes.
pub(crate) const MAX_STREAM: usize = 32 << 20;

/// The bytes of one event that the page gets. The rest is read and judged, and left out there.
pub(crate) const MAX_TEXT: usize = 1 << 20;

/// The readers of one stream.
pub(crate) struct Judge {
    client: ReceivePipeline,
    spec: ReceivePipeline,
    /// The event at which the official client stopped.
    stopped: Option<usize>,
    /// True if a violation of the specification was reported: what follows it may be its consequence.
    is_reported: bool,
    read: usize,
}

impl Judge {
    /// Readers of the answer to this input.
    pub(crate) fn answering(input: &RunAgentInput) -> Self {
        let reader = |strictness| ReceivePipeline::with_strictness(strictness).for_input(input);
        Self::new(reader(OrderStrictness::Client), reader(OrderStrictness::Spec))
    }

    /// Readers of a recording, whose runs contain their inputs.
    pub(crate) fn recording() -> Self {
        let reader = ReceivePipeline::with_strictness;
        Self::new(reader(OrderStrictness::Client), reader(OrderStrictness::Spec))
    }

    fn new(client: ReceivePipeline, spec: ReceivePipeline) -> Self {
        Self { client, spec, stopped: None, is_reported: false, read: 0 }
    }

    /// Reads a frame, and returns the line about it.
    ///
    /// # Errors
    /// The finding that ends the stream, because it is too long.
    pub(crate) fn event(&mut self, frame: &Frame, at: Option<f64>) -> Result<Bytes, Finding> {
        let text = frame.to_text().unwrap_or_else(|error| error.to_string().into());
        let bytes = match frame {
            Frame::Binary(message) => message.len(),
            _ => text.len(),
        };
        self.read = self.read.saturating_add(bytes);
        if self.read > MAX_STREAM {
            let text = format!("the stream is longer than {MAX_STREAM} bytes, and the inspector stops here");
            return Err(Finding { level: Level::Refused, code: "too_long".to_owned(), text });
        }
        let (findings, becomes) = self.findings(frame);
        let most = text.len().min(MAX_TEXT);
        let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
        let shown = text.get(..end).unwrap_or_default();
        let is_cut = end < text.len();
        Ok(Line::Event { at, bytes, text: shown, is_cut, findings: &findings, becomes: &becomes }.bytes())
    }

    fn findings(&mut self, frame: &Frame) -> (Vec<Finding>, Vec<&'static str>) {
        let mut findings = Vec::new();
        let mut becomes = Vec::new();
        if let Some(stopped) = self.stopped {
            let text = format!("the official client has stopped at event {}", stopped + 1);
            findings.push(Finding { level: Level::Unread, code: "UNREAD".to_owned(), text });
        } else {
            let mut warnings = Vec::new();
            push(&mut self.client, frame, &mut |warning| warnings.push(warning));
            let drained = self.client.drain(|event, applied, _| {
                becomes.push(event.event_type().as_str());
                if let Some(warning) = &applied.warning {
                    findings.push(finding(Level::Warning, "LESS_EFFECT", warning));
                }
            });
            findings.extend(warnings.iter().map(|warning| finding(Level::Warning, "NOT_1_0", warning)));
            if let Err(error) = drained {
                self.stopped = Some(error.at());
                findings.push(finding(Level::Refused, error.code(), &in_rows(&error)));
            }
        }
        if !self.is_reported {
            push(&mut self.spec, frame, &mut |_| {});
            if let Err(error) = self.spec.drain(|_, _, _| {}) {
                self.is_reported = true;
                if self.stopped.is_none() {
                    findings.push(finding(Level::Spec, error.code(), &in_rows(&error)));
                }
            }
        }
        let own = frame.head().event_type;
        if let [only] = becomes.as_slice()
            && own.as_deref() == Some(*only)
        {
            becomes.clear();
        }
        (findings, becomes)
    }

    /// Returns the line about the end of the stream.
    pub(crate) fn end(&self, at: Option<f64>, broken: Option<Finding>) -> Bytes {
        let (outcome, error) = match (broken, self.client.end()) {
            (Some(broken), _) => (Ending::Broken, Some(broken)),
            (None, Ok(PipelineEnd::Complete)) => (Ending::Complete, None),
            (None, Ok(PipelineEnd::Truncated)) => {
                let text = "the stream stopped before RUN_FINISHED or RUN_ERROR";
                (Ending::Truncated, Some(finding(Level::Spec, "SPEC_TRUNCATED", &text)))
            }
            (None, Err(error)) => {
                (Ending::Refused, Some(finding(Level::Refused, error.code(), &in_rows(&error))))
            }
        };
        let reducer = self.client.reducer();
        let messages = serde_json::to_string(reducer.messages()).unwrap_or_else(|_| "[]".to_owned());
        let state = reducer.state().to_string();
        Line::End { at, outcome, error, messages, state, questions: reducer.pending_interrupts() }.bytes()
    }
}

/// Puts a frame into a reader, in the form in which it came.
fn push(reader: &mut ReceivePipeline, frame: &Frame, warn: &mut dyn FnMut(FrameWarning)) {
    match frame {
        Frame::Binary(message) => reader.push_proto(message, warn),
        Frame::Text(text) => reader.push_text(text, warn),
        other => match other.to_json() {
            Ok(value) => reader.push_json(value, warn),
            Err(error) => reader.push_text(&error.to_string(), warn),
        },
    }
}

/// Returns the text of an error, with the number of the event in the list of the page, which counts from 1. Errors count from 0,
/// and those about the order count what chunks become.
fn in_rows(error: &ReceiveError) -> String {
    let text = error.to_string();
    let counted = match error {
        ReceiveError::Order { error, .. } => error.index(),
        other => other.at(),
    };
    let rest = |before: &str| text.strip_prefix(before).map(str::to_owned);
    match (rest(&format!("event {counted}")), rest(&format!("after {counted} events"))) {
        (Some(rest), _) => format!("event {}{rest}", error.at() + 1),
        (_, Some(rest)) => format!("after {} events{rest}", error.at()),
        _ => text,
    }
}

fn finding(level: Level, code: &str, text: &impl ToString) -> Finding {
    Finding { level, code: code.to_owned(), text: text.to_string() }
}

/// The finding about an agent that could not be reached, or a connection that broke.
pub(crate) fn broken(error: &ClientError) -> Finding {
    let code = error.code().unwrap_or("connection");
    finding(Level::Refused, code, error)
}

/// The finding about a run that takes longer than the inspector waits.
pub(crate) fn late(limit: std::time::Duration) -> Finding {
    finding(Level::Refused, "too_late", &format!("the run took longer than {limit:?}"))
}
