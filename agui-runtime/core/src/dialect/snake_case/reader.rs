//! Translation of the dialect's records into events of AG-UI.

use std::collections::HashSet;

use indexmap::IndexSet;
use serde_json::{Map, Value};

use super::loss::{Losses, log};
use super::table::Kind;
use super::{CUSTOM_PREFIX, DialectError};
use crate::protocol::{
    CustomEvent, Event, MessageId, PROTOCOL_VERSION, ReasoningEndEvent, ReasoningMessageContentEvent,
    ReasoningMessageEndEvent, ReasoningMessageStartEvent, ReasoningStartEvent, RunErrorEvent,
    RunFinishedEvent, RunId, RunStartedEvent, TextMessageContentEvent, TextMessageEndEvent, TextMessageRole,
    TextMessageStartEvent, ThreadId, ToolCallArgsEvent, ToolCallEndEvent, ToolCallId, ToolCallResultEvent,
    ToolCallStartEvent,
};
use crate::receive::FrameWarning;

/// Translates the records of one response into events of AG-UI, and adds the starts, ends and ids that the
/// dialect leaves out.
///
/// The events are in order as far as the adapter controls it: a run starts before anything else, and every
/// span is closed before the run finishes. A stream that stops early stays truncated.
///
/// ```
/// use agui_runtime::dialect::snake_case::Reader;
///
/// let mut reader = Reader::new("thread", "run");
/// let mut events = Vec::new();
/// reader.read(Some("message"), r#"{"content":"Hi","agent":"cook"}"#, &mut events)?;
/// let json = serde_json::to_value(&events)?;
/// assert_eq!(json[1]["name"], "cook");
/// assert_eq!(json[2]["delta"], "Hi");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Reader {
    thread_id: ThreadId,
    run_id: RunId,
    phase: Phase,
    /// The open text, and the agent it belongs to.
    text: Option<(MessageId, Option<String>)>,
    calls: IndexSet<ToolCallId>,
    /// The calls that their results have ended.
    settled: HashSet<ToolCallId>,
    reasoning: IndexSet<MessageId>,
    spans: IndexSet<MessageId>,
    /// An error after which the stream may continue or end.
    error: Option<Map<String, Value>>,
    made: usize,
    losses: Losses,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Before,
    Running,
    Over,
}

/// A record while it is read.
struct Record {
    event: String,
    payload: Map<String, Value>,
}

impl Record {
    fn text(&self, member: &'static str) -> Result<&str, DialectError> {
        self.optional(member).ok_or_else(|| DialectError::Missing { event: self.event.clone(), member })
    }

    fn optional(&self, member: &str) -> Option<&str> {
        self.payload.get(member).and_then(Value::as_str)
    }

    /// Returns the payload without the member that AG-UI carries elsewhere.
    fn into_value(mut self) -> Value {
        self.payload.remove("thread_id");
        self.payload.into()
    }
}

impl Reader {
    /// Creates a reader for the response to a request on this thread. The dialect has no runs, so the run's
    /// id comes from the caller.
    ///
    /// ```
    /// use agui_runtime::dialect::snake_case::Reader;
    ///
    /// let mut events = Vec::new();
    /// Reader::new("thread", "run").finish(&mut events);
    /// assert!(events.is_empty());
    /// ```
    #[must_use]
    pub fn new(thread_id: impl Into<ThreadId>, run_id: impl Into<RunId>) -> Self {
        Self {
            thread_id: thread_id.into(),
            run_id: run_id.into(),
            phase: Phase::Before,
            text: None,
            calls: IndexSet::new(),
            settled: HashSet::new(),
            reasoning: IndexSet::new(),
            spans: IndexSet::new(),
            error: None,
            made: 0,
            losses: Losses::default(),
        }
    }

    /// Translates the next record: the value of its `event:` line, and its data. Records after the end of
    /// the run are ignored. Losses are logged with `tracing`.
    ///
    /// # Errors
    /// [`DialectError`] if the data is not a JSON object, or lacks a required member.
    ///
    /// ```
    /// use agui_runtime::dialect::snake_case::Reader;
    ///
    /// let (mut reader, mut events) = (Reader::new("thread-1", "run-1"), Vec::new());
    /// reader.read(Some("message"), r#"{"content":"Hi"}"#, &mut events)?;
    /// assert_eq!(events.len(), 3, "the start of the run, the start of the message and its text");
    /// # Ok::<(), agui_runtime::dialect::snake_case::DialectError>(())
    /// ```
    pub fn read(
        &mut self,
        event: Option<&str>,
        data: &str,
        into: &mut Vec<Event>,
    ) -> Result<(), DialectError> {
        self.read_with(event, data, into, &mut log)
    }

    /// Like [`read`](Self::read), with a function for warnings about losses.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    ///
    /// ```
    /// use agui_runtime::dialect::snake_case::Reader;
    ///
    /// let (mut reader, mut events, mut lost) = (Reader::new("thread", "run"), Vec::new(), Vec::new());
    /// let data = r#"{"content":"Hi","mood":"good"}"#;
    /// reader.read_with(Some("message"), data, &mut events, &mut |warning| lost.push(warning.to_string()))?;
    /// assert_eq!(lost, ["message: `/mood` is lost: the dialect cannot express it"]);
    /// # Ok::<(), agui_runtime::dialect::snake_case::DialectError>(())
    /// ```
    pub fn read_with(
        &mut self,
        event: Option<&str>,
        data: &str,
        into: &mut Vec<Event>,
        warn: &mut dyn FnMut(FrameWarning),
    ) -> Result<(), DialectError> {
        // A record without a name is a `message`, as HTML defines.
        let event = event.unwrap_or("message").to_owned();
        let Ok(payload) = serde_json::from_str(data) else { return Err(DialectError::NotAnObject { event }) };
        if self.phase == Phase::Over {
            self.losses.say(&event, "", warn);
            return Ok(());
        }
        let kind = Kind::named(&event);
        let record = Record { event, payload };
        if let Some(error) = self.error.take() {
            let name = Kind::Error.name().to_owned();
            into.push(custom(Record { event: name, payload: error }));
        }
        self.start(into);
        if let Some(carried) = kind.and_then(|kind| carried(kind, &record)) {
            self.losses.say_payload(&record.event, record.payload.keys(), carried, warn);
        }
        match kind {
            Some(Kind::Message) => self.message(&record, into),
            Some(Kind::Status) => self.status(record, into),
            Some(Kind::Error) => {
                self.error = Some(record.payload);
                Ok(())
            }
            Some(kind) => {
                self.end_text(into);
                self.scoped(kind, &record, into)
            }
            None => {
                into.push(custom(record));
                Ok(())
            }
        }
    }

    /// Declares the end of the records: an error without recovery ends the run.
    ///
    /// ```
    /// use agui_runtime::protocol::Event;
    /// use agui_runtime::dialect::snake_case::Reader;
    ///
    /// let (mut reader, mut events) = (Reader::new("thread", "run"), Vec::new());
    /// reader.read(Some("error"), r#"{"message":"no flour"}"#, &mut events)?;
    /// reader.finish(&mut events);
    /// assert!(matches!(events.last(), Some(Event::RunError(_))));
    /// # Ok::<(), agui_runtime::dialect::snake_case::DialectError>(())
    /// ```
    pub fn finish(&mut self, into: &mut Vec<Event>) {
        if let Some(error) = self.error.take() {
            self.fail(&Record { event: Kind::Error.name().to_owned(), payload: error }, into);
        }
    }

    fn start(&mut self, into: &mut Vec<Event>) {
        if self.phase == Phase::Before {
            self.phase = Phase::Running;
            let started = RunStartedEvent::new(&self.thread_id, &self.run_id);
            into.push(started.with_protocol_version(PROTOCOL_VERSION).into());
        }
    }

    fn made_up(&mut self) -> MessageId {
        self.made += 1;
        format!("{}-message-{}", self.run_id, self.made).into()
    }

    fn message(&mut self, record: &Record, into: &mut Vec<Event>) -> Result<(), DialectError> {
        let content = record.text("content")?;
        let agent = record.optional("agent").map(str::to_owned);
        let id = match &self.text {
            Some((id, whose)) if *whose == agent => id.clone(),
            _ => {
                self.end_text(into);
                let id = self.made_up();
                let mut start = TextMessageStartEvent::new(&id).with_role(TextMessageRole::Assistant);
                start.name.clone_from(&agent);
                into.push(start.into());
                self.text = Some((id.clone(), agent));
                id
            }
        };
        into.push(TextMessageContentEvent::new(id, content).into());
        Ok(())
    }

    fn end_text(&mut self, into: &mut Vec<Event>) {
        if let Some((id, _)) = self.text.take() {
            into.push(TextMessageEndEvent::new(id).into());
        }
    }

    fn status(&mut self, record: Record, into: &mut Vec<Event>) -> Result<(), DialectError> {
        match record.text("type")? {
            "start" => {}
            "complete" => {
                self.close(into);
                into.push(RunFinishedEvent::new(&self.thread_id, &self.run_id).into());
                self.phase = Phase::Over;
            }
            "error" => self.fail(&record, into),
            _ => into.push(custom(record)),
        }
        Ok(())
    }

    fn fail(&mut self, record: &Record, into: &mut Vec<Event>) {
        let mut error = RunErrorEvent::new(record.optional("message").unwrap_or("the agent failed"));
        error.code = record.optional("code").map(str::to_owned);
        into.push(error.into());
        self.phase = Phase::Over;
    }

    /// Closes everything that is open, in the order that a finishing run requires.
    fn close(&mut self, into: &mut Vec<Event>) {
        self.end_text(into);
        into.extend(self.reasoning.drain(..).map(|id| ReasoningMessageEndEvent::new(id).into()));
        into.extend(self.spans.drain(..).map(|id| ReasoningEndEvent::new(id).into()));
        into.extend(self.calls.drain(..).map(|id| ToolCallEndEvent::new(id).into()));
    }

    fn scoped(&mut self, kind: Kind, record: &Record, into: &mut Vec<Event>) -> Result<(), DialectError> {
        let call = || record.text("toolCallId").map(ToolCallId::from);
        let message = || record.text("messageId").map(MessageId::from);
        match kind {
            Kind::ToolCallStart => {
                let id = call()?;
                into.push(ToolCallStartEvent::new(&id, record.text("toolCallName")?).into());
                self.calls.insert(id);
            }
            Kind::ToolCallArgs => into.push(ToolCallArgsEvent::new(call()?, record.text("delta")?).into()),
            Kind::ToolCallEnd => {
                let id = call()?;
                self.calls.shift_remove(&id);
                if !self.settled.remove(&id) {
                    into.push(ToolCallEndEvent::new(id).into());
                }
            }
            Kind::ToolResult => {
                let id = call()?;
                if self.calls.shift_remove(&id) {
                    into.push(ToolCallEndEvent::new(&id).into());
                    self.settled.insert(id.clone());
                }
                let content = match record.payload.get("content") {
                    Some(Value::String(text)) => text.clone(),
                    Some(value) => value.to_string(),
                    None => record.text("content")?.to_owned(),
                };
                into.push(ToolCallResultEvent::new(self.made_up(), id, content).into());
            }
            Kind::ReasoningStart => {
                let id = message()?;
                into.push(ReasoningStartEvent::new(&id).into());
                self.spans.insert(id);
            }
            Kind::ReasoningMessageStart => self.start_reasoning(message()?, into),
            Kind::ReasoningMessageContent => {
                let id = message()?;
                let delta = record.text("delta")?;
                if !self.reasoning.contains(&id) {
                    self.start_reasoning(id.clone(), into);
                }
                into.push(ReasoningMessageContentEvent::new(id, delta).into());
            }
            // An end without a start has no meaning in AG-UI.
            Kind::ReasoningMessageEnd => {
                let id = message()?;
                if self.reasoning.shift_remove(&id) {
                    into.push(ReasoningMessageEndEvent::new(id).into());
                }
            }
            Kind::ReasoningEnd => {
                let id = message()?;
                if self.reasoning.shift_remove(&id) {
                    into.push(ReasoningMessageEndEvent::new(&id).into());
                }
                if self.spans.shift_remove(&id) {
                    into.push(ReasoningEndEvent::new(id).into());
                }
            }
            Kind::Message | Kind::Status | Kind::Error => {}
        }
        Ok(())
    }

    fn start_reasoning(&mut self, id: MessageId, into: &mut Vec<Event>) {
        into.push(ReasoningMessageStartEvent::new(&id).into());
        self.reasoning.insert(id);
    }
}

/// Returns the members of a record that its event carries; `None` if it carries all of them.
fn carried(kind: Kind, record: &Record) -> Option<&'static [&'static str]> {
    Some(match kind {
        Kind::Message => &["content", "agent"],
        Kind::ToolCallStart => &["toolCallId", "toolCallName"],
        Kind::ToolCallArgs => &["toolCallId", "delta"],
        Kind::ToolCallEnd => &["toolCallId"],
        Kind::ToolResult => &["toolCallId", "content", "role"],
        Kind::ReasoningStart | Kind::ReasoningMessageEnd | Kind::ReasoningEnd => &["messageId"],
        Kind::ReasoningMessageStart => &["messageId", "role"],
        Kind::ReasoningMessageContent => &["messageId", "delta"],
        Kind::Error => &["type", "message", "code"],
        Kind::Status => match record.optional("type") {
            Some("start" | "complete") => &["type"],
            Some("error") => &["type", "message", "code"],
            // It becomes an event with the whole payload.
            _ => return None,
        },
    })
}

/// Wraps a record for which AG-UI has no event.
fn custom(record: Record) -> Event {
    let name = format!("{CUSTOM_PREFIX}{}", record.event);
    CustomEvent::new(name, record.into_value()).into()
}
