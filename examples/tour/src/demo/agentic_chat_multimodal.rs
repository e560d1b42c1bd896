//! `/agentic_chat_multimodal`: messages with pictures, sound and documents.

use agui_runtime::model::{Model, Prompt, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Content, ContentPart, PartSource};

use crate::demo::agentic_chat::change_background;
use crate::demo::asked::{asks_for_background, last_message};

/// Says what the user has attached, and changes the background of the chat.
#[agent(tools = [change_background])]
pub async fn agentic_chat_multimodal(
    run: &mut Run<AgenticChatMultimodal>,
    _: Input<AgenticChatMultimodal>,
    model: &Model,
) -> Result<(), Stop> {
    run.chat(model).instructions("Describe the pictures and documents of the user.").await
}

/// The agent with a script in place of a model: it knows the kind and the size of what it gets.
pub fn scripted() -> AgenticChatMultimodal {
    AgenticChatMultimodal::new(ScriptedModel::from_fn(reply).pieces(8).into())
}

fn reply(prompt: &Prompt) -> Reply {
    if let [answer, ..] = prompt.last_results() {
        return Reply::text(format!("The page answered: {}.", answer.content.text()));
    }
    let message = last_message(prompt);
    if asks_for_background(prompt, &message.text()) {
        let background = "linear-gradient(135deg, #f093fb 0%, #f5576c 100%)".to_owned();
        return Reply::call(change_background::NAME, change_background { background });
    }
    let Content::Parts(parts) = message else { return Reply::text(NOTHING) };
    let seen: Vec<_> = parts.iter().filter_map(description).collect();
    match seen.as_slice() {
        [] => Reply::text(NOTHING),
        seen => Reply::text(format!("I can see {}.", seen.join(" and "))),
    }
}

const NOTHING: &str = "I see nothing but text. Attach a picture or a document.";

/// The words for a part, unless it is text.
fn description(part: &ContentPart) -> Option<String> {
    let (kind, source) = match part {
        ContentPart::Image(image) => ("an image", &image.source),
        ContentPart::Audio(audio) => ("a sound", &audio.source),
        ContentPart::Video(video) => ("a video", &video.source),
        ContentPart::Document(document) => ("a document", &document.source),
        _ => return None,
    };
    Some(match source {
        PartSource::Data(data) => format!("{kind} ({}, {} bytes)", data.mime_type, decoded(&data.value)),
        PartSource::Url(url) => format!("{kind} at {}", url.value),
        PartSource::File(file) => format!("{kind} with the handle {}", file.value),
    })
}

/// The number of bytes that base64 stands for: four characters for each three bytes.
fn decoded(base64: &str) -> usize {
    base64.trim_end_matches('=').len() * 3 / 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_that_of_the_bytes() {
        for (base64, bytes) in [("", 0), ("aA==", 1), ("aGk=", 2), ("aGkh", 3), ("aGkhIQ", 4)] {
            assert_eq!(decoded(base64), bytes, "{base64}");
        }
    }
}
