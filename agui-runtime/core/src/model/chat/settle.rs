//! The end of a turn: calls run, and the prompt gets their results.

use super::handoff::HandoffCall;
use super::hooks::ModelReply;
use super::{Chat, ChatStep, output};
use crate::agent::tool::settle_all;
use crate::agent::{DispatchOutcome, SettledCall, Stop, ToolSet, handoff_to};
use crate::model::calls::EndedCalls;
use crate::model::delta::EndReason;
use crate::model::end::ChatEnd;
use crate::model::hidden_calls::without_hidden_calls;
use crate::model::limits::ChatLimit;
use crate::model::messages::messages_of;
use crate::model::private;
use crate::model::prompt::{AssistantPart, ModelCall, PromptMessage, ToolResult};
use crate::model::tools::ToolOffer;
use crate::model::turn::WrittenTurn;
use crate::protocol::Content;

impl<'w, A: ToolSet> Chat<'w, A> {
    /// Runs a turn's backend calls inside the hooks, and adds the turn to the prompt.
    pub(super) async fn settle(
        &mut self,
        written: WrittenTurn<'w, A>,
        offer: &ToolOffer<'w>,
    ) -> Result<ChatStep, Stop> {
        let WrittenTurn { mut parts, text, output: written_output, calls, carrier, usage, end } = written;
        let reason = end.clone();
        let ended = match end {
            EndReason::Stop => None,
            EndReason::OutputLimit => Some(ChatEnd::OutputLimit),
            EndReason::ContentFilter => Some(ChatEnd::ContentFilter),
            EndReason::Refused => self.output.is_some().then(|| ChatEnd::Refused { text: text.clone() }),
            EndReason::Other(reason) => Some(ChatEnd::Other(reason)),
        };
        let unsent = format!("unsent-{}", self.spent.turns());
        self.hooks.after_model(|| {
            let calls = calls.written(&unsent).into_iter().map(AssistantPart::Call);
            let parts = parts.iter().cloned().chain(calls).collect();
            ModelReply { parts, usage: usage.clone(), end: reason }
        });
        // The client does not see an output in the provider's own form.
        let is_output = |part: &AssistantPart| matches!(part, AssistantPart::Text { text, .. } if Some(text) == written_output.as_ref());
        let has_message = parts.iter().any(|part| !is_output(part));
        // Beside calls, an output was written before their results.
        let written_output = written_output.filter(|_| calls.is_empty());
        let misfit = written_output.as_deref().and_then(|json| offer.check_output(json).err());
        let lacks_output =
            self.output.is_some() && calls.is_empty() && (written_output.is_none() || misfit.is_some());
        let counted = self.spent.add_tokens(&usage);
        let counted = counted.and_then(|()| self.spent.add_calls(&calls.texts(), &self.limits));
        let runs_agent = |(tool, _): &(&str, &str)| {
            A::NAMES.iter().zip(A::ENTRIES).any(|(name, entry)| name == tool && entry.agent.is_some())
        };
        let counted = counted.and_then(|()| {
            if calls.texts().iter().any(runs_agent) { self.spent.check_depth() } else { Ok(()) }
        });
        // Checked before any call is sent, because the client would act on the good ones of the same turn.
        let counted = counted.and_then(|()| {
            let is_bad =
                self.spent.is_last_bad_turn(&self.limits) && (calls.has_bad_call(offer) || lacks_output);
            if is_bad { Err(ChatLimit::BadCalls(self.limits.bad_calls)) } else { Ok(()) }
        });
        if let Some(end) = counted.err().map(ChatEnd::Limit).or(ended) {
            // The calls are dropped: those that were opened are settled as abandoned, and nothing runs.
            return Ok(ChatStep::new(text, Vec::new(), Some(end)));
        }
        let calls = calls.end(offer, &unsent, carrier.receipt(), &mut self.hooks).await;
        self.spent.add_bad_turn(lacks_output || calls.is_bad);
        let EndedCalls {
            calls, ready, refused, of_client, output, found, private: of_model, has_sent, ..
        } = calls;
        if let Some(search) = &mut self.search {
            search.add(found);
        }
        if let Some(text) = output.or_else(|| written_output.filter(|_| misfit.is_none())) {
            return Ok(ChatStep::new(String::new(), Vec::new(), Some(ChatEnd::Done { text })));
        }
        let done = match self.spent.within(&self.limits, settle_all(self.hooks.around(ready))).await {
            Ok(done) => done,
            // The tools are dropped, and their calls are settled as abandoned.
            Err(limit) => {
                return Ok(ChatStep::new(text, Vec::new(), Some(ChatEnd::Limit(limit))));
            }
        };
        let DispatchOutcome { settled, pending: frontend, stop, .. } = done;
        let results = in_order(&calls, &settled, refused);
        let private_results: Vec<_> =
            results.iter().filter(|result| of_model.contains(&result.id)).cloned().collect();
        // Before anything ends the run.
        private::keep_turn(self.run, has_message || has_sent, &calls, &private_results).await?;
        let settled: Vec<_> = settled.into_iter().filter(|call| !of_model.contains(&call.id)).collect();
        if let Some(stop) = stop {
            return ChatStep::stopped(text, settled, stop);
        }
        let pending: Vec<_> = of_client.into_iter().chain(frontend.into_iter().map(|call| call.id)).collect();
        let end = match (calls.is_empty(), pending.is_empty()) {
            (true, _) if lacks_output => None,
            (true, _) => Some(ChatEnd::Done { text: text.clone() }),
            (false, false) => Some(ChatEnd::AwaitsFrontend(pending)),
            (false, true) => None,
        };
        parts.extend(calls.into_iter().map(AssistantPart::Call));
        let turn = [
            (!parts.is_empty()).then_some(PromptMessage::Assistant(parts)),
            (!results.is_empty()).then_some(PromptMessage::Tools(results)),
        ];
        if A::ENTRIES.iter().any(|entry| entry.handoff.is_some()) {
            self.said.extend(turn.iter().flatten().filter_map(without_hidden_calls));
        }
        self.prompt.messages.extend(turn.into_iter().flatten());
        let handoff = settled.iter().find(|call| !call.failed && handoff_to::<A>(&call.tool).is_some());
        if let Some(call) =
            handoff.map(|call| HandoffCall { id: call.id.clone(), tool: call.tool.to_string() })
        {
            let mut messages = self.run.input_of_agent().messages.clone();
            messages.extend(messages_of(&self.said));
            return self.hand_over(text, settled, call, messages).await;
        }
        if lacks_output {
            // A provider that ignored the schema is not asked in this form again.
            self.takes_native = false;
            match misfit {
                Some(why) => self.prompt.add_to_user(&output::misfit(&why)),
                None => self.prompt.add_to_user(output::MISSING),
            }
        }
        let end = self.end_unless_steered(end).await;
        Ok(ChatStep::new(text, settled, end))
    }
}

/// Returns the results in call order.
fn in_order(calls: &[ModelCall], settled: &[SettledCall], mut refused: Vec<ToolResult>) -> Vec<ToolResult> {
    let mut results = Vec::with_capacity(calls.len());
    for call in calls {
        if let Some(at) = refused.iter().position(|result| result.id == call.id) {
            results.push(refused.remove(at));
        } else if let Some(result) = settled.iter().find(|result| result.id == call.id) {
            let content = match result.parts.is_empty() {
                true => Content::Text(result.content.clone()),
                false => Content::Parts(result.parts.clone()),
            };
            let (id, tool) = (call.id.clone(), call.tool.clone());
            results.push(ToolResult { failed: result.failed, ..ToolResult::new(id, tool, content) });
        }
    }
    results
}
