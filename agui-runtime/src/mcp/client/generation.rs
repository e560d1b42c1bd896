//! The two generations of the protocol, and which one a server speaks.

use std::collections::HashMap;
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

/// The servers that made a handshake, each with what it says about itself: another one at the same place is asked anew.
static OLDER: LazyLock<Mutex<HashMap<u64, u64>>> = LazyLock::new(Mutex::default);

/// The most servers that are remembered.
const MOST: usize = 1024;

/// A server in the memory of the program. It keeps no command and no address, which may have secrets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known(u64);

impl Known {
    /// The same text is the same place.
    pub(super) fn of(server: impl Hash) -> Self {
        Self(hash(server))
    }

    /// True if the server made a handshake.
    pub(super) fn is_older(self) -> bool {
        OLDER.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&self.0)
    }

    /// True if the server that made a handshake said this about itself.
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
