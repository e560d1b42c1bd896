//! The compatibility boundary: earlier shapes become 1.0 shapes (AG-UI 1.0, sections "Eras" and "Retired shapes").
//!
//! | file | translates |
//! |---|---|
//! | `thinking` | `THINKING_*` events to reasoning |
//! | `binary` | `binary` parts to media parts |
//! | `null` | `null`s that meant "absent"; they are removed |
//! | `later` | members of later versions in events from an older agent; they are removed |
//! | `subagent` | subagents in events from an agent older than subagents; they are removed |
//! | `outgoing` | inputs to a form that an old agent reads |
//! | `ceiling` `declared` | an agent's known age, and the version that the agent declares |
//!
//! Only retired shapes are changed; [`enforce`](super::enforce) then checks the rest.

mod binary;
mod ceiling;
pub(crate) mod declared;

mod later;
mod null;
mod outgoing;
mod report;
mod subagent;
mod thinking;

use std::cmp::Ordering;

use serde_json::Value;

use self::report::WarningReporter;
use self::thinking::ThinkingSpans;
use super::{FrameWarning, WarningKind};
use crate::protocol::forms::shape::ShapedType as _;
use crate::protocol::forms::since::VersionedObject;
use crate::protocol::{Event, EventType, Message, ProtocolVersion, RunAgentInput};

#[cfg(feature = "server")]
pub(crate) use binary::part_type_of;
pub use ceiling::{InvalidCeiling, PeerCeiling};

/// The stage that translates events of earlier versions.
///
/// Create one for each stream: `THINKING_*` events have no ids, so the stage remembers the ids of open spans.
///
/// ```
/// use agui_runtime::receive::{LegacyTranslator, WarningKind};
/// use serde_json::json;
///
/// let mut event = json!({ "type": "THINKING_START" });
/// let mut warnings = Vec::new();
/// assert!(LegacyTranslator::new().event(&mut event, &mut |warning| warnings.push(warning)));
/// assert_eq!(event, json!({ "type": "REASONING_START", "messageId": "thinking-1" }));
/// assert_eq!(warnings[0].kind(), &WarningKind::Retired { becomes: "REASONING_START" });
/// ```
#[derive(Debug, Clone, Default)]
pub struct LegacyTranslator {
    ceiling: PeerCeiling,
    thinking: ThinkingSpans,
}

impl LegacyTranslator {
    /// Creates a [`LegacyTranslator`] stage for an agent that may be current.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the highest version that the agent may have. Material that such an agent cannot know is removed from its events, and
    /// material that it cannot read is removed from its inputs. Retired shapes are translated in any case.
    ///
    /// ```
    /// use agui_runtime::receive::LegacyTranslator;
    /// use serde_json::json;
    ///
    /// let mut old = LegacyTranslator::new().with_ceiling("0.0.57".parse()?);
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

    /// Returns the highest version that the agent may have.
    #[must_use]
    pub fn ceiling(&self) -> PeerCeiling {
        self.ceiling
    }

    /// Translates an event, and reports the changes. Returns false if the event is to be dropped; a value that is not an event
    /// stays unchanged.
    #[must_use = "false means that the event is to be dropped"]
    pub fn event(&mut self, event: &mut Value, warn: &mut dyn FnMut(FrameWarning)) -> bool {
        let Some(name) = event.get("type").and_then(Value::as_str).map(str::to_owned) else { return true };
        let event_type = name.parse::<EventType>().ok();
        let mut report = WarningReporter::new(&name, warn);
        null::remove_from_event(event, event_type, &mut report);
        match event_type {
            None => self.thinking.translate(event, &mut report),
            Some(EventType::MessagesSnapshot) => report.each(event, "messages", binary::translate_message),
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
        let version = self.version();
        if version < ProtocolVersion::LATEST {
            later::remove(event, &Event::SHAPE, version, &mut report);
        }
        !self.predates_subagents() || subagent::remove_from_event(event, event_type, &mut report)
    }

    /// Translates an input that a client sent as JSON, and reports the changes.
    pub fn input(input: &mut Value, warn: &mut dyn FnMut(FrameWarning)) {
        of_input(input, &mut WarningReporter::new("", warn));
    }

    /// Changes an input so that the agent can read it. [`PROTOCOL_VERSION`](crate::protocol::PROTOCOL_VERSION) is declared, or an earlier version if the agent is
    /// known to be older, or none if the agent is from before versions. Activity messages are removed because they stay with the
    /// client, and material that the agent does not know is removed, with a warning for each loss.
    ///
    /// ```
    /// use agui_runtime::protocol::{RunAgentInput, UserMessage};
    /// use agui_runtime::receive::LegacyTranslator;
    ///
    /// let mut input = RunAgentInput::new("t", "r", [UserMessage::new("u", "Hi").with_subagent_run_id("s").into()]);
    /// LegacyTranslator::new().with_ceiling("0.0.57".parse()?).outgoing(&mut input, &mut |_| {});
    /// assert_eq!(input, RunAgentInput::new("t", "r", [UserMessage::new("u", "Hi").into()]));
    ///
    /// LegacyTranslator::new().outgoing(&mut input, &mut |_| {});
    /// assert_eq!(input.protocol_version.as_deref(), Some("1.1"));
    /// # Ok::<(), agui_runtime::receive::InvalidCeiling>(())
    /// ```
    pub fn outgoing(&self, input: &mut RunAgentInput, warn: &mut dyn FnMut(FrameWarning)) {
        input.messages.retain(|message| !matches!(message, Message::Activity(_)));
        let version = self.ceiling.protocol();
        input.protocol_version = version.map(|version| version.as_str().to_owned());
        let mut report = WarningReporter::new("", warn);
        report.at("messages", |report| {
            for (index, message) in input.messages.iter_mut().enumerate() {
                let lone = message.remove_lone_types();
                if lone + message.restrict(self.version()) > 0 {
                    report.at(index, |report| {
                        report.at("encryptedValueType", |report| report.warn(WarningKind::Unsent));
                    });
                }
            }
        });
        if self.predates_subagents() {
            input.messages.iter_mut().for_each(|message| *message.subagent_run_id_mut() = None);
        }
        if self.ceiling <= PeerCeiling::BEFORE_PARTS {
            outgoing::text_only(input, &mut WarningReporter::new("", warn));
        }
    }

    /// Records an event that was read without [`event`](Self::event), and warns if the producer declares a later version than the
    /// input did.
    pub fn note(&mut self, event: &Event, warn: &mut dyn FnMut(FrameWarning)) {
        let Event::RunStarted(start) = event else { return };
        self.thinking.run(&start.run_id);
        let Some(declared) = &start.protocol_version else { return };
        let what = match declared::compare(declared, self.version()).map(|(_, all)| all) {
            None => WarningKind::UnreadableProtocol { declared: declared.clone() },
            Some(Ordering::Greater) => WarningKind::NewerProtocol { declared: declared.clone() },
            Some(Ordering::Less | Ordering::Equal) => return,
        };
        warn(FrameWarning::new(event.event_type().as_str(), "/protocolVersion", what));
    }

    /// Returns true if events may contain material that this version knows but that must be removed.
    pub(super) fn removes_material(&self) -> bool {
        self.ceiling < PeerCeiling::CURRENT
    }

    fn predates_subagents(&self) -> bool {
        self.ceiling <= PeerCeiling::BEFORE_SUBAGENTS
    }

    /// Returns the newest version that the agent may have.
    fn version(&self) -> ProtocolVersion {
        self.ceiling.protocol().unwrap_or(ProtocolVersion::FIRST)
    }
}

fn of_input(input: &mut Value, report: &mut WarningReporter<'_>) {
    null::remove_from_input(input, report);
    report.each(input, "messages", binary::translate_message);
}
