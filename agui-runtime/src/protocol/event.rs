//! The table of all events. Adding one takes a struct in its family's file and a row here.

use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess};
use serde::ser::{Serialize, Serializer};

use super::activity::{ActivityDeltaEvent, ActivitySnapshotEvent};
use super::base::BaseEvent;
use super::effect::{Effect, Family, Scope};
use super::id::{MessageId, SubagentRunId, ToolCallId};
use super::json::NonNull;
use super::metadata::Metadata;
use super::number::Timestamp;
use super::operands::{Operand, Operands};
use super::passthrough::{CustomEvent, RawEvent};
use super::print::{self, Print};
use super::reasoning::{
    ReasoningEncryptedValueEvent, ReasoningEndEvent, ReasoningMessageChunkEvent,
    ReasoningMessageContentEvent, ReasoningMessageEndEvent, ReasoningMessageStartEvent, ReasoningStartEvent,
};
use super::run::{RunErrorEvent, RunFinishedEvent, RunStartedEvent, StepFinishedEvent, StepStartedEvent};
use super::scan::{ScanMembers, Scanner};
use super::shape::{Described, Shape, UnionShape};
use super::state::{MessagesSnapshotEvent, StateDeltaEvent, StateSnapshotEvent};
use super::string_set::string_set;
use super::subagent::{SubagentErrorEvent, SubagentFinishedEvent, SubagentStartedEvent};
use super::text::{
    TextMessageChunkEvent, TextMessageContentEvent, TextMessageEndEvent, TextMessageStartEvent,
};
use super::tool_call::{
    ToolCallArgsEvent, ToolCallChunkEvent, ToolCallEndEvent, ToolCallResultEvent, ToolCallStartEvent,
};
use super::union::{self, Members, Union};

/// Makes [`Event`] and [`EventType`] from the table. A row: wire name, variant and struct, family, effect, which member
/// names what the effect is about, and which members hold its other operands (fields of [`Operands`]).
macro_rules! events {
    ($(
        $WIRE:ident $Variant:ident($Struct:ident) $family:ident $effect:ident $(($scope:ident))? $(by $key:ident)?
            $(with $($operand:ident = $member:ident),+)?;
    )*) => {
        string_set! {
            /// The type of an event, as it stands under `type`.
            ///
            /// ```
            /// use agui_runtime::protocol::{EventType, Family};
            ///
            /// assert_eq!(EventType::RunStarted.as_str(), "RUN_STARTED");
            /// assert_eq!("CUSTOM".parse(), Ok(EventType::Custom));
            /// assert_eq!(EventType::Custom.family(), Family::Passthrough);
            /// assert_eq!(EventType::ALL.len(), 31);
            /// ```
            pub enum EventType: "event type" {
                $(
                    #[doc = concat!("`", stringify!($WIRE), "`: [`", stringify!($Struct), "`].")]
                    $Variant = stringify!($WIRE),
                )*
            }
        }

        impl EventType {
            /// The group of events it belongs to.
            #[must_use]
            pub const fn family(self) -> Family {
                match self { $(Self::$Variant => Family::$family,)* }
            }

            /// What an event of this type does to the order of its stream.
            #[must_use]
            pub const fn effect(self) -> Effect {
                match self { $(Self::$Variant => Effect::$effect $((Scope::$scope))?,)* }
            }
        }

        /// Anything that can stand in a stream.
        ///
        /// Exhaustive on purpose: an event added by the protocol is a compile error where every event must be handled.
        /// Reading accepts members it does not know and drops them; a type it does not know is an error that names it.
        ///
        /// ```
        /// use agui_runtime::protocol::{Event, EventType};
        ///
        /// let event: Event = serde_json::from_str(r#"{"type":"STEP_STARTED","stepName":"plan"}"#).unwrap();
        /// assert_eq!(event.event_type(), EventType::StepStarted);
        /// assert_eq!(event.scope_id(), Some("plan"));
        ///
        /// let error = serde_json::from_str::<Event>(r#"{"type":"META"}"#).unwrap_err();
        /// assert!(error.to_string().starts_with("unknown event type `META`"));
        /// ```
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Event {
            $(
                #[doc = concat!("`", stringify!($WIRE), "`")]
                $Variant($Struct),
            )*
        }

        $(
            impl From<$Struct> for Event {
                fn from(event: $Struct) -> Self {
                    Self::$Variant(event)
                }
            }
        )*

        impl Event {
            /// Its type.
            #[must_use]
            pub const fn event_type(&self) -> EventType {
                match self { $(Self::$Variant(_) => EventType::$Variant,)* }
            }

            /// What its effect is about: the id of a message, call, span or subagent, or the name of a step. `None`
            /// where there is no such thing, and on a chunk that goes on without an id.
            #[must_use]
            pub fn scope_id(&self) -> Option<&str> {
                match self { $(Self::$Variant(event) => events!(@key event $($key)?),)* }
            }

            /// The same, to keep: a reference count for an id.
            pub(crate) fn shared_scope_id(&self) -> Option<Arc<str>> {
                match self { $(Self::$Variant(event) => events!(@shared event $($key)?),)* }
            }

            /// What else its effect needs to be understood.
            #[must_use]
            pub fn operands(&self) -> Operands<'_> {
                match self { $(Self::$Variant(event) => events!(@operands event $($($operand $member)+)?),)* }
            }

            /// The subagent invocation it belongs to, or is about. `None` means the parent agent.
            #[must_use]
            pub fn subagent_run_id(&self) -> Option<&SubagentRunId> {
                match self { $(Self::$Variant(event) => event.subagent_run_id(),)* }
            }

            fn base(&self) -> &dyn BaseEvent {
                match self { $(Self::$Variant(event) => event,)* }
            }

            fn base_mut(&mut self) -> &mut dyn BaseEvent {
                match self { $(Self::$Variant(event) => event,)* }
            }
        }

        impl Serialize for Event {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { $(Self::$Variant(event) => event.serialize(serializer),)* }
            }
        }

        impl Print for Event {
            #[inline]
            fn print(&self, out: &mut Vec<u8>) {
                match self { $(Self::$Variant(event) => event.print(out),)* }
            }
        }

        impl Event {
            /// Scans one straight into the place where it is wanted: an event is large, and on its way through results it would be moved
            /// again and again.
            #[inline]
            pub(crate) fn scan_into<E>(
                scanner: &mut Scanner<'_>,
                place: &mut Result<Option<Self>, E>,
            ) -> Option<()> {
                const NAME: &str = <Event as Union>::KEY;
                const KEY: [u8; print::key_len(NAME)] = print::key(NAME);
                let (tag, told) = scanner.tag(NAME, &KEY)?;
                match tag {
                    $(stringify!($WIRE) => {
                        let event = ScanMembers::scan_members(scanner, told)?;
                        *place = Ok(Some(Self::$Variant(event)));
                    })*
                    _ => return None,
                }
                Some(())
            }
        }

        impl Described for Event {
            const SHAPE: Shape = Shape::Union(&UnionShape {
                key: <Self as Union>::KEY,
                variants: &[$((stringify!($WIRE), &<$Struct as Described>::SHAPE),)*],
            });
        }

        impl Union for Event {
            const KEY: &'static str = "type";
            const EXPECTING: &'static str = "an event";

            fn read<'de, A: MapAccess<'de>>(tag: &str, members: Members<'de, A>) -> Result<Self, A::Error> {
                match tag.parse().map_err(A::Error::custom)? {
                    $(EventType::$Variant => union::object(members).map(Self::$Variant),)*
                }
            }
        }
    };

    (@key $event:ident) => {{
        let _ = $event;
        None
    }};
    (@key $event:ident $key:ident) => { $event.$key.scope_id() };

    (@shared $event:ident) => {{
        let _ = $event;
        None
    }};
    (@shared $event:ident $key:ident) => { $event.$key.shared() };

    (@operands $event:ident) => {{
        let _ = $event;
        Operands::default()
    }};
    (@operands $event:ident $($operand:ident $member:ident)+) => {
        Operands { $($operand: Operand::of(&$event.$member),)+ ..Operands::default() }
    };
}

events! {
    RUN_STARTED                RunStarted(RunStartedEvent)                           Run         StartRun
        with thread = thread_id, run = run_id, version = protocol_version, conversation = input;
    RUN_FINISHED               RunFinished(RunFinishedEvent)                         Run         FinishRun
        with thread = thread_id, run = run_id, outcome = outcome;
    RUN_ERROR                  RunError(RunErrorEvent)                               Run         FailRun;
    STEP_STARTED               StepStarted(StepStartedEvent)                         Run         Open(Step)               by step_name;
    STEP_FINISHED              StepFinished(StepFinishedEvent)                       Run         Close(Step)              by step_name;

    TEXT_MESSAGE_START         TextMessageStart(TextMessageStartEvent)               Text        Open(Text)               by message_id
        with role = role, name = name;
    TEXT_MESSAGE_CONTENT       TextMessageContent(TextMessageContentEvent)           Text        Within(Text)             by message_id;
    TEXT_MESSAGE_END           TextMessageEnd(TextMessageEndEvent)                   Text        Close(Text)              by message_id;
    TEXT_MESSAGE_CHUNK         TextMessageChunk(TextMessageChunkEvent)               Text        Chunk(Text)              by message_id;

    TOOL_CALL_START            ToolCallStart(ToolCallStartEvent)                     ToolCall    Open(ToolCall)           by tool_call_id
        with parent = parent_message_id, tool = tool_call_name;
    TOOL_CALL_ARGS             ToolCallArgs(ToolCallArgsEvent)                       ToolCall    Within(ToolCall)         by tool_call_id;
    TOOL_CALL_END              ToolCallEnd(ToolCallEndEvent)                         ToolCall    Close(ToolCall)          by tool_call_id;
    TOOL_CALL_CHUNK            ToolCallChunk(ToolCallChunkEvent)                     ToolCall    Chunk(ToolCall)          by tool_call_id;
    TOOL_CALL_RESULT           ToolCallResult(ToolCallResultEvent)                   ToolCall    Answer(ToolCall)         by tool_call_id
        with message = message_id;

    STATE_SNAPSHOT             StateSnapshot(StateSnapshotEvent)                     State       Free;
    STATE_DELTA                StateDelta(StateDeltaEvent)                           State       Free;
    MESSAGES_SNAPSHOT          MessagesSnapshot(MessagesSnapshotEvent)               State       Restate
        with conversation = messages;

    ACTIVITY_SNAPSHOT          ActivitySnapshot(ActivitySnapshotEvent)               Activity    Create(Activity)         by message_id
        with replace = replace;
    ACTIVITY_DELTA             ActivityDelta(ActivityDeltaEvent)                     Activity    After(Activity)          by message_id;

    REASONING_START            ReasoningStart(ReasoningStartEvent)                   Reasoning   Open(ReasoningSpan)      by message_id;
    REASONING_MESSAGE_START    ReasoningMessageStart(ReasoningMessageStartEvent)     Reasoning   Open(ReasoningMessage)   by message_id;
    REASONING_MESSAGE_CONTENT  ReasoningMessageContent(ReasoningMessageContentEvent) Reasoning   Within(ReasoningMessage) by message_id;
    REASONING_MESSAGE_END      ReasoningMessageEnd(ReasoningMessageEndEvent)         Reasoning   Close(ReasoningMessage)  by message_id;
    REASONING_MESSAGE_CHUNK    ReasoningMessageChunk(ReasoningMessageChunkEvent)     Reasoning   Chunk(ReasoningMessage)  by message_id;
    REASONING_END              ReasoningEnd(ReasoningEndEvent)                       Reasoning   Close(ReasoningSpan)     by message_id;
    REASONING_ENCRYPTED_VALUE  ReasoningEncryptedValue(ReasoningEncryptedValueEvent) Reasoning   Attach                   by entity_id
        with attached_to = subtype;

    SUBAGENT_STARTED           SubagentStarted(SubagentStartedEvent)                 Subagent    Open(Subagent)           by subagent_run_id
        with parent = parent_subagent_run_id;
    SUBAGENT_FINISHED          SubagentFinished(SubagentFinishedEvent)               Subagent    Close(Subagent)          by subagent_run_id;
    SUBAGENT_ERROR             SubagentError(SubagentErrorEvent)                     Subagent    Close(Subagent)          by subagent_run_id;

    RAW                        Raw(RawEvent)                                         Passthrough Free;
    CUSTOM                     Custom(CustomEvent)                                   Passthrough Free;
}

impl Event {
    /// When it happened, if it says so.
    #[must_use]
    pub fn timestamp(&self) -> Option<Timestamp> {
        *self.base().timestamp()
    }

    /// Where its timestamp is, to set or remove it.
    pub fn timestamp_mut(&mut self) -> &mut Option<Timestamp> {
        self.base_mut().timestamp_mut()
    }

    /// The model provider's event it came from.
    #[must_use]
    pub fn raw_event(&self) -> Option<&NonNull> {
        self.base().raw_event().as_ref()
    }

    /// Where that event is, to set or remove it.
    pub fn raw_event_mut(&mut self) -> &mut Option<NonNull> {
        self.base_mut().raw_event_mut()
    }

    /// Its metadata.
    #[must_use]
    pub fn metadata(&self) -> Option<&Metadata> {
        self.base().metadata().as_ref()
    }

    /// Where its metadata is, to set or remove it.
    pub fn metadata_mut(&mut self) -> &mut Option<Metadata> {
        self.base_mut().metadata_mut()
    }

    /// Where the tag of its subagent is, to set or remove it: `None` on events that cannot carry one, and on the
    /// subagent's own life cycle, which cannot be without.
    pub fn subagent_run_id_mut(&mut self) -> Option<&mut Option<SubagentRunId>> {
        self.base_mut().subagent_run_id_mut()
    }
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        union::read(deserializer)
    }
}

/// A member that names what an event is about.
trait ScopeId {
    fn scope_id(&self) -> Option<&str>;
    fn shared(&self) -> Option<Arc<str>>;
}

impl ScopeId for String {
    fn scope_id(&self) -> Option<&str> {
        Some(self)
    }

    fn shared(&self) -> Option<Arc<str>> {
        Some(Arc::from(self.as_str()))
    }
}

impl<I: ScopeId> ScopeId for Option<I> {
    fn scope_id(&self) -> Option<&str> {
        self.as_ref().and_then(I::scope_id)
    }

    fn shared(&self) -> Option<Arc<str>> {
        self.as_ref().and_then(I::shared)
    }
}

macro_rules! scope_ids {
    ($($Id:ident)*) => { $(
        impl ScopeId for $Id {
            fn scope_id(&self) -> Option<&str> {
                Some(self.as_str())
            }

            fn shared(&self) -> Option<Arc<str>> {
                Some(self.clone_shared())
            }
        }
    )* };
}

scope_ids! { MessageId ToolCallId SubagentRunId }
