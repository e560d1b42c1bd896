//! A server connection that reconnects when lost, with a pause after each failed attempt.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::log_error::LogError;

/// The shortest and the longest pause between attempts.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(5));

/// Growing pauses between consecutive attempts.
pub struct ReconnectPauses(Duration);

impl Default for ReconnectPauses {
    fn default() -> Self {
        Self(PAUSES.0)
    }
}

impl ReconnectPauses {
    /// Returns the next pause, longer than the last.
    pub fn next_pause(&mut self) -> Duration {
        let pause = self.0;
        self.0 = (pause * 2).min(PAUSES.1);
        pause
    }
}

/// A connection, or the last connection error.
pub struct SharedConnection<C>(Mutex<SharedConnectionState<C>>);

struct SharedConnectionState<C> {
    connection: Option<Arc<C>>,
    pauses: ReconnectPauses,
    failed: Option<(Instant, LogError)>,
}

impl<C> Default for SharedConnection<C> {
    fn default() -> Self {
        Self(Mutex::new(SharedConnectionState {
            connection: None,
            pauses: ReconnectPauses::default(),
            failed: None,
        }))
    }
}

impl<C> SharedConnection<C> {
    /// Returns the live connection, or a new one. During the pause after a failed attempt, returns that attempt's error at once.
    ///
    /// # Errors
    ///
    /// The error of `connect`.
    pub async fn connection(
        &self,
        is_alive: impl Fn(&C) -> bool,
        connect: impl Future<Output = Result<C, LogError>>,
    ) -> Result<Arc<C>, LogError> {
        let mut state = self.0.lock().await;
        if let Some(connection) = state.connection.as_ref().filter(|connection| is_alive(connection)) {
            return Ok(Arc::clone(connection));
        }
        state.connection = None;
        if let Some((until, error)) = &state.failed
            && Instant::now() < *until
        {
            return Err(error.clone());
        }
        match connect.await {
            Ok(connection) => {
                let connection = Arc::new(connection);
                *state = SharedConnectionState {
                    connection: Some(Arc::clone(&connection)),
                    pauses: ReconnectPauses::default(),
                    failed: None,
                };
                Ok(connection)
            }
            Err(error) => {
                state.failed = Some((Instant::now() + state.pauses.next_pause(), error.clone()));
                Err(error)
            }
        }
    }

    /// Gives up a connection that does not work.
    pub async fn abandon(&self, connection: &Arc<C>) {
        let mut state = self.0.lock().await;
        if state.connection.as_ref().is_some_and(|current| Arc::ptr_eq(current, connection)) {
            state.connection = None;
        }
    }
}
