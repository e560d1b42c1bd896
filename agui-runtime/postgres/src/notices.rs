//! Wakes readers for other nodes' writes: by notices, and by polling.

use std::collections::HashMap;
use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use agui_runtime_core::__leaf::{ReconnectPauses, ThreadDigest, ThreadWakes, hex};
use agui_runtime_core::thread::{LogError, LogPosition};
use futures_util::{FutureExt, StreamExt, stream};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::sleep;
use tokio_postgres::{AsyncMessage, Config};

use super::failure::log_error;
use super::link::{PostgresLink, await_response};
use super::{get, statements, tls, unsigned};

/// The interval at which the engine polls threads with waiting readers.
const LOOK: Duration = Duration::from_secs(1);

/// The length of a thread name's prefix in a notice. Two threads with the same prefix wake each other's readers.
const NAME: usize = 16;

/// The maximum number of threads in a notice, which must stay under 8,000 bytes.
const MOST: usize = 450;

/// Instead of names: any thread may have changed.
const ANY: &str = "*";

/// Three tasks: two wake readers, and end when this value is dropped; one sends, and ends after the last notice.
pub(super) struct PostgresNotices {
    sender: NoticeSender,
    tasks: [AbortHandle; 2],
}

/// Wakes readers on other nodes. Readers also poll, so a lost notice only delays them.
#[derive(Clone)]
pub(super) struct NoticeSender(mpsc::UnboundedSender<Vec<ThreadDigest>>);

impl NoticeSender {
    /// Announces changed threads.
    pub(super) fn send(&self, threads: Vec<ThreadDigest>) {
        // It fails if the executor has ended, and with it all readers.
        let _ = self.0.send(threads);
    }
}

impl PostgresNotices {
    pub(super) fn start(
        config: Config,
        link: Arc<PostgresLink>,
        wakes: Arc<ThreadWakes<ThreadDigest>>,
    ) -> Self {
        let node = format!("{:016x}", agui_runtime_core::__leaf::random_number("node"));
        let (sender, receiver) = mpsc::unbounded_channel();
        tokio::spawn(send_notices(link.another(), node.clone(), receiver));
        let listening = tokio::spawn(listen(config, Arc::clone(&link), node, Arc::clone(&wakes)));
        let seen = tokio::spawn(poll_threads(link, wakes));
        Self { sender: NoticeSender(sender), tasks: [listening.abort_handle(), seen.abort_handle()] }
    }

    pub(super) fn sender(&self) -> NoticeSender {
        self.sender.clone()
    }
}

impl Drop for PostgresNotices {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

/// Sends notices. Notices that wait during a send go together in the next.
async fn send_notices(
    link: PostgresLink,
    node: String,
    mut receiver: mpsc::UnboundedReceiver<Vec<ThreadDigest>>,
) {
    while let Some(mut threads) = receiver.recv().await {
        while let Ok(more) = receiver.try_recv() {
            threads.extend(more);
        }
        threads.sort_unstable();
        threads.dedup();
        let _ = link.query(&statements::NOTIFY, &[&payload(&node, &threads)]).await;
    }
}

/// Returns a notice's text: the writing node and the threads.
fn payload(node: &str, threads: &[ThreadDigest]) -> String {
    if threads.len() > MOST {
        return format!("{node}:{ANY}");
    }
    let names: String = threads.iter().map(name).collect();
    format!("{node}:{names}")
}

fn name(thread: &ThreadDigest) -> String {
    let mut name = hex(thread);
    name.truncate(NAME);
    name
}

/// Wakes readers of the threads that a notice names.
fn wake(payload: &str, node: &str, wakes: &ThreadWakes<ThreadDigest>) {
    let Some((from, names)) = payload.split_once(':') else { return wakes.wake_all() };
    if from == node {
        return;
    }
    if names == ANY {
        return wakes.wake_all();
    }
    for thread in wakes.keys() {
        let name = name(&thread);
        if names.as_bytes().chunks(NAME).any(|named| named == name.as_bytes()) {
            wakes.wake(&thread);
        }
    }
}

async fn listen(
    config: Config,
    link: Arc<PostgresLink>,
    node: String,
    wakes: Arc<ThreadWakes<ThreadDigest>>,
) {
    let mut pauses = ReconnectPauses::default();
    // A session that others use cannot listen for us alone. Readers are woken by `look`.
    if link.session().await.is_ok_and(|session| session.is_shared()) {
        return;
    }
    loop {
        let received = receive_notices(&config, &link, &node, &wakes, &mut pauses).await;
        tracing::debug!(error = ?received.err(), "notices of threads have ended: connecting again");
        sleep(pauses.next_pause()).await;
    }
}

/// Wakes readers by notices as long as the connection lasts.
async fn receive_notices(
    config: &Config,
    link: &PostgresLink,
    node: &str,
    wakes: &ThreadWakes<ThreadDigest>,
    pauses: &mut ReconnectPauses,
) -> Result<(), LogError> {
    let rows = link.query(&statements::LISTEN, &[]).await?;
    let listen: String = get(rows.first().ok_or_else(|| LogError::new("no statement to listen"))?, 0)?;
    let connected = await_response(config.connect(tls::connector(config)?)).await?;
    let (client, mut connection) = connected.map_err(|error| log_error(&error))?;
    let mut messages = stream::poll_fn(move |context| connection.poll_message(context)).boxed();
    let mut listening = Box::pin(client.batch_execute(&listen).fuse());
    let mut begun = false;
    loop {
        let message = poll_fn(|context| {
            if !begun && let std::task::Poll::Ready(listens) = listening.poll_unpin(context) {
                begun = true;
                return std::task::Poll::Ready(Err(listens));
            }
            messages.poll_next_unpin(context).map(Ok)
        });
        match message.await {
            Err(listens) => {
                listens.map_err(|error| log_error(&error))?;
                *pauses = ReconnectPauses::default();
                // Notices from before were not received.
                wakes.wake_all();
            }
            Ok(Some(message)) => {
                if let AsyncMessage::Notification(notice) = message.map_err(|error| log_error(&error))? {
                    wake(notice.payload(), node, wakes);
                }
            }
            Ok(None) => return Ok(()),
        }
    }
}

/// Polls the threads that readers wait for.
async fn poll_threads(link: Arc<PostgresLink>, wakes: Arc<ThreadWakes<ThreadDigest>>) {
    let mut known = HashMap::new();
    loop {
        sleep(LOOK).await;
        let waiting = wakes.keys();
        if waiting.is_empty() {
            known.clear();
            continue;
        }
        // Readers that read meanwhile get the error.
        let Ok(ends) = ends(&link, &waiting).await else { continue };
        for thread in &waiting {
            let end = ends.get(thread).copied().unwrap_or_default();
            // At the first look nothing can be said about the time before it.
            if known.get(thread) != Some(&end) {
                wakes.wake(thread);
            }
        }
        known =
            waiting.iter().map(|thread| (*thread, ends.get(thread).copied().unwrap_or_default())).collect();
    }
}

async fn ends(
    link: &PostgresLink,
    threads: &[ThreadDigest],
) -> Result<HashMap<ThreadDigest, LogPosition>, LogError> {
    let keys: Vec<&[u8]> = threads.iter().map(|thread| &thread[..]).collect();
    let rows = link.query(&statements::ENDS, &[&keys]).await?;
    let end = |row| {
        let key: &[u8] = get(row, 0)?;
        let key = ThreadDigest::try_from(key).map_err(LogError::new)?;
        Ok((key, LogPosition { epoch: unsigned(row, 1)?, seq: unsigned(row, 2)? }))
    };
    rows.iter().map(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_wakes_the_readers_of_its_threads_on_other_nodes() {
        let wakes = ThreadWakes::default();
        let threads: Vec<ThreadDigest> = (0..=255).map(|byte| [byte; 32]).collect();
        let woken = |payload: String| {
            let waiting: Vec<_> = threads.iter().map(|thread| wakes.register(thread)).collect();
            wake(&payload, "here", &wakes);
            waiting.into_iter().map(|waiting| waiting.now_or_never().is_some()).filter(|woken| *woken).count()
        };
        assert_eq!(woken(payload("there", &threads[7..9])), 2);
        assert_eq!(woken(payload("here", &threads[7..9])), 0);
        assert_eq!(woken(payload("there", &[[7; 32]; MOST + 1])), 256);
        assert_eq!(woken("of another program".to_owned()), 256);
        assert!(payload(&"n".repeat(16), &[[7; 32]; MOST]).len() < 8_000);
    }
}
