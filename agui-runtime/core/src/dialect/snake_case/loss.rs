//! Warnings about material that the dialect cannot express.

use std::collections::HashSet;

use super::{Block, ChatContent, ChatRequest, ChatRole};
use crate::protocol::{Content, Event, JsonPointer, Message, RunAgentInput, RunFinishedOutcome};
use crate::quoted::quoted;
use crate::receive::{FrameWarning, WarningKind};

/// The number of kinds of loss that are reported per stream; a peer may invent more.
const KINDS: usize = 64;

/// Reports each kind of loss once per stream: a state that changes a thousand times is reported once.
#[derive(Debug, Clone, Default)]
pub(super) struct Losses {
    said: HashSet<(Box<str>, Box<str>)>,
}

impl Losses {
    pub(super) fn say(&mut self, event: &str, path: &str, warn: &mut dyn FnMut(FrameWarning)) {
        if self.said.len() < KINDS && self.said.insert((event.into(), path.into())) {
            warn(FrameWarning::new(event, path, WarningKind::Untranslatable));
        }
    }

    /// Reports the members of an event that its record does not carry.
    pub(super) fn say_members(&mut self, event: &Event, warn: &mut dyn FnMut(FrameWarning)) {
        let name = event.event_type().as_str();
        for (path, is_there) in members(event) {
            if is_there {
                self.say(name, path, warn);
            }
        }
    }

    /// Reports the members of a record that its event does not carry.
    pub(super) fn say_payload<'k>(
        &mut self,
        record: &str,
        keys: impl IntoIterator<Item = &'k String>,
        carried: &[&str],
        warn: &mut dyn FnMut(FrameWarning),
    ) {
        // The thread is known from the request.
        for key in keys.into_iter().filter(|key| *key != "thread_id" && !carried.contains(&key.as_str())) {
            self.say(record, &format!("/{key}"), warn);
        }
    }
}

fn members(event: &Event) -> impl Iterator<Item = (&'static str, bool)> {
    let of_all = [
        ("/metadata", event.metadata().is_some()),
        ("/rawEvent", event.raw_event().is_some()),
        ("/timestamp", event.timestamp().is_some()),
        ("/subagentRunId", event.subagent_run_id().is_some()),
    ];
    let [first, second, third] = match event {
        Event::RunStarted(event) => {
            [("/parentRunId", event.parent_run_id.is_some()), ("/input", event.input.is_some()), NONE]
        }
        Event::RunFinished(event) => {
            let outcome = match &event.outcome {
                Some(RunFinishedOutcome::Interrupt(_)) => ("/outcome/interrupts", true),
                Some(RunFinishedOutcome::Success(success)) => {
                    ("/outcome/pendingToolCallIds", success.pending_tool_call_ids.is_some())
                }
                _ => NONE,
            };
            [("/result", event.result.is_some()), ("/usage", event.usage.is_some()), outcome]
        }
        Event::RunError(event) => [("/usage", event.usage.is_some()), NONE, NONE],
        Event::ToolCallStart(event) => [("/parentMessageId", event.parent_message_id.is_some()), NONE, NONE],
        Event::ToolCallResult(event) => {
            [("/content", matches!(event.content, Content::Parts(_))), NONE, NONE]
        }
        _ => [NONE; 3],
    };
    of_all.into_iter().chain([first, second, third])
}

const NONE: (&str, bool) = ("", false);

/// Reports the members of an input that are lost, apart from its messages; `carried` are the properties
/// that are passed through.
pub(super) fn say_input(input: &RunAgentInput, carried: &[&str], warn: &mut dyn FnMut(FrameWarning)) {
    let mut lost = |path: String| warn(FrameWarning::new("", path, WarningKind::Untranslatable));
    let members = [
        ("/parentRunId", input.parent_run_id.is_some()),
        ("/state", input.state.as_deref().is_some_and(|state| *state != serde_json::json!({}))),
        ("/tools", !input.tools().is_empty()),
        ("/context", !input.context().is_empty()),
        ("/resume", !input.resume().is_empty()),
    ];
    members.into_iter().filter(|(_, is_there)| *is_there).for_each(|(path, _)| lost(path.to_owned()));
    match input.forwarded_props.as_deref() {
        Some(serde_json::Value::Object(props)) => {
            let others = props.keys().filter(|key| !carried.contains(&key.as_str()));
            others.for_each(|key| lost(format!("/forwardedProps/{key}")));
        }
        Some(_) => lost("/forwardedProps".to_owned()),
        None => {}
    }
    for (at, message) in input.messages.iter().enumerate() {
        match message {
            Message::Tool(_) | Message::Activity(_) => {
                lost(format!("/messages/{at}"));
                continue;
            }
            Message::Assistant(message)
                if message.tool_calls.as_ref().is_some_and(|calls| !calls.is_empty()) =>
            {
                lost(format!("/messages/{at}/toolCalls"));
            }
            Message::User(message) => {
                if let Content::Parts(parts) = &message.content {
                    let unsayable = parts.iter().enumerate().filter(|(_, part)| Block::of(part).is_none());
                    unsayable.for_each(|(part, _)| lost(format!("/messages/{at}/content/{part}")));
                }
            }
            _ => {}
        }
        for (key, member) in
            ["encryptedValue", "encryptedValueType"].into_iter().zip(message.encrypted_texts())
        {
            if member.is_some() {
                lost(format!("/messages/{at}/{key}"));
            }
        }
    }
}

/// Reports the losses of a request, up to a limit: a body may have many members.
pub(super) fn say_request(request: &ChatRequest, warn: &mut dyn FnMut(FrameWarning)) {
    let members = request.others.keys().map(|key| JsonPointer::root().child(key).as_str().to_owned());
    let messages = request.messages.iter().enumerate().flat_map(|(at, message)| {
        let blocks = match &message.content {
            ChatContent::Blocks(blocks) => blocks.as_slice(),
            ChatContent::Text(_) => &[],
        };
        blocks.iter().enumerate().filter_map(move |(block_at, block)| {
            let path = format!("/messages/{at}/content/{block_at}");
            match block {
                Block::Unknown => Some(path),
                Block::Text { .. } | Block::Reasoning { .. } => None,
                Block::Image(_) | Block::Audio(_) | Block::File(_) if message.role != ChatRole::User => {
                    Some(path)
                }
                Block::Image(media) | Block::Audio(media) | Block::File(media) => {
                    media.left_out().map(|member| format!("{path}/{member}"))
                }
            }
        })
    });
    let lost = members.chain(messages).take(KINDS);
    lost.for_each(|path| warn(FrameWarning::new("", path, WarningKind::Untranslatable)));
}

/// Logs a loss with `tracing`, like the other warnings of this crate, if the caller passes no function for
/// them.
#[allow(clippy::needless_pass_by_value, reason = "it replaces functions that keep the warning")]
pub(super) fn log(warning: FrameWarning) {
    tracing::warn!(warning = %quoted(warning), "translation between AG-UI and the snake_case dialect loses information");
}
