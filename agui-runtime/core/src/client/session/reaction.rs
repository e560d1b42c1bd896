//! A subscriber's reaction to an event (AG-UI 1.0, section "Subscribers").

use serde_json::Value;

use crate::protocol::Message;

/// A subscriber's reaction to an event.
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
#[must_use = "a reaction has an effect only if it is returned"]
pub struct Reaction {
    pub(super) messages: Option<Vec<Message>>,
    pub(super) state: Option<Value>,
    pub(super) stop: bool,
}

impl Reaction {
    /// Does nothing: the event takes effect.
    ///
    /// ```
    /// use agui_runtime::client::Reaction;
    ///
    /// assert_eq!(Reaction::none(), Reaction::default());
    /// ```
    pub fn none() -> Self {
        Self::default()
    }

    /// Stops the event: no effect, and later subscribers are not called.
    ///
    /// ```
    /// use agui_runtime::client::Reaction;
    ///
    /// assert_ne!(Reaction::stop(), Reaction::none());
    /// ```
    pub fn stop() -> Self {
        Self { stop: true, ..Self::default() }
    }

    /// Replaces the messages before the event takes effect.
    ///
    /// For an event that continues a text, a call or an activity, messages from the hook also replace the event's own result: the
    /// event's message was looked up before the hooks ran, as in the official client.
    /// [`on_event`](crate::client::Subscriber::on_event) runs before that lookup.
    ///
    /// ```
    /// use agui_runtime::client::{Reaction, Subscriber, View};
    ///
    /// /// Sends only the last message.
    /// struct Forgetful;
    ///
    /// impl Subscriber for Forgetful {
    ///     fn on_run_initialized(&mut self, now: &View<'_>) -> Reaction {
    ///         let last = now.messages().last().cloned();
    ///         Reaction::none().with_messages(Vec::from_iter(last))
    ///     }
    /// }
    /// # use agui_runtime::client::{Frames, Replay, Session, Upstream};
    /// # use agui_runtime::protocol::RunAgentInput;
    /// # use futures::FutureExt;
    /// # let agent = |input: RunAgentInput| -> Frames {
    /// #     assert_eq!(input.messages.len(), 1);
    /// #     Replay::from_lines(r#"{"type":"RUN_ERROR","message":"no flour"}"#).open(input)
    /// # };
    ///
    /// let mut session: Session = Session::new(agent);
    /// session.subscribe(Forgetful);
    /// session.say("One");
    /// session.say("Two");
    /// session.run().now_or_never().unwrap()?;
    /// assert_eq!(session.messages().len(), 1);
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    pub fn with_messages(mut self, messages: Vec<Message>) -> Self {
        self.messages = Some(messages);
        self
    }

    /// Replaces the state before the event takes effect.
    pub fn with_state(mut self, state: Value) -> Self {
        self.state = Some(state);
        self
    }
}
