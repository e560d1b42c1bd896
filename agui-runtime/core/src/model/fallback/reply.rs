//! One reply, from the first model that does not fail.

use std::vec;

use futures_util::StreamExt as _;

use super::{BrokenReply, FallbackModel, ModelFallback};
use crate::model::broken_off::SentContent;
use crate::model::chat_model::ModelStream;
use crate::model::delta::{ReplyDelta, ReplyModel};
use crate::model::error::ModelError;
use crate::model::prompt::Prompt;
use crate::quoted::quoted;

/// A reply in progress.
pub(super) struct FallbackReply<'a> {
    fallback: &'a ModelFallback,
    prompt: &'a Prompt,
    order: vec::IntoIter<&'a FallbackModel>,
    /// Models whose breaker is open: asked if all others have failed.
    skipped: Vec<&'a FallbackModel>,
    open: Option<(&'a FallbackModel, ModelStream<'a>)>,
    sent: SentContent,
    /// The class of the last failure.
    reason: Option<String>,
}

impl<'a> FallbackReply<'a> {
    pub(super) fn new(fallback: &'a ModelFallback, prompt: &'a Prompt) -> Self {
        let order = fallback.models.iter().collect::<Vec<_>>().into_iter();
        let sent = SentContent::default();
        Self { fallback, prompt, order, skipped: Vec::new(), open: None, sent, reason: None }
    }

    pub(super) async fn next(&mut self) -> Option<Result<ReplyDelta, ModelError>> {
        loop {
            let Some((asked, stream)) = &mut self.open else {
                let next = self.next_model()?;
                self.open = Some((next, next.model.respond(self.prompt)));
                self.sent = SentContent::default();
                let is_first = self.fallback.models.first().is_some_and(|first| std::ptr::eq(first, next));
                if is_first && self.reason.is_none() {
                    continue;
                }
                let model = ReplyModel::new(next.model.provider(), next.model.name());
                return Some(Ok(ReplyDelta::ModelChanged(model.with_reason(self.reason.take()))));
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
            self.reason = Some(error.error_type().into_owned());
            tracing::warn!(
                provider = asked.model.provider(),
                model = asked.model.name(),
                error = %quoted(error.without_prompt(self.prompt)),
                "the model failed: the next one is asked"
            );
        }
    }

    /// Returns the next model whose breaker admits a request, or else the next one that was skipped.
    fn next_model(&mut self) -> Option<&'a FallbackModel> {
        for next in self.order.by_ref() {
            if self.fallback.admits(next) {
                return Some(next);
            }
            self.skipped.push(next);
        }
        (!self.skipped.is_empty()).then(|| self.skipped.remove(0))
    }

    fn is_next_asked(&self, error: &ModelError) -> bool {
        let is_allowed = match (self.sent, self.fallback.broken_reply) {
            (SentContent::Nothing, _) => true,
            (sent, BrokenReply::Restart) => sent.can_break_off(),
            (_, BrokenReply::Fail) => false,
        };
        let is_last = self.order.as_slice().is_empty() && self.skipped.is_empty();
        // The chat asks the first model again, with the output as a tool.
        let refuses_output = self.prompt.output.is_some() && error.refuses_request();
        is_allowed && !is_last && !refuses_output && (self.fallback.is_next_asked)(error)
    }

    fn end(&mut self) {
        self.open = None;
        self.skipped.clear();
        self.order = Vec::new().into_iter();
    }
}
