//! What clients of the last version before 1.0 read, out of what 1.0 says.

use super::Lost;
use crate::protocol::{
    Content, ContentPart, Event, Message, PartSource, RunErrorEvent, RunFinishedEvent, RunFinishedOutcome,
};

/// The event without what those clients refuse or misread.
pub(super) fn downgrade(mut event: Event, lost: &mut Lost) -> Option<Event> {
    if says_nothing(&event) {
        return None;
    }
    match &mut event {
        Event::SubagentStarted(_) | Event::SubagentFinished(_) | Event::SubagentError(_) => return None,
        Event::ToolCallResult(result) => flatten(&mut result.content, lost),
        Event::MessagesSnapshot(snapshot) => {
            snapshot.messages.iter_mut().for_each(|message| downgrade_message(message, lost));
        }
        Event::RunFinished(finished) => {
            if let Some(error) = downgrade_outcome(finished) {
                return Some(error.into());
            }
        }
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

/// No outcome reads as success in every draft. A run that was cancelled is no success, and an error is the only other
/// thing they know; that then stands in place of the event.
fn downgrade_outcome(finished: &mut RunFinishedEvent) -> Option<RunErrorEvent> {
    match &mut finished.outcome {
        Some(RunFinishedOutcome::Interrupt(outcome)) => {
            for interrupt in outcome.interrupts.iter_mut() {
                interrupt.subagent_run_id = None;
            }
            None
        }
        Some(RunFinishedOutcome::Cancelled(_)) => {
            let mut error = RunErrorEvent::new("the run was cancelled").with_code("cancelled");
            error.usage = finished.usage.take();
            error.timestamp = finished.timestamp;
            Some(error)
        }
        outcome => {
            *outcome = None;
            None
        }
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
