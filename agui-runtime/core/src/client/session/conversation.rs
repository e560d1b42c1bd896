//! A session's content, read and changed between turns.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::stage::Stage;
use super::{Session, StateUnreadable};
use crate::client::{ResumeError, ResumeValue, build_resume};
use crate::protocol::{
    Content, Interrupt, InterruptId, Message, MessageId, ThreadId, ToolCall, ToolCallId, ToolMessage,
    UserMessage,
};

/// The messages and the state at one moment.
///
/// ```
/// # use agui_runtime::client::{Replay, Session};
/// # let mut session: Session = Session::new(Replay::default());
/// session.say("Hello");
/// let kept = session.snapshot();
/// session.set_messages(vec![]);
/// assert_eq!((kept.messages.len(), session.messages().len()), (1, 0));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Snapshot {
    /// The messages.
    pub messages: Vec<Message>,
    /// The state.
    pub state: Value,
}

impl<S> Session<S> {
    /// Returns the thread.
    #[must_use]
    pub fn thread_id(&self) -> &ThreadId {
        &self.thread_id
    }

    /// Returns the messages.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        self.pipeline.reducer().messages()
    }

    /// Returns a call by id, in constant time.
    #[must_use]
    pub fn tool_call(&self, id: &ToolCallId) -> Option<&ToolCall> {
        self.pipeline.reducer().tool_call(id.as_str())
    }

    /// Returns the state as JSON.
    #[must_use]
    pub fn state_value(&self) -> &Value {
        self.pipeline.reducer().state()
    }

    /// Returns the typed state; `None` if there is none, which clients write as an empty object.
    ///
    /// The state is deserialized on the first call and after each change: a microsecond for 1 kB JSON, a millisecond for 1 MB. To
    /// show a small part of a large state, read that part from [`state_value`](Self::state_value).
    ///
    /// # Errors
    /// [`StateUnreadable`] if the state does not fit the type.
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    /// use serde_json::json;
    ///
    /// let mut session: Session<Vec<String>> = Session::new(Replay::default());
    /// assert_eq!(session.state()?, None);
    /// session.set_state(json!(["rice"]));
    /// assert_eq!(session.state()?.unwrap(), &["rice"]);
    /// session.set_state(json!({ "rice": 1 }));
    /// assert_eq!(session.state().unwrap_err().path, ".");
    /// # Ok::<(), agui_runtime::client::StateUnreadable>(())
    /// ```
    pub fn state(&self) -> Result<Option<&S>, StateUnreadable>
    where
        S: DeserializeOwned,
    {
        self.typed.read(self.state_value())
    }

    /// Returns a copy of the messages and the state.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { messages: self.messages().to_vec(), state: self.state_value().clone() }
    }

    /// Returns the last run's interrupts, if that run was interrupted; continue with [`resume`](Self::resume).
    ///
    /// ```
    /// use agui_runtime::client::{Replay, Session};
    /// # use futures::FutureExt;
    ///
    /// let replay = Replay::from_lines(
    ///     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
    ///        {"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":
    ///            {"type":"interrupt","interrupts":[{"id":"q","reason":"confirmation","message":"Shall I pay?"}]}}"#
    ///         .replace(":\n", ":")
    ///         .as_str(),
    /// );
    /// let mut session: Session = Session::new(replay);
    /// session.run().now_or_never().unwrap()?;
    /// assert_eq!(session.pending_interrupts()[0].message.as_deref(), Some("Shall I pay?"));
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn pending_interrupts(&self) -> &[Interrupt] {
        self.pipeline.reducer().pending_interrupts()
    }

    /// Adds a user message, and returns the message id. The next turn sends the message.
    pub fn say(&mut self, content: impl Into<Content>) -> MessageId {
        let id = self.ids.message();
        self.add_message(UserMessage::new(&id, content).into());
        id
    }

    /// Adds a message at the end.
    pub fn add_message(&mut self, message: Message) {
        let mut stage = self.stage();
        add(&mut stage, message);
        stage.changed.messages = true;
        stage.tell_changes();
    }

    /// Replaces all messages.
    pub fn set_messages(&mut self, messages: Vec<Message>) {
        let mut stage = self.stage();
        stage.reducer.set_messages(messages);
        stage.changed.messages = true;
        stage.tell_changes();
    }

    /// Replaces the state.
    pub fn set_state(&mut self, state: Value) {
        let mut stage = self.stage();
        stage.reducer.set_state(state);
        stage.changed.state = true;
        stage.tell_changes();
        self.typed.forget();
    }

    /// Resumes the open interrupts; the next turn sends the resume entries.
    ///
    /// # Errors
    /// [`ResumeError`] if an interrupt is left out, or an entry names no open interrupt.
    ///
    /// ```
    /// use agui_runtime::client::{ResumeValue, Replay, Session};
    /// use agui_runtime::protocol::{Event, Interrupt, NonNull, RunFinishedEvent, RunFinishedInterruptOutcome, RunStartedEvent};
    ///
    /// let asked = RunFinishedInterruptOutcome::new(Interrupt::new("int-1", "confirmation"));
    /// let log: [Event; 2] =
    ///     [RunStartedEvent::new("t", "r").into(), RunFinishedEvent::new("t", "r").with_outcome(asked).into()];
    /// let mut session: Session = Session::new(Replay::default()).restore(log)?;
    /// session.resume([("int-1", ResumeValue::resolved(NonNull::from(true)))])?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resume<I: Into<InterruptId>>(
        &mut self,
        values: impl IntoIterator<Item = (I, ResumeValue)>,
    ) -> Result<(), ResumeError> {
        self.resume = Some(build_resume(self.pending_interrupts(), values)?);
        Ok(())
    }
}

/// Adds a message and notifies the subscribers.
fn add(stage: &mut Stage<'_>, message: Message) {
    let at = stage.reducer.add_message(message);
    tell_of_new(stage, at);
}

/// Adds a call's result at the right position, and notifies the subscribers.
pub(super) fn add_result(stage: &mut Stage<'_>, mut result: ToolMessage) {
    // A model may use the id of an earlier call again, and a caller may answer a call twice.
    let (wanted, mut times) = (result.id.clone(), 1);
    while stage.reducer.message(result.id.as_str()).is_some() {
        times += 1;
        result.id = format!("{wanted}-{times}").into();
    }
    let at = stage.reducer.add_result_message(result);
    tell_of_new(stage, at);
}

fn tell_of_new(stage: &mut Stage<'_>, at: usize) {
    stage.tell(|subscriber, now| {
        let Some(message) = now.messages().get(at) else { return };
        subscriber.on_new_message(message, now);
        if let Message::Assistant(message) = message {
            for call in message.tool_calls() {
                subscriber.on_new_tool_call(call, now);
            }
        }
    });
}
