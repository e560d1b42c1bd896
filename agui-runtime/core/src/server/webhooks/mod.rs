//! Webhooks: a stored run's end, sent to a URL.
//!
//! ```text
//! request ─▶ target ─▶ outbox (an entry, before the run) ─▶ run … its end ─▶ delivery ─▶ attempt ─▶ the entry is deleted
//!                        ▲                                                      │
//!                        └── maintenance: entries whose lease is over ◀── a failure: a lease until the next attempt
//! ```
//!
//! An entry is a stored thread with a lease that belongs to no agent. So a message is sent at least once, whichever server is lost
//! when, and waiting for the next attempt takes no memory.
//!
//! | file | idea |
//! |---|---|
//! | `options` | [`Webhooks`]: secret, targets, limits |
//! | `address` | the addresses to which requests may go |
//! | `attempt` | one signed request |
//! | `entry` | a message in the outbox |
//! | `hosts` | concurrent requests per host |
//! | `outbox` | from an entry to the delivery |

mod address;
mod attempt;
mod entry;
mod hosts;
mod options;
mod outbox;

pub use options::Webhooks;
pub(in crate::server) use outbox::WebhookOutbox;
