//! Webhook signatures (Standard Webhooks, section "Signature scheme").

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac_sha256::HMAC;

/// A webhook's headers.
pub(crate) const ID: &str = "webhook-id";
pub(crate) const TIMESTAMP: &str = "webhook-timestamp";
pub(crate) const SIGNATURE: &str = "webhook-signature";

/// The prefix of a secret's text.
const PREFIX: &str = "whsec_";

/// The allowed key lengths in bytes.
const LENGTHS: std::ops::RangeInclusive<usize> = 24..=64;

/// The maximum clock difference between sender and receiver.
const TOLERANCE: Duration = Duration::from_secs(5 * 60);

/// The secret that webhook sender and receiver share.
///
/// ```
/// use agui_runtime::webhook::WebhookSecret;
///
/// let secret = WebhookSecret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")?;
/// let signature = secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
/// assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
/// # Ok::<(), agui_runtime::webhook::WebhookSecretError>(())
/// ```
#[derive(Clone)]
pub struct WebhookSecret(HMAC);

/// A text that is no [`WebhookSecret`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WebhookSecretError {
    /// The text is not Base64.
    #[error("a webhook's secret is not Base64: expected `whsec_` and the key")]
    Base64,
    /// The key is too short or too long.
    #[error("the key of a webhook has {bytes} bytes: expected 24 to 64")]
    Length {
        /// The key length.
        bytes: usize,
    },
}

/// A request that no webhook sender with this [`WebhookSecret`] signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A header is missing or malformed.
    #[error("the header `{name}` of the webhook is missing or malformed")]
    Header {
        /// The header name.
        name: &'static str,
    },
    /// The timestamp is too old, or in the future: the request may be a replay.
    #[error("the webhook was not sent within five minutes of now")]
    Time,
    /// No signature is valid.
    #[error("the webhook has no signature of this secret")]
    Signature,
}

impl WebhookSecret {
    /// Parses a [`WebhookSecret`]: an optional `whsec_`, and 24 to 64 bytes as Base64.
    ///
    /// # Errors
    /// [`WebhookSecretError`].
    pub fn new(text: &str) -> Result<Self, WebhookSecretError> {
        let text = text.strip_prefix(PREFIX).unwrap_or(text);
        let key = STANDARD.decode(text).map_err(|_| WebhookSecretError::Base64)?;
        if !LENGTHS.contains(&key.len()) {
            return Err(WebhookSecretError::Length { bytes: key.len() });
        }
        Ok(Self(HMAC::new(&key)))
    }

    /// Returns the signature for a message sent at `timestamp`, in seconds since 1970.
    #[must_use]
    pub fn sign(&self, id: &str, timestamp: u64, body: &[u8]) -> String {
        format!("v1,{}", STANDARD.encode(self.mac(id, &timestamp.to_string(), body).finalize()))
    }

    /// Checks a request by the current time, and returns the message id. `header` returns a header's value by lower-case name;
    /// `body` has the bytes as received.
    ///
    /// A repeated message has the same id: handle each id once.
    ///
    /// # Errors
    /// [`VerifyError`].
    ///
    /// ```
    /// use std::time::{SystemTime, UNIX_EPOCH};
    ///
    /// use agui_runtime::webhook::{VerifyError, WebhookSecret};
    ///
    /// let secret = WebhookSecret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
    /// let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    /// let (time, signature) = (now.to_string(), secret.sign("msg_1", now, b"{}"));
    /// let header = |name: &str| match name {
    ///     "webhook-id" => Some("msg_1"),
    ///     "webhook-timestamp" => Some(time.as_str()),
    ///     _ => Some(signature.as_str()),
    /// };
    /// assert_eq!(secret.verify(header, b"{}"), Ok("msg_1"));
    /// assert_eq!(secret.verify(header, b"[]"), Err(VerifyError::Signature));
    /// ```
    pub fn verify<'h>(
        &self,
        header: impl Fn(&'static str) -> Option<&'h str>,
        body: &[u8],
    ) -> Result<&'h str, VerifyError> {
        self.verify_at(header, body, SystemTime::now())
    }

    /// Checks a request as [`verify`](Self::verify) does, at a given time: for tests.
    ///
    /// # Errors
    /// [`VerifyError`].
    pub fn verify_at<'h>(
        &self,
        header: impl Fn(&'static str) -> Option<&'h str>,
        body: &[u8],
        now: SystemTime,
    ) -> Result<&'h str, VerifyError> {
        let required = |name| header(name).ok_or(VerifyError::Header { name });
        let id = required(ID)
            .and_then(|id| if id.is_empty() { Err(VerifyError::Header { name: ID }) } else { Ok(id) })?;
        let timestamp = required(TIMESTAMP)?;
        let signatures = required(SIGNATURE)?;
        let sent =
            timestamp.parse::<u64>().ok().and_then(|sent| UNIX_EPOCH.checked_add(Duration::from_secs(sent)));
        let sent = sent.ok_or(VerifyError::Header { name: TIMESTAMP })?;
        let apart = now.duration_since(sent).unwrap_or_else(|ahead| ahead.duration());
        if apart > TOLERANCE {
            return Err(VerifyError::Time);
        }
        // While a secret is replaced, a message has a signature of each.
        let is_right = signatures.split(' ').any(|signature| {
            let code = signature.strip_prefix("v1,").and_then(|code| STANDARD.decode(code).ok());
            let code = code.and_then(|code| <[u8; 32]>::try_from(code).ok());
            // In constant time.
            code.is_some_and(|code| self.mac(id, timestamp, body).finalize_verify(&code))
        });
        if is_right { Ok(id) } else { Err(VerifyError::Signature) }
    }

    fn mac(&self, id: &str, timestamp: &str, body: &[u8]) -> HMAC {
        let mut mac = self.0.clone();
        for part in [id.as_bytes(), b".", timestamp.as_bytes(), b".", body] {
            mac.update(part);
        }
        mac
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(..)")
    }
}
