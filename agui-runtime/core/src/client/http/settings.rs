//! An agent's settings.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use http::{HeaderName, HeaderValue};

use super::{Accept, HttpAgent, connections};
use crate::client::ClientError;
use crate::client::middleware::Retry;

impl HttpAgent {
    /// Sends a header with every request, replacing earlier ones with the same name. This client sets `content-type` and `accept`
    /// itself.
    ///
    /// # Errors
    /// [`ClientError::Header`] if the header cannot be sent.
    ///
    /// ```
    /// use agui_runtime::client::{ClientError, HttpAgent};
    ///
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.header("authorization", "Bearer old")?;
    /// let renewed = agent.header("authorization", "Bearer new")?;
    /// assert!(matches!(renewed.header("x tenant", "7"), Err(ClientError::Header { .. })));
    /// # Ok::<(), ClientError>(())
    /// ```
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, ClientError> {
        let (name, value) = header(name, value)?;
        self.headers.insert(name, value);
        self.renew_socket();
        Ok(self)
    }

    /// Sends a header with every request, in addition to earlier ones with the same name: for the few repeatable headers.
    ///
    /// # Errors
    /// [`ClientError::Header`] if the header cannot be sent.
    pub fn append_header(mut self, name: &str, value: &str) -> Result<Self, ClientError> {
        let (name, value) = header(name, value)?;
        self.headers.append(name, value);
        self.renew_socket();
        Ok(self)
    }

    /// Sets the requested stream encoding.
    #[must_use]
    pub fn accept(mut self, accept: Accept) -> Self {
        self.accept = accept;
        self
    }

    /// Sets the time limit for connecting; the default is 10 seconds.
    ///
    /// # Errors
    /// [`ClientError::ForeignClient`] for an agent over the caller's HTTP client ([`with_client`](Self::with_client));
    /// [`ClientError::Tls`] as in [`new`](Self::new).
    pub fn connect_timeout(mut self, limit: Duration) -> Result<Self, ClientError> {
        if self.connect.is_none() {
            return Err(ClientError::ForeignClient);
        }
        self.connect = Some(limit);
        self.http = connections::client(&self.url, self.connect, self.redirects)?;
        self.limit_socket()?;
        Ok(self)
    }

    /// Sets the number of redirects to follow; the default is 0, so that messages, state and secret headers go only to the given
    /// address.
    ///
    /// Only same-origin redirects that keep the method are followed (RFC 9110, 15.4: 307 and 308). Every other redirect is a
    /// [`ClientError::Redirect`], which names the target.
    ///
    /// # Errors
    /// [`ClientError::ForeignClient`] for an agent over the caller's HTTP client ([`with_client`](Self::with_client));
    /// [`ClientError::Tls`] as in [`new`](Self::new).
    pub fn same_origin_redirects(mut self, limit: usize) -> Result<Self, ClientError> {
        if self.connect.is_none() {
            return Err(ClientError::ForeignClient);
        }
        self.redirects = limit;
        self.http = connections::client(&self.url, self.connect, limit)?;
        Ok(self)
    }

    /// Sets the longest time without bytes from the server, before and within the response. Servers send comments to keep a quiet
    /// connection open.
    #[must_use]
    pub fn idle_timeout(mut self, limit: Duration) -> Self {
        self.limits.idle = Some(limit);
        self
    }

    /// Sets the time limit for a whole run.
    #[must_use]
    pub fn run_timeout(mut self, limit: Duration) -> Self {
        self.limits.whole = Some(limit);
        self
    }

    /// Sets the largest event size on the wire, in bytes; the default is [`MAX_RECORD`](crate::wire::sse::MAX_RECORD).
    ///
    /// The client buffers up to this size until the event is complete. A parsed event takes more memory: in the worst case (empty
    /// lists and objects) about 100 times as much for JSON and 260 times for the binary transport. Choose the size of the largest
    /// event that the agent sends.
    #[must_use]
    pub fn max_frame(mut self, bytes: usize) -> Self {
        self.max_frame = bytes;
        self.renew_socket();
        self
    }

    /// Sets the largest stream size for a run, in bytes, comments included; the default is no limit.
    ///
    /// A session's memory grows with the stream, so this method limits an agent that never ends. Beyond the limit the connection
    /// is closed with [`ClientError::RunTooLong`].
    #[must_use]
    pub fn max_run(mut self, bytes: usize) -> Self {
        self.max_run = Some(bytes);
        self
    }

    /// Sets the reconnect attempts after a lost connection; the default is 36 attempts, after pauses from a quarter of a second to
    /// 10 seconds: three to five minutes. `Retry::times(0)` turns reconnecting off.
    ///
    /// A server that stores threads sends an id with each event. If the connection is lost before a run's last event, this client
    /// connects again and continues after the last received event: each event is delivered once, and in order. Without ids nothing
    /// is sent twice.
    ///
    /// The attempts are counted from the last event, or from the last connection that lasted as long as the longest pause. Pauses
    /// vary by up to a half. A server can request a longer pause, up to a minute, with the header `Retry-After`. After the last
    /// attempt, the run fails with [`ClientError::Lost`].
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use agui_runtime::client::HttpAgent;
    /// use agui_runtime::client::middleware::Retry;
    ///
    /// let patient = Retry::times(30).longest_pause(Duration::from_secs(30));
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")?.reconnect(patient);
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn reconnect(mut self, retry: Retry) -> Self {
        self.reconnect = retry;
        self
    }

    /// Declares that the server stores threads: a run request without a response is repeated too, because such a server recognizes
    /// the run by the id. Without this method, the client learns that from the first event with an id, or from the
    /// [capabilities](crate::client::Upstream::capabilities).
    #[must_use]
    pub fn resumable(mut self) -> Self {
        self.resumable = Arc::new(AtomicBool::new(true));
        self
    }
}

/// An agent without WebSockets, which has none to change.
#[cfg(not(feature = "websocket"))]
impl HttpAgent {
    fn renew_socket(&mut self) {}

    fn limit_socket(&mut self) -> Result<(), ClientError> {
        Ok(())
    }
}

fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), ClientError> {
    let unusable = |reason: String| ClientError::Header { name: name.to_owned(), reason };
    let known = HeaderName::from_bytes(name.as_bytes()).map_err(|error| unusable(error.to_string()))?;
    let mut value = HeaderValue::from_str(value).map_err(|error| unusable(error.to_string()))?;
    // Headers may contain secrets, so `Debug` shows none of them.
    value.set_sensitive(true);
    Ok((known, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callers_own_client_keeps_its_own_limits() {
        let own = HttpAgent::new("http://127.0.0.1:1/").unwrap();
        let given = HttpAgent::with_client("http://127.0.0.1:1/", own.http.clone()).unwrap();
        assert!(own.connect_timeout(Duration::from_secs(1)).is_ok());
        let limited = given.connect_timeout(Duration::from_secs(1));
        assert!(matches!(limited, Err(ClientError::ForeignClient)), "{limited:?}");
    }
}
