//! The line of writers that wait for room.

use std::collections::VecDeque;
use std::task::Waker;

/// Writers that wait for room, first come first served.
///
/// As many are called as there is room for, when a batch was read, so that many writers do not all wake for each event. A
/// call is a hint and holds no place: whoever was called may be a future that is not polled, and must not keep others from
/// writing. Who goes away instead of writing passes the call on, and a reader about to sleep calls everybody.
#[derive(Default)]
pub(super) struct Writers {
    /// In the order of their tickets.
    waiting: VecDeque<(Ticket, Waker)>,
    last: Ticket,
}

/// A place in the queue of writers. A ticket that does not wait any more has been called.
pub(super) type Ticket = u64;

impl Writers {
    fn place(&self, ticket: Ticket) -> Result<usize, usize> {
        self.waiting.binary_search_by_key(&ticket, |(other, _)| *other)
    }

    /// Waits with the ticket, or with a new one; gives the waker it waited with before.
    pub(super) fn wait(&mut self, ticket: &mut Option<Ticket>, waker: Waker) -> Option<Waker> {
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

    /// Waits no more, if it has not been called.
    pub(super) fn leave(&mut self, ticket: Ticket) -> Option<Waker> {
        let place = self.place(ticket).ok()?;
        self.waiting.remove(place).map(|(_, waker)| waker)
    }

    /// The first of them, who wait no more.
    pub(super) fn call(&mut self, number: usize) -> Vec<Waker> {
        if self.waiting.is_empty() {
            return Vec::new();
        }
        let number = number.min(self.waiting.len());
        self.waiting.drain(..number).map(|(_, waker)| waker).collect()
    }
}
