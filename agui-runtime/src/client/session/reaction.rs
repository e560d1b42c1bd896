//! The reaction of a subscriber to an event (AG-UI 1.0, section "Subscribers").

use serde_json::Value;

use crate::protocol::Message;

/// The reaction of a subscriber to an event.
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

    /// Stops the event: it has no effect, and later subscribers are not called.
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
    /// Returned from the hook of an event that continues a text, a call or an activity, the new messages
    /// also replace the result of that event: its message was looked up before the hooks ran, as in the
    /// official client. [`on_event`](crate::client::Subscriber::on_event) runs before that lookup.
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
    ///
    /// ```
    /// use agui_runtime::client::{Reaction, Replay, Session, Subscriber, View};
    /// use agui_runtime::protocol::RunErrorEvent;
    /// use serde_json::json;
    ///
    /// /// Clears the state when a run fails.
    /// struct Tidy;
    ///
    /// impl Subscriber for Tidy {
    ///     fn on_run_error(&mut self, _: &RunErrorEvent, _: &View<'_>) -> Reaction {
    ///         Reaction::none().with_state(json!({}))
    ///     }
    /// }
    /// # use futures::FutureExt;
    ///
    /// let mut session: Session = Session::new(Replay::from_lines(r#"{"type":"RUN_ERROR","message":"no flour"}"#));
    /// session.subscribe(Tidy);
    /// session.set_state(json!({ "count": 1 }));
    /// session.run().now_or_never().unwrap()?;
    /// assert_eq!(session.state_value(), &json!({}));
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    pub fn with_state(mut self, state: Value) -> Self {
        self.state = Some(state);
        self
    }
}
