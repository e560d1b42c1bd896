//! Handles frontend tool calls between a turn's runs.

use std::collections::VecDeque;

use futures_util::future::BoxFuture;

use super::conversation::add_result;
use super::stage::{Changed, Stage};
use super::turn::{Phase, Turn};
use super::turn_update::TurnUpdate;
use crate::protocol::{ToolCallId, ToolMessage};
use crate::receive::reduce::RunOutcome;

/// The calls that this session handles, and the current handler future.
pub(super) struct HandlerQueue {
    left: VecDeque<ToolCallId>,
    current: Option<BoxFuture<'static, ToolMessage>>,
}

impl From<VecDeque<ToolCallId>> for HandlerQueue {
    fn from(left: VecDeque<ToolCallId>) -> Self {
        Self { left, current: None }
    }
}

impl<S> Turn<'_, S> {
    pub(super) async fn handle_next(&mut self) -> Option<TurnUpdate> {
        let Phase::Handling { queue, ended } = &mut self.phase else { return None };
        let Some(id) = queue.left.front().cloned() else {
            self.after_handlers();
            return None;
        };
        if queue.current.is_none() {
            queue.current = self.session.handling(&id);
        }
        let message = match &mut queue.current {
            Some(current) => Some(current.await),
            None => None,
        };
        queue.current = None;
        queue.left.pop_front();
        let message = message?;
        if let RunOutcome::Success { pending, .. } = &mut ended.end {
            pending.retain(|pending| *pending != id);
        }
        add_result(&mut self.stage(), message);
        let stage = Stage { changed: Changed { messages: true, ..Changed::default() }, ..self.stage() };
        Self::settle(stage);
        Some(TurnUpdate::Settled { tool_call_id: id })
    }

    /// Ends the phase after the last handler. The agent runs again, unless the caller still has a call to handle: because the
    /// agent lists the call as pending, or because the tool is declared here without a handler.
    fn after_handlers(&mut self) {
        let Phase::Handling { ended, .. } = std::mem::replace(&mut self.phase, Phase::Starting) else {
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
