//! Subscribers: the hooks that a session calls for each event (AG-UI 1.0, section "Subscribers").

use super::{ClientError, PartialArguments, Reaction, View};
use crate::protocol::*;
use crate::receive::reduce::RunOutcome;

/// Calls a macro with the hooks that get the event alone: hook, variant, struct, and when the hook is called.
macro_rules! plain_hooks {
    ($consumer:ident) => { $consumer! {
        on_run_started RunStarted(RunStartedEvent): "A run starts.";
        on_run_error RunError(RunErrorEvent): "The run failed.";
        on_step_started StepStarted(StepStartedEvent): "A step starts.";
        on_step_finished StepFinished(StepFinishedEvent): "A step finishes.";
        on_text_message_start TextMessageStart(TextMessageStartEvent): "A text starts.";
        on_tool_call_start ToolCallStart(ToolCallStartEvent): "A call starts.";
        on_tool_call_result ToolCallResult(ToolCallResultEvent): "A call gets its result.";
        on_state_snapshot StateSnapshot(StateSnapshotEvent): "The state is replaced.";
        on_state_delta StateDelta(StateDeltaEvent): "The state changes.";
        on_messages_snapshot MessagesSnapshot(MessagesSnapshotEvent): "The conversation is restated.";
        on_reasoning_start ReasoningStart(ReasoningStartEvent): "A reasoning span starts.";
        on_reasoning_end ReasoningEnd(ReasoningEndEvent): "A reasoning span ends.";
        on_reasoning_message_start ReasoningMessageStart(ReasoningMessageStartEvent): "A reasoning message starts.";
        on_reasoning_encrypted_value ReasoningEncryptedValue(ReasoningEncryptedValueEvent):
            "A message or call gets an encrypted value.";
        on_subagent_started SubagentStarted(SubagentStartedEvent): "A subagent starts.";
        on_subagent_finished SubagentFinished(SubagentFinishedEvent): "A subagent finishes.";
        on_subagent_error SubagentError(SubagentErrorEvent): "A subagent failed.";
        on_raw Raw(RawEvent): "An event of another system passes through.";
        on_custom Custom(CustomEvent): "A custom event of the application.";
    } };
}

pub(super) use plain_hooks;

macro_rules! subscriber {
    ($($hook:ident $Type:ident($Event:ident): $when:literal;)*) => {
        /// A session listener. Every hook has a default that does nothing.
        ///
        /// Subscribers are called in the order in which they were added; a single turn's subscriber comes last. For each event in
        /// order, all subscribers first get [`on_event`](Self::on_event), then the hook for the event's type; then the event takes
        /// effect, and change notifications follow. Hooks are synchronous: do slow work between two events, in the code that pulls
        /// them ([`Turn::next`](super::Turn::next)).
        ///
        /// ```
        /// use std::sync::mpsc;
        ///
        /// use agui_runtime::client::{View, Reaction, Session, Subscriber};
        /// use agui_runtime::protocol::{CustomEvent, Message};
        ///
        /// struct Loud(mpsc::Sender<String>);
        ///
        /// impl Subscriber for Loud {
        ///     fn on_new_message(&mut self, message: &Message, _: &View<'_>) {
        ///         let _ = self.0.send(format!("{} from {}", message.id(), message.role()));
        ///     }
        ///
        ///     fn on_custom(&mut self, event: &CustomEvent, _: &View<'_>) -> Reaction {
        ///         if event.name == "noise" { Reaction::stop() } else { Reaction::none() }
        ///     }
        /// }
        ///
        /// # use agui_runtime::client::Replay;
        /// # use futures::FutureExt;
        /// # let replay = Replay::from_lines(concat!(
        /// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
        /// #     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}"#, "\n",
        /// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#));
        /// let (log, lines) = mpsc::channel();
        /// let mut session: Session = Session::new(replay);
        /// session.subscribe(Loud(log));
        /// session.run().now_or_never().unwrap()?;
        /// assert_eq!(lines.try_recv().as_deref(), Ok("m from assistant"));
        /// # Ok::<(), agui_runtime::client::ClientError>(())
        /// ```
        #[allow(unused_variables, reason = "names are documentation")]
        #[diagnostic::on_unimplemented(
            message = "`{Self}` is not a subscriber",
            label = "not a `Subscriber`",
            note = "write `impl Subscriber for {Self}` with the hooks you want; all of them have a default"
        )]
        pub trait Subscriber: Send {
            /// Called before a run is requested; the request contains replaced messages and state.
            ///
            /// See the [`Reaction::with_messages`] example.
            fn on_run_initialized(&mut self, now: &View<'_>) -> Reaction {
                Reaction::none()
            }

            /// Called if a run cannot be read to the end. [`Reaction::stop`] turns the error into [`RunOutcome::Truncated`].
            ///
            /// ```
            /// use agui_runtime::client::{ClientError, RunOutcome, Reaction, Replay, Session, Subscriber, View};
            /// # use futures::FutureExt;
            ///
            /// /// Treats a lost connection as the end of the run.
            /// struct Calm;
            ///
            /// impl Subscriber for Calm {
            ///     fn on_run_failed(&mut self, _: &ClientError, _: &View<'_>) -> Reaction {
            ///         Reaction::stop()
            ///     }
            /// }
            ///
            /// let mut session: Session = Session::new(Replay::from_lines("this is not JSON"));
            /// session.subscribe(Calm);
            /// assert_eq!(session.run().now_or_never().unwrap()?.outcome, RunOutcome::Truncated);
            /// # Ok::<(), ClientError>(())
            /// ```
            fn on_run_failed(&mut self, error: &ClientError, now: &View<'_>) -> Reaction {
                Reaction::none()
            }

            /// Called after a run, after any end, and if the turn is dropped.
            fn on_run_finalized(&mut self, now: &View<'_>) -> Reaction {
                Reaction::none()
            }

            /// Called for every event in order, with chunks expanded.
            fn on_event(&mut self, event: &Event, now: &View<'_>) -> Reaction {
                Reaction::none()
            }

            /// A text continues; `before` is the text before the delta.
            ///
            /// See the [`Session::subscribe`](super::Session::subscribe) example.
            fn on_text_message_content(&mut self, event: &TextMessageContentEvent, before: &str, now: &View<'_>) -> Reaction {
                Reaction::none()
            }

            /// A text ends; `text` is the whole text.
            fn on_text_message_end(&mut self, event: &TextMessageEndEvent, text: &str, now: &View<'_>) -> Reaction {
                Reaction::none()
            }

            /// A reasoning message continues; `before` is the text before the delta.
            fn on_reasoning_message_content(&mut self, event: &ReasoningMessageContentEvent, before: &str, now: &View<'_>) -> Reaction {
                Reaction::none()
            }

            /// A reasoning message ends; `text` is the whole text.
            fn on_reasoning_message_end(&mut self, event: &ReasoningMessageEndEvent, text: &str, now: &View<'_>) -> Reaction {
                Reaction::none()
            }

            /// A call's arguments continue; `before` are the arguments before the delta.
            ///
            /// ```
            /// use agui_runtime::client::{PartialArguments, Reaction, Replay, Session, Subscriber, View};
            /// use agui_runtime::protocol::ToolCallArgsEvent;
            /// # use futures::FutureExt;
            /// # let replay = Replay::from_lines(concat!(
            /// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
            /// #     r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"price","delta":"{\"name\":\"rice\"}"}"#, "\n",
            /// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#));
            ///
            /// #[derive(Default)]
            /// struct Tool(String);
            ///
            /// impl Subscriber for Tool {
            ///     fn on_tool_call_args(
            ///         &mut self,
            ///         _: &ToolCallArgsEvent,
            ///         before: PartialArguments<'_>,
            ///         _: &View<'_>,
            ///     ) -> Reaction {
            ///         self.0 = before.tool().to_owned();
            ///         Reaction::none()
            ///     }
            /// }
            ///
            /// let mut seen = Tool::default();
            /// let mut session: Session = Session::new(replay);
            /// session.start_with(&mut seen).finish().now_or_never().unwrap()?;
            /// assert_eq!(seen.0, "price");
            /// # Ok::<(), agui_runtime::client::ClientError>(())
            /// ```
            fn on_tool_call_args(&mut self, event: &ToolCallArgsEvent, before: PartialArguments<'_>, now: &View<'_>) -> Reaction {
                Reaction::none()
            }

            /// A call's arguments are complete.
            fn on_tool_call_end(&mut self, event: &ToolCallEndEvent, call: &ToolCall, now: &View<'_>) -> Reaction {
                Reaction::none()
            }

            /// An activity is shown or replaced; `known` is the existing message with the same id.
            fn on_activity_snapshot(&mut self, event: &ActivitySnapshotEvent, known: Option<&Message>, now: &View<'_>) -> Reaction {
                Reaction::none()
            }

            /// An activity changes; `known` is the message before the change.
            fn on_activity_delta(&mut self, event: &ActivityDeltaEvent, known: &ActivityMessage, now: &View<'_>) -> Reaction {
                Reaction::none()
            }

            /// A run finishes with the outcome `end`.
            ///
            /// ```
            /// use agui_runtime::client::{RunOutcome, Reaction, Replay, Session, Subscriber, View};
            /// use agui_runtime::protocol::RunFinishedEvent;
            /// # use futures::FutureExt;
            /// # let replay = Replay::from_lines(concat!(
            /// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
            /// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#));
            ///
            /// #[derive(Default)]
            /// struct Successes(u32);
            ///
            /// impl Subscriber for Successes {
            ///     fn on_run_finished(&mut self, _: &RunFinishedEvent, end: &RunOutcome, _: &View<'_>) -> Reaction {
            ///         self.0 += u32::from(matches!(end, RunOutcome::Success { .. }));
            ///         Reaction::none()
            ///     }
            /// }
            ///
            /// let mut seen = Successes::default();
            /// let mut session: Session = Session::new(replay);
            /// session.start_with(&mut seen).finish().now_or_never().unwrap()?;
            /// assert_eq!(seen.0, 1);
            /// # Ok::<(), agui_runtime::client::ClientError>(())
            /// ```
            fn on_run_finished(&mut self, event: &RunFinishedEvent, end: &RunOutcome, now: &View<'_>) -> Reaction {
                Reaction::none()
            }

            $(
                #[doc = $when]
                /// See the [`Subscriber`] example, which has such a hook.
                fn $hook(&mut self, event: &$Event, now: &View<'_>) -> Reaction {
                    Reaction::none()
                }
            )*

            /// Called after the messages changed.
            fn on_messages_changed(&mut self, now: &View<'_>) {}

            /// Called after the state changed.
            fn on_state_changed(&mut self, now: &View<'_>) {}

            /// Called after a message was completed, or added by the caller.
            fn on_new_message(&mut self, message: &Message, now: &View<'_>) {}

            /// Called after a call was completed, or added by the caller.
            fn on_new_tool_call(&mut self, call: &ToolCall, now: &View<'_>) {}
        }
    };
}

plain_hooks!(subscriber);
