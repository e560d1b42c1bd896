//! Handles frontend tool calls between a turn's runs.

use std::collections::VecDeque;

use futures_util::future::BoxFuture;

use super::conversation::add_answer;
use super::stage::{Changed, Stage};
use super::turn::{Phase, Turn};
use super::turn_update::TurnUpdate;
use crate::protocol::{ToolCallId, ToolMessage};
use crate::receive::reduce::RunOutcome;

/// The calls that this session handles, and the current handler future.
pub(super) struct Answers {
    left: VecDeque<ToolCallId>,
    current: Option<BoxFuture<'static, ToolMessage>>,
}

impl From<VecDeque<ToolCallId>> for Answers {
    fn from(left: VecDeque<ToolCallId>) -> Self {
        Self { left, current: None }
    }
}

impl<S> Turn<'_, S> {
    pub(super) async fn answer(&mut self) -> Option<TurnUpdate> {
        let Phase::Answering { answers, ended } = &mut self.phase else { return None };
        let Some(id) = answers.left.front().cloned() else {
            self.after_answers();
            return None;
        };
        if answers.current.is_none() {
            answers.current = self.session.answering(&id);
        }
        let message = match &mut answers.current {
            Some(current) => Some(current.await),
            None => None,
        };
        answers.current = None;
        answers.left.pop_front();
        let message = message?;
        if let RunOutcome::Success { pending, .. } = &mut ended.end {
            pending.retain(|pending| *pending != id);
        }
        add_answer(&mut self.stage(), message);
        let stage = Stage { changed: Changed { messages: true, ..Changed::default() }, ..self.stage() };
        Self::settle(stage);
        Some(TurnUpdate::Answered { tool_call_id: id })
    }

    /// Ends the phase after the last handler. The agent runs again, unless the caller still has a call to handle: because the
    /// agent lists the call as pending, or because the tool is declared here without a handler.
    fn after_answers(&mut self) {
        let Phase::Answering { ended, .. } = std::mem::replace(&mut self.phase, Phase::Asking) else {
            return;
        };
        let waits = match &ended.end {
            RunOutcome::Success { pending, .. } => {
                pending.iter().any(|call| ended.named || self.session.is_left_to_the_caller(call))
            }
            _ => false,
        };
        if waits {
            self.note_new();
            self.phase = Phase::Over(ended.end);
        }
    }
}
