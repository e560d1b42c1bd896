//! Who listens to a session, and what they may change (AG-UI 1.0, section "Subscribers").

use serde_json::Value;

use super::{ClientError, Now, PartialArguments};
use crate::protocol::*;
use crate::receive::reduce::Outcome;

/// What a subscriber wants done.
///
/// ```
/// use agui_runtime::client::Reaction;
/// use serde_json::json;
///
/// let nothing = Reaction::none();
/// let instead = Reaction::stop().with_state(json!({ "n": 1 }));
/// assert_ne!(nothing, instead);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[must_use = "it is what is done about the event"]
pub struct Reaction {
    pub(super) messages: Option<Vec<Message>>,
    pub(super) state: Option<Value>,
    pub(super) stop: bool,
}

impl Reaction {
    /// Nothing: the event takes its effect.
    pub fn none() -> Self {
        Self::default()
    }

    /// The event has no effect, and later subscribers do not hear of it.
    ///
    /// ```
    /// use agui_runtime::client::Reaction;
    ///
    /// assert_ne!(Reaction::stop(), Reaction::none());
    /// ```
    pub fn stop() -> Self {
        Self { stop: true, ..Self::default() }
    }

    /// These messages instead of those there are, before the event takes effect.
    ///
    /// Answered to the hook of an event that goes on with a text, a call or an activity, they come instead of that too: what the event goes
    /// on with was found before anybody was asked, as with the official client. [`on_event`](Subscriber::on_event) comes before that.
    ///
    /// ```
    /// use agui_runtime::client::{Now, Reaction, Subscriber};
    /// use agui_runtime::protocol::Message;
    ///
    /// /// Sends the last ten messages and no more.
    /// struct Forgetful;
    ///
    /// impl Subscriber for Forgetful {
    ///     fn on_run_initialized(&mut self, now: &Now<'_>) -> Reaction {
    ///         let forgotten = now.messages().len().saturating_sub(10);
    ///         Reaction::none().with_messages(now.messages()[forgotten..].to_vec())
    ///     }
    /// }
    /// ```
    pub fn with_messages(mut self, messages: Vec<Message>) -> Self {
        self.messages = Some(messages);
        self
    }

    /// This state instead of the one there is, before the event takes effect.
    ///
    /// ```
    /// use agui_runtime::client::{Now, Reaction, Subscriber};
    /// use agui_runtime::protocol::RunErrorEvent;
    ///
    /// /// Clears the page when a run fails.
    /// struct Tidy;
    ///
    /// impl Subscriber for Tidy {
    ///     fn on_run_error(&mut self, _: &RunErrorEvent, _: &Now<'_>) -> Reaction {
    ///         Reaction::none().with_state(serde_json::json!({}))
    ///     }
    /// }
    /// ```
    pub fn with_state(mut self, state: Value) -> Self {
        self.state = Some(state);
        self
    }
}

macro_rules! subscriber {
    ($($hook:ident($Event:ident): $when:literal;)*) => {
        /// Somebody who listens to a session. Every hook has a default that does nothing.
        ///
        /// Subscribers are asked one after the other, in the order in which they were added, the one of a single turn last. For each event
        /// that is in order all are first asked [`on_event`](Self::on_event), then the hook of its type; then it takes effect, and
        /// then they are told what has changed. Hooks are plain functions: what takes its time is done between two events by whoever
        /// pulls them ([`Turn::next`](super::Turn::next)).
        ///
        /// ```
        /// use std::sync::mpsc;
        ///
        /// use agui_runtime::client::{Now, Reaction, Session, Subscriber};
        /// use agui_runtime::protocol::{CustomEvent, Message};
        ///
        /// struct Loud(mpsc::Sender<String>);
        ///
        /// impl Subscriber for Loud {
        ///     fn on_new_message(&mut self, message: &Message, _: &Now<'_>) {
        ///         let _ = self.0.send(format!("{} from {}", message.id(), message.role()));
        ///     }
        ///
        ///     fn on_custom(&mut self, event: &CustomEvent, _: &Now<'_>) -> Reaction {
        ///         if event.name == "noise" { Reaction::stop() } else { Reaction::none() }
        ///     }
        /// }
        ///
        /// # fn example(upstream: impl agui_runtime::client::Upstream) {
        /// let (heard, _) = mpsc::channel();
        /// let mut session: Session = Session::new(upstream);
        /// let id = session.subscribe(Loud(heard));
        /// session.unsubscribe(id);
        /// # }
        /// ```
        #[allow(unused_variables, reason = "names are documentation")]
        #[diagnostic::on_unimplemented(
            message = "`{Self}` does not listen to runs",
            label = "not a `Subscriber`",
            note = "write `impl Subscriber for {Self}` with the hooks you want; all of them have a default"
        )]
        pub trait Subscriber: Send {
            /// Before a run is asked for. What is replaced now is sent.
            fn on_run_initialized(&mut self, now: &Now<'_>) -> Reaction {
                Reaction::none()
            }

            /// A run cannot be told to its end. [`Reaction::stop`] makes it end as
            /// [`Outcome::Truncated`] instead of in the error.
            fn on_run_failed(&mut self, error: &ClientError, now: &Now<'_>) -> Reaction {
                Reaction::none()
            }

            /// After a run, however it ended, or when its reader has left.
            fn on_run_finalized(&mut self, now: &Now<'_>) -> Reaction {
                Reaction::none()
            }

            /// Every event that is in order. Chunks have become what they stand for.
            fn on_event(&mut self, event: &Event, now: &Now<'_>) -> Reaction {
                Reaction::none()
            }

            /// A text goes on; `before` is what it was.
            fn on_text_message_content(&mut self, event: &TextMessageContentEvent, before: &str, now: &Now<'_>) -> Reaction {
                Reaction::none()
            }

            /// A text ends; `text` is all of it.
            fn on_text_message_end(&mut self, event: &TextMessageEndEvent, text: &str, now: &Now<'_>) -> Reaction {
                Reaction::none()
            }

            /// A reasoning goes on; `before` is what it was.
            fn on_reasoning_message_content(&mut self, event: &ReasoningMessageContentEvent, before: &str, now: &Now<'_>) -> Reaction {
                Reaction::none()
            }

            /// A reasoning ends; `text` is all of it.
            fn on_reasoning_message_end(&mut self, event: &ReasoningMessageEndEvent, text: &str, now: &Now<'_>) -> Reaction {
                Reaction::none()
            }

            /// The arguments of a call go on; `before` is what they were.
            fn on_tool_call_args(&mut self, event: &ToolCallArgsEvent, before: PartialArguments<'_>, now: &Now<'_>) -> Reaction {
                Reaction::none()
            }

            /// The arguments of a call are complete.
            fn on_tool_call_end(&mut self, event: &ToolCallEndEvent, call: &ToolCall, now: &Now<'_>) -> Reaction {
                Reaction::none()
            }

            /// An activity is shown, or replaced; `known` is the message of its id, if there is one already.
            fn on_activity_snapshot(&mut self, event: &ActivitySnapshotEvent, known: Option<&Message>, now: &Now<'_>) -> Reaction {
                Reaction::none()
            }

            /// An activity changes; `known` is what it was.
            fn on_activity_delta(&mut self, event: &ActivityDeltaEvent, known: &ActivityMessage, now: &Now<'_>) -> Reaction {
                Reaction::none()
            }

            /// A run is finished, as `end` says.
            fn on_run_finished(&mut self, event: &RunFinishedEvent, end: &Outcome, now: &Now<'_>) -> Reaction {
                Reaction::none()
            }

            $(
                #[doc = $when]
                fn $hook(&mut self, event: &$Event, now: &Now<'_>) -> Reaction {
                    Reaction::none()
                }
            )*

            /// The messages are other ones than before.
            fn on_messages_changed(&mut self, now: &Now<'_>) {}

            /// The state is another one than before.
            fn on_state_changed(&mut self, now: &Now<'_>) {}

            /// A message is complete, or was added by hand.
            fn on_new_message(&mut self, message: &Message, now: &Now<'_>) {}

            /// A call is complete, or was added by hand.
            fn on_new_tool_call(&mut self, call: &ToolCall, now: &Now<'_>) {}
        }
    };
}

subscriber! {
    on_run_started(RunStartedEvent): "A run starts.";
    on_run_error(RunErrorEvent): "The agent says that the run failed.";
    on_step_started(StepStartedEvent): "A step starts.";
    on_step_finished(StepFinishedEvent): "A step is finished.";
    on_text_message_start(TextMessageStartEvent): "A text starts.";
    on_tool_call_start(ToolCallStartEvent): "A call starts.";
    on_tool_call_result(ToolCallResultEvent): "A call has its result.";
    on_state_snapshot(StateSnapshotEvent): "The state is replaced.";
    on_state_delta(StateDeltaEvent): "The state changes.";
    on_messages_snapshot(MessagesSnapshotEvent): "The conversation is restated.";
    on_reasoning_start(ReasoningStartEvent): "The agent starts to think.";
    on_reasoning_end(ReasoningEndEvent): "The agent has thought.";
    on_reasoning_message_start(ReasoningMessageStartEvent): "A reasoning starts.";
    on_reasoning_encrypted_value(ReasoningEncryptedValueEvent): "Something gets its encrypted value.";
    on_subagent_started(SubagentStartedEvent): "A subagent starts.";
    on_subagent_finished(SubagentFinishedEvent): "A subagent is finished.";
    on_subagent_error(SubagentErrorEvent): "A subagent failed.";
    on_raw(RawEvent): "Another system's event passes through.";
    on_custom(CustomEvent): "The agent says something of its own.";
}
