//! The values for a program's calls: questions, parts of the run on other tasks, events of other systems.

use std::mem::forget;
use std::pin::Pin;

use agui_runtime::protocol::{
    Event, Interrupt, ReasoningMessageChunkEvent, StepStartedEvent, SubagentStartedEvent,
    TextMessageChunkEvent, TextMessageContentEvent, TextMessageEndEvent, TextMessageStartEvent,
    ToolCallChunkEvent, ToolCallEndEvent, ToolCallResultEvent, ToolCallStartEvent,
};
use agui_runtime::{Emit, Stop};

use super::children::panic;
use super::program::{Foreign, TaskBody};

pub(crate) fn question() -> Interrupt {
    Interrupt::new("question", "confirmation")
}

pub(crate) fn task(emit: Emit, body: TaskBody) -> Pin<Box<dyn Future<Output = Result<(), Stop>> + Send>> {
    Box::pin(async move {
        match body {
            TaskBody::Says => drop(emit.say("from afar").await),
            TaskBody::Leaks => {
                let _step = emit.step("s").await;
                forget(emit.message().await);
            }
            TaskBody::Fails => {
                let _text = emit.message().await;
                return Err(Stop::error("no rice"));
            }
            TaskBody::Panics => {
                let _text = emit.message().await;
                panic()
            }
        }
        Ok(())
    })
}

pub(crate) fn foreign(event: Foreign) -> Event {
    match event {
        Foreign::TextStart => TextMessageStartEvent::new("foreign").into(),
        Foreign::TextContent => TextMessageContentEvent::new("foreign", "theirs").into(),
        Foreign::TextEnd => TextMessageEndEvent::new("foreign").into(),
        Foreign::TextChunk => {
            TextMessageChunkEvent::new().with_message_id("other").with_delta("theirs").into()
        }
        Foreign::MoreText => TextMessageChunkEvent::new().with_delta("more").into(),
        Foreign::CallChunk => ToolCallChunkEvent::new()
            .with_tool_call_id("foreign-call")
            .with_tool_call_name("look_up")
            .with_delta("{}")
            .into(),
        Foreign::ThoughtChunk => {
            ReasoningMessageChunkEvent::new().with_message_id("thought").with_delta("theirs").into()
        }
        Foreign::SubagentChunk => TextMessageChunkEvent::new()
            .with_message_id("other")
            .with_delta("theirs")
            .with_subagent_run_id("foreign-agent")
            .into(),
        Foreign::CallStart => ToolCallStartEvent::new("foreign-call", "look_up").into(),
        Foreign::CallEnd => ToolCallEndEvent::new("foreign-call").into(),
        Foreign::Result => ToolCallResultEvent::new("foreign-result", "foreign-call", "2").into(),
        Foreign::StepStarted => StepStartedEvent::new("s").into(),
        Foreign::SubagentStarted => SubagentStartedEvent::new("foreign-agent", "theirs").into(),
    }
}
