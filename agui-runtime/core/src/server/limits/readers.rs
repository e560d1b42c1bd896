//! Clients that read stored threads, and the memory for the copies that they read. A reader is no run and has its own limits.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::StatusCode;

use super::budget::ClientKey;
use super::server_limits::Limits;
use crate::server::metrics;
use crate::server::response::rejection::Rejection;
use crate::server::threads::readers::copies::{CopyBudget, CopyChange, HeldCopy};
use crate::thread::ThreadKey;

/// Minimum default for one client.
const OF_ONE_CLIENT: usize = 16;

/// A server's readers.
#[derive(Debug)]
pub(in crate::server) struct ReaderSlots {
    per_client: usize,
    per_thread: usize,
    memory: usize,
    copies: Arc<CopyBudget>,
    taken: Mutex<HashMap<ReaderSlotKey, usize>>,
}

/// Readers that share a limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ReaderSlotKey {
    Client(ClientKey),
    Thread(ThreadKey),
}

impl ReaderSlots {
    pub(in crate::server) fn new(limits: &Limits) -> Arc<Self> {
        let changed = |change| match change {
            CopyChange::Grew(bytes) => metrics::copies_grew(bytes),
            CopyChange::Shrank(bytes) => metrics::copies_released(bytes),
        };
        Arc::new(Self {
            per_client: limits.readers_per_client.unwrap_or((limits.connections / 4).max(OF_ONE_CLIENT)),
            per_thread: limits.readers_per_thread,
            memory: limits.reader_memory,
            copies: CopyBudget::new(limits.reader_memory, changed),
            taken: Mutex::default(),
        })
    }

    /// Returns the budget for shared copies.
    pub(in crate::server) fn copies(&self) -> &Arc<CopyBudget> {
        &self.copies
    }

    /// Counts one more reader. `client` is `None` if unknown, `thread` is `None` for a thread list.
    pub(in crate::server) fn admit(
        self: &Arc<Self>,
        client: Option<ClientKey>,
        thread: Option<&ThreadKey>,
    ) -> Result<ReaderSlot, Rejection> {
        let mut reader = ReaderSlot { readers: Arc::clone(self), keys: Vec::with_capacity(2) };
        metrics::reader_began();
        for key in
            client.map(ReaderSlotKey::Client).into_iter().chain(thread.cloned().map(ReaderSlotKey::Thread))
        {
            let (limit, what) = match &key {
                ReaderSlotKey::Client(_) => (self.per_client, "client"),
                ReaderSlotKey::Thread(_) => (self.per_thread, "thread"),
            };
            let mut taken = self.lock();
            let count = taken.get(&key).copied().unwrap_or_default();
            if count >= limit {
                drop(taken);
                let message = format!(
                    "{limit} readers of one {what} are the most that this server has: try again later"
                );
                return Err(
                    Rejection::new(StatusCode::TOO_MANY_REQUESTS, "too_many_readers", message).retry_after(1)
                );
            }
            taken.insert(key.clone(), count + 1);
            drop(taken);
            reader.keys.push(key);
        }
        Ok(reader)
    }

    /// Takes bytes for a copy, or refuses the reader.
    pub(in crate::server) fn hold(&self, bytes: usize) -> Result<HeldCopy, Rejection> {
        self.copies.hold(bytes).ok_or_else(|| {
            Rejection::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "server_busy",
                format!(
                    "the copies of threads that clients read have reached this server's limit of {} bytes: try \
                     again later",
                    self.memory
                ),
            )
            .retry_after(1)
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ReaderSlotKey, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A client that reads a thread; dropping the value frees its slot.
#[derive(Debug)]
pub(in crate::server) struct ReaderSlot {
    readers: Arc<ReaderSlots>,
    keys: Vec<ReaderSlotKey>,
}

impl Drop for ReaderSlot {
    fn drop(&mut self) {
        let mut taken = self.readers.lock();
        for key in self.keys.drain(..) {
            if let Entry::Occupied(mut count) = taken.entry(key) {
                *count.get_mut() = count.get().saturating_sub(1);
                if *count.get() == 0 {
                    count.remove();
                }
            }
        }
        drop(taken);
        metrics::reader_ended();
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn readers_of_a_client_and_of_a_thread_have_limits() {
        let readers = ReaderSlots::new(&Limits::default().readers_per_client(2).readers_per_thread(3));
        let client = |last| Some(ClientKey::from_address(Ipv4Addr::new(127, 0, 0, last).into()));
        let thread = |name: &str| ThreadKey::new("", "/", name);
        let refused = |reader: Result<ReaderSlot, Rejection>| reader.unwrap_err().code().to_owned();
        let first = readers.admit(client(1), Some(&thread("t"))).unwrap();
        let _second = readers.admit(client(1), Some(&thread("t"))).unwrap();
        assert_eq!(refused(readers.admit(client(1), Some(&thread("u")))), "too_many_readers");
        let _third = readers.admit(client(2), Some(&thread("t"))).unwrap();
        assert_eq!(refused(readers.admit(client(2), Some(&thread("t")))), "too_many_readers");
        drop(first);
        assert!(readers.admit(client(1), Some(&thread("t"))).is_ok());
        assert_eq!(readers.lock().len(), 4 - 1, "two clients and a thread: a refused one leaves nothing");
    }

    /// Returns the default in a limit's table row, and the docs of the method that sets the limit.
    fn documented(limit: &str) -> (&'static str, String) {
        let text = include_str!("server_limits.rs");
        let row = text.lines().find(|line| line.starts_with(&format!("/// | [`{limit}`]"))).unwrap();
        let (before, _) = text.split_once(&format!("    pub fn {limit}(")).unwrap();
        let lines: Vec<_> = before.lines().rev().take_while(|line| line.starts_with("    ///")).collect();
        let words = lines.iter().rev().map(|line| line.trim_start_matches("    ///"));
        (row.split(" | ").nth(2).unwrap(), words.collect::<String>())
    }

    #[test]
    fn the_defaults_are_those_of_the_documentation() {
        let readers = ReaderSlots::new(&Limits::default());
        let mebibyte = 1024 * 1024;
        assert_eq!(readers.memory % mebibyte, 0);
        for (limit, default) in [
            ("readers_per_client", format!("a quarter of `connections`, at least {OF_ONE_CLIENT}")),
            ("readers_per_thread", format!("{},{:03}", readers.per_thread / 1000, readers.per_thread % 1000)),
            ("reader_memory", format!("{} MiB", readers.memory / mebibyte)),
        ] {
            let (cell, text) = documented(limit);
            assert_eq!(cell, default, "{limit}");
            let default =
                default.replace("`connections`, ", "[`connections`](Self::connections) by default, and ");
            assert!(text.contains(&default) && text.contains("by default"), "{limit}: {text}");
        }
        let per_client =
            |connections| ReaderSlots::new(&Limits::default().connections(connections)).per_client;
        assert_eq!((per_client(1024), per_client(400), per_client(8)), (256, 100, OF_ONE_CLIENT));
        assert_eq!(readers.per_client, per_client(1024), "the default number of connections");
    }
}
