//! The npm 1.0.0 field numbers, which never change (AG-UI 1.0, section "Protobuf schema").
//!
//! A row is `number presence member`, the same as in `ag_ui.proto` in another notation. Messages that do not correspond to one
//! Rust type are in `flattened`, `content` and `patch`.

use super::camel::wire_name;
use super::out::Out;
use super::schema::{Body, MessageTable, Put, Row, kind_of};
use super::shape::Shape;
use super::take::{self, Slot, Taken};
use crate::protocol::forms::scan::KnownIds;
use crate::protocol::{
    ActivityDeltaEvent, ActivitySnapshotEvent, Context, CustomEvent, FunctionCall, RawEvent,
    ReasoningEncryptedValueEvent, ReasoningEndEvent, ReasoningMessageChunkEvent,
    ReasoningMessageContentEvent, ReasoningMessageEndEvent, ReasoningMessageStartEvent, ReasoningStartEvent,
    ResumeEntry, RunAgentInput, RunErrorEvent, RunStartedEvent, StateDeltaEvent, StateSnapshotEvent,
    StepFinishedEvent, StepStartedEvent, SubagentErrorEvent, SubagentStartedEvent, TextMessageChunkEvent,
    TextMessageContentEvent, TextMessageEndEvent, TextMessageStartEvent, TokenUsage, Tool, ToolCallArgsEvent,
    ToolCallChunkEvent, ToolCallEndEvent, ToolCallStartEvent,
};

/// Messages whose fields are all members, optionally followed by a constant: `; number "key" CONSTANT`.
macro_rules! messages {
    ($($Name:ident {
        $($number:literal $presence:ident $member:ident),+ $(,)? $(; $fixed:literal $key:literal $CONST:ident)?
    })*) => { $(
        impl Body for $Name {
            const TABLE: MessageTable = MessageTable {
                rows: &[
                    $(Row::$presence($number, wire_name!($member), kind_of(|it: &$Name| &it.$member)),)+
                    $(Row::plain($fixed, $key, super::schema::Kind::Text),)?
                ],
                shape: Shape::AsItIs,
            };

            #[inline]
            fn body(&self, out: &mut Out) {
                $(Put::$presence(&self.$member, $number, out);)+
                $(out.text($fixed, Self::$CONST);)?
            }
        }
    )* };
}

/// The same for events, which also have a fast reader.
macro_rules! events {
    ($($Name:ident {
        $($number:literal $presence:ident $member:ident),+ $(,)? $(; $fixed:literal $key:literal $CONST:ident)?
    })*) => {
        messages! { $($Name { $($number $presence $member),+ $(; $fixed $key $CONST)? })* }

        $(
            impl Taken for $Name {
                fn taken(bytes: &[u8], code: u8, ids: &mut KnownIds) -> Option<Self> {
                    let mut base = take::Base::default();
                    $(let mut $member = Slot::of(|it: &$Name| &it.$member);)+
                    let mut fields = super::fields::Fields::new(bytes, 0);
                    while let Some(field) = fields.next().ok()? {
                        match field.number {
                            1 => base.take(field.payload, code)?,
                            $($number => $member.take(field.payload, ids)?,)+
                            $($fixed => base.constant(field.payload, Self::$CONST)?,)?
                            _ => return None,
                        }
                    }
                    let constants = 0 $(+ { let _: u32 = $fixed; 1 })?;
                    let (timestamp, raw_event, metadata) = base.finish(constants)?;
                    Some(Self { $($member: $member.finish()?,)+ timestamp, raw_event, metadata })
                }
            }
        )*
    };
}

events! {
    TextMessageStartEvent { 2 plain message_id, 3 optional role, 4 optional name, 5 optional subagent_run_id }
    TextMessageContentEvent { 2 plain message_id, 3 plain delta, 4 optional subagent_run_id }
    TextMessageEndEvent { 2 plain message_id, 3 optional subagent_run_id }
    TextMessageChunkEvent {
        2 optional message_id, 3 optional role, 4 optional delta, 5 optional name, 6 optional subagent_run_id,
    }

    ToolCallStartEvent {
        2 plain tool_call_id, 3 plain tool_call_name, 4 optional parent_message_id, 5 optional subagent_run_id,
    }
    ToolCallArgsEvent { 2 plain tool_call_id, 3 plain delta, 4 optional subagent_run_id }
    ToolCallEndEvent { 2 plain tool_call_id, 3 optional subagent_run_id }
    ToolCallChunkEvent {
        2 optional tool_call_id, 3 optional tool_call_name, 4 optional parent_message_id, 5 optional delta,
        6 optional subagent_run_id,
    }

    StateSnapshotEvent { 2 optional snapshot, 3 optional subagent_run_id }
    StateDeltaEvent { 2 list delta, 3 optional subagent_run_id }

    ActivitySnapshotEvent {
        2 optional subagent_run_id, 3 plain message_id, 4 plain activity_type, 5 optional content, 6 optional replace,
    }
    ActivityDeltaEvent { 2 optional subagent_run_id, 3 plain message_id, 4 plain activity_type, 5 list patch }

    RawEvent { 2 optional event, 3 optional source, 4 optional subagent_run_id }
    CustomEvent { 2 plain name, 3 optional value, 4 optional subagent_run_id }

    StepStartedEvent { 2 plain step_name, 3 optional subagent_run_id }
    StepFinishedEvent { 2 plain step_name, 3 optional subagent_run_id }

    ReasoningStartEvent { 2 optional subagent_run_id, 3 plain message_id }
    ReasoningMessageStartEvent { 2 optional subagent_run_id, 3 plain message_id; 4 "role" ROLE }
    ReasoningMessageContentEvent { 2 optional subagent_run_id, 3 plain message_id, 4 plain delta }
    ReasoningMessageEndEvent { 2 optional subagent_run_id, 3 plain message_id }
    ReasoningMessageChunkEvent { 2 optional subagent_run_id, 3 optional message_id, 4 optional delta }
    ReasoningEndEvent { 2 optional subagent_run_id, 3 plain message_id }
    ReasoningEncryptedValueEvent {
        2 optional subagent_run_id, 3 plain subtype, 4 plain entity_id, 5 plain encrypted_value,
        6 optional encrypted_value_type,
    }

    SubagentStartedEvent {
        2 plain subagent_run_id, 3 plain name, 4 optional description, 5 optional parent_subagent_run_id,
        6 optional parent_tool_call_id, 7 optional parent_message_id,
    }
    SubagentErrorEvent { 2 plain subagent_run_id, 3 plain message, 4 optional code }
}

messages! {
    RunStartedEvent {
        2 plain thread_id, 3 plain run_id, 4 optional parent_run_id, 5 optional input, 6 optional protocol_version,
    }
    RunErrorEvent { 2 optional code, 3 plain message, 4 repeated usage }

    RunAgentInput {
        1 plain thread_id, 2 plain run_id, 3 optional parent_run_id, 4 optional state, 5 list messages, 6 list tools,
        7 list context, 8 optional forwarded_props, 9 list resume, 10 optional protocol_version,
    }
    Tool { 1 plain name, 2 plain description, 3 optional parameters, 4 optional metadata }
    Context { 1 plain description, 2 plain value }
    ResumeEntry { 1 plain interrupt_id, 2 plain status, 3 optional payload, 4 optional metadata }
    FunctionCall { 1 plain name, 2 plain arguments }
    TokenUsage {
        1 optional provider, 2 optional model, 3 optional input_tokens, 4 optional output_tokens, 5 optional total_tokens,
        6 optional reasoning_tokens, 7 optional cached_input_tokens, 8 optional cache_write_input_tokens,
    }
}

/// Fields whose content is a message.
macro_rules! fields {
    ($($Name:ty),* $(,)?) => { $(
        impl Put for $Name {
            const KIND: super::schema::Kind = super::schema::Kind::Message(&<$Name as Body>::TABLE);

            fn optional(&self, number: u32, out: &mut Out) {
                out.message(number, |out| self.body(out));
            }
        }
    )* };
}

fields!(
    RunAgentInput,
    Tool,
    Context,
    ResumeEntry,
    FunctionCall,
    TokenUsage,
    crate::protocol::Interrupt,
    crate::protocol::Message,
    crate::protocol::ToolCall,
    crate::protocol::ContentPart,
    crate::protocol::PartSource,
);
