//! The two generations of the protocol, and which one a server speaks.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{LazyLock, Mutex, PoisonError};

/// A generation of the protocol: how a connection begins. [`McpConnecting::generation`](super::McpConnecting::generation)
/// says which one a server speaks.
///
/// Without it a client asks the question of the newer generation first, and makes the handshake if a server does not answer
/// it. Some older servers end at a question that they do not know: a process is then started once more, and a server over
/// HTTP is asked again. The program remembers these servers, so each is asked once.
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
    /// 2025-11-25 and older: a connection begins with the request `initialize`.
    Handshake,
    /// 2026-07-28: each request stands alone, and `server/discover` tells what the server has.
    Discover,
}

/// The servers that made a handshake, after they did not answer the question of the newer generation.
static OLDER: LazyLock<Mutex<HashSet<u64>>> = LazyLock::new(Mutex::default);

/// The most servers that are remembered.
const MOST: usize = 1024;

/// A server in the memory of the program. It keeps no command and no address, which may have secrets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known(u64);

impl Known {
    /// The same text is the same server.
    pub(super) fn of(server: impl Hash) -> Self {
        static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        Self(STATE.hash_one(server))
    }

    pub(super) fn is_older(self) -> bool {
        OLDER.lock().unwrap_or_else(PoisonError::into_inner).contains(&self.0)
    }

    pub(super) fn remember(self, is_older: bool) {
        let mut older = OLDER.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_older {
            older.remove(&self.0);
            return;
        }
        if older.len() >= MOST {
            older.clear();
        }
        older.insert(self.0);
    }
}
