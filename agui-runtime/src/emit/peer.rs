use crate::protocol::{Content, ContentPart, Event, RunAgentInput, RunFinishedOutcome};

/// Which generation of clients reads a run's events.
///
/// Clients from before AG-UI 1.0 end the whole run on material they do not know, so nothing that only 1.0 defines is
/// sent to them. An input that declares no `protocolVersion` is taken to come from such a client.
///
/// ```
/// use agui_runtime::{Peer, protocol::RunAgentInput};
///
/// let input = RunAgentInput::new("thread", "run", vec![]);
/// assert_eq!(Peer::of(&input), Peer::Legacy);
/// assert_eq!(Peer::of(&input.with_protocol_version("1.0")), Peer::Current);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Peer {
    /// Speaks AG-UI 1.0 or later.
    Current,
    /// Speaks a 0.x draft.
    Legacy,
}

impl Peer {
    /// The generation an input declares (AG-UI 1.0, `RunAgentInput.protocolVersion`).
    #[must_use]
    pub fn of(input: &RunAgentInput) -> Self {
        if input.protocol_version.is_some() { Self::Current } else { Self::Legacy }
    }

    /// Whether this peer tells subagents apart.
    pub(super) fn reads_tags(self) -> bool {
        self == Self::Current
    }

    /// The event as this peer can read it, or `None` when it must not see it at all.
    pub(super) fn admit(self, mut event: Event) -> Option<Event> {
        if self == Self::Current {
            return Some(event);
        }
        match &mut event {
            Event::SubagentStarted(_) | Event::SubagentFinished(_) | Event::SubagentError(_) => return None,
            Event::RunFinished(finished) => match &mut finished.outcome {
                Some(RunFinishedOutcome::Interrupt(outcome)) => {
                    for interrupt in outcome.interrupts.iter_mut() {
                        interrupt.subagent_run_id = None;
                    }
                }
                // Absent reads as success in every draft; `pendingToolCallIds` and `cancelled` are unknown to them.
                outcome => *outcome = None,
            },
            Event::ToolCallResult(result) => {
                if let Content::Parts(parts) = &result.content {
                    result.content = Content::Text(text_of(parts));
                }
            }
            _ => {}
        }
        if let Some(tag) = event.subagent_run_id_mut() {
            *tag = None;
        }
        Some(event)
    }
}

fn text_of(parts: &[ContentPart]) -> String {
    let mut lost = 0_usize;
    let text = parts
        .iter()
        .filter_map(|part| match part {
            ContentPart::Text(text) => Some(text.text.as_str()),
            _ => {
                lost += 1;
                None
            }
        })
        .collect();
    if lost > 0 {
        tracing::warn!(parts = lost, "a client from before AG-UI 1.0 gets only the text of a tool result");
    }
    text
}
