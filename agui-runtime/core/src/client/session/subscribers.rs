//! A session's subscribers.

use std::fmt;

use super::{Session, Subscriber};

/// A subscriber's id, for [`Session::unsubscribe`](super::Session::unsubscribe).
///
/// ```
/// # use agui_runtime::client::{Replay, Session};
/// # let mut session: Session = Session::new(Replay::default());
/// # struct Silent;
/// # impl agui_runtime::client::Subscriber for Silent {}
/// let id = session.subscribe(Silent);
/// assert!(session.unsubscribe(id).is_some() && session.unsubscribe(id).is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubscriberId(usize);

impl<S> Session<S> {
    /// Adds a subscriber for all turns.
    ///
    /// ```
    /// use std::sync::mpsc;
    ///
    /// use agui_runtime::client::{Reaction, Replay, Session, Subscriber, View};
    /// use agui_runtime::protocol::TextMessageContentEvent;
    /// # use futures::FutureExt;
    /// # let replay = Replay::from_lines(concat!(
    /// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
    /// #     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}"#, "\n",
    /// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#));
    ///
    /// struct Shown(mpsc::Sender<String>);
    ///
    /// impl Subscriber for Shown {
    ///     fn on_text_message_content(&mut self, event: &TextMessageContentEvent, _: &str, _: &View<'_>) -> Reaction {
    ///         let _ = self.0.send(event.delta.clone());
    ///         Reaction::none()
    ///     }
    /// }
    ///
    /// let (screen, texts) = mpsc::channel();
    /// let mut session: Session = Session::new(replay);
    /// session.subscribe(Shown(screen));
    /// session.run().now_or_never().unwrap()?;
    /// assert_eq!(texts.try_recv().as_deref(), Ok("Hi"));
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    pub fn subscribe(&mut self, subscriber: impl Subscriber + 'static) -> SubscriberId {
        self.subscribers.add(Box::new(subscriber))
    }

    /// Removes and returns a subscriber.
    pub fn unsubscribe(&mut self, id: SubscriberId) -> Option<Box<dyn Subscriber>> {
        self.subscribers.remove(id)
    }
}

/// A session's subscribers.
#[derive(Default)]
pub(super) struct Subscribers {
    pub(super) all: Vec<(SubscriberId, Box<dyn Subscriber>)>,
    last: usize,
}

impl Subscribers {
    pub(super) fn add(&mut self, subscriber: Box<dyn Subscriber>) -> SubscriberId {
        self.last += 1;
        let id = SubscriberId(self.last);
        self.all.push((id, subscriber));
        id
    }

    pub(super) fn remove(&mut self, id: SubscriberId) -> Option<Box<dyn Subscriber>> {
        let at = self.all.iter().position(|(known, _)| *known == id)?;
        Some(self.all.remove(at).1)
    }
}

impl fmt::Debug for Subscribers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.all.iter().map(|(id, _)| id)).finish()
    }
}
