//! Queue of writers that wait for room.

use std::collections::VecDeque;
use std::task::Waker;

/// Writers that wait for room, first come first served.
///
/// After a batch is read, only as many writers are woken as fit in the free room, so that many writers do not all wake for each
/// event. A wake-up is a hint and reserves no room: the woken writer may be a future that is not polled, which must not block
/// others. A writer that is dropped instead of writing passes the wake-up on, and a reader that is about to sleep wakes all
/// writers.
#[derive(Default)]
pub(super) struct WriterQueue {
    /// Sorted by ticket.
    waiting: VecDeque<(WriterTicket, Waker)>,
    last: WriterTicket,
}

/// A place in the writer queue. A ticket that does not wait any more has been woken.
pub(super) type WriterTicket = u64;

impl WriterQueue {
    fn place(&self, ticket: WriterTicket) -> Result<usize, usize> {
        self.waiting.binary_search_by_key(&ticket, |(other, _)| *other)
    }

    /// Waits with the ticket, or with a new one. Returns the ticket's previous waker.
    pub(super) fn wait(&mut self, ticket: &mut Option<WriterTicket>, waker: Waker) -> Option<Waker> {
        let number = *ticket.get_or_insert_with(|| {
            self.last += 1;
            self.last
        });
        match self.place(number) {
            Ok(place) => self.waiting.get_mut(place).map(|(_, old)| std::mem::replace(old, waker)),
            Err(place) => {
                self.waiting.insert(place, (number, waker));
                None
            }
        }
    }

    /// Stops waiting. Returns the waker, or `None` if the ticket has been called.
    pub(super) fn leave(&mut self, ticket: WriterTicket) -> Option<Waker> {
        let place = self.place(ticket).ok()?;
        self.waiting.remove(place).map(|(_, waker)| waker)
    }

    /// Removes the first `number` writers, and returns their wakers.
    pub(super) fn call(&mut self, number: usize) -> Vec<Waker> {
        if self.waiting.is_empty() {
            return Vec::new();
        }
        let number = number.min(self.waiting.len());
        self.waiting.drain(..number).map(|(_, waker)| waker).collect()
    }
}
