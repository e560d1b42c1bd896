//! The compatibility boundary: shapes of older versions become those of 1.0 (AG-UI 1.0, sections "Eras" and "Retired shapes").
//!
//! | file | translates |
//! |---|---|
//! | `thinking` | `THINKING_*` events, into reasoning |
//! | `binary` | `binary` parts, into media parts |
//! | `null` | the nulls that meant "nothing", into nothing |
//! | `subagent` | what an agent older than subagents cannot have said, into nothing |
//! | `outgoing` | inputs, into what an old agent reads |
//! | `ceiling` `declared` | how old an agent is known to be, and what it says itself |
//!
//! It changes only what is retired; whether the rest is well-formed is for [`enforce`](super::enforce) to say, after it.

mod binary;
mod ceiling;
pub(crate) mod declared;

mod null;
mod outgoing;
mod report;
mod subagent;
mod thinking;

use std::cmp::Ordering;

use serde_json::Value;

use self::report::Report;
use self::thinking::Thinking;
use super::{Warning, What};
use crate::protocol::{Event, EventType, Message, PROTOCOL_VERSION, RunAgentInput};

pub use ceiling::{InvalidCeiling, PeerCeiling};

/// Reads what older versions wrote.
///
/// One for each stream: `THINKING_*` events have no ids, so what they go on with is remembered.
///
/// ```
/// use agui_runtime::receive::{Compat, What};
/// use serde_json::json;
///
/// let mut event = json!({ "type": "THINKING_START" });
/// let mut said = Vec::new();
/// assert!(Compat::new().event(&mut event, &mut |warning| said.push(warning)));
/// assert_eq!(event, json!({ "type": "REASONING_START", "messageId": "thinking-1" }));
/// assert_eq!(said[0].what(), &What::Retired { becomes: "REASONING_START" });
/// ```
#[derive(Debug, Clone, Default)]
pub struct Compat {
    ceiling: PeerCeiling,
    thinking: Thinking,
}

impl Compat {
    /// For an agent that may be current.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// For an agent known to be no newer than this. What an older agent cannot have said is taken out of what it says, and what
    /// it cannot read out of what it is asked with. Retired shapes are read in any case.
    ///
    /// ```
    /// use agui_runtime::receive::Compat;
    /// use serde_json::json;
    ///
    /// let mut old = Compat::new().with_ceiling("0.0.57".parse()?);
    /// let mut step = json!({ "type": "STEP_STARTED", "stepName": "plan", "subagentRunId": "s" });
    /// assert!(old.event(&mut step, &mut |_| {}));
    /// assert_eq!(step, json!({ "type": "STEP_STARTED", "stepName": "plan" }));
    /// # Ok::<(), agui_runtime::receive::InvalidCeiling>(())
    /// ```
    #[must_use]
    pub fn with_ceiling(mut self, ceiling: PeerCeiling) -> Self {
        self.ceiling = ceiling;
        self
    }

    /// How new the agent may be.
    #[must_use]
    pub fn ceiling(&self) -> PeerCeiling {
        self.ceiling
    }

    /// Brings an event up to date, and says what it changed. Gives whether there is still an event; what is no event stays as it is.
    ///
    /// ```
    /// use agui_runtime::receive::Compat;
    /// use serde_json::json;
    ///
    /// let mut finished = json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": null });
    /// assert!(Compat::new().event(&mut finished, &mut |_| {}));
    /// assert_eq!(finished, json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" }));
    /// ```
    #[must_use = "whether there is still an event"]
    pub fn event(&mut self, event: &mut Value, warn: &mut dyn FnMut(Warning)) -> bool {
        let Some(name) = event.get("type").and_then(Value::as_str).map(str::to_owned) else { return true };
        let event_type = name.parse::<EventType>().ok();
        let mut report = Report::new(&name, warn);
        null::of_event(event, event_type, &mut report);
        match event_type {
            None => self.thinking.of_event(event, &mut report),
            Some(EventType::MessagesSnapshot) => report.each(event, "messages", binary::of_message),
            Some(EventType::RunStarted) => {
                if let Some(run) = event.get("runId").and_then(Value::as_str) {
                    self.thinking.run(&run.into());
                }
                if let Some(input) = event.get_mut("input") {
                    report.at("input", |report| of_input(input, report));
                }
            }
            Some(_) => {}
        }
        !self.predates_subagents() || subagent::of_event(event, event_type, &mut report)
    }

    /// Brings a request up to date that a client sent as JSON, and says what it changed.
    ///
    /// ```
    /// use agui_runtime::receive::Compat;
    /// use serde_json::json;
    ///
    /// let mut body = json!({ "threadId": "t", "runId": "r", "messages": [{ "id": "u", "role": "user", "content": [
    ///     { "type": "binary", "mimeType": "image/png", "url": "https://example.org/a.png" },
    /// ] }] });
    /// Compat::input(&mut body, &mut |_| {});
    /// assert_eq!(body["messages"][0]["content"][0]["type"], "image");
    /// ```
    pub fn input(input: &mut Value, warn: &mut dyn FnMut(Warning)) {
        of_input(input, &mut Report::new("", warn));
    }

    /// Makes an input one that the agent can read: [`PROTOCOL_VERSION`] is declared unless the agent is known to be older, activity
    /// messages stay here, and what an older agent does not know is left out, with a warning where something is lost by it.
    ///
    /// ```
    /// use agui_runtime::protocol::{RunAgentInput, UserMessage};
    /// use agui_runtime::receive::Compat;
    ///
    /// let mut input = RunAgentInput::new("t", "r", [UserMessage::new("u", "Hi").with_subagent_run_id("s").into()]);
    /// Compat::new().with_ceiling("0.0.57".parse()?).outgoing(&mut input, &mut |_| {});
    /// assert_eq!(input, RunAgentInput::new("t", "r", [UserMessage::new("u", "Hi").into()]));
    ///
    /// Compat::new().outgoing(&mut input, &mut |_| {});
    /// assert_eq!(input.protocol_version.as_deref(), Some("1.0"));
    /// # Ok::<(), agui_runtime::receive::InvalidCeiling>(())
    /// ```
    pub fn outgoing(&self, input: &mut RunAgentInput, warn: &mut dyn FnMut(Warning)) {
        input.messages.retain(|message| !matches!(message, Message::Activity(_)));
        let is_current = self.ceiling >= PeerCeiling::CURRENT;
        input.protocol_version = is_current.then(|| PROTOCOL_VERSION.to_owned());
        if self.predates_subagents() {
            input.messages.iter_mut().for_each(|message| *message.subagent_run_id_mut() = None);
        }
        if self.ceiling <= PeerCeiling::BEFORE_PARTS {
            outgoing::text_only(input, &mut Report::new("", warn));
        }
    }

    /// Takes note of an event of 1.0 that was read without [`event`](Self::event), and says if its producer speaks a later version.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, RunStartedEvent};
    /// use agui_runtime::receive::Compat;
    ///
    /// let mut warnings = 0;
    /// let start = RunStartedEvent::new("t", "r").with_protocol_version("2.0");
    /// Compat::new().note(&Event::from(start), &mut |_| warnings += 1);
    /// assert_eq!(warnings, 1);
    /// ```
    pub fn note(&mut self, event: &Event, warn: &mut dyn FnMut(Warning)) {
        let Event::RunStarted(start) = event else { return };
        self.thinking.run(&start.run_id);
        let Some(declared) = &start.protocol_version else { return };
        let what = match declared::compare(declared).map(|(_, all)| all) {
            None => What::UnreadableProtocol { declared: declared.clone() },
            Some(Ordering::Greater) => What::NewerProtocol { declared: declared.clone() },
            Some(Ordering::Less | Ordering::Equal) => return,
        };
        warn(Warning::new(event.event_type().as_str(), "/protocolVersion", what));
    }

    /// Whether events may hold what has to be taken out although 1.0 knows it.
    pub(super) fn predates_subagents(&self) -> bool {
        self.ceiling <= PeerCeiling::BEFORE_SUBAGENTS
    }
}

fn of_input(input: &mut Value, report: &mut Report<'_>) {
    null::of_input(input, report);
    report.each(input, "messages", binary::of_message);
}
