//! Which encoding is asked for.

use http::HeaderValue;

use crate::wire::sse;

/// Which encoding of the stream is asked for. What comes is read by what it says it is.
///
/// ```
/// use agui_runtime::client::{Accept, HttpAgent};
/// use agui_runtime::wire::snake_case::CHAT_PATH;
///
/// let other = HttpAgent::new(format!("http://127.0.0.1:8000{CHAT_PATH}"))?.accept(Accept::SnakeCase);
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Accept {
    /// Server-sent events, which every server speaks.
    #[default]
    Sse,
    /// The binary transport, and server-sent events of servers that have none. Smaller, and quicker to read.
    Binary,
    /// Not AG-UI at all: the snake_case dialect, for servers that speak that ([`snake_case`](crate::wire::snake_case)). The request is written in it, too.
    SnakeCase,
}

impl Accept {
    pub(super) fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Sse | Self::SnakeCase => sse::CONTENT_TYPE,
            Self::Binary => "application/vnd.ag-ui.event+proto, text/event-stream",
        })
    }
}
