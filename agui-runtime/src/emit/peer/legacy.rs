//! What clients of the last version before 1.0 read, out of what 1.0 says.

use super::Lost;
use crate::protocol::{
    Content, ContentPart, Event, Message, Metadata, PartSource, RunFinishedEvent, RunFinishedOutcome,
};

/// The event without what those clients refuse or misread.
pub(super) fn downgrade(mut event: Event, lost: &mut Lost) -> Option<Event> {
    if says_nothing(&event) {
        return None;
    }
    match &mut event {
        Event::SubagentStarted(_) | Event::SubagentFinished(_) | Event::SubagentError(_) => return None,
        Event::TextMessageChunk(chunk) => without_nothing(&mut chunk.delta, &mut chunk.metadata),
        Event::ReasoningMessageChunk(chunk) => without_nothing(&mut chunk.delta, &mut chunk.metadata),
        Event::ToolCallResult(result) => flatten(&mut result.content, lost),
        Event::MessagesSnapshot(snapshot) => {
            snapshot.messages.iter_mut().for_each(|message| downgrade_message(message, lost));
        }
        Event::RunFinished(finished) => downgrade_outcome(finished),
        _ => {}
    }
    if let Some(tag) = event.subagent_run_id_mut() {
        *tag = None;
    }
    Some(event)
}

/// Whether it is an empty delta of text, which the older ones refuse (0.0.36 does, 0.0.57 does not), whatever else it
/// carries: metadata they refuse with it is worth less than the run.
fn says_nothing(event: &Event) -> bool {
    match event {
        Event::TextMessageContent(content) => content.delta.is_empty(),
        Event::ReasoningMessageContent(content) => content.delta.is_empty(),
        _ => false,
    }
}

/// The same of a chunk, which may open its item with no text at all. One that goes on with it and says nothing but metadata reads as
/// an empty delta, so it loses that.
fn without_nothing(delta: &mut Option<String>, metadata: &mut Option<Metadata>) {
    if delta.as_deref().is_none_or(str::is_empty) {
        (*delta, *metadata) = (None, None);
    }
}

/// No outcome reads as success in every draft, which is what a run that was cancelled must be to them: the only other thing they
/// know is a failure, and it did not fail.
fn downgrade_outcome(finished: &mut RunFinishedEvent) {
    match &mut finished.outcome {
        Some(RunFinishedOutcome::Interrupt(outcome)) => {
            for interrupt in outcome.interrupts.iter_mut() {
                interrupt.subagent_run_id = None;
            }
        }
        outcome => *outcome = None,
    }
}

fn downgrade_message(message: &mut Message, lost: &mut Lost) {
    match message {
        Message::Tool(tool) => flatten(&mut tool.content, lost),
        Message::User(user) => {
            if let Content::Parts(parts) = &mut user.content {
                let before = parts.len();
                parts.retain(|part| !is_file(part));
                lost.parts += before - parts.len();
            }
        }
        _ => {}
    }
    *message.subagent_run_id_mut() = None;
}

fn is_file(part: &ContentPart) -> bool {
    let source = match part {
        ContentPart::Text(_) => return false,
        ContentPart::Image(part) => &part.source,
        ContentPart::Audio(part) => &part.source,
        ContentPart::Video(part) => &part.source,
        ContentPart::Document(part) => &part.source,
    };
    matches!(source, PartSource::File(_))
}

/// Tool results are strings there.
fn flatten(content: &mut Content, lost: &mut Lost) {
    if let Content::Parts(parts) = content {
        lost.parts += parts.iter().filter(|part| !matches!(part, ContentPart::Text(_))).count();
        *content = Content::Text(content.text().into_owned());
    }
}
