//! Webhooks: the ends of stored runs, sent to a URL, and the check of their signatures by a receiver.
//!
//! `Server::webhooks` sends them (feature `webhooks`). A receiver, for which the feature `webhook-signatures` is enough, checks each
//! with [`WebhookSecret::verify`] and reads its [`WebhookMessage`]. The signatures are those of the [Standard Webhooks
//! specification](https://www.standardwebhooks.com), so that its libraries check them too.
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
