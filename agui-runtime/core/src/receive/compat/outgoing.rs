//! Inputs for old agents.

use super::report::WarningReporter;
use crate::protocol::{Content, ContentPart, Message, RunAgentInput};
use crate::receive::WarningKind;

/// Joins the texts of all parts, and drops the other parts.
pub(super) fn text_only(input: &mut RunAgentInput, report: &mut WarningReporter<'_>) {
    input.parent_run_id = None;
    report.at("messages", |report| {
        for (index, message) in input.messages.iter_mut().enumerate() {
            let content = match message {
                Message::User(message) => &mut message.content,
                Message::Tool(message) => &mut message.content,
                Message::Assistant(message) => {
                    // The older schema requires it.
                    message.content.get_or_insert_default();
                    continue;
                }
                _ => continue,
            };
            report.at(index, |report| report.at("content", |report| flatten(content, report)));
        }
    });
}

fn flatten(content: &mut Content, report: &mut WarningReporter<'_>) {
    let Content::Parts(parts) = content else { return };
    let lost: Vec<_> = parts.iter().filter_map(kind_of_media).collect();
    if !lost.is_empty() {
        report.warn(WarningKind::TextOnly { lost });
    }
    *content = Content::Text(content.text().into_owned());
}

fn kind_of_media(part: &ContentPart) -> Option<&'static str> {
    use crate::protocol::{AudioPart, DocumentPart, ImagePart, VideoPart};
    match part {
        ContentPart::Text(_) => None,
        ContentPart::Image(_) => Some(ImagePart::TYPE),
        ContentPart::Audio(_) => Some(AudioPart::TYPE),
        ContentPart::Video(_) => Some(VideoPart::TYPE),
        ContentPart::Document(_) => Some(DocumentPart::TYPE),
    }
}
