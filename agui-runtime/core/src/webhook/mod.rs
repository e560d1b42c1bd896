//! Webhooks: a stored run's end, sent to a URL, and a receiver's signature check.
//!
//! `Server::webhooks` sends them (feature `webhooks`). A receiver needs only the feature `webhook-signatures`, checks each request
//! with [`WebhookSecret::verify`] and parses the [`WebhookMessage`]. Signatures follow the [Standard Webhooks
//! specification](https://www.standardwebhooks.com), so that other Standard Webhooks libraries can check them too.
//!
//! ```
//! use agui_runtime::webhook::{VerifyError, WebhookMessage, WebhookSecret};
//!
//! /// Handles the request of a webhook.
//! fn receive(secret: &WebhookSecret, headers: &http::HeaderMap, body: &[u8]) -> Result<(), VerifyError> {
//!     let id = secret.verify(|name| headers.get(name)?.to_str().ok(), body)?;
//!     // The same message may come again: remember the ids that were handled.
//!     let Ok(message) = serde_json::from_slice::<WebhookMessage>(body) else { return Ok(()) };
//!     println!("{id}: run {} of thread {} has ended", message.data.run_id, message.data.thread_id);
//!     Ok(())
//! }
//! # let secret = WebhookSecret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
//! # assert!(receive(&secret, &http::HeaderMap::new(), b"{}").is_err());
//! ```

mod message;
mod secret;

pub use message::{WebhookData, WebhookKind, WebhookMessage};
pub use secret::{VerifyError, WebhookSecret, WebhookSecretError};

#[cfg(feature = "webhooks")]
pub(crate) use secret::{ID, SIGNATURE, TIMESTAMP};
