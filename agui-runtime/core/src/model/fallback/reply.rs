//! One reply, from the first model that does not fail.

use std::vec;

use futures_util::StreamExt as _;

use super::{BrokenReply, FallbackModel, ModelFallback};
use crate::model::chat_model::ModelStream;
use crate::model::delta::{ReplyDelta, ReplyModel};
use crate::model::error::ModelError;
use crate::model::prompt::Prompt;
use crate::quoted::quoted;

/// The content that was sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SentContent {
    Nothing,
    Text,
    /// A call cannot be taken back: its tool may run already.
    Call,
}

/// A reply in progress.
pub(super) struct FallbackReply<'a> {
    fallback: &'a ModelFallback,
    prompt: &'a Prompt,
    order: vec::IntoIter<&'a FallbackModel>,
    open: Option<(&'a FallbackModel, ModelStream<'a>)>,
    sent: SentContent,
}

impl<'a> FallbackReply<'a> {
    pub(super) fn new(fallback: &'a ModelFallback, prompt: &'a Prompt) -> Self {
        let order = fallback.order().into_iter();
        Self { fallback, prompt, order, open: None, sent: SentContent::Nothing }
    }

    pub(super) async fn next(&mut self) -> Option<Result<ReplyDelta, ModelError>> {
        loop {
            let Some((asked, stream)) = &mut self.open else {
                let next = self.order.next()?;
                self.open = Some((next, next.model.respond(self.prompt)));
                let is_first = self.fallback.models.first().is_some_and(|first| std::ptr::eq(first, next));
                if is_first {
                    continue;
                }
                self.sent = SentContent::Nothing;
                let model = ReplyModel::new(next.model.provider(), next.model.name());
                return Some(Ok(ReplyDelta::ModelChanged(model)));
            };
            let asked = *asked;
            let error = match stream.next().await {
                Some(Ok(delta)) => {
                    self.sent = self.sent.after(&delta);
                    if matches!(delta, ReplyDelta::End(_)) {
                        self.fallback.record(asked, None);
                        self.end();
                    }
                    return Some(Ok(delta));
                }
                Some(Err(error)) => error,
                None => ModelError::Truncated,
            };
            self.open = None;
            self.fallback.record(asked, Some(&error));
            if !self.is_next_asked(&error) {
                self.end();
                return Some(Err(error));
            }
            tracing::warn!(
                provider = asked.model.provider(),
                model = asked.model.name(),
                error = %quoted(error.without_prompt(self.prompt)),
                "the model failed: the next one is asked"
            );
        }
    }

    fn is_next_asked(&self, error: &ModelError) -> bool {
        let is_allowed = match (self.sent, self.fallback.broken_reply) {
            (SentContent::Nothing, _) | (SentContent::Text, BrokenReply::Restart) => true,
            (SentContent::Text, BrokenReply::Fail) | (SentContent::Call, _) => false,
        };
        is_allowed && !self.order.as_slice().is_empty() && (self.fallback.is_next_asked)(error)
    }

    fn end(&mut self) {
        self.open = None;
        self.order = Vec::new().into_iter();
    }
}

impl SentContent {
    fn after(self, delta: &ReplyDelta) -> Self {
        match delta {
            ReplyDelta::Call(_) => Self::Call,
            ReplyDelta::Text(text) | ReplyDelta::Reasoning(text) if text.is_empty() => self,
            ReplyDelta::Text(_) | ReplyDelta::Reasoning(_) | ReplyDelta::EncryptedReasoning(_)
                if self == Self::Nothing =>
            {
                Self::Text
            }
            _ => self,
        }
    }
}
