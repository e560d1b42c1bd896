//! The entry of a thread in a store that only lists: the trait's default reads the list.

use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use agui_runtime::thread::{
    AppendError, LogAppend, LogError, LogHead, LogPage, LogPosition, LogReadError, Memory, ThreadEntry,
    ThreadKey, ThreadLog,
};
use bytes::Bytes;
use futures::FutureExt;
use futures::future::{BoxFuture, ready};

/// A store with a thread, and a list that answers as a test says.
#[derive(Debug)]
struct Listing {
    log: Memory,
    /// Entries, the first of them first, in pages of this size.
    listed: Vec<String>,
    page: usize,
    ignores_after: bool,
    pages: Mutex<usize>,
}

impl ThreadLog for Listing {
    fn append<'a>(
        &'a self,
        key: &'a ThreadKey,
        append: LogAppend,
    ) -> BoxFuture<'a, Result<LogPosition, AppendError>> {
        self.log.append(key, append)
    }

    fn read<'a>(
        &'a self,
        key: &'a ThreadKey,
        after: u64,
        bytes: usize,
    ) -> BoxFuture<'a, Result<LogPage, LogReadError>> {
        self.log.read(key, after, bytes)
    }

    fn head<'a>(&'a self, key: &'a ThreadKey) -> BoxFuture<'a, Result<LogHead, LogError>> {
        self.log.head(key)
    }

    fn changed<'a>(&'a self, key: &'a ThreadKey, after: u64) -> BoxFuture<'a, ()> {
        self.log.changed(key, after)
    }

    fn renew<'a>(
        &'a self,
        key: &'a ThreadKey,
        epoch: u64,
        time: Duration,
    ) -> BoxFuture<'a, Result<bool, LogError>> {
        self.log.renew(key, epoch, time)
    }

    fn expired(&self, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>> {
        self.log.expired(most)
    }

    fn trim<'a>(
        &'a self,
        key: &'a ThreadKey,
        upto: LogPosition,
        snapshot: Bytes,
    ) -> BoxFuture<'a, Result<(), LogError>> {
        self.log.trim(key, upto, snapshot)
    }

    fn list<'a>(
        &'a self,
        _owner: &'a str,
        _agent: &'a str,
        after: Option<&'a ThreadEntry>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<ThreadEntry>, LogError>> {
        *self.pages.lock().unwrap() += 1;
        let after = after.filter(|_| !self.ignores_after);
        let begin =
            after.map_or(0, |after| 1 + self.listed.iter().position(|id| *id == after.thread).unwrap());
        let listed = self.listed[begin..].iter().take(self.page.min(most));
        let page = listed.map(|id| ThreadEntry::new(id.as_str(), SystemTime::UNIX_EPOCH, Bytes::new()));
        ready(Ok(page.collect())).boxed()
    }

    fn delete<'a>(
        &'a self,
        key: &'a ThreadKey,
        at: Option<LogPosition>,
    ) -> BoxFuture<'a, Result<bool, LogError>> {
        self.log.delete(key, at)
    }

    fn idle(&self, time: Duration, most: usize) -> BoxFuture<'_, Result<Vec<ThreadKey>, LogError>> {
        self.log.idle(time, most)
    }
}

/// A store in which threads `0` to `299` are listed, and that has thread `150` or another.
async fn listing(page: usize, key: &ThreadKey) -> Listing {
    let log = Memory::new();
    let append = LogAppend {
        at: LogPosition::default(),
        epoch: 1,
        records: vec!["claimed".into()],
        note: None,
        lease: None,
    };
    log.append(key, append).await.unwrap();
    let listed = (0..300).map(|number| number.to_string()).collect();
    Listing { log, listed, page, ignores_after: false, pages: Mutex::default() }
}

#[tokio::test]
async fn an_entry_is_found_in_short_pages_too() {
    let key = ThreadKey::new("ada", "/", "150");
    for page in [1, 7, 100, 1_000] {
        let log = listing(page, &key).await;
        assert_eq!(log.entry(&key).await.unwrap().unwrap().thread, "150", "{page}");
        let other = ThreadKey::new("ada", "/", "other");
        assert_eq!(log.entry(&other).await.unwrap(), None, "{page}");
    }
}

#[tokio::test]
async fn an_entry_that_never_comes_is_an_error() {
    let key = ThreadKey::new("ada", "/", "missing");
    for ignores_after in [false, true] {
        let log = Listing { ignores_after, ..listing(100, &key).await };
        let error = log.entry(&key).await.unwrap_err();
        assert!(error.to_string().contains("missing in the list"), "{error}");
        assert!(*log.pages.lock().unwrap() <= 40);
    }
}
