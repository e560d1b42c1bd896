//! From an entry to the delivery.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use reqwest::Client;
use tokio::sync::Semaphore;

use super::attempt::{self, AttemptOutcome, attempt};
use super::entry::WebhookEntry;
use super::hosts::TargetHosts;
use super::options::Webhooks;
use crate::jitter::jittered;
use crate::protocol::{Event, RunFinishedOutcome, ThreadId};
use crate::quoted::quoted;
use crate::receive::FrameIntake;
use crate::server::threads::conversation::note::{NotedRun, ThreadNote};
use crate::server::threads::run_ends::{ClaimingRun, EntryLease, ExpectedRunEnd, RunEndListener, entry_key};
use crate::server::{Error, metrics};
use crate::thread::{AppendError, LogAppend, LogError, LogPosition, LogReadError, ThreadKey, ThreadLog};
use crate::webhook::{WebhookData, WebhookKind, WebhookMessage};
use crate::{date, random};

/// The number of attempts to renew an entry.
const HOLDS: usize = 5;

/// The maximum number of messages handled at once. Further messages wait in the store.
const AT_ONCE: usize = 32;

/// The maximum size in bytes of an event in a message.
const LARGEST_EVENT: usize = 64 * 1024;

/// A server's messages.
pub(in crate::server) struct WebhookOutbox {
    webhooks: Webhooks,
    client: Client,
    turns: Arc<Semaphore>,
    hosts: TargetHosts,
}

/// The entry for a run that is about to claim the thread.
struct ExpectedWebhook {
    /// The entry's thread.
    key: ThreadKey,
    entry: WebhookEntry,
    /// The entry's log end; `None` if another claim for the run has written the entry.
    at: Option<LogPosition>,
}

impl WebhookOutbox {
    pub(in crate::server) fn new(webhooks: &Webhooks) -> Result<Arc<Self>, Error> {
        let client = attempt::client(webhooks)?;
        let turns = Arc::new(Semaphore::new(AT_ONCE));
        Ok(Arc::new(Self { webhooks: webhooks.clone(), client, turns, hosts: TargetHosts::default() }))
    }

    /// Stores a run's entry. Two claims for one run, one of which succeeds, share an entry.
    async fn store(
        log: &dyn ThreadLog,
        run: ClaimingRun<'_>,
        target: String,
        EntryLease { epoch, time }: EntryLease,
    ) -> Result<ExpectedWebhook, LogError> {
        let entry = WebhookEntry::from_run(run, target);
        let key = entry_key(&entry.id);
        let at = match log.append(&key, entry_append(LogPosition::default(), &entry, epoch, time)).await {
            Ok(at) => Some(at),
            Err(AppendError::Conflict { .. }) => None,
            // Without an entry, the run may not begin.
            Err(AppendError::Unknown(error) | AppendError::Unavailable(error)) => return Err(error),
            Err(error @ AppendError::TooLarge { .. }) => return Err(LogError::new(error)),
        };
        Ok(ExpectedWebhook { key, entry, at })
    }

    /// Renews a claimed run's entry. If the claim took longer than the entry's lease, another server may find the entry without a
    /// run, and delete the entry.
    async fn renew(
        log: &dyn ThreadLog,
        ExpectedWebhook { key, entry, mut at }: ExpectedWebhook,
        EntryLease { epoch, time }: EntryLease,
    ) -> Result<(), LogError> {
        for _ in 0..HOLDS {
            let place = match at.take() {
                Some(place) => place,
                None => {
                    let head = log.head(&key).await?;
                    // A run that has ended meanwhile, because this server stood still, has a message that is on its way.
                    if !head.note.is_empty() && WebhookEntry::read(&head.note)?.body.is_some() {
                        return Ok(());
                    }
                    head.at
                }
            };
            // From its new position on, a deletion that was decided before the claim fails.
            if append(log, &key, place, &entry, epoch, time).await?.is_some() {
                return Ok(());
            }
        }
        Err(LogError::new("the entry of a webhook changes again and again"))
    }

    async fn deliver(
        &self,
        log: &dyn ThreadLog,
        key: &ThreadKey,
        epoch: u64,
        lease: Duration,
        is_ended_here: bool,
        has_turn: bool,
    ) -> Result<(), LogError> {
        let head = log.head(key).await?;
        if head.note.is_empty() {
            return Ok(());
        }
        let mut entry = WebhookEntry::read(&head.note)?;
        let is_new = entry.body.is_none();
        // A message with a body is sent, or waits for its next attempt, until its lease is over.
        let is_free = head.lease.is_some_and(|left| left.is_zero()) || (is_ended_here && is_new);
        if !is_free {
            return Ok(());
        }
        if is_new {
            match end_of(log, &entry).await? {
                EntryRunEnd::NoRun => {
                    tracing::debug!(id = %entry.id, "a webhook is not sent: its run did not begin, or is deleted");
                    return delete(log, key, head.at).await;
                }
                // Its end is written down before it is sent.
                EntryRunEnd::Open => return append(log, key, head.at, &entry, epoch, lease).await.map(drop),
                EntryRunEnd::Ended(event) => entry.body = Some(body_of(&entry, event.as_deref())),
            }
        }
        let visit = has_turn.then(|| self.hosts.visit(&entry.target)).flatten();
        let Some(_visit) = visit else {
            // The end is written down while the thread has it. The maintenance sends it.
            return if is_new {
                append(log, key, head.at, &entry, epoch, lease).await.map(drop)
            } else {
                Ok(())
            };
        };
        entry.attempts = entry.attempts.saturating_add(1);
        // A server that does not write the end of an attempt down within a lease counts as lost.
        let taken = self.webhooks.timeout.saturating_add(lease);
        let Some(at) = append(log, key, head.at, &entry, epoch, taken).await? else {
            // Another server sends it.
            return Ok(());
        };
        let body = entry.body.as_deref().unwrap_or_default();
        match attempt(&self.client, &self.webhooks, &entry.target, &entry.id, body).await {
            AttemptOutcome::Delivered => metrics::webhook("delivered"),
            AttemptOutcome::Unwanted => {
                metrics::webhook("given_up");
                tracing::warn!(id = %entry.id, "the receiver of a webhook wants no more: it is given up");
            }
            AttemptOutcome::Failed(reason) if entry.attempts >= self.webhooks.attempts => {
                metrics::webhook("given_up");
                tracing::error!(id = %entry.id, reason = %quoted(&reason), "a webhook is given up after its last attempt");
            }
            AttemptOutcome::Failed(reason) => {
                metrics::webhook("failed");
                tracing::debug!(id = %entry.id, reason = %quoted(&reason), "a webhook is sent again later");
                return append(log, key, at, &entry, epoch, self.pause(entry.attempts)).await.map(drop);
            }
        }
        delete(log, key, at).await
    }

    /// Returns the pause after an attempt.
    fn pause(&self, attempts: u32) -> Duration {
        let doubled = 2_u32.checked_pow(attempts.saturating_sub(1)).unwrap_or(u32::MAX);
        let whole = self.webhooks.first_pause.saturating_mul(doubled).min(self.webhooks.longest_pause);
        jittered(whole, random::number("a pause"))
    }
}

impl RunEndListener for WebhookOutbox {
    fn expect<'a>(
        &'a self,
        log: &'a dyn ThreadLog,
        run: ClaimingRun<'a>,
        target: Option<String>,
        lease: EntryLease,
    ) -> BoxFuture<'a, Result<Option<Box<dyn ExpectedRunEnd>>, LogError>> {
        Box::pin(async move {
            let Some(target) = target else { return Ok(None) };
            let expected = Self::store(log, run, target, lease).await?;
            Ok(Some(Box::new(expected) as Box<dyn ExpectedRunEnd>))
        })
    }

    /// Sends the message if a slot is free; otherwise the store's next maintenance does.
    fn end(
        self: Arc<Self>,
        log: &Arc<dyn ThreadLog>,
        entry: ThreadKey,
        lease: EntryLease,
        is_ended_here: bool,
    ) {
        let turn = Arc::clone(&self.turns).try_acquire_owned().ok();
        if turn.is_none() && !is_ended_here {
            return;
        }
        let log = Arc::clone(log);
        tokio::spawn(async move {
            let EntryLease { epoch, time } = lease;
            let sent = self.deliver(&*log, &entry, epoch, time, is_ended_here, turn.is_some()).await;
            if let Err(error) = sent {
                tracing::warn!(error = %quoted(&error), "a webhook waits: the thread log is unavailable");
            }
        });
    }
}

impl ExpectedRunEnd for ExpectedWebhook {
    fn entry(&self) -> ThreadKey {
        self.key.clone()
    }

    fn hold<'a>(
        self: Box<Self>,
        log: &'a dyn ThreadLog,
        lease: EntryLease,
    ) -> BoxFuture<'a, Result<(), LogError>> {
        Box::pin(WebhookOutbox::renew(log, *self, lease))
    }
}

/// The state of an entry's run.
enum EntryRunEnd {
    /// The run never began, or the thread was deleted.
    NoRun,
    Open,
    /// The last event's record, if still stored.
    Ended(Option<Bytes>),
}

async fn end_of(log: &dyn ThreadLog, entry: &WebhookEntry) -> Result<EntryRunEnd, LogError> {
    let key = entry.run_thread();
    let note = ThreadNote::read(&log.head(&key).await?.note)?;
    // A claim that another run preceded has an entry at its old place, and the next claim another one.
    let is_this = |run: &&NotedRun| run.first == entry.place.saturating_add(1);
    let Some(run) = note.run(&entry.run).filter(is_this) else { return Ok(EntryRunEnd::NoRun) };
    let Some(last) = run.last else { return Ok(EntryRunEnd::Open) };
    match log.read(&key, last.saturating_sub(1), 1).await {
        Ok(page) => {
            let record = page.records.into_iter().find(|(seq, _)| *seq == last);
            Ok(EntryRunEnd::Ended(record.map(|(_, record)| record)))
        }
        Err(LogReadError::Trimmed { .. }) => Ok(EntryRunEnd::Ended(None)),
        Err(LogReadError::Unavailable(error)) => Err(error),
    }
}

/// Returns a message's body. A trimmed run end is unknown, and is sent as finished.
fn body_of(entry: &WebhookEntry, record: Option<&[u8]>) -> String {
    let event = record.and_then(|record| FrameIntake::new().bytes(record, &mut |_| {}).ok().flatten());
    let kind = match &event {
        Some(Event::RunError(_)) => WebhookKind::Failed,
        Some(Event::RunFinished(finished)) => match &finished.outcome {
            Some(RunFinishedOutcome::Interrupt(_)) => WebhookKind::Interrupted,
            Some(RunFinishedOutcome::Cancelled(_)) => WebhookKind::Cancelled,
            _ => WebhookKind::Finished,
        },
        _ => WebhookKind::Finished,
    };
    let is_small = record.is_some_and(|record| record.len() <= LARGEST_EVENT);
    let data = WebhookData {
        agent: entry.agent.clone(),
        thread_id: ThreadId::from(entry.thread.as_str()),
        run_id: entry.run.clone(),
        event: event.filter(|_| is_small),
    };
    let timestamp = date::write(SystemTime::now()).unwrap_or_default();
    // An event that was read has a JSON form.
    serde_json::to_string(&WebhookMessage { kind, timestamp, data }).unwrap_or_default()
}

/// Takes or renews an entry; `None` if another server was faster.
async fn append(
    log: &dyn ThreadLog,
    key: &ThreadKey,
    at: LogPosition,
    entry: &WebhookEntry,
    epoch: u64,
    lease: Duration,
) -> Result<Option<LogPosition>, LogError> {
    match log.append(key, entry_append(at, entry, epoch, lease)).await {
        Ok(at) => Ok(Some(at)),
        // If it is unknown, nothing is sent: the maintenance comes again.
        Err(AppendError::Conflict { .. } | AppendError::Unknown(_)) => Ok(None),
        Err(AppendError::Unavailable(error)) => Err(error),
        Err(error @ AppendError::TooLarge { .. }) => Err(LogError::new(error)),
    }
}

/// Returns the append that writes an entry.
fn entry_append(at: LogPosition, entry: &WebhookEntry, epoch: u64, lease: Duration) -> LogAppend {
    LogAppend {
        at,
        epoch: epoch.max(at.epoch),
        records: vec![Bytes::from_static(b"{}")],
        note: Some(entry.to_bytes()),
        lease: Some(lease),
    }
}

async fn delete(log: &dyn ThreadLog, key: &ThreadKey, at: LogPosition) -> Result<(), LogError> {
    log.delete(key, Some(at)).await.map(drop)
}
