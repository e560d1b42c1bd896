//! Who listens to a session.

use std::fmt;

use super::{Session, Subscriber};

/// A subscriber, for [`Session::unsubscribe`](super::Session::unsubscribe).
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
    /// Adds somebody who listens to all turns.
    ///
    /// ```
    /// use agui_runtime::client::{Now, Reaction, Replay, Session, Subscriber};
    /// use agui_runtime::protocol::TextMessageContentEvent;
    ///
    /// struct Shown;
    ///
    /// impl Subscriber for Shown {
    ///     fn on_text_message_content(&mut self, event: &TextMessageContentEvent, _: &str, _: &Now<'_>) -> Reaction {
    ///         print!("{}", event.delta);
    ///         Reaction::none()
    ///     }
    /// }
    ///
    /// let mut session: Session = Session::new(Replay::default());
    /// session.subscribe(Shown);
    /// ```
    pub fn subscribe(&mut self, subscriber: impl Subscriber + 'static) -> SubscriberId {
        self.subscribers.add(Box::new(subscriber))
    }

    /// Lets a subscriber go, and gives it back.
    ///
    /// ```
    /// # use agui_runtime::client::{Replay, Session};
    /// # let mut session: Session = Session::new(Replay::default());
    /// # struct Silent;
    /// # impl agui_runtime::client::Subscriber for Silent {}
    /// let id = session.subscribe(Silent);
    /// assert!(session.unsubscribe(id).is_some());
    /// ```
    pub fn unsubscribe(&mut self, id: SubscriberId) -> Option<Box<dyn Subscriber>> {
        self.subscribers.remove(id)
    }
}

/// The subscribers of a session.
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
