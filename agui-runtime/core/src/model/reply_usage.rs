//! The tokens of one reply, for each model that wrote a part.

use super::chat_model::Model;
use super::delta::ReplyModel;
use crate::protocol::TokenUsage;

/// The token usage of a reply in progress.
pub(super) struct ReplyUsage<'m> {
    asked: &'m Model,
    /// The model that writes the reply, if other than the asked one.
    writer: Option<ReplyModel>,
    /// The last count of the model that writes.
    last: TokenUsage,
    /// The counts of models that broke off.
    earlier: Vec<TokenUsage>,
}

impl<'m> ReplyUsage<'m> {
    pub(super) fn new(asked: &'m Model) -> Self {
        Self { asked, writer: None, last: TokenUsage::new(), earlier: Vec::new() }
    }

    pub(super) fn count(&mut self, usage: TokenUsage) {
        self.last = usage;
    }

    /// Returns the last count of the model that writes.
    pub(super) fn last(&self) -> &TokenUsage {
        &self.last
    }

    pub(super) fn change_model(&mut self, model: ReplyModel) {
        let broken_off = std::mem::take(&mut self.last);
        self.earlier.extend(self.named(broken_off));
        self.writer = Some(model);
    }

    /// Returns the usage of the model that wrote the reply, and then that of models that broke off; each names its model.
    pub(super) fn into_parts(mut self) -> (Option<TokenUsage>, Vec<TokenUsage>) {
        let last = std::mem::take(&mut self.last);
        (self.named(last), self.earlier)
    }

    /// Names the model; `None` if nothing was counted.
    fn named(&self, mut usage: TokenUsage) -> Option<TokenUsage> {
        if usage == TokenUsage::new() {
            return None;
        }
        let (provider, name) = match &self.writer {
            Some(writer) => (&*writer.provider, &*writer.name),
            None => (self.asked.provider(), self.asked.name()),
        };
        usage.provider.get_or_insert_with(|| provider.to_owned());
        usage.model.get_or_insert_with(|| name.to_owned());
        Some(usage)
    }
}
