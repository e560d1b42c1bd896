//! Converts 1.0 events for clients from the last version before 1.0.

use super::LostContent;
use crate::protocol::{
    Content, ContentPart, Event, EventType, LegacyForm, Message, Metadata, PartSource, RunFinishedEvent,
    RunFinishedOutcome,
};

/// Removes the parts that such clients refuse or misread. Returns false if they refuse the whole event.
pub(super) fn downgrade(event: &mut Event, lost: &mut LostContent) -> bool {
    let is_kept = match event.event_type().legacy() {
        LegacyForm::Dropped => false,
        LegacyForm::Rewritten => rewrite(event, lost).is_some(),
        LegacyForm::Kept => true,
    };
    if let Some(tag) = event.subagent_run_id_mut() {
        *tag = None;
    }
    is_kept
}

/// Makes `rewrite` from the code for each event, and `has_code`, which is true for the same events.
macro_rules! define_rewrites {
    ($lost:ident: $($Variant:ident($event:ident) => $rewrite:expr,)*) => {
        /// Removes the parts that such clients refuse; `None` if the whole event is refused.
        fn rewrite(event: &mut Event, $lost: &mut LostContent) -> Option<()> {
            match event {
                $(Event::$Variant($event) => $rewrite,)*
                // The assertion below finds a row that asks for code where there is none.
                _ => return None,
            }
            Some(())
        }

        const fn has_code(event: EventType) -> bool {
            matches!(event, $(EventType::$Variant)|*)
        }
    };
}

define_rewrites! { lost:
    TextMessageContent(content) => has_text(&content.delta)?,
    ReasoningMessageContent(content) => has_text(&content.delta)?,
    TextMessageChunk(chunk) => drop_empty_delta(&mut chunk.delta, &mut chunk.metadata),
    ReasoningMessageChunk(chunk) => drop_empty_delta(&mut chunk.delta, &mut chunk.metadata),
    ToolCallResult(result) => flatten(&mut result.content, lost),
    MessagesSnapshot(snapshot) => {
        snapshot.messages.iter_mut().for_each(|message| downgrade_message(message, lost));
    },
    RunFinished(finished) => downgrade_outcome(finished),
}

const _: () = {
    let mut rest: &[EventType] = EventType::ALL;
    while let Some((event, others)) = rest.split_first() {
        assert!(
            has_code(*event) == matches!(event.legacy(), LegacyForm::Rewritten),
            "an event needs code here if its row in the event table says `legacy: Rewritten`, and only then"
        );
        rest = others;
    }
};

/// Refuses an empty delta, whatever else the event carries. Some legacy clients refuse an empty delta (0.0.36 does, 0.0.57 does
/// not), and the delta's metadata is worth less than the run.
fn has_text(delta: &str) -> Option<()> {
    (!delta.is_empty()).then_some(())
}

/// Removes an empty delta with its metadata. A chunk may open a span without text, but a chunk that continues a span and carries
/// only metadata reads as an empty delta.
fn drop_empty_delta(delta: &mut Option<String>, metadata: &mut Option<Metadata>) {
    if delta.as_deref().is_none_or(str::is_empty) {
        (*delta, *metadata) = (None, None);
    }
}

/// Removes the outcome. In every draft a missing outcome reads as success. A cancelled run must read as success too: these clients
/// otherwise know only failure, and the run did not fail.
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

fn downgrade_message(message: &mut Message, lost: &mut LostContent) {
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

/// Joins a tool result's parts, because results are strings in the drafts.
fn flatten(content: &mut Content, lost: &mut LostContent) {
    if let Content::Parts(parts) = content {
        lost.parts += parts.iter().filter(|part| !matches!(part, ContentPart::Text(_))).count();
        *content = Content::Text(content.text().into_owned());
    }
}
