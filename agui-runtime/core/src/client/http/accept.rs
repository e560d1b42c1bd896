//! The requested stream encoding.

use http::HeaderValue;

use crate::wire::sse;

/// The requested stream encoding. A response is read by the response's own content type.
///
/// ```
/// use agui_runtime::client::{Accept, HttpAgent};
///
/// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.accept(Accept::Binary);
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Accept {
    /// Server-sent events, which every server supports.
    #[default]
    Sse,
    /// The binary transport, or server-sent events from servers without it. Smaller and faster to read.
    Binary,
    /// Not AG-UI: the [snake_case dialect](crate::dialect::snake_case), for servers that speak the dialect; requests are written
    /// in snake_case too. Needs the feature `dialect`.
    ///
    /// ```
    /// use agui_runtime::client::{Accept, HttpAgent};
    /// use agui_runtime::dialect::snake_case::CHAT_PATH;
    ///
    /// let other = HttpAgent::new(format!("http://127.0.0.1:8000{CHAT_PATH}"))?.accept(Accept::SnakeCase);
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[cfg(feature = "dialect")]
    SnakeCase,
}

impl Accept {
    pub(super) fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Sse => sse::CONTENT_TYPE,
            #[cfg(feature = "dialect")]
            Self::SnakeCase => sse::CONTENT_TYPE,
            Self::Binary => "application/vnd.ag-ui.event+proto, text/event-stream",
        })
    }
}
