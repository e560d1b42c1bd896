//! A run that ends in time: when it has gone on too long, and when the server ends.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::Stream;
use tokio::time::{Sleep, sleep};

use super::metrics::{self, Timeout};
use super::places::Place;
use super::shutdown::Stopped;
use crate::EventStream;
use crate::protocol::Event;

/// An agent that always has something to say is looked at again after so many events.
const UNWATCHED: u32 = 64;

/// The events of one run, which ends with RUN_ERROR where the run is ended from outside.
pub(super) struct Bounded {
    events: EventStream,
    limit: Option<(Duration, Pin<Box<Sleep>>)>,
    stopped: Option<Stopped>,
    since_look: u32,
    /// `None` once the run has ended.
    place: Option<Place>,
}

impl Bounded {
    pub(super) fn new(
        events: EventStream,
        limit: Option<Duration>,
        stopped: Option<Stopped>,
        place: Place,
    ) -> Self {
        let limit = limit.map(|limit| (limit, Box::pin(sleep(limit))));
        Self { events, limit, stopped, since_look: 0, place: Some(place) }
    }

    /// Ends the run if it is time. True if something may have come of it.
    fn look(&mut self, cx: &mut Context<'_>) -> bool {
        self.since_look = 0;
        if let Some(stopped) = &mut self.stopped
            && stopped.as_mut().poll(cx).is_ready()
        {
            (self.stopped, self.limit) = (None, None);
            self.end(Timeout::Shutdown, "shutdown", "the server shut down before the run ended".to_owned());
            return true;
        }
        if let Some((limit, timer)) = &mut self.limit
            && timer.as_mut().poll(cx).is_ready()
        {
            let message = format!("the run took longer than {limit:?}");
            (self.stopped, self.limit) = (None, None);
            self.end(Timeout::Run, "run_timeout", message);
            return true;
        }
        false
    }

    fn end(&mut self, timeout: Timeout, code: &str, message: String) {
        tracing::warn!(code, message, "run ended");
        metrics::timed_out(timeout);
        self.events.fail(message, code);
    }
}

impl Stream for Bounded {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        // The agent first: a run has started before it ends.
        let mut polled = Pin::new(&mut self.events).poll_next(cx);
        match &polled {
            Poll::Ready(Some(_)) => {
                self.since_look += 1;
                if self.since_look >= UNWATCHED {
                    self.look(cx);
                }
            }
            Poll::Pending => {
                if self.look(cx) {
                    polled = Pin::new(&mut self.events).poll_next(cx);
                }
            }
            Poll::Ready(None) => {}
        }
        if let Poll::Ready(None) = polled {
            self.place = None;
        }
        polled
    }
}
