//! One model turn: the reply stream, sent through the run's guards.

use std::borrow::Cow;

use futures_util::StreamExt;
use tracing::Instrument;

use super::calls::{MalformedReply, TurnCalls};
use super::chat_model::{Model, ModelStream};
use super::content;
use super::delta::{EndReason, ReplyDelta};
use super::error::ModelError;
use super::limits::{ChatLimit, ChatLimits, ChatUsage};
use super::prompt::{AssistantPart, Prompt};
use super::tools::ToolOffer;
use crate::agent::{Run, ToolSet};
use crate::emit::{MessageRef, ModelTurn, ParentReceipt};
use crate::protocol::TokenUsage;
use crate::telemetry::Operation;

/// A turn after the model's reply.
pub(super) struct WrittenTurn<'w, A: ToolSet> {
    /// The turn's parts, without calls.
    pub(super) parts: Vec<AssistantPart>,
    pub(super) text: String,
    pub(super) calls: TurnCalls<'w, A>,
    /// The message that carries the calls.
    pub(super) carrier: CallCarrier,
    pub(super) usage: TokenUsage,
    pub(super) end: EndReason,
}

/// The assistant message that carries a turn's calls.
pub(super) enum CallCarrier {
    /// The model wrote text before the calls.
    Message(MessageRef),
    /// The model wrote only calls.
    Turn(ModelTurn),
}

impl CallCarrier {
    pub(super) fn receipt(&self) -> &(dyn ParentReceipt + Sync) {
        match self {
            Self::Message(message) => message,
            Self::Turn(turn) => turn,
        }
    }
}

/// The reason why a turn did not finish.
pub(super) enum TurnFailure {
    Model(ModelError),
    Limit(ChatLimit),
}

impl TurnFailure {
    /// Returns the failure class.
    fn error_type(&self) -> Cow<'static, str> {
        match self {
            Self::Model(error) => error.error_type(),
            Self::Limit(_) => "limit".into(),
        }
    }
}

impl From<ModelError> for TurnFailure {
    fn from(error: ModelError) -> Self {
        Self::Model(error)
    }
}

impl From<MalformedReply> for TurnFailure {
    fn from(MalformedReply(why): MalformedReply) -> Self {
        Self::Model(ModelError::Malformed(why))
    }
}

/// Requests a turn from the model, and sends the reply as it streams. Token usage is reported even if the turn fails.
pub(super) async fn write_turn<'w, A: ToolSet>(
    run: &'w Run<A>,
    model: &Model,
    prompt: &Prompt,
    offer: &ToolOffer<'w>,
    (limits, spent): (&ChatLimits, &mut ChatUsage),
) -> Result<WrittenTurn<'w, A>, TurnFailure> {
    run.count(|counts| counts.inferences += 1);
    let mut operation = Operation::chat(model.provider(), model.name(), Some(&run.input().thread_id));
    let records_content = run.shared().records_content();
    if records_content {
        content::record_prompt(&operation, prompt);
    }
    let span = operation.span();
    let mut writing = TurnWriter {
        run,
        offer,
        operation: &mut operation,
        stream: span.in_scope(|| model.respond(prompt)),
        carrier: None,
        parts: Vec::new(),
        text: String::new(),
        calls: TurnCalls::new(run),
        usage: TokenUsage::new(),
        written: 0,
        limits,
        spent,
    };
    let end = writing.rest().instrument(span).await;
    let mut usage = std::mem::take(&mut writing.usage);
    let has_called = !writing.calls.is_empty();
    let reason = end.as_ref().ok().map(|end| end.as_str(has_called));
    writing.operation.record_reply(&usage, reason);
    match &end {
        Ok(_) => writing.operation.succeed(),
        Err(failed) => writing.operation.fail(failed.error_type()),
    }
    if records_content {
        content::record_reply(writing.operation, &writing.parts, &writing.calls.texts(), reason);
    }
    if usage != TokenUsage::new() {
        usage.provider.get_or_insert_with(|| model.provider().to_owned());
        usage.model.get_or_insert_with(|| model.name().to_owned());
        run.report_usage(usage.clone());
    }
    let end = end?;
    let TurnWriter { carrier, parts, text, calls, .. } = writing;
    let carrier = carrier.unwrap_or_else(|| CallCarrier::Turn(run.turn()));
    Ok(WrittenTurn { parts, text, calls, carrier, usage, end })
}

struct TurnWriter<'w, 'p, A: ToolSet> {
    run: &'w Run<A>,
    offer: &'p ToolOffer<'w>,
    operation: &'p mut Operation,
    stream: ModelStream<'p>,
    carrier: Option<CallCarrier>,
    parts: Vec<AssistantPart>,
    text: String,
    calls: TurnCalls<'w, A>,
    usage: TokenUsage,
    /// The reply's bytes so far.
    written: usize,
    limits: &'p ChatLimits,
    spent: &'p mut ChatUsage,
}

impl<A: ToolSet> TurnWriter<'_, '_, A> {
    async fn rest(&mut self) -> Result<EndReason, TurnFailure> {
        let mut next = self.next().await?;
        loop {
            next = match next {
                ReplyDelta::Text(text) if text.is_empty() => self.next().await?,
                ReplyDelta::Reasoning(text) if text.is_empty() => self.next().await?,
                ReplyDelta::Text(text) => self.write_text(text).await?,
                ReplyDelta::Reasoning(text) => self.write_reasoning(text).await?,
                ReplyDelta::EncryptedReasoning(value) => {
                    let thought = self.run.think("").await;
                    self.run.encrypted(&thought, value.written_for(self.run.peer_version())).await;
                    self.parts.push(AssistantPart::Reasoning { text: String::new(), encrypted: Some(value) });
                    self.next().await?
                }
                ReplyDelta::Call(call) => {
                    let run = self.run;
                    let carrier = self.carrier.get_or_insert_with(|| CallCarrier::Turn(run.turn()));
                    self.calls.add(call, self.offer, carrier.receipt()).await?;
                    self.next().await?
                }
                // `next` has taken it.
                ReplyDelta::Usage(_) => self.next().await?,
                ReplyDelta::End(reason) => return Ok(reason),
            };
        }
    }

    /// Streams a text message until the first other delta, which is returned.
    async fn write_text(&mut self, first: String) -> Result<ReplyDelta, TurnFailure> {
        let run = self.run;
        let mut message = run.message().await;
        let begin = self.text.len();
        let mut piece = first;
        let next = loop {
            self.text.push_str(&piece);
            message.push(piece).await;
            match self.next().await {
                Ok(ReplyDelta::Text(more)) => piece = more,
                next => break next,
            }
        };
        let receipt = match &next {
            Ok(_) => message.end(),
            // The text is not whole, and the client shows it as such.
            Err(_) => message.break_off(),
        };
        // Text behind a call is a message of its own.
        if self.calls.is_empty() {
            self.carrier = Some(CallCarrier::Message(receipt));
        }
        self.parts.push(AssistantPart::text(self.text.get(begin..).unwrap_or_default()));
        next
    }

    /// Streams reasoning until the first other delta, which is returned.
    async fn write_reasoning(&mut self, first: String) -> Result<ReplyDelta, TurnFailure> {
        let run = self.run;
        let reasoning = run.reasoning().await;
        let mut thought = reasoning.message().await;
        let (mut text, mut piece) = (String::new(), first);
        let next = loop {
            text.push_str(&piece);
            thought.push(piece).await;
            match self.next().await? {
                ReplyDelta::Reasoning(more) => piece = more,
                next => break next,
            }
        };
        let thought = thought.end();
        reasoning.end();
        let (encrypted, next) = match next {
            ReplyDelta::EncryptedReasoning(value) => {
                run.encrypted(&thought, value.written_for(run.peer_version())).await;
                (Some(value), self.next().await?)
            }
            next => (None, next),
        };
        self.parts.push(AssistantPart::Reasoning { text, encrypted });
        Ok(next)
    }

    /// Returns the next delta that is not a token count.
    async fn next(&mut self) -> Result<ReplyDelta, TurnFailure> {
        loop {
            match self.spent.within(self.limits, self.stream.next()).await.map_err(TurnFailure::Limit)? {
                Some(Ok(ReplyDelta::Usage(usage))) => self.usage = usage,
                Some(Ok(delta)) => {
                    self.operation.first_chunk();
                    return self.counted(delta);
                }
                Some(Err(error)) => return Err(error.into()),
                None => return Err(ModelError::Truncated.into()),
            }
        }
    }

    fn counted(&mut self, delta: ReplyDelta) -> Result<ReplyDelta, TurnFailure> {
        self.written = self.written.saturating_add(match &delta {
            ReplyDelta::EncryptedReasoning(encrypted) => encrypted.value.len(),
            ReplyDelta::Text(text) | ReplyDelta::Reasoning(text) => text.len(),
            ReplyDelta::Call(call) => call.arguments.len(),
            ReplyDelta::Usage(_) | ReplyDelta::End(_) => 0,
        });
        if self.written > self.limits.reply {
            return Err(TurnFailure::Limit(ChatLimit::Reply(self.limits.reply)));
        }
        Ok(delta)
    }
}
