//! Names for the packages beside this one, and for no user: each may change in any release.

#[cfg(feature = "providers")]
pub use crate::date::retry_after_delay;
pub use crate::hex::hex;
#[cfg(feature = "providers")]
pub use crate::jitter::jittered;
#[cfg(feature = "providers")]
pub use crate::model::quotation::without_prompt;
#[cfg(feature = "providers")]
pub use crate::provider::model_source::ModelSource;
pub use crate::quoted::{quoted, quoted_up_to};
pub use crate::random::number as random_number;
#[cfg(feature = "thread-servers")]
pub use crate::thread::digest::{ThreadDigest, list_digest, thread_digest};
#[cfg(feature = "thread-servers")]
pub use crate::thread::reconnect::{ReconnectPauses, SharedConnection};
#[cfg(feature = "threads")]
pub use crate::thread::wakes::ThreadWakes;
#[cfg(feature = "tls")]
pub use crate::tls::shared_config as shared_tls_config;

/// The registry that packages submit to.
pub use inventory;
