//! Signatures of webhooks (Standard Webhooks, section "Signature scheme").

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac_sha256::HMAC;

/// The headers of a webhook.
pub(crate) const ID: &str = "webhook-id";
pub(crate) const TIMESTAMP: &str = "webhook-timestamp";
pub(crate) const SIGNATURE: &str = "webhook-signature";

/// The beginning of a secret as text.
const PREFIX: &str = "whsec_";

/// The lengths of a key in bytes.
const LENGTHS: std::ops::RangeInclusive<usize> = 24..=64;

/// The most that the clocks of sender and receiver may differ.
const TOLERANCE: Duration = Duration::from_secs(5 * 60);

/// The secret that the sender and the receiver of webhooks share.
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

/// A text that is no secret.
///
/// ```
/// use agui_runtime::webhook::{WebhookSecret, WebhookSecretError};
///
/// assert!(matches!(WebhookSecret::new("whsec_c2hvcnQ="), Err(WebhookSecretError::Length { bytes: 5 })));
/// assert!(matches!(WebhookSecret::new("???"), Err(WebhookSecretError::Base64)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WebhookSecretError {
    /// It is not Base64.
    #[error("a webhook's secret is not Base64: expected `whsec_` and the key")]
    Base64,
    /// The key is too short, or too long.
    #[error("the key of a webhook has {bytes} bytes: expected 24 to 64")]
    Length {
        /// Its length.
        bytes: usize,
    },
}

/// A request that is not a webhook of this secret.
///
/// ```
/// use agui_runtime::webhook::{VerifyError, WebhookSecret};
///
/// let secret = WebhookSecret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
/// let refused = secret.verify(|_| None, b"{}");
/// assert!(matches!(refused, Err(VerifyError::Header { name: "webhook-id" })));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A header is missing, or malformed.
    #[error("the header `{name}` of the webhook is missing or malformed")]
    Header {
        /// Its name.
        name: &'static str,
    },
    /// It was sent too long ago, or in the future: someone may have recorded it.
    #[error("the webhook was not sent within five minutes of now")]
    Time,
    /// No signature is right.
    #[error("the webhook has no signature of this secret")]
    Signature,
}

impl WebhookSecret {
    /// Reads a secret: `whsec_`, which may be left out, and 24 to 64 bytes as Base64.
    ///
    /// # Errors
    /// [`WebhookSecretError`].
    ///
    /// ```
    /// use agui_runtime::webhook::WebhookSecret;
    ///
    /// assert!(WebhookSecret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").is_ok());
    /// ```
    pub fn new(text: &str) -> Result<Self, WebhookSecretError> {
        let text = text.strip_prefix(PREFIX).unwrap_or(text);
        let key = STANDARD.decode(text).map_err(|_| WebhookSecretError::Base64)?;
        if !LENGTHS.contains(&key.len()) {
            return Err(WebhookSecretError::Length { bytes: key.len() });
        }
        Ok(Self(HMAC::new(&key)))
    }

    /// Returns the signature of a message that is sent at this time, in seconds since 1970.
    ///
    /// ```
    /// use agui_runtime::webhook::WebhookSecret;
    ///
    /// let secret = WebhookSecret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
    /// assert_ne!(secret.sign("msg_1", 1, b"{}"), secret.sign("msg_1", 2, b"{}"));
    /// ```
    #[must_use]
    pub fn sign(&self, id: &str, timestamp: u64, body: &[u8]) -> String {
        format!("v1,{}", STANDARD.encode(self.mac(id, &timestamp.to_string(), body).finalize()))
    }

    /// Checks a request now, and returns the id of its message. `header` returns the value of a header, by its name in
    /// lower case; `body` has the bytes as they arrived.
    ///
    /// A message that is sent again has the same id: handle each id once.
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

    /// Checks a request as [`verify`](Self::verify) does, at another time than now: for tests.
    ///
    /// # Errors
    /// [`VerifyError`].
    ///
    /// ```
    /// use std::time::{Duration, UNIX_EPOCH};
    ///
    /// use agui_runtime::webhook::{VerifyError, WebhookSecret};
    ///
    /// let secret = WebhookSecret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
    /// let signature = secret.sign("1", 1000, b"{}");
    /// let header = |name: &str| match name {
    ///     "webhook-id" => Some("1"),
    ///     "webhook-timestamp" => Some("1000"),
    ///     _ => Some(signature.as_str()),
    /// };
    /// let at = |seconds| secret.verify_at(header, b"{}", UNIX_EPOCH + Duration::from_secs(seconds));
    /// assert_eq!((at(1300), at(1301)), (Ok("1"), Err(VerifyError::Time)));
    /// ```
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
