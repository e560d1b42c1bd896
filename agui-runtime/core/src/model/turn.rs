//! One model turn: the reply stream, sent through the run's guards.

use std::borrow::Cow;

use futures_util::StreamExt;
use tracing::Instrument;

use super::broken_off::{self, SentContent};
use super::calls::{MalformedReply, TurnCalls};
use super::chat::OutputWatch;
use super::chat_model::{Model, ModelStream};
use super::content;
use super::delta::{EndReason, ReplyDelta, ReplyModel};
use super::error::ModelError;
use super::limits::{ChatLimit, ChatLimits, ChatUsage};
use super::prompt::{AssistantPart, Prompt};
use super::reply_usage::ReplyUsage;
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
    /// The output, as a provider with structured output sent it.
    pub(super) output: Option<String>,
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
    /// The provider refused the request, which has an output in the provider's own form. Nothing was sent.
    RefusedOutput(ModelError),
    Limit(ChatLimit),
}

impl TurnFailure {
    /// Returns the failure class.
    fn error_type(&self) -> Cow<'static, str> {
        match self {
            Self::Model(error) | Self::RefusedOutput(error) => error.error_type(),
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
    watch: Option<&mut OutputWatch<'w>>,
) -> Result<WrittenTurn<'w, A>, TurnFailure> {
    let operation = begin(run, (model.provider(), model.name()), prompt);
    let records_content = run.shared().records_content();
    let mut writing = TurnWriter {
        run,
        offer,
        prompt,
        stream: operation.span().in_scope(|| model.respond(prompt)),
        carrier: None,
        parts: Vec::new(),
        text: String::new(),
        output: None,
        watch,
        calls: TurnCalls::new(run),
        usage: ReplyUsage::new(model),
        operation,
        sent: SentContent::default(),
        written: 0,
        limits,
        spent,
    };
    let end = loop {
        let span = writing.operation.span();
        match writing.rest().instrument(span).await {
            Ok(TurnEnd::Reply(end)) => break Ok(end),
            // Outside of the span of the request before.
            Ok(TurnEnd::ModelChanged(model)) => writing.begin_anew(model),
            Err(TurnFailure::Model(error))
                if prompt.output.is_some() && writing.written == 0 && error.refuses_request() =>
            {
                break Err(TurnFailure::RefusedOutput(error));
            }
            Err(failed) => break Err(failed),
        }
    };
    let has_called = !writing.calls.is_empty();
    let reason = end.as_ref().ok().map(|end| end.as_str(has_called));
    let TurnWriter { carrier, parts, text, output, calls, usage, mut operation, spent, .. } = writing;
    operation.record_reply(usage.last(), reason);
    let (last, earlier) = usage.into_parts();
    let usage = last.clone().unwrap_or_default();
    match &end {
        Ok(_) => operation.succeed(),
        Err(failed) => operation.fail(failed.error_type()),
    }
    if records_content {
        content::record_reply(&operation, &parts, &calls.public_texts(), reason);
    }
    for broken_off in &earlier {
        // A limit that is reached here is still reached when the turn's own tokens are added.
        let _ = spent.add_tokens(broken_off);
    }
    earlier.into_iter().chain(last).for_each(|usage| run.report_usage(usage));
    let end = end?;
    let carrier = carrier.unwrap_or_else(|| CallCarrier::Turn(run.turn()));
    Ok(WrittenTurn { parts, text, output, calls, carrier, usage, end })
}

/// The end of the part that one model writes.
enum TurnEnd {
    Reply(EndReason),
    ModelChanged(ReplyModel),
}

/// Begins a request's span and metrics.
fn begin<A: ToolSet>(run: &Run<A>, (provider, model): (&str, &str), prompt: &Prompt) -> Operation {
    run.count(|counts| counts.inferences += 1);
    let operation = Operation::chat(provider, model, Some(&run.input().thread_id));
    if run.shared().records_content() {
        content::record_prompt(&operation, prompt);
    }
    operation
}

struct TurnWriter<'w, 'p, A: ToolSet> {
    run: &'w Run<A>,
    offer: &'p ToolOffer<'w>,
    prompt: &'p Prompt,
    /// The request to the model that writes.
    operation: Operation,
    sent: SentContent,
    stream: ModelStream<'p>,
    carrier: Option<CallCarrier>,
    parts: Vec<AssistantPart>,
    text: String,
    output: Option<String>,
    watch: Option<&'p mut OutputWatch<'w>>,
    calls: TurnCalls<'w, A>,
    usage: ReplyUsage<'p>,
    /// The reply's bytes so far.
    written: usize,
    limits: &'p ChatLimits,
    spent: &'p mut ChatUsage,
}

impl<A: ToolSet> TurnWriter<'_, '_, A> {
    /// Writes the reply until it ends, or another model writes it.
    async fn rest(&mut self) -> Result<TurnEnd, TurnFailure> {
        let mut next = self.next().await?;
        loop {
            next = match next {
                ReplyDelta::Text(text) if text.is_empty() => self.next().await?,
                ReplyDelta::Reasoning(text) if text.is_empty() => self.next().await?,
                ReplyDelta::Text(text) if self.offer.native_output().is_some() => {
                    self.take_output(text).await?
                }
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
                    if let (Some(watch), Some(json)) = (&mut self.watch, self.calls.output()) {
                        watch.show(json).await;
                    }
                    self.next().await?
                }
                ReplyDelta::ModelChanged(model) => {
                    if !self.sent.can_break_off() {
                        let why =
                            "another model goes on after a call, a text that has ended or a signed thought";
                        return Err(ModelError::Malformed(why.to_owned()).into());
                    }
                    return Ok(TurnEnd::ModelChanged(model));
                }
                // `next` has taken it.
                ReplyDelta::Usage(_) => self.next().await?,
                ReplyDelta::End(reason) => return Ok(TurnEnd::Reply(reason)),
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
            // The text is not whole, and the client shows it as such.
            Err(_) => message.break_off(),
            Ok(ReplyDelta::ModelChanged(_)) => message.end_with(broken_off::mark()),
            Ok(_) => message.end(),
        };
        // Text behind a call is a message of its own.
        if self.calls.is_empty() {
            self.carrier = Some(CallCarrier::Message(receipt));
        }
        self.parts.push(AssistantPart::text(self.text.get(begin..).unwrap_or_default()));
        next
    }

    /// Takes the output, which the client does not see, until the first other delta, which is returned. A text that is no object
    /// is a text for the user: the provider ignored the schema, or the model refused.
    async fn take_output(&mut self, first: String) -> Result<ReplyDelta, TurnFailure> {
        let mut json = first;
        let mut is_blank = json.trim_start().is_empty();
        while is_blank {
            match self.next().await? {
                ReplyDelta::Text(more) => {
                    is_blank = more.trim_start().is_empty();
                    json.push_str(&more);
                }
                next => return Ok(next),
            }
        }
        if !json.trim_start().starts_with('{') {
            return self.write_text(json).await;
        }
        let next = loop {
            if let Some(watch) = &mut self.watch {
                watch.show(&json).await;
            }
            match self.next().await? {
                ReplyDelta::Text(more) => json.push_str(&more),
                next => break next,
            }
        };
        self.parts.push(AssistantPart::text(json.as_str()));
        self.output = Some(json);
        Ok(next)
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
        let thought = match &next {
            ReplyDelta::ModelChanged(_) => thought.end_with(broken_off::mark()),
            _ => thought.end(),
        };
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

    /// Begins the reply anew. Clients keep what the other model wrote; the conversation does not.
    fn begin_anew(&mut self, model: ReplyModel) {
        self.sent = SentContent::default();
        self.operation.record_reply(self.usage.last(), None);
        self.operation.fail(model.reason.clone().unwrap_or_else(|| "model_changed".to_owned()));
        self.operation = begin(self.run, (&model.provider, &model.name), self.prompt);
        self.usage.change_model(model);
        self.parts.clear();
        self.text.clear();
        self.output = None;
        self.carrier = None;
    }

    /// Returns the next delta that is not a token count.
    async fn next(&mut self) -> Result<ReplyDelta, TurnFailure> {
        loop {
            match self.spent.within(self.limits, self.stream.next()).await.map_err(TurnFailure::Limit)? {
                Some(Ok(ReplyDelta::Usage(usage))) => self.usage.count(usage),
                Some(Ok(changed @ ReplyDelta::ModelChanged(_))) => return Ok(changed),
                Some(Ok(delta)) => {
                    self.sent = self.sent.after(&delta);
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
            ReplyDelta::Usage(_) | ReplyDelta::ModelChanged(_) | ReplyDelta::End(_) => 0,
        });
        if self.written > self.limits.reply {
            return Err(TurnFailure::Limit(ChatLimit::Reply(self.limits.reply)));
        }
        Ok(delta)
    }
}
