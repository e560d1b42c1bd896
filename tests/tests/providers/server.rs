//! Answers as they were read from the server.

use agui_runtime::model::{CallDelta, ChatModel, EndReason, ModelError, Prompt, PromptMessage, ReplyDelta};
use agui_runtime::protocol::{EncryptedValue, TokenUsage};
pub(crate) use agui_tests::model_server::{Answer, Server, quick};
use futures::StreamExt as _;

pub(crate) fn prompt() -> Prompt {
    Prompt::new([PromptMessage::user("Rice?")])
}

/// An answer as it was read: neighbouring pieces are joined.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub(crate) deltas: Vec<ReplyDelta>,
    pub(crate) usage: TokenUsage,
    pub(crate) error: Option<ModelError>,
}

impl Read {
    pub(crate) fn end(&self) -> Option<&EndReason> {
        match self.deltas.last()? {
            ReplyDelta::End(reason) => Some(reason),
            _ => None,
        }
    }

    /// Returns the text, the reasoning and its signature, and the calls, one a line. The server's mark of what goes back to this
    /// server alone is left out.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.marked_lines().iter().map(|line| without_mark(line)).collect()
    }

    /// Returns the same with the marks.
    pub(crate) fn marked_lines(&self) -> Vec<String> {
        let lines = self.deltas.iter().map(|delta| match delta {
            ReplyDelta::Text(text) => format!("text {text}"),
            ReplyDelta::Reasoning(text) => format!("reasoning {text}"),
            ReplyDelta::EncryptedReasoning(value) => format!("sealed {}", line(value)),
            ReplyDelta::Call(CallDelta { index, id, tool, arguments, encrypted, .. }) => {
                let of = |text: &Option<String>| text.clone().unwrap_or_default();
                let encrypted = encrypted.as_ref().map(line).unwrap_or_default();
                format!("call {index} {} {} {arguments} {encrypted}", of(id), of(tool)).trim_end().to_owned()
            }
            ReplyDelta::End(reason) => format!("end {reason:?}"),
            other => format!("{other:?}"),
        });
        lines.collect()
    }
}

/// Returns the type and the value of an encrypted value.
fn line(encrypted: &EncryptedValue) -> String {
    format!("{}:{}", encrypted.value_type.as_deref().unwrap_or_default(), encrypted.value)
}

fn without_mark(line: &str) -> String {
    match line.split_once("@127.0.0.1:") {
        Some((before, rest)) => {
            format!("{before}{}", rest.trim_start_matches(|digit: char| digit.is_ascii_digit()))
        }
        None => line.to_owned(),
    }
}

/// Asks a model, and reads its whole answer.
pub(crate) fn read(model: &impl ChatModel, prompt: &Prompt) -> Read {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
        let mut read = Read::default();
        let mut stream = model.respond(prompt);
        while let Some(next) = stream.next().await {
            match next {
                Ok(ReplyDelta::Usage(usage)) => read.usage = usage,
                Ok(delta) => join(&mut read.deltas, delta),
                Err(error) => read.error = Some(error),
            }
        }
        read
    })
}

fn join(deltas: &mut Vec<ReplyDelta>, delta: ReplyDelta) {
    match (deltas.last_mut(), delta) {
        (Some(ReplyDelta::Text(before)), ReplyDelta::Text(more)) => before.push_str(&more),
        (Some(ReplyDelta::Reasoning(before)), ReplyDelta::Reasoning(more)) => before.push_str(&more),
        (_, ReplyDelta::Call(call)) => {
            // The rule of the loop: the id, or else the last call of the index.
            let same = deltas.iter_mut().rev().find_map(|known| match known {
                ReplyDelta::Call(known) if known.index == call.index => Some(known),
                _ => None,
            });
            match same {
                Some(known) if call.id.is_none() || known.id.is_none() || call.id == known.id => {
                    known.arguments.push_str(&call.arguments);
                    known.id = known.id.take().or(call.id);
                }
                _ => deltas.push(ReplyDelta::Call(call)),
            }
        }
        (_, other) => deltas.push(other),
    }
}

/// The names of the four dialects, as models.
pub(crate) const DIALECTS: [&str; 4] =
    ["openai-chat:gpt-4o", "openai:gpt-4o", "anthropic:claude-sonnet-4-5", "gemini:gemini-2.5-flash"];
