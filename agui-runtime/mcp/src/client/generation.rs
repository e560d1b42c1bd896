//! The two protocol generations, and a memory for servers that speak the earlier one.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{LazyLock, Mutex, PoisonError};

/// A protocol generation: how a connection begins. Set a server's generation with
/// [`McpConnecting::generation`](super::McpConnecting::generation).
///
/// By default a client first sends `server/discover`, and makes the handshake if that request gets no result. Some handshake
/// servers exit at an unknown request: a process is then started again, and an HTTP server gets a second request. The program
/// remembers such servers, so each is probed once.
///
/// ```
/// # async fn example() -> Result<(), agui_runtime::mcp::McpError> {
/// use agui_runtime::mcp::{McpClient, McpGeneration};
///
/// let files = McpClient::spawn("old-server", ["--stdio"]).generation(McpGeneration::Handshake).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum McpGeneration {
    /// 2025-11-25 and earlier: a connection begins with the request `initialize`.
    Handshake,
    /// 2026-07-28: each request stands alone, and `server/discover` returns the server's capabilities.
    Discover,
}

/// Servers that made a handshake, each with a hash over the server info: a replaced server at the same address is probed again.
static OLDER: LazyLock<Mutex<HashMap<u64, u64>>> = LazyLock::new(Mutex::default);

/// Capacity; a full memory is cleared.
const MOST: usize = 1024;

/// A server's key in that memory: a hash, because commands and addresses may contain secrets.
#[derive(Debug, Clone, Copy)]
pub(super) struct ServerFingerprint(u64);

impl ServerFingerprint {
    /// Hashes a command or address; the same text is the same server.
    pub(super) fn new(server: impl Hash) -> Self {
        Self(hash(server))
    }

    /// True if the server made a handshake.
    pub(super) fn is_older(self) -> bool {
        OLDER.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&self.0)
    }

    /// True if the server info is the same as at the handshake.
    pub(super) fn is_same(self, about: impl Hash) -> bool {
        OLDER.lock().unwrap_or_else(PoisonError::into_inner).get(&self.0) == Some(&hash(about))
    }

    pub(super) fn remember_older(self, about: impl Hash) {
        let mut older = OLDER.lock().unwrap_or_else(PoisonError::into_inner);
        if older.len() >= MOST {
            older.clear();
        }
        older.insert(self.0, hash(about));
    }

    pub(super) fn forget(self) {
        OLDER.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

fn hash(value: impl Hash) -> u64 {
    static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    STATE.hash_one(value)
}
